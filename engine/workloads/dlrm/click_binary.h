// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The binary layout of MLPerf's click logs: 40 little-endian 32-bit whole numbers a row: label, 13
// counts (not their logarithms), 26 rows of tables (facebookresearch/dlrm, --mlperf-bin-loader).

#include "engine/workloads/dlrm/clicks.h"

#include <vector>

namespace scalebench::workloads {

inline constexpr int kClickWords = 1 + kClickCounts + kClickCategories;

/// Rows are read when they are asked for. InvalidArgument: `data_missing`; `data_empty`;
/// `data_damaged` when the size is no multiple of a row's 160 bytes.
std::unique_ptr<ClickLog> openClickBinary(const std::string& path);

/// A click as a row of such a file, appended.
void appendBinary(const Click& click, std::vector<int32_t>& words);

} // namespace scalebench::workloads
