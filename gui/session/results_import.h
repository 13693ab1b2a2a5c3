// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One import, off the window's thread, with progress that can be cancelled.

#include "base/result.h"
#include "import/csv_runs.h"
#include "session/library_place.h"

#include <QObject>
#include <QStringList>

#include <atomic>
#include <memory>

namespace scalebench {

/// What became of it, for people.
struct ImportNews {
    std::optional<Failure> failure; ///< nothing was stored
    QString text;                   ///< "Imported 16 runs of 14 studies. 2 files are damaged."
    QString details;                ///< a line for each thing to look at
    bool clean = true;              ///< nothing damaged, nothing skipped
    QStringList studyDirs;
};

/// Deletes itself after finished().
class ResultsImport : public QObject
{
    Q_OBJECT
public:
    /// `columns`: of tables whose columns do not tell by their names.
    ResultsImport(const QStringList& paths, const imports::CsvMapping& columns,
                  const LibraryPlace& library, QObject* parent);
    ~ResultsImport() override;

    /// Takes effect at the next file; finished() follows.
    void cancel();

Q_SIGNALS:
    void progress(int done, int total);
    void finished(const scalebench::ImportNews& news);

private:
    struct Shared {
        std::atomic<int> done = 0, total = 0;
        std::atomic<bool> cancelled = false;
    };
    std::shared_ptr<Shared> m_shared = std::make_shared<Shared>();
};

} // namespace scalebench
