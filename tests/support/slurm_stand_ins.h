// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Slurm without Slurm: what its programs say, and programs that say so in their place.

#include "base/file_io.h"
#include "machine/machines.h"
#include "supervise/slurm_state.h"
#include "support/file_content.h"
#include "support/program_file.h"

#include <QDir>
#include <QString>

namespace scalebench::test {

inline SlurmAnswer said(const char* output, const char* errors = "", int code = 0)
{
    SlurmAnswer answer;
    answer.started = true;
    answer.exitCode = code;
    answer.output = QString::fromLatin1(output);
    answer.errors = QString::fromLatin1(errors);
    return answer;
}

/// Whole or not at all: a stand-in must not read half of it.
inline void writeFile(const QString& path, const QByteArray& text)
{
    if (!writeFileAtomically(path, text))
        qFatal("%s", qPrintable(path));
}

inline TargetMachine slurmMachine(const QString& folder = QStringLiteral("/shared/sb"))
{
    TargetMachine m;
    m.name = QStringLiteral("c");
    m.kind = TargetMachine::Kind::Slurm;
    m.folder = folder;
    return m;
}

/// Makes, in an empty folder, programs that note their words in NAME.words and say what NAME.says
/// holds; with NAME.errors they fail with that, with a file "hang" they never end.
inline void makeSlurmStandIns(const QString& folder)
{
    static constexpr char kProgram[] = R"sh(#!/bin/sh
cd @DIR@
echo "$*" >> @NAME@.words
[ ! -e @NAME@.errors ] || { cat @NAME@.errors >&2; exit 1; }
[ ! -e hang ] || exec sleep 100
[ ! -e @NAME@.says ] || cat @NAME@.says
)sh";
    QDir(folder).removeRecursively();
    QDir().mkpath(folder);
    for (const char* name : {"sbatch", "squeue", "scontrol", "scancel", "sacct", "sinfo", "srun"})
        writeProgram(
            folder + u'/' + QString::fromLatin1(name),
            QByteArray(kProgram).replace("@DIR@", folder.toUtf8()).replace("@NAME@", name));
    writeFile(folder + QStringLiteral("/sbatch.says"), "17\n");
    writeFile(folder + QStringLiteral("/squeue.says"), "PENDING|Priority|N/A|\n");
}

} // namespace scalebench::test
