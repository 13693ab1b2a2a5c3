// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A small engine bundle for tests of pre-flight and deployment: laid out as packaging/bundle does,
// with shell scripts for programs, and its real "verify".

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <QString>
#include <QSysInfo>

#include <algorithm>

namespace scalebench::test {

struct FakeBundle {
    QString version = QStringLiteral(SB_VERSION);
    QByteArray engine; ///< script behind "#!/bin/sh"; empty: answers --probe as the engine does
    QByteArray marker = "one"; ///< other marker, other content_id
    QString contentId;         ///< set by make()
    qint64 padding = 0;        ///< bytes that do not compress

    /// Packs it as FOLDER/scalebench-engine-VERSION-ARCH.tar.gz and returns the path.
    QString make(const QString& folder)
    {
        const QString top = QStringLiteral("scalebench-engine-%1-%2")
                                .arg(version, QSysInfo::currentCpuArchitecture());
        const QString root = folder + QStringLiteral("/tree/") + top;
        QDir(folder + QStringLiteral("/tree")).removeRecursively();
        QDir().mkpath(root + QStringLiteral("/bin"));
        const QByteArray probe =
            engine.isEmpty()
                ? "echo '{\"engine\":\"" + version.toUtf8() +
                      "\",\"mpi\":\"Open MPI 4.1.4\",\"cuda\":{\"available\":false,\"reason\":\"no "
                      "driver\"}}'\n"
                : engine;
        write(root, "bin/scalebench-engine", "#!/bin/sh\n" + probe, true);
        write(root, "bin/scalebench", "#!/bin/sh\n", true);
        write(root, "bin/mpirun", "#!/bin/sh\nexec mpirun \"$@\"\n", true);
        write(root, "bin/orted", "#!/bin/sh\nexec orted \"$@\"\n", true);
        write(root, "bin/prted", "#!/bin/sh\nexec prted \"$@\"\n", true);
        write(root, "marker", marker, false);
        QByteArray noise;
        quint32 state = 1;
        while (noise.size() < padding) {
            state = state * 1664525U + 1013904223U;
            noise += char(state >> 24);
        }
        write(root, "padding", noise, false);
        QFile verify(QStringLiteral(SB_SOURCE_DIR "/packaging/bundle-files/verify"));
        if (verify.open(QIODevice::ReadOnly))
            write(root, "verify", verify.readAll(), true);
        QByteArray sums = sumsOf(root);
        contentId =
            QString::fromLatin1(QCryptographicHash::hash(sums, QCryptographicHash::Sha256).toHex());
        write(root, "manifest.json",
              "{\n \"format\": \"scalebench.bundle\",\n \"format_version\": 1,\n \"version\": \"" +
                  version.toUtf8() + "\",\n \"architecture\": \"" +
                  QSysInfo::currentCpuArchitecture().toUtf8() + "\",\n \"content_id\": \"" +
                  contentId.toUtf8() +
                  "\",\n \"programs\": [\"scalebench-engine\"],\n \"minimum_glibc\": \"2.17\",\n "
                  "\"libraries\": []\n}\n",
              false);
        write(root, "SHA256SUMS", sumsOf(root), false);
        const QString archive = folder + u'/' + top + QStringLiteral(".tar.gz");
        QProcess::execute(QStringLiteral("tar"),
                          {QStringLiteral("--format=gnu"), QStringLiteral("-czf"), archive,
                           QStringLiteral("-C"), folder + QStringLiteral("/tree"), top});
        return archive;
    }
    QString folderName() const { return version + u'-' + contentId.left(12); }

    static void write(const QString& root, const char* name, const QByteArray& bytes, bool program)
    {
        QFile file(root + u'/' + QLatin1StringView(name));
        if (!file.open(QIODevice::WriteOnly))
            qFatal("%s", qPrintable(file.errorString()));
        file.write(bytes);
        if (program)
            file.setPermissions(file.permissions() | QFile::ExeOwner | QFile::ExeGroup |
                                QFile::ExeOther);
    }

private:
    static QByteArray sumsOf(const QString& root)
    {
        QByteArray sums;
        for (const char* name :
             {"bin/mpirun", "bin/orted", "bin/prted", "bin/scalebench", "bin/scalebench-engine",
              "manifest.json", "marker", "padding", "verify"}) {
            QFile file(root + u'/' + QLatin1StringView(name));
            if (file.open(QIODevice::ReadOnly))
                sums +=
                    QCryptographicHash::hash(file.readAll(), QCryptographicHash::Sha256).toHex() +
                    "  " + name + '\n';
        }
        return sums;
    }
};

} // namespace scalebench::test
