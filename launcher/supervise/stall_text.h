// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a run that stands still is told as, and its sentences for people.

#include "run/run_record.h"
#include "run/suspension_watch.h"

namespace scalebench {

/// Nothing has come for `seconds` since mpirun was started.
QString silentStartText(const RunRecord& record, int seconds);
/// `ranksAreHere`: their process numbers are of this computer.
QString stallText(const RunRecord& record, const StepPoint& last, int seconds, bool ranksAreHere);
/// "stalled" with that text, unless mpirun had said by then (`launcherText`) that a rank ended: 4.1
/// at times hangs itself afterwards.
Failure stallFailure(const RunRecord& record, const QString& launcherText,
                     const QString& stallText);
QString suspensionText(const RunRecord& record, const StepPoint& last,
                       const QList<SuspendedProcess>& suspended);

} // namespace scalebench
