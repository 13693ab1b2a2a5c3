// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Keeps what was imported in a library: one folder for each submitter, benchmark and round, so that
// its scales stand side by side as the runs of an own study do.

#include "base/result.h"
#include "import_files.h"
#include "library/library.h"
#include "run/study.h"

#include <QString>
#include <QStringList>

namespace scalebench::imports {

struct StoreOutcome {
    int stored = 0;     ///< runs that are new
    int updated = 0;    ///< known ones that were read in another way: --accelerators
    int known = 0;      ///< runs that were there already
    int references = 0; ///< files of reference points, collectives and charts that are new
    int knownReferences = 0;
    QStringList studies; ///< ids of those that runs were stored in
    /// Why studies here could not be read; their runs are not known, what is new of them is kept
    /// beside them as ID-2.
    QStringList unread;
};

/// Runs are told apart by the checksum of their file: importing again doubles nothing. `replace`:
/// known ones are stored anew. Codes of file_io.h, "library_busy",
/// and "import_refused" where the program could not read again what it would write: that study
/// stays as it was.
Result<StoreOutcome> storeImports(Library& library, const ImportReport& report,
                                  bool replace = false);

/// The files of reference points, collectives and charts that a library keeps, as they are:
/// readable by importFiles(). Of one kind ("rcp", "nccl_tests", "bench_collectives", "chart") alone
/// where it is given.
QStringList storedReferences(const QString& libraryDir, const QString& kind = {});
/// What a stored file was called, nearly: "all_reduce.txt". Of other files their own name.
QString referenceName(const QString& path);

/// notice.txt beside an export, where its runs ask for one.
Result<void> writeOriginNotice(const Study& study, const QString& dir);

/// The folder name a text becomes: small ASCII letters, digits and "._-".
QString folderName(const QString& text);
/// The study that a run of this kind belongs to, without runs.
ImportedStudy studyFor(const ImportedRun& run, const QString& kind);

} // namespace scalebench::imports
