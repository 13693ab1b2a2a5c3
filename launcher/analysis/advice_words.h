// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Numbers and counts as the sentences of an advice have them.

#include <QString>

namespace scalebench::advice_words {

QString number(double value);     ///< "0.046", "41.3", "6545"
QString percent(double share);    ///< 0.043: "4.3"; without sign
QString workers(int count);       ///< "1 worker", "4 workers"
QString duration(double seconds); ///< "41.3 s", "1 min 47 s", "2 h 5 min"
/// "18.5 worker-hours", "3.6 worker-minutes"
QString workerTime(double hours, bool inMinutes);

} // namespace scalebench::advice_words
