// SPDX-License-Identifier: GPL-3.0-or-later
// A folder followed through `scalebench serve` whose other end is hostile, or a disk that is full:
// nothing but the copy is touched, and not more of the disk than there is.
#include "mirror_fixture.h"

#include "run/study_files.h"
#include "support/campaign.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <sys/mount.h>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class HostileMirrorTest : public MirrorFixture
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup() { end(); }

    void hostile_data()
    {
        QTest::addColumn<QString>("path");
        for (const char* path :
             {"../x", "runs/../../x", "/tmp/scalebench-hostile", "runs/a/../../../x", "study.json",
              "machine.json", "runs", "runs/", "", "x", ".ssh/authorized_keys", "runs/a\nb",
              "supervisor.lock", "runs/../study.json"})
            QTest::newRow(path) << QString::fromUtf8(path);
    }
    void hostile()
    {
        QFETCH(QString, path);
        write(here() + u"/study.json"_s, "mine");
        write(here() + u"/machine.json"_s, "mine");
        for (const char* kind : {"data", "whole", "gone"}) {
            installSpeaker(hello() + frame({{u"is"_s, QString::fromLatin1(kind)},
                                            {u"path"_s, path},
                                            {u"offset"_s, 0},
                                            {u"bytes"_s, 4}},
                                           "evil"));
            const QStringList before = outside();
            const auto m = mirror(setup(ServedFolder::Study), true);
            QVERIFY(becomes([&] { return !m_failures.isEmpty(); }));
            QVERIFY2(m_failures.first().code == "path_refused"_L1,
                     qPrintable(m_failures.first().message));
            QCOMPARE(outside(), before);
            QVERIFY(!QFile::exists(u"/tmp/scalebench-hostile"_s));
            QCOMPARE(read(here() + u"/study.json"_s), "mine");
            QCOMPARE(read(here() + u"/machine.json"_s), "mine");
            QCOMPARE(filesBelow(here()).size(), 2);
        }
    }
    /// A link in the copy that leads out of it, which somebody's archive may have had.
    void hostileLink()
    {
        QDir().mkpath(m_folder->filePath(u"private"_s));
        QDir().mkpath(here() + u"/runs"_s);
        QFile::link(m_folder->filePath(u"private"_s), here() + u"/runs/a"_s);
        installSpeaker(
            hello() +
            frame({{u"is"_s, u"whole"_s}, {u"path"_s, u"runs/a/x"_s}, {u"bytes"_s, 4}}, "evil"));
        const auto m = mirror(setup(ServedFolder::Study), true);
        QVERIFY(becomes([&] { return !m_failures.isEmpty(); }));
        QVERIFY(!QFile::exists(m_folder->filePath(u"private/x"_s)));
    }
    /// What decides about runs is not taken from there, nor is anything that has no place in a
    /// study.
    void onlyKnownFilesOfAStudy()
    {
        write(here() + u"/plan.json"_s, "{}");
        QDir().mkpath(here() + u"/runs/r"_s);
        write(here() + u"/runs/r/run.json"_s, "ours");
        QByteArray speech = hello();
        for (const char* name : {"runs/r/run.json", "runs/r/evil.desktop", "runs/-rf/result_0.txt",
                                 "runs/r/checkpoint/a/b", "runs/r/stderr_1x.txt", "runs/r/.bashrc"})
            for (const char* how : {"data", "whole"})
                speech += frame({{u"is"_s, QString::fromLatin1(how)},
                                 {u"path"_s, QString::fromLatin1(name)},
                                 {u"offset"_s, 0},
                                 {u"bytes"_s, 5}},
                                "evil!");
        speech += frame({{u"is"_s, u"gone"_s}, {u"path"_s, u"runs/r/run.json"_s}});
        speech += frame({{u"is"_s, u"data"_s},
                         {u"path"_s, u"runs/r/result_0.txt"_s},
                         {u"offset"_s, 0},
                         {u"bytes"_s, 4}},
                        "last");
        installSpeaker(speech);
        const auto copy = mirror(setup(ServedFolder::Study), true);
        QVERIFY(becomes([&] { return read(here() + u"/runs/r/result_0.txt"_s) == "last"; }));
        QCOMPARE(read(here() + u"/runs/r/run.json"_s), QByteArray("ours"));
        QCOMPARE(filesBelow(here()),
                 (QStringList{u"plan.json"_s, u"runs/r/result_0.txt"_s, u"runs/r/run.json"_s}));
    }

    /// A host must not fill this disk.
    void quota_data()
    {
        QTest::addColumn<int>("bytes");
        QTest::addColumn<int>("files");
        QTest::newRow("bytes") << 3000 << 100;
        QTest::newRow("files") << 1'000'000 << 2;
    }
    void quota()
    {
        QFETCH(int, bytes);
        QFETCH(int, files);
        QByteArray speech = hello();
        for (int rank = 0; rank < 20; ++rank)
            speech += frame({{u"is"_s, u"data"_s},
                             {u"path"_s, u"stderr_%1.txt"_s.arg(rank)},
                             {u"offset"_s, 0},
                             {u"bytes"_s, 1000}},
                            QByteArray(1000, 'x'));
        installSpeaker(speech);
        MirrorSetup how = setup();
        how.mostBytes = bytes;
        how.mostFiles = files;
        const auto copy = mirror(how, true);
        QVERIFY(becomes([&] { return !m_failures.isEmpty(); }));
        QCOMPARE(m_failures.first().code, u"mirror_quota"_s);
        QVERIFY(m_final);
        QVERIFY(filesBelow(here()).size() <= 3);
    }
    void littleSpaceIsLeftAlone()
    {
        installSpeaker(hello() + frame({{u"is"_s, u"data"_s},
                                        {u"path"_s, u"stderr_0.txt"_s},
                                        {u"offset"_s, 0},
                                        {u"bytes"_s, 1}},
                                       "x"));
        MirrorSetup how = setup();
        how.leastFreeBytes = qint64(1) << 60;
        const auto copy = mirror(how, true);
        const QSignalSpy noRoom(copy.get(), &FolderMirror::noRoom);
        QVERIFY(becomes([&] { return !noRoom.isEmpty(); }));
        QCOMPARE(noRoom.first().first().value<Failure>().code, u"disk_full"_s);
        QVERIFY(copy->isConnected());
        QVERIFY(!copy->isComplete());
    }
    /// Nothing is disconnected, what is asked for is done, and all is here once there is room.
    void fullDisk()
    {
        QDir().mkpath(here());
        if (::mount("tmpfs", QFile::encodeName(here()).constData(), "tmpfs", 0, "size=1m") != 0)
            QSKIP("mounting a small tmpfs needs root");
        const auto unmount =
            qScopeGuard([&] { ::umount2(QFile::encodeName(here()).constData(), MNT_DETACH); });
        installServer(real());
        QDir().mkpath(there());
        write(there() + u"/result_0.txt"_s, noise(1000));
        MirrorSetup how = setup();
        how.leastFreeBytes = 64 << 10;
        how.bytesToGoOn = 128 << 10;
        const auto copy = mirror(how, true);
        QVERIFY(isCopied(u"/result_0.txt"_s));
        const QSignalSpy noRoom(copy.get(), &FolderMirror::noRoom);
        const QSignalSpy states(copy.get(), &FolderMirror::stateReceived);
        write(here() + u"/filler"_s, noise(960 << 10));
        for (int i = 0; i < 20; ++i) {
            write(there() + u"/result_0.txt"_s, noise(1000), QIODevice::Append);
            QTest::qWait(50);
        }
        QVERIFY(becomes([&] { return !noRoom.isEmpty(); }));
        const qsizetype heard = states.size();
        QVERIFY(becomes([&] { return states.size() > heard + 1; }));
        QCOMPARE(noRoom.size(), 1);
        QVERIFY(m_failures.isEmpty());
        QFile::remove(here() + u"/filler"_s);
        QVERIFY(isCopied(u"/result_0.txt"_s));
        QVERIFY(m_failures.isEmpty());
        QVERIFY(copy->isComplete());
    }

    void hostileSizes_data()
    {
        QTest::addColumn<QByteArray>("speech");
        const auto row = [](const char* name, const char* text) {
            QTest::newRow(name) << QByteArray(text);
        };
        row("giant",
            "{\"is\":\"data\",\"path\":\"runs/a/result_0.txt\",\"offset\":0,\"bytes\":1e18}\n");
        row("negative",
            "{\"is\":\"data\",\"path\":\"runs/a/result_0.txt\",\"offset\":0,\"bytes\":-5}\n");
        row("far offset",
            "{\"is\":\"data\",\"path\":\"runs/a/result_0.txt\",\"offset\":9e15,\"bytes\":1}\nx");
        row("negative offset",
            "{\"is\":\"data\",\"path\":\"runs/a/result_0.txt\",\"offset\":-1,\"bytes\":1}\nx");
    }
    void hostileSizes()
    {
        QFETCH(QByteArray, speech);
        installSpeaker(hello() + speech);
        const auto m = mirror(setup(ServedFolder::Study), true);
        QVERIFY(becomes([&] { return !m_failures.isEmpty(); }));
        QCOMPARE(m_failures.first().code, u"protocol"_s);
        QVERIFY(QFileInfo(here() + u"/runs/a/result_0.txt"_s).size() == 0);
    }
};

QTEST_GUILESS_MAIN(HostileMirrorTest)
#include "hostile_mirror_test.moc"
