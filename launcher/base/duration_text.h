// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Durations for people.

#include <QString>

namespace scalebench {

/// "42 s", "3 min 20 s", "2 h 5 min".
QString durationText(double seconds);
/// "about 1–2 min", "less than 10 s"; around one estimate, or between two.
QString durationRangeText(double seconds);
QString durationRangeText(double low, double high);

/// How right an estimate was, in the end: "took 12 min, 8 % longer than first estimated".
QString estimateVerdictText(double foretoldSeconds, double tookSeconds);

} // namespace scalebench
