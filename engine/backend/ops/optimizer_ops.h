// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Parameter updates of a backend on flat F32 arenas: fused ones over all tensors at once (a
// ChunkList says which elements are whose), rows of tables, and the elementary passes from which
// the same updates can be put together. Everything is in place. InvalidArgument when arrays are
// shorter than the list reaches.

#include <span>

#include "engine/tensor/sparse_rows.h"
#include "kernels/adam.h"
#include "kernels/lamb.h"
#include "kernels/lars.h"
#include "kernels/sgd.h"
#include "kernels/sparse_update.h"

namespace scalebench {

/// One layout, of which the chunks' offsets count from the beginning. first: velocity or first
/// moment; second: second moment; empty where an optimizer has none.
struct OptimizerArenas {
    std::span<const float> gradient;
    std::span<float> weight, first, second;
};

class OptimizerOps
{
public:
    virtual ~OptimizerOps() = default;

    /// sums[t]: sum of x^2 over tensor t, in double, the same for any number of threads.
    virtual void sumOfSquares(const ChunkList& list, std::span<const float> x,
                              std::span<double> sums) = 0;

    // --- fused, all tensors at once: kernels/sgd.h, adam.h, lars.h, lamb.h ---
    virtual void sgd(const SgdParams& p, const ChunkList& list, const OptimizerArenas& a) = 0;
    virtual void adam(const AdamParams& p, const ChunkList& list, const OptimizerArenas& a) = 0;
    virtual void larsRatios(const LarsParams& p, const ChunkList& list,
                            std::span<const double> gradSquares,
                            std::span<const double> weightSquares, std::span<float> trust) = 0;
    virtual void lars(const LarsParams& p, const ChunkList& list, std::span<const float> trust,
                      const OptimizerArenas& a) = 0;
    virtual void lambMoments(const LambParams& p, const ChunkList& list, const OptimizerArenas& a,
                             std::span<double> weightSquares, std::span<double> updateSquares) = 0;
    virtual void lambRatios(const LambParams& p, const ChunkList& list,
                            std::span<const double> weightSquares,
                            std::span<const double> updateSquares, std::span<float> trust) = 0;
    virtual void lambApply(const LambParams& p, const ChunkList& list, std::span<const float> trust,
                           const OptimizerArenas& a) = 0;

    // --- touched rows of a table [rows,dim] F32: kernels/sparse_update.h ---
    virtual void sparseSgd(const SparseSgdParams& p, const SparseRows& gradient, Tensor table) = 0;
    /// m, v: as the table.
    virtual void sparseAdam(const SparseAdamParams& p, const SparseRows& gradient, Tensor table,
                            Tensor m, Tensor v) = 0;

    // --- elementary passes, arrays of one length, output may be an input: kernels/vector_ops.h ---
    virtual void scale(float a, std::span<const float> x, std::span<float> y) = 0;
    virtual void axpy(float a, std::span<const float> x, std::span<float> y) = 0;
    virtual void multiply(std::span<const float> x, std::span<const float> y,
                          std::span<float> z) = 0;
    virtual void divide(std::span<const float> x, std::span<const float> y, std::span<float> z) = 0;
    virtual void squareRoot(std::span<const float> x, std::span<float> y) = 0;
    virtual void addScalar(float a, std::span<const float> x, std::span<float> y) = 0;
};

} // namespace scalebench
