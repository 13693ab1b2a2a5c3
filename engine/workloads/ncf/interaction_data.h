// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The interactions of a run: read, generated or made up, with something to rank each test item
// against.

#include "engine/workloads/ncf/interactions.h"
#include "engine/workloads/ncf/ncf_workload.h"

namespace scalebench::workloads {

/// Writes the generated set where it is wanted and missing; else does nothing.
void writeInteractions(const RunConfig& config, const NcfRecipe& recipe,
                       const LoadProgress& progress);

/// With recipe.testNegatives negatives where the set brings none and they are needed. Throws
/// InvalidArgument (`data_*`), also where a user has not left that many items.
Interactions loadInteractions(const RunConfig& config, const NcfRecipe& recipe);

/// Random users and items, for throughput only.
Interactions syntheticInteractions(const NcfRecipe& recipe);

/// Draws `count` different items for each test that its user took neither in training nor as the
/// test; a pure function of the set and `seed`. Throws InvalidArgument (`data_damaged`).
void drawTestNegatives(Interactions& set, int64_t count, uint64_t seed);

} // namespace scalebench::workloads
