// SPDX-License-Identifier: GPL-3.0-or-later
// What a host says before the engine is sent to it (resources/remote/deploy_prepare.sh).
#include "preflight/probe.h"

#include <QDir>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace scalebench;
using namespace Qt::Literals::StringLiterals;

class DeployPrepareTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    QString there() const { return m_folder.filePath(u"engine/it"_s); }
    void write(const QString& name, const QByteArray& text, bool mayRun) const
    {
        QFile file(there() + u'/' + name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(text);
        file.setPermissions(mayRun ? QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner
                                   : QFile::ReadOwner | QFile::WriteOwner);
    }
    QString state() const
    {
        const QByteArray script =
            scriptVariable(u"D_FOLDER"_s, m_folder.path()) + scriptVariable(u"D_NAME"_s, u"it"_s) +
            scriptVariable(u"D_CONTENT"_s, u"abc"_s) + scriptVariable(u"D_KIB"_s, u"1"_s) +
            "D_MACHINE=$(uname -m)\n" + scriptVariable(u"D_TOKEN"_s, u"token"_s) +
            scriptVariable(u"D_INDEX"_s, u"0"_s) + scriptVariable(u"D_REMOVE"_s, {}) +
            scriptVariable(u"D_INSTALL"_s, QString::fromUtf8(remoteScript(u"install.sh"_s))) +
            remoteScript(u"deploy_prepare.sh"_s);
        QProcess shell;
        shell.start(u"sh"_s, {u"-s"_s});
        shell.write(script);
        shell.closeWriteChannel();
        if (!shell.waitForFinished(30'000))
            return u"hangs"_s;
        return parseProbe(shell.readAllStandardOutput()).value(u"state"_s);
    }

private slots:
    /// What is whole but cannot be run is installed anew.
    void programsThatMayNotRun()
    {
        QVERIFY(QDir().mkpath(there() + u"/bin"_s));
        write(u"manifest.json"_s, "{\n \"content_id\": \"abc\"\n}\n", false);
        write(u"verify"_s, "#!/bin/sh\n", true);
        write(u"bin/scalebench-engine"_s, "#!/bin/sh\n", true);
        write(u"bin/mpirun"_s, "#!/bin/sh\n", true);
        QCOMPARE(state(), u"unchanged"_s);
        write(u"bin/scalebench-engine"_s, "#!/bin/sh\n", false);
        QCOMPARE(state(), u"wanted"_s);
        write(u"bin/scalebench-engine"_s, "#!/bin/sh\n", true);
        QCOMPARE(state(), u"unchanged"_s);
        write(u"verify"_s, "#!/bin/sh\nexit 1\n", true);
        QCOMPARE(state(), u"wanted"_s);
    }
};

QTEST_GUILESS_MAIN(DeployPrepareTest)
#include "deploy_prepare_test.moc"
