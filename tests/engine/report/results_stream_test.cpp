// SPDX-License-Identifier: GPL-3.0-or-later
// The results stream: golden files, gapless numbers, refusals, and the rules of the public checker.

#include "engine/report/golden_streams.h"
#include "engine/report/mlperf_rules.h"
#include "engine/report/run_stream.h"
#include "engine/report/system_info.h"
#include "kernels/check.h"
#include "support/campaign.h"

#include <QFile>
#include <QFloat16> // QCOMPARE asks whether a Json becomes one
#include <QTemporaryDir>
#include <QTest>

#include <limits>
#include <sys/mount.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace scalebench;
using namespace scalebench::report;

namespace {

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll()
                                          : QByteArray("cannot open ") + path.toUtf8();
}

QString fixture(const std::string& name)
{
    return QStringLiteral(SB_SOURCE_DIR "/tests/fixtures/streams/") + QString::fromStdString(name);
}

std::string inDir(const QTemporaryDir& dir, const char* name)
{
    return dir.filePath(QString::fromLatin1(name)).toStdString();
}

template <typename Body>
std::string codeOf(Body body)
{
    try {
        body();
    } catch (const Error& e) {
        return e.code();
    }
    return "none";
}

} // namespace

class ResultsStreamTest : public QObject
{
    Q_OBJECT
private slots:
    /// A checkpoint's bytes and records are of one moment, though the heartbeat writes meanwhile.
    void positionIsOfOneMoment()
    {
        QTemporaryDir folder;
        ResultsWriter writer(folder.filePath(QStringLiteral("s.txt")).toStdString(),
                             [] { return int64_t(1000); });
        writer.write("scalebench", EventType::PointInTime, "k", 1);
        const int64_t line = writer.position().bytes;
        // A line is longer by each further digit of its sequence number.
        const auto length = [line](int64_t records) {
            int64_t bytes = records * line;
            for (int64_t first = 10; first < records; first *= 10)
                bytes += records - first;
            return bytes;
        };
        std::thread heart([&] {
            for (int i = 0; i < 20'000; ++i)
                writer.write("scalebench", EventType::PointInTime, "k", 1);
        });
        bool whole = true;
        for (ResultsWriter::Position now; now.records < 20'001;) {
            now = writer.position();
            whole = whole && now.bytes == length(now.records);
        }
        heart.join();
        QVERIFY(whole);
    }

    /// The times of a run are told apart by a clock that nobody sets.
    void clockGoesOnSteadily()
    {
        const ResultsWriter::Clock clock = ResultsWriter::steadyClock(1'000'000);
        const int64_t first = clock();
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        QVERIFY(first >= 1'000'000 && clock() >= first + 5);
        QVERIFY(clock() < 1'000'000 + test::kHangMs);
    }
    /// The computer's clock was set back before the run was gone on with.
    void clockOfAResumedRunIsNotBefore()
    {
        QTemporaryDir folder;
        const std::string path = inDir(folder, "s.txt");
        constexpr int64_t kLater = 32'503'680'000'000; // the year 3000
        ResultsWriter::Position from;
        {
            ResultsWriter writer(path, [] { return kLater; });
            writer.write("scalebench", EventType::PointInTime, "k", 1);
            from = writer.position();
        }
        const auto writer = ResultsWriter::resume(path, from);
        QVERIFY(writer->position().timeMs >= kLater);
        QCOMPARE(writer->position().records, int64_t(1));
        QCOMPARE(writer->position().bytes, from.bytes);
    }

    void goldenFiles_data()
    {
        QTest::addColumn<QString>("name");
        for (const std::string& name : test::goldenStreamNames())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    /// SB_UPDATE_GOLDEN=1 writes the files anew.
    void goldenFiles()
    {
        QFETCH(QString, name);
        QTemporaryDir dir;
        const std::string path = inDir(dir, "stream.txt");
        test::writeGoldenStream(name.toStdString(), path);
        const QByteArray written = contentOf(QString::fromStdString(path));
        if (qEnvironmentVariableIsSet("SB_UPDATE_GOLDEN")) {
            QFile out(fixture(name.toStdString()));
            QVERIFY(out.open(QIODevice::WriteOnly));
            out.write(written);
        }
        QCOMPARE(written, contentOf(fixture(name.toStdString())));
    }

    void sequenceHasNoGaps()
    {
        const QList<QByteArray> lines =
            contentOf(fixture("reached_2_workers.txt")).trimmed().split('\n');
        qint64 expected = 0;
        for (const QByteArray& line : lines) {
            QVERIFY(line.startsWith(":::MLLOG {"));
            const Json record = Json::parse(line.mid(9).toStdString());
            QCOMPARE(record["metadata"]["seq"].get<qint64>(), expected++);
        }
    }

    void finishedStreamsPassThePublicRules_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"reached_1_worker.txt", "reached_2_workers.txt", "not_reached.txt",
                                 "two_metrics.txt", "epochs_done_synthetic.txt"})
            QTest::newRow(name) << QString::fromLatin1(name);
    }
    void finishedStreamsPassThePublicRules()
    {
        QFETCH(QString, name);
        const QByteArray text = contentOf(fixture(name.toStdString()));
        QCOMPARE(test::openDivisionProblems(text.toStdString()), std::vector<std::string>{});
    }
    void rulesNoticeWhatIsMissing()
    {
        std::string text = contentOf(fixture("reached_1_worker.txt")).toStdString();
        const size_t at = text.find(":::MLLOG "
                                    "{\"namespace\":\"\",\"time_ms\":1700000000000,\"event_type\":"
                                    "\"POINT_IN_TIME\",\"key\":\"cache_clear\"");
        QVERIFY(at != std::string::npos);
        text.erase(at, text.find('\n', at) - at + 1);
        QCOMPARE(test::openDivisionProblems(text).size(), size_t{1});
    }

    void numbersMustBeFinite()
    {
        QTemporaryDir dir;
        ResultsWriter writer(inDir(dir, "s.txt"));
        RunStream stream(writer);
        StepRecord step;
        step.loss = std::numeric_limits<double>::quiet_NaN();
        QCOMPARE(codeOf([&] { stream.step(step); }), std::string("internal"));
        stream.warning("w", "the stream goes on");
        const QByteArray text = contentOf(dir.filePath(QStringLiteral("s.txt")));
        QCOMPARE(text.count('\n'), 1);
        QVERIFY(!text.contains("null,\"metadata\":{\"step\""));
    }
    void brokenUtf8IsReplaced()
    {
        QTemporaryDir dir;
        ResultsWriter writer(inDir(dir, "s.txt"));
        RunStream(writer).warning("w", "caf\xe9 \xff");
        QVERIFY(contentOf(dir.filePath(QStringLiteral("s.txt"))).contains("caf\xef\xbf\xbd"));
    }
    void nothingFollowsTheClosingRecord()
    {
        QTemporaryDir dir;
        ResultsWriter writer(inDir(dir, "s.txt"));
        RunStream stream(writer);
        stream.runStop("success", "epochs_done", 1, 1);
        stream.progress("train", 1, 2);
        QCOMPARE(contentOf(dir.filePath(QStringLiteral("s.txt"))).count('\n'), 1);
    }
    void threadsDoNotTearLines()
    {
        QTemporaryDir dir;
        {
            ResultsWriter writer(inDir(dir, "s.txt"));
            std::vector<std::thread> threads;
            for (int t = 0; t < 4; ++t)
                threads.emplace_back([&] {
                    RunStream stream(writer);
                    for (int i = 0; i < 500; ++i)
                        stream.progress("train", i, 500);
                });
            for (std::thread& t : threads)
                t.join();
        }
        const QList<QByteArray> lines =
            contentOf(dir.filePath(QStringLiteral("s.txt"))).trimmed().split('\n');
        QCOMPARE(lines.size(), 2000);
        for (int i = 0; i < lines.size(); ++i)
            QCOMPARE(Json::parse(lines[i].mid(9).toStdString())["metadata"]["seq"].get<int>(), i);
    }

    /// Of a group whose members share a folder.
    void theUmaskSaysWhoMayWrite()
    {
        QTemporaryDir dir;
        const mode_t before = ::umask(002);
        {
            ResultsWriter writer(inDir(dir, "s.txt"));
        }
        ::umask(before);
        const QFile::Permissions mode = QFile::permissions(dir.filePath(QStringLiteral("s.txt")));
        QVERIFY(mode.testFlag(QFile::WriteGroup) && !mode.testFlag(QFile::WriteOther));
    }

    void missingFolder()
    {
        QTemporaryDir dir;
        QCOMPARE(codeOf([&] { ResultsWriter w(inDir(dir, "no/such/s.txt")); }),
                 std::string("not_writable"));
    }
    void fullDisk()
    {
        QTemporaryDir dir;
        if (::mount("tmpfs", dir.path().toLocal8Bit().constData(), "tmpfs", 0, "size=16k") != 0)
            QSKIP("needs the right to mount a small file system");
        std::string first, second;
        {
            ResultsWriter writer(inDir(dir, "s.txt"));
            RunStream stream(writer);
            first = codeOf([&] {
                for (int i = 0; i < 10000; ++i)
                    stream.progress("train", i, 10000);
            });
            second = codeOf([&] { stream.progress("train", 0, 1); });
        }
        ::umount2(dir.path().toLocal8Bit().constData(), MNT_DETACH);
        QCOMPARE(first, std::string("disk_full"));
        QCOMPARE(second, std::string("none"));
    }

    void systemJson()
    {
        QTemporaryDir dir;
        writeSystemJson(inDir(dir, "system.json"), {{"engine", "0.1.0"}}, {describeNode()});
        const Json system =
            Json::parse(contentOf(dir.filePath(QStringLiteral("system.json"))).toStdString());
        QCOMPARE(system["format"], Json("scalebench.system"));
        const Json& node = system["nodes"][0];
        QVERIFY(!node["host"].get<std::string>().empty());
        QVERIFY(node["cpu"]["logical_cpus"].get<int>() >= 1);
        QVERIFY(node["memory_bytes"].get<int64_t>() > 0);
        QCOMPARE(codeOf([&] { writeSystemJson(inDir(dir, "no/such.json"), {}, {}); }),
                 std::string("not_writable"));
    }
};

QTEST_GUILESS_MAIN(ResultsStreamTest)
#include "results_stream_test.moc"
