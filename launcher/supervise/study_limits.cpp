// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/study_limits.h"

#include "base/translated.h"
#include "run/study_files.h"
#include "run/study_queue.h"

#include <QMap>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

void applyStudyLimits(const QString& studyDir)
{
    const Result<StudySpec> asked = readStudySpec(studyDir);
    if (!asked || (asked.value().maxMinutes == 0 && !asked.value().stopAfterTarget))
        return;
    const Result<Study> study = loadStudyHead(studyDir);
    if (!study)
        return;
    const StudySpec& spec = asked.value();
    qint64 usedMs = 0;
    QMap<QString, QString> reached; // workload and scale: the run that did
    for (const RunRecord& run : study.value().runs) {
        if (run.startedMs > 0 && run.finishedMs > run.startedMs)
            usedMs += run.finishedMs - run.startedMs;
        if (run.state == RunState::Completed && run.config.hasTarget())
            reached.insert(run.config.workload + u' ' + run.config.scale, run.config.runId);
    }
    if (spec.maxMinutes > 0 && usedMs >= spec.maxMinutes * qint64(60'000)) {
        cancelQueuedRuns(
            studyDir,
            {u"time_limit"_s,
             Launcher::tr("Not started: the study's runs had taken their %1 min. It can still be "
                          "resumed by its name.")
                 .arg(spec.maxMinutes)});
        return;
    }
    if (!spec.stopAfterTarget)
        return;
    for (const RunRecord& run : study.value().runs) {
        const QString by = reached.value(run.config.workload + u' ' + run.config.scale);
        if (run.state == RunState::Queued && !by.isEmpty())
            cancelQueuedRun(
                studyDir, run.config.runId,
                {u"target_was_reached"_s,
                 Launcher::tr("Not started: %1 had reached the target already.").arg(by)});
    }
}

} // namespace scalebench
