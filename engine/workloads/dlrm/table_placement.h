// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which worker has which rows of the tables of a DLRM: whole tables, and parts of them where whole
// ones do not fit, so that their memory and the rows that travel for them are shared out.

#include "engine/autograd/functions/table_places.h"

#include <cstdint>
#include <vector>

namespace scalebench::workloads {

/// Rows that stay together where a table is cut.
inline constexpr int64_t kRowBlock = 256;

/// Blocks of all tables, by table and first row, the same on every worker. Every table has one
/// lookup a sample, so the work is the number of tables and the memory their rows: the largest
/// table goes first, each whole to the worker whose share of both together is least (longest
/// processing time first, Graham 1969). Where a worker would get more than `mostRows` (0: any) so,
/// all get the same number of rows instead, to a block, and tables that are larger than what a
/// worker has left are cut.
std::vector<autograd::TableBlock> placeTables(const std::vector<int64_t>& rows, int workers,
                                              int64_t mostRows = 0);

/// Rows of the worker that has most.
int64_t mostRowsHeld(const std::vector<autograd::TableBlock>& blocks, int workers);

/// How many workers the tables fit on with `mostRows` each: `workers` or more; 0: on no number of
/// them, as that is less than a block.
int workersThatHold(const std::vector<int64_t>& rows, int workers, int64_t mostRows);

} // namespace scalebench::workloads
