// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which rows of the tables a log of clicks asks for most.

#include "engine/autograd/functions/table_places.h"
#include "engine/workloads/dlrm/click_batches.h"

#include <cstdint>
#include <vector>

namespace scalebench::workloads {

/// The `count` rows, or fewer, that come most often, the most frequent first: in all of the first
/// `rows` rows of the log, or in 65,536 of them that are spread over it. Rows seen once do not
/// count. The same for the same log. InvalidArgument as ClickFiller::fill().
std::vector<autograd::HotRows::Row> frequentRows(const ClickLog& log, int64_t rows,
                                                 const TableSizes& sizes, int64_t count);

} // namespace scalebench::workloads
