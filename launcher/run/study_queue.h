// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which of a study's runs wait, and the marks in its folder that stop and pause the queue.
#include "base/result.h"

#include <QString>
#include <QStringList>

namespace scalebench {

/// Run ids still queued, in plan order.
QStringList queuedRuns(const QString& studyDir);
/// Writes `cancelled` into every queued run. Only under the study's lock.
void cancelQueuedRuns(const QString& studyDir);
void cancelQueuedRuns(const QString& studyDir, const Failure& reason);
void cancelQueuedRun(const QString& studyDir, const QString& runId, const Failure& reason);

bool stopAfterRunRequested(const QString& studyDir);
Result<void> requestStopAfterRun(const QString& studyDir);
void withdrawStopAfterRun(const QString& studyDir);
/// A paused queue starts nothing; the run that is going on ends as usual.
bool queuePaused(const QString& studyDir);
void setQueuePaused(const QString& studyDir, bool paused);

} // namespace scalebench
