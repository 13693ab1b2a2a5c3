// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What closing the window means while a study runs.

#include <QString>

class QWidget;

namespace scalebench {

enum class CloseChoice { LeaveRunning, StopAfterRun, StopNow, Cancel };

/// Asks; Enter leaves the study running, Esc cancels.
CloseChoice askHowToClose(QWidget* parent, const QString& studyName);

} // namespace scalebench
