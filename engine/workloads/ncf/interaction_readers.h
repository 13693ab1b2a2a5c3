// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The two kinds of files behind readInteractions().

#include "engine/workloads/ncf/interaction_files.h"
#include "engine/workloads/ncf/interactions.h"

namespace scalebench::workloads {

/// u.data and ratings.csv. Throws as readInteractions().
Interactions readRatingLog(const InteractionFiles& files, const InteractionOptions& options);

/// The three files of the NCF paper. Throws as readInteractions().
Interactions readTriplet(const InteractionFiles& files);

} // namespace scalebench::workloads
