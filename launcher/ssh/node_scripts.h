// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the scripts that nodes.h and node_fetch.h run on hosts have in common.

#include "ssh/nodes.h"

namespace scalebench {

// How every script begins: where the run's folder is. $1 folder, $2 study, $3 run: checked here, so
// the path cannot lead out of the folder. `is_ours`: we made it. A marker says so, and only a
// folder that has it is ever emptied or removed.
inline constexpr char kFolderScript[] = R"sh(
f=$1
case $f in "~") f=$HOME ;; "~/"*) f=$HOME/${f#"~/"} ;; esac
d=$f/remote/$2/runs/$3
mark="folder of the run $2/$3, made by Scalebench"
is_ours() { [ ! -h "$d" ] && [ "$(cat "$d/.scalebench-run" 2>/dev/null)" = "$mark" ]; }
)sh";

/// The words before a script's own: "sh" and what kFolderScript takes.
inline QStringList scriptWords(const NodeRun& run, const QStringList& further)
{
    return QStringList{QStringLiteral("sh"), QStringLiteral("-s"), QStringLiteral("--"),
                       run.folder.text(),    run.study.text(),     run.run.text()} +
           further;
}

/// The lines between the marks: a login script may print before them.
inline QByteArray marked(const QByteArray& output, bool* complete)
{
    const qsizetype begin = output.indexOf("@begin\n");
    const qsizetype end = output.lastIndexOf("@end");
    *complete = begin >= 0 && end > begin;
    return begin < 0 ? QByteArray() : output.mid(begin + 7, (end < begin ? -1 : end - begin - 7));
}

} // namespace scalebench
