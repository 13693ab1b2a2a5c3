// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The two kinds of files behind readInteractions().

#include "engine/workloads/ncf/interaction_files.h"
#include "engine/workloads/ncf/interactions.h"

#include <cstdint>
#include <string>

namespace scalebench::workloads {

/// A user's interaction with an item counts once, on however many lines it is.
void remarkOnRepeats(int64_t repeated, const std::string& path, Interactions& set);

/// u.data and ratings.csv. Throws as readInteractions().
Interactions readRatingLog(const InteractionFiles& files, const InteractionOptions& options);

/// The three files of the NCF paper. Throws as readInteractions().
Interactions readTriplet(const InteractionFiles& files);

} // namespace scalebench::workloads
