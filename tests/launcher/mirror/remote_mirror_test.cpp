// SPDX-License-Identifier: GPL-3.0-or-later
// A folder followed through `scalebench serve`, on this computer, where no ssh is between: every
// byte exactly once, whatever the connection, the files or a hostile other end do.
#include "follow/remote_study.h"
#include "mirror/folder_mirror.h"
#include "run/run_status.h"
#include "run/study_files.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"
#include "support/program_file.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>
#include <memory>
#include <sys/mount.h>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class RemoteMirrorTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    QRandomGenerator m_random{4711};
    QList<Failure> m_failures; ///< of the mirror's connections
    bool m_final = false;

    QString there() const { return m_folder->filePath(u"there/é study"_s); }
    QString here() const { return m_folder->filePath(u"here/it's mine"_s); }

    static QByteArray read(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("<none>");
    }
    static void write(const QString& path, const QByteArray& bytes,
                      QIODevice::OpenMode how = QIODevice::Truncate)
    {
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly | how) || file.write(bytes) != bytes.size())
            qFatal("%s", qPrintable(path));
    }
    QByteArray noise(qsizetype bytes)
    {
        QByteArray text(bytes, Qt::Uninitialized);
        for (char& c : text)
            c = char(m_random.generate());
        return text;
    }
    /// The `scalebench` that the mirror finds on the other host.
    void installServer(const QByteArray& script)
    {
        const QString path = m_folder->filePath(u"host/engine/current/bin/scalebench"_s);
        QDir().mkpath(QFileInfo(path).path());
        writeProgram(path, "#!/bin/sh\nd='" + m_folder->path().toUtf8() + "'\n" + script + '\n');
    }
    static QByteArray real() { return "'" SB_BIN_DIR "/scalebench' \"$@\""; }
    /// Writes what a server says into a file and has it said.
    void installSpeaker(const QByteArray& speech, const QByteArray& then = "exec sleep 30")
    {
        write(m_folder->filePath(u"speech"_s), speech);
        installServer("cat \"$d/speech\"\n" + then);
    }
    static QByteArray hello()
    {
        return frame({{u"is"_s, u"hello"_s},
                      {u"protocol"_s, kFolderProtocol},
                      {u"version"_s, QString::fromLatin1(SB_VERSION)},
                      {u"exists"_s, true}});
    }

    MirrorSetup setup(ServedFolder kind = ServedFolder::Run) const
    {
        MirrorSetup setup;
        setup.kind = kind;
        setup.host = u"localhost"_s;
        setup.machine.folder = m_folder->filePath(u"host"_s);
        setup.remoteDir = there();
        setup.localDir = here();
        return setup;
    }
    /// One that does not wait before it tries again.
    std::unique_ptr<FolderMirror> mirror(const MirrorSetup& how, bool patient = false)
    {
        m_failures.clear();
        m_final = false;
        auto mirror = std::make_unique<FolderMirror>(how);
        connect(mirror.get(), &FolderMirror::disconnected, this,
                [this](const Failure& why, int, bool final) {
                    m_failures << why;
                    m_final = final;
                });
        if (!patient)
            connect(mirror.get(), &FolderMirror::disconnected, mirror.get(),
                    &FolderMirror::reconnectNow, Qt::QueuedConnection);
        mirror->open();
        return mirror;
    }
    static bool becomes(const std::function<bool()>& what)
    {
        return QTest::qWaitFor(what, kHangMs);
    }
    bool isCopied(const QString& name)
    {
        const bool same = becomes([&] {
            return QFileInfo(here() + name).size() == QFileInfo(there() + name).size() &&
                   read(here() + name) == read(there() + name);
        });
        if (!same)
            qWarning("%s: %lld bytes instead of %lld", qPrintable(name),
                     qlonglong(read(here() + name).size()), qlonglong(read(there() + name).size()));
        return same;
    }
    /// Everything below the test's folder but the copy: what a hostile server may not change.
    QStringList outside() const
    {
        QStringList files;
        for (const QString& file : filesBelow(m_folder->path()))
            if (!file.startsWith("here/it's mine/"_L1))
                files << file;
        return files;
    }

