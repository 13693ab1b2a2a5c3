// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which files under the paths that a person named may hold results. Folders are walked without
// following links; what is passed over is counted with its reason.

#include <QList>
#include <QMap>
#include <QSet>
#include <QString>
#include <QStringList>

#include <functional>

namespace scalebench::imports {

struct PassedOver {
    QString path;
    QString reason;
};

struct LogTree {
    QSet<QString> named;           ///< those of `files` that a person named themselves
    QStringList files;             ///< absolute, in the order of the paths, then of their names
    QMap<QString, int> passedOver; ///< how many for each reason
    QList<PassedOver> worthNaming; ///< the first 200 links, devices and folders that were not read
    bool cancelled = false;
    int passedOverCount() const;
};

/// Files that are named themselves are taken whatever their name; in folders *.txt, *.log, *.out
/// and event files of TensorBoard. `cancelled` is asked now and then.
LogTree collectFiles(const QStringList& paths, const std::function<bool()>& cancelled = {});

} // namespace scalebench::imports
