// SPDX-License-Identifier: GPL-3.0-or-later
// Checkpoints on their way from the host that writes them: whole ones only, while the run goes on,
// whatever the connection does; and what a resumed run then goes on from.
#include "base/file_io.h"
#include "mirror/folder_mirror.h"
#include "run/checkpoints.h"
#include "run/run_status.h"
#include "supervise/requeue.h"
#include "support/campaign.h"
#include "support/checkpoints.h"
#include "support/launcher_fixture.h"
#include "support/program_file.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRandomGenerator>
#include <QSignalSpy>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class CheckpointCopyTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    QRandomGenerator m_random{4711};

    QString there() const { return m_folder->filePath(u"there"_s); }
    QString here() const { return m_folder->filePath(u"here"_s); }
    QString latestHere() const { return here() + u'/' + latestCheckpoint(); }
    QString previousHere() const { return here() + u'/' + previousCheckpoint(); }

    static QByteArray read(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("<none>");
    }
    static void write(const QString& path, const QByteArray& bytes)
    {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("%s", qPrintable(path));
    }
    QByteArray noise(qsizetype bytes)
    {
        QByteArray text(bytes, Qt::Uninitialized);
        for (char& c : text)
            c = char(m_random.generate());
        return text;
    }
    static bool becomes(const std::function<bool()>& what)
    {
        return QTest::qWaitFor(what, kHangMs);
    }
    void installServer(const QByteArray& script)
    {
        const QString path = m_folder->filePath(u"host/engine/current/bin/scalebench"_s);
        QDir().mkpath(QFileInfo(path).path());
        writeProgram(path, "#!/bin/sh\nd='" + m_folder->path().toUtf8() + "'\n" + script + '\n');
    }
    MirrorSetup setup() const
    {
        MirrorSetup setup;
        setup.kind = ServedFolder::Run;
        setup.host = u"localhost"_s;
        setup.machine.folder = m_folder->filePath(u"host"_s);
        setup.remoteDir = there();
        setup.localDir = here();
        return setup;
    }
    std::unique_ptr<FolderMirror> mirror(const MirrorSetup& how)
    {
        auto mirror = std::make_unique<FolderMirror>(how);
        connect(mirror.get(), &FolderMirror::disconnected, mirror.get(),
                &FolderMirror::reconnectNow, Qt::QueuedConnection);
        mirror->open();
        return mirror;
    }
    bool fetched(FolderMirror& m)
    {
        QSignalSpy answers(&m, &FolderMirror::answered);
        m.request({{u"do"_s, u"fetch"_s}});
        return becomes([&] { return !answers.isEmpty(); });
    }

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QDir().mkpath(there() + u"/checkpoint"_s);
        QDir().mkpath(here());
        installServer("exec '" SB_BIN_DIR "/scalebench' \"$@\"");
        write(there() + u"/result_0.txt"_s, QByteArray(1000, '\n'));
    }
    void cleanup()
    {
        const QString path = m_folder->path();
        QVERIFY(becomes([&] { return processesMentioning(path).isEmpty(); }));
        m_folder.reset();
    }

    /// Nobody asks for it: the supervisor may be gone the next moment.
    void arrivesWhileTheRunGoesOn()
    {
        const QByteArray one = checkpointBytes(5, 1, 1000), two = checkpointBytes(10, 2, 1000);
        const auto m = mirror(setup());
        writeCheckpoint(there() + u"/checkpoint"_s, one);
        QVERIFY(becomes([&] { return read(latestHere()) == one; }));
        writeCheckpoint(there() + u"/checkpoint"_s, two);
        QVERIFY(becomes([&] { return read(latestHere()) == two; }));
        QCOMPARE(read(previousHere()), one);
    }

    void fetchBringsBothThatAreThere()
    {
        const QByteArray one = checkpointBytes(5, 1, 900, noise(400'000)),
                         two = checkpointBytes(10, 2, 1000, noise(3'000'000));
        writeCheckpoint(there() + u"/checkpoint"_s, one);
        writeCheckpoint(there() + u"/checkpoint"_s, two);
        write(there() + u"/checkpoint/writing.sbckpt"_s, "half of the next one");
        const auto m = mirror(setup());
        QVERIFY(fetched(*m));
        QVERIFY(m->isComplete());
        QCOMPARE(read(latestHere()), two);
        QCOMPARE(read(previousHere()), one);
        QCOMPARE(QDir(here() + u"/checkpoint"_s).entryList(QDir::Files).size(), 2);
    }

    /// The connection breaks again and again in the middle of it: what has the name is whole, and
    /// in the end it is there.
    void neverHalfOfIt()
    {
        const QByteArray old = checkpointBytes(5, 1, 10, noise(2000));
        QDir().mkpath(here() + u"/checkpoint"_s);
        write(latestHere(), old);
        const QByteArray next = checkpointBytes(10, 2, 1000, noise(2'000'000));
        writeCheckpoint(there() + u"/checkpoint"_s, next);
        installServer("'" SB_BIN_DIR "/scalebench' \"$@\" | stdbuf -o0 head -c 300000");
        const auto m = mirror(setup());
        int broken = 0;
        connect(m.get(), &FolderMirror::disconnected, m.get(), [&] { ++broken; });
        QVERIFY(becomes([&] {
            const QByteArray now = read(latestHere());
            if (now != old && now != next)
                qFatal("%lld bytes of a checkpoint", qlonglong(now.size()));
            return now == next;
        }));
        QVERIFY2(broken >= 5, qPrintable(QString::number(broken))); // it went on where it was
        QCOMPARE(read(previousHere()), old);
    }

    /// They are written faster than they are sent: some arrive, each one whole.
    void newerOnesDoNotKeepItFromArriving()
    {
        const auto m = mirror(setup());
        int step = 0;
        qint64 arrived = 0;
        QVERIFY(becomes([&] {
            ++step;
            writeCheckpoint(there() + u"/checkpoint"_s,
                            checkpointBytes(step, step, 1000, noise(600'000)));
            QTest::qWait(50);
            if (const auto head = readCheckpointHead(latestHere()))
                arrived = head->step;
            return arrived > 0;
        }));
        QVERIFY(fetched(*m));
        QCOMPARE(readCheckpointHead(latestHere())->step, step);
    }

    /// What arrives is not taken for more than it is.
    void notTaken_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        const QByteArray good = checkpointBytes(10, 2, 500, QByteArray(4000, 'x'));
        QByteArray damaged = good;
        damaged[30] = char(damaged[30] ^ 1);
        QTest::newRow("cut off") << good.chopped(1);
        QTest::newRow("damaged header") << damaged;
        QTest::newRow("no checkpoint") << QByteArray("years of work");
        QTest::newRow("empty") << QByteArray();
        QTest::newRow("its stream is not there") << checkpointBytes(10, 2, 1001);
        QTest::newRow("giant header") << "SBCKPT1\n" + QByteArray(8, '\x7f') + "{}";
        QTest::newRow("negative place") << checkpointBytes(10, 2, -1);
        QTest::newRow("older than both") << checkpointBytes(3, 1, 10);
    }
    void notTaken()
    {
        QFETCH(QByteArray, bytes);
        QDir().mkpath(here() + u"/checkpoint"_s);
        write(here() + u"/result_0.txt"_s, QByteArray(1000, '\n'));
        const QByteArray newest = checkpointBytes(8, 2, 20), older = checkpointBytes(4, 1, 10);
        write(latestHere(), newest);
        write(previousHere(), older);
        write(here() + u'/' + incomingCheckpoint(), bytes);
        QCOMPARE(installCheckpoint(here()), Installed::NotNeeded);
        QCOMPARE(read(latestHere()), newest);
        QCOMPARE(read(previousHere()), older);
        QVERIFY(!QFile::exists(here() + u'/' + incomingCheckpoint()));
    }

    /// A host must not write over what is here, nor end a copy by what it says.
    void hostileHost()
    {
        QDir().mkpath(here() + u"/checkpoint"_s);
        const QByteArray mine = checkpointBytes(8, 2, 0);
        write(latestHere(), mine);
        QByteArray speech = frame({{u"is"_s, u"hello"_s},
                                   {u"protocol"_s, kFolderProtocol},
                                   {u"version"_s, QString::fromLatin1(SB_VERSION)},
                                   {u"exists"_s, true}});
        for (const char* kind : {"data", "whole", "gone", "checkpoint"})
            for (const QString& name : {latestCheckpoint(), previousCheckpoint()})
                speech += frame({{u"is"_s, QString::fromLatin1(kind)},
                                 {u"path"_s, name},
                                 {u"offset"_s, 0},
                                 {u"bytes"_s, 4}},
                                "evil");
        speech += frame({{u"is"_s, u"checkpoint"_s}, {u"path"_s, u"result_0.txt"_s}});
        speech += frame({{u"is"_s, u"checkpoint"_s}, {u"path"_s, incomingCheckpoint()}});
        speech += frame({{u"is"_s, u"data"_s},
                         {u"path"_s, u"result_0.txt"_s},
                         {u"offset"_s, 0},
                         {u"bytes"_s, 4}},
                        "last");
        write(m_folder->filePath(u"speech"_s), speech);
        installServer("cat \"$d/speech\"; exec cat > /dev/null");
        const auto m = mirror(setup());
        QVERIFY(becomes([&] { return read(here() + u"/result_0.txt"_s) == "last"; }));
        QCOMPARE(read(latestHere()), mine);
        QVERIFY(!QFile::exists(previousHere()));
    }

    /// The stream has the space first; the checkpoint then stays where it is, and that is known.
    void littleSpace()
    {
        writeCheckpoint(there() + u"/checkpoint"_s, checkpointBytes(5, 1, 1000));
        MirrorSetup how = setup();
        how.leastFreeBytes = freeBytesAt(here()) / 2;
        const auto m = mirror(how);
        QVERIFY(fetched(*m));
        QCOMPARE(read(here() + u"/result_0.txt"_s).size(), 1000);
        QVERIFY(!m->isComplete());
        QVERIFY(!QFile::exists(latestHere()));
    }

    // ---- What is gone on from

    /// The link was lost again before the new copy had come as far as the checkpoint.
    void aShortCopyDoesNotHideTheStream()
    {
        TemporaryLibrary library;
        const Study study = library.create({1});
        const QString dir = study.runs[0].runDir;
        RunStatus status = readRunStatus(dir).value();
        status.state = RunState::Failed;
        QVERIFY(writeRunStatus(dir, status).ok());
        const QByteArray whole = "one\ntwo\nthree\n";
        QDir().mkpath(dir + u"/checkpoint"_s);
        writeCheckpoint(dir + u"/checkpoint"_s, checkpointBytes(10, 2, 8));
        write(dir + u"/result_0.txt.attempt1"_s, whole);
        write(dir + u"/result_0.txt"_s, "one\n");
        QVERIFY(requeueRuns(study.dir).ok());
        QCOMPARE(read(streamToResume(dir)), whole);

        // But what went another way is kept.
        QVERIFY(writeRunStatus(dir, status).ok());
        write(dir + u"/result_0.txt"_s, "uno\n");
        QVERIFY(requeueRuns(study.dir).ok());
        QCOMPARE(read(dir + u"/result_0.txt.attempt2"_s), QByteArray("uno\n"));
    }

    void saysWhatIsKept()
    {
        QCOMPARE(whatIsKept(here(), 0), u"0 complete epochs are kept"_s);
        QCOMPARE(whatIsKept(here(), 3),
                 u"3 complete epochs are kept, but no checkpoint: resumed, the run begins anew"_s);
        QDir().mkpath(here() + u"/checkpoint"_s);
        writeCheckpoint(here() + u"/checkpoint"_s, checkpointBytes(10, 2, 8));
        QCOMPARE(whatIsKept(here(), 3), u"3 complete epochs are kept; resumed, the run goes on "
                                        "after step 10 (epoch 2)"_s);
        QCOMPARE(whatIsKept(here(), 1).first(23), u"1 complete epoch is kep"_s);
    }
};

QTEST_GUILESS_MAIN(CheckpointCopyTest)
#include "checkpoint_copy_test.moc"
