// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The folder of a study that is begun: a name nobody else has, and what is written there.

#include "base/result.h"
#include "machine/machines.h"
#include "study/run_config.h"
#include "study/study_spec.h"

#include <QList>
#include <QString>

namespace scalebench {

/// A folder that was made by whoever holds this, and goes with it unless it is kept.
class NewFolder
{
public:
    /// PARENT/NAME, or where there is one already, also one made in this moment by another program,
    /// PARENT/NAME-2, -3 …; the number to begin with is `first`. Codes of makeFolder().
    static Result<NewFolder> claim(const QString& parent, const QString& name, int first = 1);
    NewFolder(NewFolder&& other) noexcept;
    NewFolder& operator=(NewFolder&& other) noexcept;
    ~NewFolder();

    const QString& path() const { return m_path; }
    const QString& name() const { return m_name; } ///< of the folder
    int number() const { return m_number; }        ///< 2 of NAME-2
    void keep() { m_kept = true; }

private:
    NewFolder(QString path, QString name, int number);

    QString m_path, m_name; ///< path empty: moved away
    int m_number;
    bool m_kept = false;
};

/// Codes "path_invalid", "study_exists", "folder_not_empty".
Result<void> mayHoldNewStudy(const QString& dir);
/// The runs as those of another study.
QList<RunConfig> withStudyId(QList<RunConfig> runs, const QString& id);
/// Run folders, plan, machine and, last, study.json. Codes "disk_full", "not_writable".
Result<void> writeNewStudy(const QString& studyDir, const StudySpec& spec,
                           const QList<RunConfig>& runs, const TargetMachine& machine);

} // namespace scalebench
