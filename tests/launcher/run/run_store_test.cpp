// SPDX-License-Identifier: GPL-3.0-or-later
// What the store remembers is what a store that remembers nothing reads, whatever happens to the
// files in between; and no byte of a stream is parsed twice.
#include "run/run_store.h"

#include "run/run_status.h"
#include "run/study_files.h"
#include "support/launcher_fixture.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <atomic>
#include <thread>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

namespace {

QByteArray fixture(const char* name)
{
    QFile file(QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams/") + QLatin1String(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

void write(const QString& path, const QByteArray& bytes,
           QIODevice::OpenMode how = QIODevice::Truncate)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly | how));
    QCOMPARE(file.write(bytes), bytes.size());
}

void setState(const QString& runDir, RunState state, int attempt = 1)
{
    RunStatus status;
    status.state = state;
    status.attempt = attempt;
    QVERIFY(writeRunStatus(runDir, status).ok());
}

void equalsFresh(RunStore& store, const QString& runDir)
{
    RunStore fresh;
    const Result<RunRecord> known = store.read(runDir), read = fresh.read(runDir);
    QVERIFY(known.ok() && read.ok());
    const RunRecord &a = known.value(), &b = read.value();
    QCOMPARE(runStateName(a.state), runStateName(b.state));
    QCOMPARE(a.attempts, b.attempts);
    QCOMPARE(a.config.json, b.config.json);
    QCOMPARE(a.steps.size(), b.steps.size());
    for (qsizetype i = 0; i < a.steps.size(); ++i) {
        QCOMPARE(a.steps[i].samples, b.steps[i].samples);
        QCOMPARE(a.steps[i].loss, b.steps[i].loss);
    }
    QCOMPARE(a.evals.size(), b.evals.size());
    QCOMPARE(a.epochs.size(), b.epochs.size());
    QCOMPARE(a.workers.size(), b.workers.size());
    QCOMPARE(a.stopStatus, b.stopStatus);
    QCOMPARE(a.throughput, b.throughput);
    QCOMPARE(a.sequenceGaps + a.sequenceRepeats, b.sequenceGaps + b.sequenceRepeats);
}

} // namespace

class RunStoreTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void growsAndIsParsedOnce()
    {
        TemporaryLibrary library;
        const QString dir = library.create({2}).runs[0].runDir;
        const QByteArray bytes = fixture("reached_2_workers.txt");
        QVERIFY(bytes.size() > 1000);
        RunStore store;
        equalsFresh(store, dir); // no stream yet
        setState(dir, RunState::Running);
        qsizetype at = 0;
        for (const qsizetype part : {1, 333, 70, 5000, 100'000'000}) { // torn in mid-line
            write(dir + u"/result_0.txt"_s, bytes.mid(at, part), QIODevice::Append);
            at = std::min(bytes.size(), at + part);
            equalsFresh(store, dir);
            equalsFresh(store, dir);
            QCOMPARE(store.parsedBytes(), qint64(at));
        }
        setState(dir, RunState::Completed);
        equalsFresh(store, dir);
        QCOMPARE(store.parsedBytes(), qint64(bytes.size()));
        QVERIFY(!store.read(dir).value().steps.isEmpty());
    }

    void anotherStreamInItsPlace()
    {
        TemporaryLibrary library;
        const QString dir = library.create({2}).runs[0].runDir;
        const QString stream = dir + u"/result_0.txt"_s;
        RunStore store;
        write(stream, fixture("reached_1_worker.txt"));
        equalsFresh(store, dir);
        // Renamed over: an attempt begins again.
        write(dir + u"/new"_s, fixture("stopped.txt"));
        QVERIFY(QFile::remove(stream) && QFile::rename(dir + u"/new"_s, stream));
        equalsFresh(store, dir);
        // Written anew in place: shorter, and longer with other content.
        write(stream, fixture("stopped.txt").first(900));
        equalsFresh(store, dir);
        write(stream, fixture("reached_2_workers.txt"));
        equalsFresh(store, dir);
        QVERIFY(QFile::remove(stream));
        equalsFresh(store, dir);
        QVERIFY(store.read(dir).value().steps.isEmpty());
        write(dir + u"/run.json"_s, "{");
        QVERIFY(!store.read(dir).ok());
        QVERIFY(!store.read(dir + u"/nothing"_s).ok());
    }

    /// Whoever reads, each byte is parsed once and told once to who follows.
    void whoFollowsGetsWhatOthersRead()
    {
        TemporaryLibrary library;
        const QString dir = library.create({2}).runs[0].runDir;
        const QString stream = dir + u"/result_0.txt"_s;
        const QByteArray bytes = fixture("reached_2_workers.txt");
        RunStore store;
        write(stream, bytes.first(bytes.size() / 3));
        QVERIFY(store.read(dir).ok());
        const auto follower = store.follow(dir);
        RunRecord told;
        bool restarted = false;
        const auto takeAll = [&] {
            for (bool more = true; more;) {
                const RunSubscription::Piece piece = follower->take(100);
                if (piece.restarted)
                    told = RunRecord();
                restarted = restarted || piece.restarted;
                told.apply(piece.delta);
                more = piece.more;
            }
        };
        takeAll();
        QVERIFY(!told.steps.isEmpty());
        write(stream, bytes.mid(bytes.size() / 3, 1000), QIODevice::Append);
        QVERIFY(store.read(dir).ok()); // somebody else
        write(stream, bytes.mid(bytes.size() / 3 + 1000), QIODevice::Append);
        takeAll();
        QVERIFY(!restarted);
        QCOMPARE(store.parsedBytes(), qint64(bytes.size()));
        const RunRecord read = store.read(dir).value();
        QCOMPARE(told.steps.size(), read.steps.size());
        for (qsizetype i = 0; i < told.steps.size(); ++i)
            QCOMPARE(&told.steps[i], &read.steps[i]); // one and the same: stored once
        QCOMPARE(told.evals.size(), read.evals.size());
        QCOMPARE(told.throughput, read.throughput);
        QCOMPARE(told.stopStatus, read.stopStatus);
        QCOMPARE(store.parsedBytes(), qint64(bytes.size()));
        // Another attempt in its place.
        write(dir + u"/new"_s, fixture("stopped.txt"));
        QVERIFY(QFile::remove(stream) && QFile::rename(dir + u"/new"_s, stream));
        takeAll();
        QVERIFY(restarted);
        QCOMPARE(told.steps.size(), store.read(dir).value().steps.size());
    }

    void whatIsFollowedIsNotForgotten()
    {
        TemporaryLibrary library;
        const Study study = library.create({1, 2, 4});
        for (const RunRecord& run : study.runs)
            write(run.runDir + u"/result_0.txt"_s, fixture("reached_1_worker.txt"));
        RunStore store(1000);
        auto follower = store.follow(study.runs[0].runDir);
        while (follower->take(1 << 20).more) {
        }
        QVERIFY(store.read(study.runs[1].runDir).ok() && store.read(study.runs[2].runDir).ok());
        const qint64 parsed = store.parsedBytes();
        QVERIFY(store.read(study.runs[0].runDir).ok());
        QCOMPARE(store.parsedBytes(), parsed);
        follower.reset();
        QVERIFY(store.read(study.runs[1].runDir).ok());
        QVERIFY(store.parsedBytes() > parsed);
        QVERIFY(store.rememberedBytes() <= 1000);
    }

    void forgetsTheLeastRecent()
    {
        TemporaryLibrary library;
        const Study study = library.create({1, 2, 4, 8});
        const QByteArray bytes = fixture("reached_1_worker.txt");
        for (const RunRecord& run : study.runs)
            write(run.runDir + u"/result_0.txt"_s, bytes);
        const qint64 room = 2 * (bytes.size() + 8192);
        RunStore store(room);
        for (int round = 0; round < 2; ++round)
            for (const RunRecord& run : study.runs) {
                equalsFresh(store, run.runDir);
                QVERIFY(store.rememberedBytes() <= room);
            }
        const qint64 parsed = store.parsedBytes();
        QCOMPARE(parsed, 8 * bytes.size()); // none was left when it was asked for again
        equalsFresh(store, study.runs[3].runDir);
        QCOMPARE(store.parsedBytes(), parsed);
    }

    void manyThreadsParseOnce()
    {
        TemporaryLibrary library;
        const QString dir = library.create({2}).runs[0].runDir;
        const QByteArray bytes = fixture("reached_2_workers.txt");
        write(dir + u"/result_0.txt"_s, bytes);
        RunStore store;
        const qsizetype steps = RunStore().read(dir).value().steps.size();
        std::atomic<int> wrong = 0;
        std::vector<std::thread> threads;
        for (int i = 0; i < 6; ++i)
            threads.emplace_back([&] {
                for (int time = 0; time < 20; ++time)
                    if (const auto run = store.read(dir); !run || run.value().steps.size() != steps)
                        ++wrong;
            });
        for (std::thread& thread : threads)
            thread.join();
        QCOMPARE(wrong.load(), 0);
        QCOMPARE(store.parsedBytes(), qint64(bytes.size()));
    }

    /// Every list of studies looks at unfinished ones.
    void libraryReadsOnce()
    {
        TemporaryLibrary library;
        const Study study = library.create({1, 2});
        const QByteArray bytes = fixture("reached_1_worker.txt");
        write(study.runs[0].runDir + u"/result_0.txt"_s, bytes);
        setState(study.runs[0].runDir, RunState::Running);
        const qint64 before = RunStore::ofThisProcess().parsedBytes();
        for (int time = 0; time < 3; ++time) {
            QCOMPARE(library.library->studies().value().size(), 1);
            QVERIFY(loadStudy(study.dir).ok());
            QVERIFY(loadRun(study.runs[0].runDir + u"/../"_s + study.runs[0].config.runId).ok());
        }
        QCOMPARE(RunStore::ofThisProcess().parsedBytes() - before, qint64(bytes.size()));
    }
};

QTEST_GUILESS_MAIN(RunStoreTest)
#include "run_store_test.moc"
