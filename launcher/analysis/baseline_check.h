// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A baseline that was asked for must be there.

#include "analysis/speedup_table.h"
#include "base/result.h"

namespace scalebench {

/// Whether any series has the baseline's row. Code "usage", with what there is.
Result<void> checkBaseline(const QList<RunRecord>& runs, const Baseline& baseline);
/// For a report's method: "… the mean time of the smallest worker count …".
QString baselineText(const Baseline& baseline);

} // namespace scalebench
