// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What an engine bundle (packaging/bundle) is, read without unpacking or running anything of it:
// SCALEBENCH_BUNDLE may name an archive from somebody else.

#include "base/result.h"

#include <QString>
#include <QStringList>

namespace scalebench {

struct BundleInfo {
    QString path;
    QString topFolder;    ///< the one folder that everything in it lies in
    QString version;      ///< empty: none
    QString contentId;    ///< the same for the same files
    QString architecture; ///< "x86_64"
    QString minimumGlibc;
    QStringList programs;
    QString sha256; ///< of the archive
    qint64 bytes = 0;
    qint64 unpackedBytes = 0;

    /// The folder under engine/ on a host: "0.1.0-1a2b3c4d5e6f".
    QString folderName() const { return version + QLatin1Char('-') + contentId.left(12); }
};
/// Whether a tar's entries all stay in one folder, and are files, folders and links inside it.
Result<void> checkTar(const QByteArray& tar, const QString& path);
/// Refuses entries that would leave the folder they are unpacked in. About half a second for an
/// archive not seen before; remembered in the cache folder.
Result<BundleInfo> readBundle(const QString& path);
/// The bundle that would be deployed: SCALEBENCH_BUNDLE, else scalebench-engine-*.tar.gz beside the
/// programs, in ../share/scalebench, or in the user's cache folder. Empty: none.
QString findBundle();

} // namespace scalebench
