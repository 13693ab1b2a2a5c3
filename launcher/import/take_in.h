// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Files that a person gives, of any kind and in any mixture, into a library: what the command and
// the window do with them.

#include "import/bundle.h"
#include "import/import_files.h"
#include "import/import_store.h"

#include <optional>
#include <utility>
#include <vector>

namespace scalebench::imports {

struct TakenIn {
    ImportReport report; ///< of everything but bundles
    std::optional<StoreOutcome> stored;
    std::vector<std::pair<QString, Result<BundleRead>>> bundles; ///< each by its path
    std::optional<Failure> failure; ///< the library could not be written

    /// Folders of the studies in `library` that something of this is in.
    QStringList studyDirs(const Library& library) const;
};

/// Reads all and stores what holds results; after a cancel nothing but bundles is stored. Without a
/// library nothing is, and bundles are refused (code "usage"). Known runs are stored anew where the
/// number of accelerators is given.
TakenIn takeIn(const QStringList& paths, Library* library, const ImportOptions& options = {},
               const ImportProgressFunction& progress = {});

/// What a person should look at, a line each: "NAME: the log has no end record." Of skipped files
/// 20 at most.
QStringList importRemarks(const ImportReport& report);

/// A file's name with as many folders as tell it from the others of a submission.
QString shortImportPath(const QString& path);

} // namespace scalebench::imports
