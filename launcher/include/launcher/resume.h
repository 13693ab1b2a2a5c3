// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Going on with runs that ended before they were done.

#include "launcher/result.h"

#include <QString>
#include <QStringList>

namespace scalebench {

/// Puts the failed and cancelled runs of a study (or, of these, only the named ones) back into its
/// queue and returns their ids; StudyController::start() then runs them. A run with a checkpoint
/// goes on from it, others begin anew; what they had written stays beside the new stream as
/// `result_0.txt.attempt<n>`. Fails when nothing is left to resume, a named run is unknown or has
/// not failed, or the study is running.
Result<QStringList> requeueRuns(const QString& studyDir, const QStringList& runIds = {});

/// Puts one run back for another attempt, counted in its state. Only by who holds the study's lock.
/// `why`: the failure, shown while the run waits.
Result<void> requeueForRetry(const QString& runDir, const QString& why);

/// A run that could not be resumed gets the stream of the attempt before back: nothing that was
/// measured disappears. False where there is one: nothing is done.
bool restoreStream(const QString& runDir);

/// A stream that came from elsewhere (it is moved) becomes the one to go on from.
bool adoptStream(const QString& runDir, const QString& stream);

/// Whether a run folder holds a checkpoint to go on from.
bool hasCheckpoint(const QString& runDir);

} // namespace scalebench