private slots:
    void init()
    {
        useFakeEngine("ok");
        m_folder = std::make_unique<QTemporaryDir>();
        QDir().mkpath(there());
        QDir().mkpath(here());
        installServer("exec " + real());
    }
    void cleanup()
    {
        const QString path = m_folder->path();
        const bool clean = becomes([&] { return processesMentioning(path).isEmpty(); });
        for (const qint64 pid : processesMentioning(path))
            ::kill(pid_t(pid), SIGKILL);
        m_folder.reset();
        QVERIFY2(clean, "a process was left behind");
    }

    // ---- The protocol's pieces

    void framesAtEveryCut()
    {
        const QByteArray payload = noise(300);
        const QByteArray bytes = frame({{u"is"_s, u"data"_s}, {u"bytes"_s, 300}}, payload) +
                                 frame({{u"is"_s, u"größe\n\"'"_s}}) +
                                 frame({{u"is"_s, u"data"_s}, {u"bytes"_s, 0}});
        for (qsizetype cut = 0; cut <= bytes.size(); ++cut) {
            FrameReader reader;
            QList<QByteArray> payloads;
            QStringList names;
            QJsonObject head;
            QByteArray part;
            for (const QByteArray& piece : {bytes.first(cut), bytes.mid(cut)}) {
                reader.feed(piece);
                while (reader.next(head, part)) {
                    payloads << part;
                    names << head.value("is"_L1).toString();
                }
            }
            QVERIFY(!reader.damaged());
            QCOMPARE(payloads, (QList<QByteArray>{payload, {}, {}}));
            QCOMPARE(names, (QStringList{u"data"_s, u"größe\n\"'"_s, u"data"_s}));
        }
    }
    void damagedFrames_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::newRow("text") << QByteArray("Welcome to the cluster!\n");
        QTest::newRow("array") << QByteArray("[1,2]\n");
        QTest::newRow("empty line") << QByteArray("\n");
        QTest::newRow("negative") << QByteArray("{\"bytes\":-1}\n");
        QTest::newRow("huge") << QByteArray("{\"bytes\":9000000000000000000}\n");
        QTest::newRow("large") << QByteArray("{\"bytes\":67108865}\n");
        QTest::newRow("endless") << QByteArray((64 << 20) + 1, 'x');
        QTest::newRow("zeroes") << QByteArray("\0\0\0\n", 4);
        QTest::newRow("deep") << QByteArray(100'000, '[') + '\n';
    }
    void damagedFrames()
    {
        QFETCH(QByteArray, bytes);
        FrameReader reader;
        reader.feed(bytes);
        QJsonObject head;
        QByteArray payload;
        QVERIFY(!reader.next(head, payload));
        QVERIFY(reader.damaged());
    }

    void paths_data()
    {
        QTest::addColumn<QString>("path");
        QTest::addColumn<bool>("safe");
        for (const char* path : {"a", "runs/a/result_0.txt", "..a", "a..", "a b/'\"", "é", "-rf"})
            QTest::newRow(path) << QString::fromUtf8(path) << true;
        for (const char* path : {"", "/", "/etc/passwd", "..", "../x", "a/../b", "a/..", "a//b",
                                 "a/", "./a", "a/./b", "a\nb", "a\tb", "\x7f"})
            QTest::newRow(path) << QString::fromUtf8(path) << false;
        QTest::newRow("nul") << QString(u"a\0b"_s) << false;
    }
    void paths()
    {
        QFETCH(QString, path);
        QFETCH(bool, safe);
        QCOMPARE(isSafePath(path), safe);
    }

    void marks()
    {
        const QString path = m_folder->filePath(u"f"_s);
        write(path, "abc");
        QCOMPARE(markOf(path).bytes, 3);
        QCOMPARE(markOf(path).sha256,
                 "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        QCOMPARE(markOf(path, 1).sha256,
                 "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb");
        QVERIFY(markOf(path, 4).sha256.isEmpty());
        QVERIFY(markOf(m_folder->filePath(u"none"_s)).sha256.isEmpty());
        QVERIFY(markOf(m_folder->path()).sha256.isEmpty());
    }

    // ---- Following

    void followsWhatGrows()
    {
        const auto m = mirror(setup());
        for (int i = 0; i < 20; ++i) {
            write(there() + u"/result_0.txt"_s, noise(m_random.bounded(5000)), QIODevice::Append);
            write(there() + u"/stderr_1.txt"_s, noise(m_random.bounded(50)), QIODevice::Append);
            QTest::qWait(20);
        }
        write(there() + u"/system.json"_s, "{}");
        write(there() + u"/secret"_s, "not a run's");
        write(there() + u"/pictures.json"_s, "{\"epoch\":1,\"more\":2}");
        for (const char* name :
             {"/result_0.txt", "/stderr_1.txt", "/system.json", "/pictures.json"})
            QVERIFY(isCopied(QString::fromLatin1(name)));
        // The next evaluation puts another file in its place.
        write(there() + u"/next"_s, "{\"epoch\":2}");
        QVERIFY(std::rename(QFile::encodeName(there() + u"/next"_s).constData(),
                            QFile::encodeName(there() + u"/pictures.json"_s).constData()) == 0);
        QVERIFY(isCopied(u"/pictures.json"_s));
        QVERIFY(!QFile::exists(here() + u"/secret"_s));
        QVERIFY(m_failures.isEmpty());
    }

    /// The connection breaks at any byte, in heads and in payloads, again and again.
    void everyByteOnceThoughTheServerDies()
    {
        installServer("read -r n < \"$d/cut\"\n" + real() + " | head -c \"$n\"");
        write(m_folder->filePath(u"cut"_s), "200\n");
        const QString name = u"/result_0.txt"_s;
        write(there() + name, {});
        const auto m = mirror(setup());
        QByteArray all;
        while (m_failures.size() < 40) {
            const QByteArray more = noise(m_random.bounded(3000));
            write(there() + name, more, QIODevice::Append);
            all += more;
            write(m_folder->filePath(u"cut"_s),
                  QByteArray::number(m_random.bounded(150, 6000)) + '\n');
            QTest::qWait(10);
            const QByteArray copy = read(here() + name);
            if (copy != "<none>")
                QVERIFY2(all.startsWith(copy), qPrintable(QString::number(copy.size())));
        }
        installServer("exec " + real());
        QVERIFY(isCopied(name));
        QCOMPARE(read(here() + name), all);
    }

    void killedInTheMiddleOfALargeFile()
    {
        const QString name = u"/result_0.txt"_s;
        write(there() + name, noise(40'000'000));
        const auto m = mirror(setup());
        for (int i = 0; i < 5; ++i) {
            QTest::qWait(m_random.bounded(1, 60));
            for (const qint64 pid : processesMentioning(u"serve\0run\0"_s + there()))
                ::kill(pid_t(pid), SIGKILL);
        }
        QVERIFY(isCopied(name));
    }

    void replacedTruncatedGone_data()
    {
        QTest::addColumn<bool>("connected");
        QTest::newRow("while connected") << true;
        QTest::newRow("meanwhile") << false;
    }
    void replacedTruncatedGone()
    {
        QFETCH(bool, connected);
        const QString name = u"/result_0.txt"_s, path = there() + name;
        write(path, noise(5000));
        std::unique_ptr<FolderMirror> m = mirror(setup());
        QVERIFY(isCopied(name));
        const auto change = [&](const std::function<void()>& what) {
            if (!connected)
                m.reset();
            what();
            if (!connected)
                m = mirror(setup());
            return isCopied(name);
        };
        QVERIFY(change([&] { write(path, noise(100)); }));
        QVERIFY(change([&] { write(path, {}); }));
        QVERIFY(change([&] { write(path, noise(7000)); }));
        QVERIFY(change([&] { // as a resumed run: aside, and a new one
            QFile::rename(path, there() + u"/result_0.txt.attempt1"_s);
            write(path, noise(9000));
        }));
        QVERIFY(isCopied(u"/result_0.txt.attempt1"_s));
        QVERIFY(change([&] { // longer, with another beginning
            write(path + u".new"_s, noise(20'000));
            QVERIFY(::rename(qPrintable(path + u".new"_s), qPrintable(path)) == 0);
        }));
        QVERIFY(change([&] { // longer, with the same beginning
            write(path + u".new"_s, read(path) + noise(100));
            QVERIFY(::rename(qPrintable(path + u".new"_s), qPrintable(path)) == 0);
        }));
        // The copy was tampered with: found at the next greeting.
        m.reset();
        write(here() + name, noise(300));
        m = mirror(setup());
        QVERIFY(isCopied(name));
        m.reset();
        write(here() + name, read(path) + "more than there is");
        m = mirror(setup());
        QVERIFY(isCopied(name));
    }

    /// Nothing measured disappears because somebody tidied up over there.
    void removedThereStaysHere_data()
    {
        QTest::addColumn<ServedFolder>("kind");
        QTest::addColumn<QString>("folder");
        QTest::newRow("a node's folder") << ServedFolder::Run << u""_s;
        QTest::newRow("a study") << ServedFolder::Study << u"/runs/a"_s;
    }
    void removedThereStaysHere()
    {
        QFETCH(ServedFolder, kind);
        QFETCH(QString, folder);
        const QString name = folder + u"/result_0.txt"_s;
        QDir().mkpath(there() + folder);
        if (kind == ServedFolder::Study) {
            write(there() + u"/study.json"_s, "{}");
            write(there() + u"/plan.json"_s,
                  R"({"format":"scalebench.plan","version":1,"runs":["a"]})");
            write(there() + u"/runs/a/status.json"_s,
                  R"({"format":"scalebench.status","version":1,"state":"queued"})");
        }
        write(there() + name, noise(5000));
        const auto m = mirror(setup(kind));
        QVERIFY(isCopied(name));
        const QByteArray whole = read(here() + name);
        QVERIFY(QFile::remove(there() + name));
        QTest::qWait(1500); // a second of the mirror's turns
        QCOMPARE(read(here() + name), whole);
        QVERIFY(QDir(there()).removeRecursively());
        QTest::qWait(1500); // a second of the mirror's turns
        QCOMPARE(read(here() + name), whole);
    }

    /// Requests are kept until the other end has really had them.
    void aRequestIsNotLostWithTheConnection()
    {
        // The first server's state was on its way before it heard anything, and it dies deaf.
        installServer("cat \"$d/speech\"; sleep 0.5; cat \"$d/state\"\n"
                      "if mkdir \"$d/second\" 2>/dev/null; then sleep 1; exit 1; fi\n"
                      "cat > \"$d/heard\"");
        write(m_folder->filePath(u"speech"_s), hello());
        write(m_folder->filePath(u"state"_s), frame({{u"is"_s, u"state"_s}, {u"queued"_s, 1}}));
        MirrorSetup how = setup(ServedFolder::Study);
        const auto m = mirror(how);
        QVERIFY(becomes([&] { return m->isConnected(); }));
        m->request({{u"do"_s, u"stop"_s}});
        QVERIFY(becomes(
            [&] { return read(m_folder->filePath(u"heard"_s)).contains("\"do\":\"stop\""); }));
    }

    // ---- The other end is not what it should be

    void wrongOtherEnd_data()
    {
        QTest::addColumn<QByteArray>("speech");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("about");
        QTest::addColumn<bool>("final");
        QByteArray other = hello();
        other.replace(SB_VERSION, "0.0.9");
        QByteArray later = hello();
        later.replace("\"protocol\":" + QByteArray::number(kFolderProtocol), "\"protocol\":99");
        QByteArray none = hello();
        none.replace("true", "false");
        QTest::newRow("login script prints")
            << "Welcome to node7\n" + hello() << u"protocol"_s << u".bashrc"_s << false;
        QTest::newRow("other version")
            << other << u"engine_version"_s << u"has Scalebench 0.0.9"_s << true;
        QTest::newRow("later protocol")
            << later << u"engine_version"_s << u"Install the same version"_s << true;
        QTest::newRow("study is gone") << none << u"study_lost"_s << u"no longer"_s << true;
    }
    void wrongOtherEnd()
    {
        QFETCH(QByteArray, speech);
        QFETCH(QString, code);
        QFETCH(QString, about);
        QFETCH(bool, final);
        installSpeaker(speech);
        const auto m = mirror(setup(ServedFolder::Study), true);
        QVERIFY(becomes([&] { return !m_failures.isEmpty(); }));
        QCOMPARE(m_failures.first().code, code);
        QVERIFY2(m_failures.first().message.contains(about),
                 qPrintable(m_failures.first().message));
        QCOMPARE(m_final, final);
        QVERIFY(!m->isConnected());
    }
    void notInstalled()
    {
        QDir(m_folder->filePath(u"host"_s)).removeRecursively();
        qputenv("SCALEBENCH_CLI", "/no/such/program");
        MirrorSetup how = setup();
        how.giveUpAtFirst = true;
        const auto m = mirror(how, true);
        const bool said = becomes([&] { return !m_failures.isEmpty(); });
        qunsetenv("SCALEBENCH_CLI");
        QVERIFY(said && m_final);
        QCOMPARE(m_failures.first().code, u"engine_missing"_s);
        QVERIFY(m_failures.first().message.contains("host/engine/current"_L1));
    }
    void silentAfterGreeting()
    {
        installSpeaker(hello());
        const auto m = mirror(setup(), true);
        QVERIFY(becomes([&] { return !m_failures.isEmpty(); }));
        QCOMPARE(m_failures.first().code, u"host_timeout"_s);
        QVERIFY(!m_final);
    }

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

QTEST_GUILESS_MAIN(RemoteMirrorTest)
#include "remote_mirror_test.moc"
