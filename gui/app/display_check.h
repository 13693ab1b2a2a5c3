// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Qt aborts the process when no display can be opened. This asks first, so that we can say why.

#include <QString>

namespace scalebench {

/// One sentence when no window can be opened here: no display named at all, or a local X display
/// where nothing listens. Empty when there is no reason for doubt (remote displays and Wayland are
/// left to Qt, as is everything where QT_QPA_PLATFORM chooses).
QString displayProblem();

} // namespace scalebench
