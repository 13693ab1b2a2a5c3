// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reading a file that may be somebody else's: never a pipe or a device, which would wait or never
// end, and never more than a limit.

#include "base/result.h"

#include <QByteArray>
#include <QString>

namespace scalebench {

constexpr qint64 kMostFileBytes = 64 << 20; ///< of a file that is read whole
constexpr qint64 kMostJsonBytes = 16 << 20; ///< of one of our JSON files: a plan of 100,000 runs

/// Codes "not_found", "not_readable", "not_a_file", "file_too_large".
Result<QByteArray> readFile(const QString& path, qint64 mostBytes = kMostFileBytes);
/// `name` ("runs/x/run.json") below `folder`. No part of it may be a link: a folder of results must
/// not make the program read what is elsewhere. Code "link_refused" too.
Result<QByteArray> readFileBelow(const QString& folder, const QString& name,
                                 qint64 mostBytes = kMostJsonBytes);

} // namespace scalebench
