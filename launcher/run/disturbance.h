// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Was a run alone on its hosts? Judged from what the engine counted in every epoch
// (resources/protocol/results_stream.md, `hosts` of `epoch_split`, and `gpu`); thresholds and their
// reasons in resources/docs/analysis.md.

#include <QStringList>

namespace scalebench {

struct RunRecord;

/// One sentence for each thing that disturbed the run; empty where nothing is known to have. A
/// disturbed run's times say less than they seem to.
QStringList disturbances(const RunRecord& run);
bool isDisturbed(const RunRecord& run);

} // namespace scalebench
