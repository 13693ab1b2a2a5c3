// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Folders that are the system's view of processes and devices. Root may write to some of them, and
// what is read there may never end: no place for a person's files.

#include "base/result.h"

#include <QString>

namespace scalebench {

/// Shared memory is a place for files all the same.
bool isSystemFolder(const QString& path);
/// Said where one was chosen.
Failure systemFolderFailure(const QString& path);

} // namespace scalebench
