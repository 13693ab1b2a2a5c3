// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `--align-batch`: a global batch near the wanted one that leaves as few samples of an epoch unused
// as possible. The last incomplete batch of an epoch is dropped, so an unaligned batch wastes part
// of the data set and makes "an epoch" mean something else for every batch size.

#include <cstdint>

namespace scalebench::train {

/// The multiple of `unit` (workers x accumulation steps) within a quarter of `batch` that drops the
/// fewest of `samples`; of several the nearest to `batch`, then the smaller. `batch` itself is a
/// multiple of `unit` and at most `samples`.
int64_t alignedBatch(int64_t samples, int64_t batch, int64_t unit);

} // namespace scalebench::train
