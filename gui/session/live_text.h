// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the study under way does, in the words that Home, the Run page and the status bar share.

#include <QString>

namespace scalebench {

struct Study;
struct StudySummary;
class LiveStudy;

/// What the lists of the library would say of the study as it is now; not by its lock.
StudySummary summaryOf(const Study& study);
/// "Starting…", "Run 2 of 4: 2 workers, preparing data", "Run 2 of 4 waits: …", "Stopping run 2 of
/// 4: …", "2 runs wait until you continue the queue"; once it has ended stateText() of its runs.
/// Empty without a study.
QString liveStateText(const LiveStudy& live);

} // namespace scalebench
