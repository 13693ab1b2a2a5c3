// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// TERM and INT of a supervisor come through a signalfd, in its own time.

#include <csignal>

namespace scalebench {

/// TERM and INT.
sigset_t handledSignals();
/// Blocks them, for every thread started later too, and ignores HUP and PIPE.
void prepareSupervisorSignals();

} // namespace scalebench
