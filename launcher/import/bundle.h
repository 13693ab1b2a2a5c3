// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A study as one zip file, to and from another computer: its results and what they mean, with a
// manifest of sizes and SHA-256 checksums. No machine description, no checkpoints, no job scripts.

#include "base/result.h"
#include "library/library.h"

#include <QList>
#include <QString>

namespace scalebench::imports {

struct BundleEntry {
    QString path; ///< "runs/ID/run.json"
    qint64 bytes = 0;
    QString sha256;
};

struct BundleManifest {
    QString study; ///< its id
    qint64 createdMs = 0;
    bool anonymous = false;
    QList<BundleEntry> files;
};

struct BundleWritten {
    QString path;
    int files = 0;
    qint64 bytes = 0; ///< of the files, not compressed
};

/// Writes the study in `studyDir` to `outFile`, whole or not at all. `anonymous`: names of hosts
/// and users, paths, processes and commands are taken out. Codes of file_io.h, "file_exists".
Result<BundleWritten> writeBundle(const QString& studyDir, const QString& outFile, bool anonymous);

struct BundleRead {
    QString study; ///< the id it has in the library
    int runs = 0;
    bool known = false; ///< it was there already
};

/// Unpacks a bundle into `library`/imported after every check: only the files that a bundle may
/// hold, all of them in the manifest with their size and checksum, ordinary files, no more than was
/// said. Nothing of it is executed. Codes "bundle_damaged", "bundle_refused", those of file_io.h.
Result<BundleRead> readBundle(const QString& zipFile, Library& library);

/// Whether the file begins as a zip file does.
bool isZipFile(const QString& path);
/// Whether a bundle may hold a file of this name.
bool isBundleFile(const QString& path);
/// A manifest, checked: names as above, each once, sizes bounded.
Result<BundleManifest> parseManifest(const QByteArray& json, const QString& fileName);

} // namespace scalebench::imports
