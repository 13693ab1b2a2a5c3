// SPDX-License-Identifier: GPL-3.0-or-later
// packaging/bundle: the archive is small, complete, the same each time, and runs in place from a
// folder with spaces and an empty environment; damage is found.

#include "support/campaign.h"
#include "support/file_content.h"

#include <QCryptographicHash>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRegularExpression>
#include <QSet>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using scalebench::test::contentOf;

namespace {

struct Ended {
    int exitCode = -1;
    QByteArray output; ///< stdout and stderr
};

Ended run(const QString& program, const QStringList& arguments, const QString& workDir = {})
{
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    if (!workDir.isEmpty())
        process.setWorkingDirectory(workDir);
    process.start(program, arguments);
    if (!process.waitForFinished(scalebench::test::kHangMs)) {
        process.kill();
        process.waitForFinished();
        return {-1, "did not end in time: " + process.readAll()};
    }
    return {process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -2,
            process.readAll()};
}

void writeTo(const QString& path, const QByteArray& bytes)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("%s could not be written", qPrintable(path));
}

/// Two epochs in memory on two workers, a second.
constexpr const char* kRun = R"({"format": "scalebench.run", "version": 1, "study": "bundle",
  "run_id": "tiny", "workload": "resnet", "scale": "desk",
  "model": {"name": "resnet8", "classes": 10, "image_size": 32},
  "data": {"source": "synthetic", "train_samples": 128, "eval_samples": 64,
           "augment": {"pad_crop": 4, "flip": true}},
  "device": "cpu", "precision": "fp32", "nodes": 1, "workers": 2, "threads_per_worker": 1,
  "batch_policy": "strong", "global_batch": 32,
  "optimizer": {"name": "sgd", "momentum": 0.9, "weight_decay": 0.0005},
  "schedule": {"name": "cosine", "base_lr": 0.05, "warmup_epochs": 0.5},
  "epochs": 2, "target": null, "seed": 1})";

} // namespace

class BundleTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_dir;
    QString m_archive;
    QString m_root; ///< the unpacked bundle
    QJsonObject m_manifest;

    QString bundle(const QString& folder, const QStringList& options = {})
    {
        const QString out = m_dir.filePath(folder);
        const Ended made = run(QStringLiteral(SB_SOURCE_DIR "/packaging/bundle"),
                               QStringList{QStringLiteral("--engine"),
                                           QStringLiteral(SB_BIN_DIR "/scalebench-engine"),
                                           QStringLiteral("--out"), out} +
                                   options);
        const QStringList found = QDir(out).entryList({QStringLiteral("*.tar.gz")});
        if (made.exitCode != 0 || found.size() != 1)
            qWarning("%s", made.output.constData());
        return made.exitCode == 0 && found.size() == 1 ? out + QLatin1Char('/') + found[0]
                                                       : QString();
    }
    /// With nothing in the environment, not even PATH.
    Ended runBare(const QStringList& command, const QStringList& variables = {})
    {
        return run(QStringLiteral("env"), QStringList(QStringLiteral("-i")) + variables + command,
                   m_root);
    }
    QStringList filesOfRoot() const
    {
        QStringList files;
        QDirIterator it(m_root, QDir::Files | QDir::Hidden, QDirIterator::Subdirectories);
        while (it.hasNext())
            files << QDir(m_root).relativeFilePath(it.next());
        return files;
    }

