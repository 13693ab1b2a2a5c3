// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

namespace scalebench {

/// One word for a POSIX shell (also csh for words without newline and "!"): plain words stay as
/// they are, others go into single quotes. The only quoting in this program.
QString shellQuoted(const QString& word);
/// Argument list to one remote command line.
QString remoteCommand(const QStringList& words);

} // namespace scalebench
