// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which worker has which table of a DLRM: whole tables, so that their memory and the rows that
// travel for them are shared out.

#include <cstdint>
#include <vector>

namespace scalebench::workloads {

/// Owner of each table, 0 ... workers - 1. Every table has one lookup a sample, so the work is the
/// number of tables and the memory their rows: the largest table goes first, each to the worker
/// whose share of both together is least (longest processing time first, Graham 1969). The same on
/// every worker.
std::vector<int> placeTables(const std::vector<int64_t>& rows, int workers);

} // namespace scalebench::workloads
