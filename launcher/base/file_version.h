// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Whether a file is still what was read before.

#include <QString>

namespace scalebench {

/// What tells one version of a file from the next, in place or after a rename over it.
struct FileVersion {
    quint64 device = 0, inode = 0; ///< all zero: there is no such file
    qint64 size = 0;
    qint64 changedNs = 0; ///< of its content, since 1970

    /// Of the file itself: links are not followed.
    static FileVersion of(const QString& path);

    bool exists() const { return inode != 0; }
    /// False: it changed a moment ago, and another change within the same tick of the file system's
    /// clock would look the same.
    bool isSettled() const;
    bool isSameFile(const FileVersion& other) const
    {
        return device == other.device && inode == other.inode;
    }
    bool operator==(const FileVersion& other) const = default;
};

} // namespace scalebench
