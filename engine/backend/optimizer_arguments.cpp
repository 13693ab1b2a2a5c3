// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/optimizer_arguments.h"

#include <string>

#include "kernels/check.h"

namespace scalebench {

void requireList(const char* op, const ChunkList& list, std::size_t elements)
{
    for (const TensorChunk& c : list.chunks)
        SB_REQUIRE(c.offset >= 0 && c.count >= 0 && c.tensor >= 0 &&
                       std::size_t(c.tensor) < list.tensors.size() &&
                       std::size_t(c.offset) + std::size_t(c.count) <= elements,
                   std::string(op) + ": a chunk [" + std::to_string(c.offset) + "," +
                       std::to_string(c.offset + c.count) + ") of tensor " +
                       std::to_string(c.tensor) + " does not fit into arrays of " +
                       std::to_string(elements) + " elements");
}

void requireLength(const char* op, std::size_t actual, std::size_t expected)
{
    SB_REQUIRE(actual == expected, std::string(op) + ": an array has " + std::to_string(actual) +
                                       " elements instead of " + std::to_string(expected));
}

void requireArenaLengths(const char* op, const OptimizerArenas& a, int states)
{
    requireLength(op, a.gradient.size(), a.weight.size());
    if (states > 0)
        requireLength(op, a.first.size(), a.weight.size());
    if (states > 1)
        requireLength(op, a.second.size(), a.weight.size());
}

void requireRatios(const char* op, const ChunkList& list, std::span<const double> a,
                   std::span<const double> b, std::span<const float> trust)
{
    requireLength(op, a.size(), list.tensors.size());
    requireLength(op, b.size(), list.tensors.size());
    requireLength(op, trust.size(), list.tensors.size());
}

void requireTable(const char* op, const SparseRows& gradient, const Tensor& table)
{
    SB_REQUIRE(table.dtype() == DType::F32 && table.shape().size() == 2,
               std::string(op) + ": the table " + table.describe() + " must be f32 [rows,dim]");
    SB_REQUIRE(gradient.rows.dtype() == DType::I32 && gradient.values.dtype() == DType::F32 &&
                   gradient.values.shape() == Shape({gradient.count(), table.dim(1)}),
               std::string(op) + ": rows " + gradient.rows.describe() + " and values " +
                   gradient.values.describe() + " do not belong to a table " + table.describe());
}

} // namespace scalebench
