// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sentences about a run that stands still, for people.

#include "run/run_record.h"
#include "run/suspension_watch.h"

namespace scalebench {

/// Nothing has come for `seconds` since mpirun was started.
QString silentStartText(const RunRecord& record, int seconds);
/// `ranksAreHere`: their process numbers are of this computer.
QString stallText(const RunRecord& record, const StepPoint& last, int seconds, bool ranksAreHere);
QString suspensionText(const RunRecord& record, const StepPoint& last,
                       const QList<SuspendedProcess>& suspended);

} // namespace scalebench
