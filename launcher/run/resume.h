// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Going on with runs that ended before they were done.

#include "base/result.h"

#include <QString>
#include <QStringList>

namespace scalebench {

struct RunStatus;

/// Puts one run back into the queue; of `status` its attempt and why it waits are kept. What it had
/// written stays beside the new stream as `result_0.txt.attempt<n>`. Only by who holds the lock.
Result<void> requeueRun(const QString& runDir, const RunStatus& status);
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
