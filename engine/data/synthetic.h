// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Random pictures made in memory: for throughput only, never for a quality claim.

#include "engine/data/dataset.h"

#include <memory>

namespace scalebench::data {

/// `samples` pictures of `edge` x `edge` with random labels below `classes`. At most 1024 distinct
/// pictures are kept (fewer for large ones) and reused. A pure function of its arguments.
std::unique_ptr<ImageDataset> makeSyntheticDataset(int64_t samples, int edge, int classes,
                                                   uint64_t seed);

} // namespace scalebench::data
