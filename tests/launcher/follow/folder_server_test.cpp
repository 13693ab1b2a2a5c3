// SPDX-License-Identifier: GPL-3.0-or-later
// `scalebench serve` itself, spoken to by hand: what a follower that is hostile or silent does to
// it. What it serves is tested with the copy that it serves (mirror/remote_mirror_test).

#include "mirror/folder_protocol.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <memory>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class FolderServerTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    QString served() const { return m_folder->filePath(u"é study"_s); }

    /// A server that has been greeted.
    std::unique_ptr<QProcess> serve(const QString& kind) const
    {
        auto server = std::make_unique<QProcess>();
        server->start(QStringLiteral(SB_BIN_DIR "/scalebench"), {u"serve"_s, kind, served()});
        server->write(frame({{u"do"_s, u"hello"_s}, {u"protocol"_s, kFolderProtocol}}));
        return server;
    }
    static bool becomes(const std::function<bool()>& what)
    {
        return QTest::qWaitFor(what, kHangMs);
    }

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir().mkpath(served()));
    }

    /// What a follower sends may not leave the folder.
    void hostileFollower()
    {
        const auto server = serve(u"study"_s);
        QVERIFY(server->waitForStarted(kHangMs));
        const QStringList before = filesBelow(m_folder->path());
        for (const char* path : {"../x", "/tmp/scalebench-hostile", "runs/../../x", "a//b", ""})
            server->write(frame(
                {{u"do"_s, u"put"_s}, {u"path"_s, QString::fromLatin1(path)}, {u"bytes"_s, 4}},
                "evil"));
        QByteArray said;
        QVERIFY(becomes([&] {
            said += server->readAllStandardOutput();
            return said.count("path_refused") == 5;
        }));
        QCOMPARE(filesBelow(m_folder->path()), before);
        QVERIFY(!QFile::exists(u"/tmp/scalebench-hostile"_s));
        server->write("this is no frame\n");
        QVERIFY(becomes([&] { return server->state() == QProcess::NotRunning; }));
        QCOMPARE(server->exitStatus(), QProcess::NormalExit);
        QCOMPARE(server->exitCode(), 2);
    }

    /// A link that broke without a word keeps stdin open: no server waits there for ever. One that
    /// hears its follower stays, though nothing else is asked of it.
    void silentFollower()
    {
        const auto heard = serve(u"run"_s);
        const auto silent = serve(u"run"_s);
        QVERIFY(heard->waitForStarted(kHangMs));
        QVERIFY(silent->waitForStarted(kHangMs));
        // Both are read, so that neither ends for a full pipe.
        for (QProcess* server : {heard.get(), silent.get()})
            connect(server, &QProcess::readyReadStandardOutput, server,
                    &QProcess::readAllStandardOutput);
        QTimer signOfLife;
        connect(&signOfLife, &QTimer::timeout, heard.get(), [&] {
            heard->write(frame({{u"do"_s, u"here"_s}}));
        });
        signOfLife.start(kSignOfLifeMs);
        const auto isGone = [&] { return silent->state() == QProcess::NotRunning; };
        QVERIFY(!QTest::qWaitFor(isGone, kFollowerGoneMs / 2));
        QVERIFY(becomes(isGone));
        QCOMPARE(silent->exitStatus(), QProcess::NormalExit);
        QCOMPARE(silent->exitCode(), 0);
        QTest::qWait(2 * kSignOfLifeMs); // it began a little earlier
        QCOMPARE(heard->state(), QProcess::Running);
        signOfLife.stop();
        heard->closeWriteChannel();
        QVERIFY(becomes([&] { return heard->state() == QProcess::NotRunning; }));
        QCOMPARE(heard->exitCode(), 0);
    }
};

QTEST_GUILESS_MAIN(FolderServerTest)
#include "folder_server_test.moc"
