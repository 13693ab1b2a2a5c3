// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a study found, in sentences that are computed from its runs.

#include "analysis/speedup_table.h"
#include "run/study.h"

#include <QStringList>

namespace scalebench::report {

/// The most important first: how each workload scales and what follows from it, what its switches
/// did, and what a reader must know of the runs (disturbed, failed, generated data, one repeat).
QStringList reportFindings(const Study& study, const Baseline& baseline = {});
/// The sentences of the second kind alone.
QStringList reportCautions(const Study& study);

} // namespace scalebench::report
