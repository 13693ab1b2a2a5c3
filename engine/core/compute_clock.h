// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The clock of profiles and benchmarks.

namespace scalebench {

/// Seconds: of a single compute thread its processor time, so that what other programs take does
/// not count; of several, whose work lies side by side, the time of day.
double computeSeconds();

} // namespace scalebench
