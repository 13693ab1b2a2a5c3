// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine/open_mpi.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <unistd.h>

using namespace scalebench;
using namespace Qt::Literals::StringLiterals;

class OpenMpiTest : public QObject
{
    Q_OBJECT
private slots:
    void versions_data()
    {
        QTest::addColumn<QString>("answer");
        QTest::addColumn<QString>("version");
        QTest::addColumn<QString>("daemon");
        QTest::addColumn<bool>("tried");
        const auto row = [](const char* answer, const char* version, const char* daemon,
                            bool tried) {
            QTest::newRow(answer) << QString::fromLatin1(answer) << QString::fromLatin1(version)
                                  << QString::fromLatin1(daemon) << tried;
        };
        row("mpirun (Open MPI) 4.1.4\n\nReport bugs to http://www.open-mpi.org/community/help/",
            "4.1.4", "orted", true);
        row("mpirun (Open MPI) 5.0.7\n\nReport bugs to https://www.open-mpi.org/community/help/",
            "5.0.7", "prted", true);
        row("mpirun (Open MPI) 4.0.3", "4.0.3", "orted", false);
        row("mpirun (Open MPI) 5.1.0a1", "5.1.0a1", "prted", false);
        row("mpirun (Open MPI) 10.0.1", "10.0.1", "prted", false);
        row("HYDRA build details:", "HYDRA build details:", "orted", false);
        row("Intel(R) MPI Library for Linux* OS, Version 2021.13.1 Build 20240701",
            "Intel(R) MPI Library for Linux* OS, Version 2021.13.1 Build 20240701", "orted", false);
        row("", "", "orted", false);
    }
    void versions()
    {
        QFETCH(QString, answer);
        QFETCH(QString, version);
        QFETCH(QString, daemon);
        QFETCH(bool, tried);
        const OpenMpi mpi(OpenMpi::versionIn(answer));
        QCOMPARE(OpenMpi::versionIn(answer), version);
        QCOMPARE(mpi.daemon(), daemon);
        QCOMPARE(mpi.isTried(), tried);
    }

    void asksTheProgramAgainWhenItChanged()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(u"mpirun"_s);
        const auto write = [&](const char* version, int seconds) {
            QFile file(path);
            if (!file.open(QIODevice::WriteOnly))
                qFatal("%s", qPrintable(file.errorString()));
            file.write(QByteArray("#!/bin/sh\necho x >> \"$0.asked\"\necho 'mpirun (Open MPI) ") +
                       version + "'\n");
            file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
            file.flush();
            file.setFileTime(QDateTime::currentDateTime().addSecs(seconds),
                             QFileDevice::FileModificationTime);
        };
        const auto asked = [&] { return QFileInfo(path + u".asked"_s).size() / 2; };
        write("4.1.4", -9);
        QCOMPARE(OpenMpi::versionOf(path), u"4.1.4"_s);
        QCOMPARE(OpenMpi::versionOf(path), u"4.1.4"_s);
        QCOMPARE(asked(), 1);
        write("5.0.7", -3);
        QCOMPARE(OpenMpi::versionOf(path), u"5.0.7"_s);
        QCOMPARE(asked(), 2);
        QCOMPARE(OpenMpi::versionOf({}), QString());
        QCOMPARE(OpenMpi::versionOf(u"/no/such/mpirun"_s), QString());
    }

    void sessionFolders()
    {
        QTemporaryDir folder;
        const QDir dir(folder.path());
        const QString user = QString::number(::getuid());
        const QStringList own{u"ompi.box."_s + user + u"/pid.17"_s, u"prterun.box.17."_s + user};
        for (const QString& name :
             own + QStringList{u"ompi.box."_s + user + u"/pid.18"_s, u"prterun.box.18."_s + user,
                               u"prterun.box.17.99999"_s})
            QVERIFY(dir.mkpath(name));
        QVERIFY(QFile::link(u"/"_s, dir.filePath(u"prterun.other.17."_s + user)));
        QStringList found = OpenMpi::sessionFolders(folder.path(), 17, ::getuid());
        for (QString& name : found)
            name = dir.relativeFilePath(name);
        found.sort();
        QCOMPARE(found, own);
    }

    /// Of ranks that were killed; what a process still has is left alone.
    void unusedSegments()
    {
        const QTemporaryDir folder;
        const uint user = ::getuid();
        const auto make = [&](const QString& name, int secondsAgo) {
            QFile file(folder.filePath(name));
            return file.open(QIODevice::WriteOnly) && file.write("segment") == 7 && file.flush() &&
                   file.setFileTime(QDateTime::currentDateTime().addSecs(-secondsAgo),
                                    QFileDevice::FileModificationTime);
        };
        const auto named = [user](const char* job) {
            return u"vader_segment.box.%1.%2.0"_s.arg(user).arg(QLatin1StringView(job));
        };
        QVERIFY(make(named("left"), 60) && make(named("mapped"), 60) && make(named("new"), 0));
        QVERIFY(make(u"vader_segment.box.99999.left.0"_s, 60) && make(u"other"_s, 60));
        QVERIFY(make(u"vader_segment.elsewhere.%1.left.0"_s.arg(user), 60));
        QFile mapped(folder.filePath(named("mapped")));
        QVERIFY(mapped.open(QIODevice::ReadOnly) && mapped.map(0, 7));
        QCOMPARE(OpenMpi::unusedSegments(folder.path(), u"box"_s, user),
                 QStringList{folder.filePath(named("left"))});
    }

    /// After 4.1.4 and 5.0.7.
    void noise()
    {
        for (const char* line :
             {"mpirun: Forwarding signal 10 to job",
              "[vm:00203] plm:ssh: Warning: setpgid(208,208) failed in parent with errno=13",
              "[vm][[7729,1],0][btl_tcp_proc.c:266:mca_btl_tcp_proc_create_interface_graph] Unable "
              "to find reachable pairing between local and remote interfaces",
              "[vm:00403] PMIX ERROR: PMIX_ERR_UNREACH in file pmix_server.c at line 3184",
              "[sb2] [warn] Epoll MOD(1) on fd 19 failed. Old events were 6; read change was 0 "
              "(none); write change was 2 (del); close change was 0 (none): Bad file descriptor"})
            QVERIFY2(isMpirunNoise(QString::fromLatin1(line)), line);
        QVERIFY(!isMpirunNoise(u"Segmentation fault"_s));
    }

    void whatIsSaidOfPeersThatAreGone()
    {
        const QString said =
            u"[sb2:8] 1 more process has sent help message help-mpi-btl-tcp.txt / peer hung up\n"
            "[sb2:8] Set MCA parameter \"orte_base_help_aggregate\" to 0 to see all help / error "
            "messages\n"_s;
        QCOMPARE(withoutAftermath(said), QString());
        QCOMPARE(withoutAftermath(said + u"Segmentation fault\n"_s + said),
                 u"Segmentation fault"_s);
    }
};

QTEST_GUILESS_MAIN(OpenMpiTest)
#include "open_mpi_test.moc"
