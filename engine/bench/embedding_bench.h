// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows of embedding tables: how fast they are looked up, and how fast the gradients of a batch are
// summed by row and applied, beside the memory's measured bandwidth. Ids are uniform or Zipf's, as
// the categories of recommenders are.

#include "engine/bench/bench.h"
#include "engine/bench/report.h"

#include <vector>

namespace scalebench::bench {

/// `count` ids of a table with `rows` rows, the same on every platform: uniform, or each with a
/// chance in proportion to 1 / (rank + 1), ranks scattered over the table.
std::vector<std::int32_t> drawIds(std::int64_t rows, std::int64_t count, bool zipf);

struct EmbeddingProblem {
    std::int64_t rows, dim, ids;
    double tableBytes() const { return double(rows) * double(dim) * 4; }
};

/// The problems of a run: a list, or --sizes.
std::vector<EmbeddingProblem> embeddingProblems(const Options& options);

/// --sizes ROWSxDIMxIDS. Bytes are counted once each: rows read and written by a lookup; gradients
/// read and distinct rows read and written by an update (SGD).
void runEmbeddingBench(const Options& options, Report& report);

} // namespace scalebench::bench
