// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Studies that were put away: moved to LIBRARY/trash/NAME/study beside a trash.json that tells
// where they were. Moving is one rename, so nothing is ever half there; only emptyTrash() deletes,
// and only what has that mark.

#include "library/library.h"

namespace scalebench {

struct TrashedStudy {
    QString name;   ///< of its folder in the trash
    QString folder; ///< "studies" or "imported"
    QString id;     ///< of its folder there
    QString title;  ///< what a person called it; empty: nothing
    qint64 trashedMs = 0;
};

/// `studyDir` must lie in the library itself ("not_in_library"), and nothing may work on it
/// ("study_active"). Code "not_writable" too.
Result<TrashedStudy> moveToTrash(const Library& library, const QString& studyDir);
/// Back to where it was; returns its folder. Codes "not_in_trash", "study_exists".
Result<QString> restoreFromTrash(const Library& library, const QString& name);
/// The last one put away comes first. What has no sound trash.json is left out.
QList<TrashedStudy> trashedStudies(const Library& library);
/// By name, id, beginning of an id, or "latest".
Result<TrashedStudy> findTrashed(const Library& library, const QString& word);
/// Deletes for good; returns how many studies. Code "not_writable".
Result<int> emptyTrash(const Library& library);

} // namespace scalebench
