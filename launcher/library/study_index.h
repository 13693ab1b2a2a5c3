// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// index.sqlite: what lists of studies and runs show, without reading every folder. It follows the
// folders and can be made anew from them.

#include "library/library.h"

#include <QSet>
#include <QString>

namespace scalebench {

/// Of failures that renew() mends.
inline const QString kIndexDamaged = QStringLiteral("index_damaged");

struct IndexedStudy {
    QString dir;
    bool isFinished = false; ///< all its runs were, when it was stored
    QString held;            ///< when somebody last had its lock before that (study_lock.h)
};

class StudyIndex
{
public:
    /// In `folder`, the library's own or a temporary one. Nothing is opened yet.
    explicit StudyIndex(const QString& folder);
    ~StudyIndex();

    /// Makes the file and its tables; of another version, empty ones.
    Result<void> open();
    /// Throws the file away for an empty one. A damaged index is no loss: the folders are the
    /// truth.
    Result<void> renew();
    Result<void> store(const Study& study, const QString& held);
    Result<void> forget(const QString& studyDir);
    Result<void> clear();
    Result<QList<IndexedStudy>> indexed();
    Result<QSet<QString>> ids();
    /// Newest first.
    Result<QList<StudySummary>> studies();
    /// Of one study, or with an empty id of all.
    Result<QList<RunSummary>> runs(const QString& studyId);

private:
    struct Private;
    std::unique_ptr<Private> d;
};

} // namespace scalebench
