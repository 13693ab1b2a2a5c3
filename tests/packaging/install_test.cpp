// SPDX-License-Identifier: GPL-3.0-or-later
// cmake --install into a folder of its own: the programs run from there, and the desktop's tools
// accept what they are given.
#include "support/campaign.h"

#include <QDir>
#include <QFile>
#include <QMimeDatabase>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

namespace {

struct Ended {
    int exitCode = -1;
    QByteArray output; ///< stdout and stderr
};

Ended run(const QString& program, const QStringList& arguments,
          const QMap<QString, QString>& environment = {})
{
    QProcess process;
    QProcessEnvironment all = QProcessEnvironment::systemEnvironment();
    for (auto it = environment.begin(); it != environment.end(); ++it)
        all.insert(it.key(), it.value());
    process.setProcessEnvironment(all);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    if (!process.waitForFinished(scalebench::test::kHangMs)) {
        process.kill();
        process.waitForFinished();
        return {-1, "did not end in time: " + process.readAll()};
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
            process.readAll()};
}

bool isInstalled(const char* program)
{
    return !QStandardPaths::findExecutable(QString::fromLatin1(program)).isEmpty();
}

} // namespace

class InstallTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        QVERIFY(m_prefix.isValid());
        const Ended ended =
            run(QStringLiteral("cmake"), {QStringLiteral("--install"), QStringLiteral(SB_BUILD_DIR),
                                          QStringLiteral("--prefix"), m_prefix.path()});
        QVERIFY2(ended.exitCode == 0, ended.output.right(2000).constData());
    }

    void programsRunFromThere()
    {
        for (const char* program : {"scalebench", "scalebench-gui", "scalebench-engine"}) {
            const Ended ended =
                run(m_prefix.filePath(QStringLiteral("bin/") + QString::fromLatin1(program)),
                    {QStringLiteral("--version")});
            QVERIFY2(ended.exitCode == 0 && ended.output.contains(SB_VERSION),
                     (QByteArray(program) + ": " + ended.output).constData());
        }
        // The command finds the engine beside itself.
        const Ended doctor =
            run(m_prefix.filePath(QStringLiteral("bin/scalebench")), {QStringLiteral("doctor")},
                {{QStringLiteral("SCALEBENCH_ENGINE"), QString()}});
        QVERIFY2(doctor.output.contains(
                     m_prefix.filePath(QStringLiteral("bin/scalebench-engine")).toUtf8()),
                 doctor.output.constData());
    }

    void windowOpensFromThere()
    {
        const QString picture = m_prefix.filePath(QStringLiteral("window.png"));
        const QString home = m_prefix.filePath(QStringLiteral("home"));
        const Ended ended =
            run(m_prefix.filePath(QStringLiteral("bin/scalebench-gui")),
                {QStringLiteral("--library"), home, QStringLiteral("--screenshot"), picture},
                {{QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen")},
                 {QStringLiteral("XDG_CONFIG_HOME"), home}});
        QVERIFY2(ended.exitCode == 0, ended.output.constData());
        QVERIFY(QFileInfo(picture).size() > 10'000);
    }

    void desktopEntryIsValid()
    {
        if (!isInstalled("desktop-file-validate"))
            QSKIP("desktop-file-validate is not installed");
        const QString file = share(QStringLiteral("applications/com.scalebench.Workbench.desktop"));
        const Ended ended = run(QStringLiteral("desktop-file-validate"), {file});
        QVERIFY2(ended.exitCode == 0 && ended.output.isEmpty(), ended.output.constData());
        QFile entry(file);
        QVERIFY(entry.open(QIODevice::ReadOnly));
        const QByteArray text = entry.readAll();
        QVERIFY(text.contains("Exec=scalebench-gui %F\n"));
        QVERIFY(text.contains("application/x-scalebench-bundle+zip;"));
    }

    void iconInEverySize()
    {
        for (const int size : {16, 22, 24, 32, 48, 64, 128, 256, 512}) {
            const QString file = share(QStringLiteral("icons/hicolor/%1x%1/apps/"
                                                      "com.scalebench.Workbench.png")
                                           .arg(size));
            QFile png(file);
            QVERIFY2(png.open(QIODevice::ReadOnly), qPrintable(file));
            // Width and height as the PNG's header tells them.
            const QByteArray head = png.read(24);
            QCOMPARE(qFromBigEndian<quint32>(head.constData() + 16), quint32(size));
            QCOMPARE(qFromBigEndian<quint32>(head.constData() + 20), quint32(size));
        }
    }

    void metadataIsValid()
    {
        if (!isInstalled("appstreamcli"))
            QSKIP("appstreamcli is not installed");
        const Ended ended =
            run(QStringLiteral("appstreamcli"),
                {QStringLiteral("validate"), QStringLiteral("--no-net"),
                 share(QStringLiteral("metainfo/com.scalebench.Workbench.metainfo.xml"))});
        QVERIFY2(ended.exitCode == 0, ended.output.constData());
    }

    /// The types as a file manager looks them up.
    void filesHaveTheirTypes_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("type");
        const QByteArray zip("PK\x03\x04\x14\x00\x00\x00", 8);
        QTest::newRow("bundle") << QStringLiteral("mine.scalebench.zip") << zip
                                << QStringLiteral("application/x-scalebench-bundle+zip");
        QTest::newRow("other zip")
            << QStringLiteral("mine.zip") << zip << QStringLiteral("application/zip");
        QTest::newRow("study") << QStringLiteral("study.json")
                               << QByteArray(R"({"format": "scalebench.study"})")
                               << QStringLiteral("application/x-scalebench-study+json");
        QTest::newRow("other json") << QStringLiteral("other.json") << QByteArray("{}")
                                    << QStringLiteral("application/json");
    }
    void filesHaveTheirTypes()
    {
        if (!isInstalled("update-mime-database"))
            QSKIP("update-mime-database is not installed");
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        QFETCH(QString, type);
        const Ended ended =
            run(QStringLiteral("update-mime-database"), {share(QStringLiteral("mime"))});
        QVERIFY2(ended.exitCode == 0, ended.output.constData());
        qputenv("XDG_DATA_DIRS", (share(QString()) + QStringLiteral(":/usr/share")).toUtf8());
        QFile file(m_prefix.filePath(name));
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
        file.close();
        QCOMPARE(QMimeDatabase().mimeTypeForFile(file.fileName()).name(), type);
    }

private:
    QString share(const QString& file) const
    {
        return m_prefix.filePath(QStringLiteral("share/") + file);
    }

    QTemporaryDir m_prefix;
};

QTEST_GUILESS_MAIN(InstallTest)
#include "install_test.moc"
