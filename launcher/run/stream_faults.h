// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Is a run's stream whole, and does it agree with what the run is called? Definitions:
// resources/docs/analysis.md.

#include <QString>
#include <QStringList>

namespace scalebench {

struct RunRecord;

/// Trained with Scalebench, here or where its bundle was made: its folder has all there is to know.
bool hasOwnStream(const RunRecord& run);
/// Records of its stream are missing or cannot be read: its figures may be others'.
bool hasLostRecords(const RunRecord& run);
/// Why a completed run's stream cannot be that of one; empty where it can. Such a run is in no
/// mean.
QString contradiction(const RunRecord& run);
/// Completed, with a time, and not contradicted by its stream: what means are taken of.
bool hasTime(const RunRecord& run);
/// With samples/s, in whatever way it ended, and not contradicted by its stream.
bool hasRate(const RunRecord& run);
/// A sentence for each of these, for lists of runs.
QStringList streamFaults(const RunRecord& run);

} // namespace scalebench
