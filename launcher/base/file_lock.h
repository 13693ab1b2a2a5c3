// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One program at a time: flock on an ordinary file, which stays. A lock of a program that was
// killed is free; what somebody put in the file's place, a link or a pipe, is neither followed nor
// waited for.

#include "base/result.h"

#include <QString>

namespace scalebench {

/// The file itself; -1 with errno, ELOOP for a link and EISDIR for what is no ordinary file.
/// `flags`: as of open().
int openLockFile(const QString& path, int flags);

class FileLock
{
public:
    FileLock() = default;
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

    /// Code "locked" where another has it for `timeoutMs`; "not_a_file"; codes of writeFailure().
    Result<void> take(const QString& path, int timeoutMs);

private:
    int m_fd = -1;
};

/// flock(LOCK_EX), tried for so long.
bool lockWithin(int fd, int timeoutMs);

} // namespace scalebench
