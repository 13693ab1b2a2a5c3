// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the Plan page does to a study of one or several workloads. Pure: studies in, studies out.
// Every function leaves alone what it is not asked to change.

#include "study/study_spec.h"

#include <QStringList>

namespace scalebench {

/// Number of workload entries; 1 where `workloads` is empty.
int entryCount(const StudySpec& spec);
/// First entry of the workload (and the scale, where one is given); -1: none.
int entryOf(const StudySpec& spec, const QString& workload, const QString& scale = {});
/// The study as the runs of one entry see it.
StudySpec entrySpec(const StudySpec& spec, int entry);

/// Another workload beside those planned. What was the only one's alone stays with it; the new one
/// has its recipe's values.
StudySpec withWorkload(StudySpec spec, const QString& workload, const QString& scale);
/// Without one entry; the last one stays. Of one that is left a study without `workloads` is made.
StudySpec withoutEntry(const StudySpec& spec, int entry);

/// Takes over what was changed between two views of an entry: fields that a workload has of its own
/// into the entry, where there are several, all else into the study.
StudySpec withEntryEdit(StudySpec spec, int entry, const StudySpec& before, const StudySpec& after);

/// Values by path of one entry alone, or of the whole study. Fields of the study that say the same
/// are cleared, and take the recipe's value again once the setting goes.
StudySpec withSetting(StudySpec spec, int entry, bool wholeStudy, const QString& path,
                      const QList<QJsonValue>& values);
StudySpec withoutSetting(StudySpec spec, int entry, bool wholeStudy, const QString& path);
/// Whether every workload of the study knows the path.
bool isForAll(const StudySpec& spec, const QString& path);

/// Every workload of the catalog that has the scale "desk", with 1 and 2 workers as far as there
/// are processors.
StudySpec allWorkloadsStudy(const QString& name, int cores);

/// The keys of study.json in which two studies differ: "workloads[1].epochs", "options.overlap".
QStringList changedKeys(const StudySpec& before, const StudySpec& after);

} // namespace scalebench