private Q_SLOTS:
    void initTestCase()
    {
        for (const char* tool : {"patchelf", "readelf", "ldd", "dpkg-query", "python3", "mpirun"})
            if (QStandardPaths::findExecutable(QLatin1StringView(tool)).isEmpty())
                QSKIP(qPrintable(QStringLiteral("%1 is missing").arg(QLatin1StringView(tool))));
        m_archive = bundle(QStringLiteral("first"));
        QVERIFY(!m_archive.isEmpty());
        const QString folder = m_dir.filePath(QStringLiteral("a folder, with spaces"));
        QDir().mkpath(folder);
        const Ended unpacked =
            run(QStringLiteral("tar"), {QStringLiteral("xzf"), m_archive}, folder);
        QVERIFY2(unpacked.exitCode == 0, unpacked.output.constData());
        const QStringList tops = QDir(folder).entryList(QDir::Dirs | QDir::NoDotAndDotDot);
        QCOMPARE(tops.size(), 1); // one folder, nothing beside it
        m_root = folder + QLatin1Char('/') + tops[0];
        QVERIFY(QFileInfo(m_archive).fileName().startsWith(tops[0]));
        m_manifest =
            QJsonDocument::fromJson(contentOf(m_root + QStringLiteral("/manifest.json"))).object();
        QCOMPARE(m_manifest[QStringLiteral("format")].toString(),
                 QStringLiteral("scalebench.bundle"));
    }

    void isSmallAndTheSameEachTime()
    {
        // With kernels for GPUs a little more.
        const bool cuda =
            QFileInfo::exists(m_root + QStringLiteral("/libexec/libscalebench_cuda.so"));
        QVERIFY2(QFileInfo(m_archive).size() < (cuda ? 72 : 48) * 1024 * 1024,
                 qPrintable(QString::number(QFileInfo(m_archive).size())));
        const QString again = bundle(QStringLiteral("second"), {QStringLiteral("--quick")});
        QVERIFY(!again.isEmpty());
        const QJsonObject manifest =
            QJsonDocument::fromJson(run(QStringLiteral("tar"), {QStringLiteral("xzOf"), again,
                                                                QStringLiteral("--wildcards"),
                                                                QStringLiteral("*/manifest.json")})
                                        .output)
                .object();
        QCOMPARE(manifest[QStringLiteral("content_id")], m_manifest[QStringLiteral("content_id")]);
        // A commit made between the two is named in the second.
        for (const QString& key : {QStringLiteral("git_commit"), QStringLiteral("git_modified")})
            if (manifest[key] != m_manifest[key])
                QSKIP("the source tree changed between the two archives");
        // What is compressed, and a head without a time.
        const auto unpacked = [](const QString& archive) {
            return run(QStringLiteral("gzip"), {QStringLiteral("-dc"), archive}).output;
        };
        const QByteArray tar = unpacked(m_archive);
        QVERIFY(tar.size() > QFileInfo(m_archive).size());
        QVERIFY(unpacked(again) == tar);
        QCOMPARE(contentOf(m_archive).first(8), QByteArray("\x1f\x8b\x08\0\0\0\0\0", 8));
    }

    void manifestNamesEveryFile()
    {
        QSet<QString> listed{QStringLiteral("manifest.json"), QStringLiteral("SHA256SUMS")};
        const QJsonArray files = m_manifest[QStringLiteral("files")].toArray();
        for (const QJsonValue& value : files) {
            const QString path = value[QStringLiteral("path")].toString();
            listed << path;
            const QByteArray bytes = contentOf(m_root + QLatin1Char('/') + path);
            QCOMPARE(bytes.size(), value[QStringLiteral("bytes")].toInteger());
            QCOMPARE(QString::fromLatin1(
                         QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex()),
                     value[QStringLiteral("sha256")].toString());
        }
        const QStringList present = filesOfRoot();
        QCOMPARE(QSet<QString>(present.begin(), present.end()), listed);
        QVERIFY(listed.contains(QStringLiteral("bin/mpirun")));
        QVERIFY(listed.contains(QStringLiteral("lib/libmpi.so.40")));
        QVERIFY(listed.contains(QStringLiteral("lib/qt6/plugins/sqldrivers/libqsqlite.so")));
        const QJsonArray programs = m_manifest[QStringLiteral("programs")].toArray();
        QVERIFY(programs.contains(QStringLiteral("scalebench")));
        QVERIFY(programs.contains(QStringLiteral("scalebench-engine")));
        for (const QJsonValue& program : programs)
            QVERIFY(
                QFileInfo(m_root + QStringLiteral("/bin/") + program.toString()).isExecutable());
        for (const QString& path : present)
            QVERIFY2(!QFileInfo(path).fileName().startsWith(QStringLiteral("libc.so")),
                     qPrintable(path));
    }

    /// Deployment compares it, so it depends on the files alone.
    void contentIdIsThatOfTheFiles()
    {
        QByteArray lines;
        for (const QByteArray& line : contentOf(m_root + QStringLiteral("/SHA256SUMS")).split('\n'))
            if (!line.isEmpty() && !line.endsWith(" manifest.json"))
                lines += line + '\n';
        QCOMPARE(m_manifest[QStringLiteral("content_id")].toString(),
                 QString::fromLatin1(
                     QCryptographicHash::hash(lines, QCryptographicHash::Sha256).toHex()));
    }

    void librariesHaveVersionsAndLicences()
    {
        const QJsonArray libraries = m_manifest[QStringLiteral("libraries")].toArray();
        QVERIFY(libraries.size() > 10);
        QSet<QString> covered;
        for (const QJsonValue& library : libraries) {
            const QString package = library[QStringLiteral("package")].toString();
            QVERIFY2(!library[QStringLiteral("version")].toString().isEmpty(), qPrintable(package));
            const QString licence = library[QStringLiteral("licence")].toString();
            QVERIFY2(!licence.isEmpty() && !licence.startsWith(QStringLiteral("see ")),
                     qPrintable(package + QStringLiteral(": ") + licence));
            QVERIFY2(contentOf(m_root + QStringLiteral("/licences/") + package +
                               QStringLiteral("/copyright"))
                             .size() > 100,
                     qPrintable(package));
            for (const QJsonValue& file : library[QStringLiteral("files")].toArray())
                covered << file.toString();
        }
        for (const QString& path : filesOfRoot())
            if (path.startsWith(QStringLiteral("lib")) && path.contains(QStringLiteral(".so")))
                QVERIFY2(covered.contains(path) || path.endsWith(QStringLiteral("_cuda.so")),
                         qPrintable(path));
    }

    /// Apart from the C library nothing of this machine is loaded; NVIDIA's libraries only by the
    /// plug-in, which is loaded where they are installed.
    void needsNothingElse()
    {
        static const QSet<QString> kSystem{
            QStringLiteral("libc.so.6"),      QStringLiteral("libm.so.6"),
            QStringLiteral("libdl.so.2"),     QStringLiteral("libpthread.so.0"),
            QStringLiteral("librt.so.1"),     QStringLiteral("libutil.so.1"),
            QStringLiteral("libresolv.so.2"), QStringLiteral("ld-linux-x86-64.so.2")};
        static const QRegularExpression kNvidia(QStringLiteral("^lib(cublas|cudnn|nccl)"));
        int checked = 0;
        for (const QString& path : filesOfRoot()) {
            if (!contentOf(m_root + QLatin1Char('/') + path)
                     .startsWith("\x7f"
                                 "ELF"))
                continue;
            const Ended listed = runBare({QStringLiteral("ldd"), path});
            for (const QByteArray& line : listed.output.split('\n')) {
                const QString text = QString::fromUtf8(line).trimmed();
                const QString name = text.section(QLatin1Char(' '), 0, 0);
                if (!text.contains(QStringLiteral(" => ")) || kSystem.contains(name))
                    continue;
                if (path.endsWith(QStringLiteral("_cuda.so")) && name.contains(kNvidia))
                    continue;
                QVERIFY2(text.contains(m_root), qPrintable(path + QStringLiteral(": ") + text));
            }
            ++checked;
        }
        QVERIFY(checked > 50);
    }

    void runsInPlace()
    {
        const Ended sums = runBare({QStringLiteral("./verify")});
        QVERIFY2(sums.exitCode == 0, sums.output.constData());
        const Ended version =
            runBare({QStringLiteral("bin/scalebench-engine"), QStringLiteral("--version")});
        QVERIFY2(version.exitCode == 0, version.output.constData());
        QCOMPARE(version.output.trimmed(), "scalebench-engine " SB_VERSION);
    }

    void trainsUnderItsOwnMpirun()
    {
        const QString folder = m_dir.filePath(QStringLiteral("a run"));
        QDir().mkpath(folder);
        writeTo(folder + QStringLiteral("/run.json"), kRun);
        // Through a link and from elsewhere, as users put programs into their PATH.
        const QString link = m_dir.filePath(QStringLiteral("mpirun"));
        QVERIFY(QFile::link(m_root + QStringLiteral("/bin/mpirun"), link));
        const Ended trained = runBare(
            {link, QStringLiteral("-np"), QStringLiteral("2"), QStringLiteral("--oversubscribe"),
             QStringLiteral("--bind-to"), QStringLiteral("none"),
             m_root + QStringLiteral("/bin/scalebench-engine"), QStringLiteral("--run"), folder},
            {QStringLiteral("OMPI_ALLOW_RUN_AS_ROOT=1"),
             QStringLiteral("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1")});
        QVERIFY2(trained.exitCode == 0, trained.output.constData());
        const QByteArray stream = contentOf(folder + QStringLiteral("/result_0.txt"));
        QVERIFY2(stream.contains("\"status\":\"success\""), stream.constData());
        QVERIFY(stream.contains("\"samples_count\":256"));
        const QJsonObject system =
            QJsonDocument::fromJson(contentOf(folder + QStringLiteral("/system.json"))).object();
        QCOMPARE(system[QStringLiteral("software")][QStringLiteral("workers")].toInt(), 2);
    }

    /// The command finds the bundle's own mpirun and engine, and keeps its list of studies.
    void commandWorksFromTheBundleAlone()
    {
        const QString command = m_root + QStringLiteral("/bin/scalebench");
        const Ended version =
            runBare({command, QStringLiteral("--version")}, {QStringLiteral("LC_ALL=C")});
        QVERIFY2(version.exitCode == 0, version.output.constData());
        QCOMPARE(version.output.trimmed(), "scalebench " SB_VERSION); // no warning about the locale
        const QStringList home{QStringLiteral("HOME=") + m_dir.filePath(QStringLiteral("a home")),
                               QStringLiteral("PATH=/usr/bin:/bin")};
        const Ended doctor = runBare({command, QStringLiteral("doctor")}, home);
        for (const char* program : {"/bin/mpirun)", "/bin/scalebench-engine)"})
            QVERIFY2(doctor.output.contains((m_root + QLatin1StringView(program)).toUtf8()),
                     doctor.output.constData());
        const Ended results = runBare({command, QStringLiteral("results")}, home);
        QVERIFY2(results.exitCode == 0, results.output.constData());
    }

    void worksWithoutTheCommand()
    {
        const QString out = m_dir.filePath(QStringLiteral("engine only"));
        const Ended made =
            run(QStringLiteral(SB_SOURCE_DIR "/packaging/bundle"),
                {QStringLiteral("--engine"), QStringLiteral(SB_BIN_DIR "/scalebench-engine"),
                 QStringLiteral("--command"), m_dir.filePath(QStringLiteral("none")),
                 QStringLiteral("--quick"), QStringLiteral("--out"), out});
        QVERIFY2(made.exitCode == 0, made.output.constData());
        QVERIFY2(made.output.contains("without the scalebench command"), made.output.constData());
    }

    void damageIsFound()
    {
        const QString path = m_root + QStringLiteral("/lib/libmpi.so.40");
        const QByteArray good = contentOf(path);
        QByteArray bad = good;
        bad[bad.size() / 2] = char(bad[bad.size() / 2] ^ 1);
        writeTo(path, bad);
        Ended checked = runBare({QStringLiteral("./verify")});
        QVERIFY(checked.exitCode != 0);
        QVERIFY2(checked.output.contains("lib/libmpi.so.40"), checked.output.constData());
        QFile::remove(path);
        checked = runBare({QStringLiteral("./verify")});
        QVERIFY(checked.exitCode != 0);
        QVERIFY2(checked.output.contains("lib/libmpi.so.40"), checked.output.constData());
        writeTo(path, good);
        QCOMPARE(runBare({QStringLiteral("./verify")}).exitCode, 0);
    }

    void saysWhatIsMissing()
    {
        const Ended ended = run(QStringLiteral(SB_SOURCE_DIR "/packaging/bundle"),
                                {QStringLiteral("--engine"), m_dir.filePath(QStringLiteral("none")),
                                 QStringLiteral("--out"), m_dir.path()});
        QCOMPARE(ended.exitCode, 1);
        QVERIFY2(ended.output.startsWith("bundle: there is no engine "), ended.output.constData());
        QCOMPARE(ended.output.count('\n'), 1);
    }
};

QTEST_GUILESS_MAIN(BundleTest)
#include "bundle_test.moc"
