// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks of the arguments of OptimizerOps that need no look into arrays: the same on every device.
// All throw InvalidArgument naming the op.

#include <cstddef>
#include <cstdint>
#include <span>

#include "engine/backend/ops/optimizer_ops.h"

namespace scalebench {

/// Unless every chunk lies in arrays of `elements` and names a tensor of the list.
void requireList(const char* op, const ChunkList& list, std::size_t elements);
void requireLength(const char* op, std::size_t actual, std::size_t expected);
/// Unless the arrays that the update reads are as long as the weights; `states`: how many of first
/// and second those are.
void requireArenaLengths(const char* op, const OptimizerArenas& a, int states);
/// Unless there is one number per tensor in each array.
void requireRatios(const char* op, const ChunkList& list, std::span<const double> a,
                   std::span<const double> b, std::span<const float> trust);
/// Unless the gradient's shapes and types belong to the table. Row numbers are not looked at.
void requireTable(const char* op, const SparseRows& gradient, const Tensor& table);

} // namespace scalebench
