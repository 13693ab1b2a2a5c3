// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a study said that it may cost at most.

#include <QString>

namespace scalebench {

/// After a run: cancels, each with its reason, the queued runs that may not begin any more, because
/// the study's minutes are used up or a run of their workload has reached its target. Only under
/// the study's lock.
void applyStudyLimits(const QString& studyDir);

} // namespace scalebench
