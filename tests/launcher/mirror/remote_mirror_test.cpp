// SPDX-License-Identifier: GPL-3.0-or-later
// A folder followed through `scalebench serve`, on this computer, where no ssh is between: every
// byte exactly once, whatever becomes of the connection and the files.
#include "mirror_fixture.h"

#include "follow/remote_study.h"
#include "run/run_status.h"
#include "run/study_files.h"
#include "support/campaign.h"

#include <QSignalSpy>

#include <cstdio>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class RemoteMirrorTest : public MirrorFixture
{
    Q_OBJECT
private slots:
    void init() { begin(); }
    void cleanup() { end(); }

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
};

QTEST_GUILESS_MAIN(RemoteMirrorTest)
#include "remote_mirror_test.moc"
