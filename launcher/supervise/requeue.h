// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Going on with a study whose runs ended before they were done.
#include "base/result.h"

#include <QString>
#include <QStringList>

namespace scalebench {

enum class Requeue {
    Unfinished, ///< failed and cancelled ones, but those that the study's limits left out
    Failed,     ///< failed ones alone
    Ended,      ///< whatever they ended as, from the start; only named ones
    Disturbed   ///< those that ended and were not alone on their hosts (run/disturbance.h)
};

/// Puts the failed and cancelled runs of a study (or, of these, only the named ones, then also
/// those that its limits left out) back into its queue and returns their ids;
/// StudyController::start() then runs them. A run with a checkpoint goes on from it, others begin
/// anew; what they had written stays beside the new stream as `result_0.txt.attempt<n>`. Fails when
/// nothing is left to resume, a named run is unknown or has not failed, or the study is running.
/// Disturbed and ended ones begin anew, whatever checkpoints they have.
Result<QStringList> requeueRuns(const QString& studyDir, const QStringList& runIds = {},
                                Requeue which = Requeue::Unfinished);

} // namespace scalebench
