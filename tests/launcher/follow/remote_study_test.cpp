// SPDX-License-Identifier: GPL-3.0-or-later
// What the near end of a remote study says to the servers that it meets, one after another.
#include "follow/remote_study.h"
#include "mirror/folder_protocol.h"
#include "support/campaign.h"
#include "support/launcher_fixture.h"
#include "support/program_file.h"

#include <QFileInfo>
#include <QTest>

using namespace scalebench;
using namespace scalebench::test;
using namespace Qt::Literals::StringLiterals;

class RemoteStudyTest : public QObject
{
    Q_OBJECT

    std::unique_ptr<TemporaryLibrary> m_library;
    std::unique_ptr<QTemporaryDir> m_host;

    void write(const QString& name, const QByteArray& bytes) const
    {
        QFile file(m_host->filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("%s", qPrintable(file.fileName()));
    }
    /// Lines that servers were told, each with the number of its server, from 0.
    QByteArrayList heard() const
    {
        QFile file(m_host->filePath(u"heard"_s));
        return file.open(QIODevice::ReadOnly) ? file.readAll().split('\n') : QByteArrayList();
    }
    /// Servers of which the first dies as soon as it has heard (and says so) that the queue is to
    /// be started, before anything comes of it.
    TargetMachine hostWhoseServerDies() const
    {
        const QString program = m_host->filePath(u"engine/current/bin/scalebench"_s);
        QDir().mkpath(QFileInfo(program).path());
        write(u"hello"_s, frame({{u"is"_s, u"hello"_s},
                                 {u"protocol"_s, kFolderProtocol},
                                 {u"version"_s, QString::fromLatin1(SB_VERSION)},
                                 {u"exists"_s, true}}));
        write(u"state"_s, frame({{u"is"_s, u"state"_s},
                                 {u"heard"_s, 1},
                                 {u"supervisor"_s, 0},
                                 {u"queued"_s, 1},
                                 {u"paused"_s, false},
                                 {u"done"_s, false}}));
        writeProgram(program, "#!/bin/sh\ncd '" + m_host->path().toUtf8() +
                                  "'\n"
                                  "n=$(cat calls 2>/dev/null || echo 0)\n"
                                  "echo $((n + 1)) > calls\n"
                                  "cat hello\n"
                                  "while read -r line; do\n"
                                  "  echo \"$n $line\" >> heard\n"
                                  "  case $n$line in 0*start*|0*go_on*) cat state; exit 1;; esac\n"
                                  "done\n");
        TargetMachine machine;
        machine.name = u"cluster"_s;
        machine.kind = TargetMachine::Kind::Login;
        machine.login = u"localhost"_s;
        machine.folder = m_host->path();
        return machine;
    }

private slots:
    void init()
    {
        m_library = std::make_unique<TemporaryLibrary>();
        m_host = std::make_unique<QTemporaryDir>();
    }

    /// Nobody else would start what waits there: its supervisor may have died with the server
    /// before it began. The word that asks for no more than that, so that a wish to stop that
    /// somebody said meanwhile stays.
    void serverThatDiedIsFollowedByTheSameWish_data()
    {
        QTest::addColumn<int>("waiting");
        QTest::addColumn<QByteArray>("first");
        QTest::newRow("started") << int(RemoteStudy::Waiting::Start) << QByteArray("start");
        QTest::newRow("goes on") << int(RemoteStudy::Waiting::GoOn) << QByteArray("go_on");
    }
    void serverThatDiedIsFollowedByTheSameWish()
    {
        QFETCH(int, waiting);
        QFETCH(QByteArray, first);
        const Study study = m_library->create({1});
        RemoteStudy remote(study.dir, hostWhoseServerDies(), RemoteStudy::Waiting(waiting));
        remote.tick();
        QVERIFY(QTest::qWaitFor(
            [&] {
                return heard().contains("0 " + frame({{u"do"_s, QString(first)}}).trimmed());
            },
            kHangMs));
        QVERIFY(QTest::qWaitFor(
            [&] {
                return heard().contains("1 " + frame({{u"do"_s, u"go_on"_s}}).trimmed());
            },
            kHangMs));
        QVERIFY(!heard().contains("1 " + frame({{u"do"_s, u"start"_s}}).trimmed()));
    }

    void pauseThereIsTold()
    {
        const Study study = m_library->create({1});
        const TargetMachine machine = hostWhoseServerDies();
        write(u"state"_s, frame({{u"is"_s, u"state"_s}, {u"paused"_s, true}, {u"done"_s, false}}));
        writeProgram(m_host->filePath(u"engine/current/bin/scalebench"_s),
                     "#!/bin/sh\ncd '" + m_host->path().toUtf8() +
                         "'\ncat hello state\nexec sleep 30\n");
        RemoteStudy remote(study.dir, machine, RemoteStudy::Waiting::Stay);
        QList<ConnectionState> states;
        connect(&remote, &RemoteStudy::connectionChanged, &remote,
                [&](const ConnectionState& state) { states << state; });
        remote.tick();
        QVERIFY(
            QTest::qWaitFor([&] { return !states.isEmpty() && states.last().paused; }, kHangMs));
        QVERIFY(states.last().connected);
    }
};

QTEST_GUILESS_MAIN(RemoteStudyTest)
#include "remote_study_test.moc"
