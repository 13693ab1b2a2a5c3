// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Embedding tables of a backend and what recommenders do with the rows. Tables are F32 [rows,dim],
// ids I32 of any shape; an id outside the table is InvalidArgument naming its position. `padding`
// is an id without gradient (as torch's padding_idx), -1 for none.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/tensor/sparse_rows.h"
#include "engine/tensor/tensor.h"

namespace scalebench {

/// The ids of a bag embedding: bag b holds ids from offsets[b] to the next offset.
struct BagIds {
    Tensor ids;        ///< I32 [n]
    Tensor offsets;    ///< I32 [bags], first 0, never falling
    bool mean = false; ///< of the rows; else their sum
};

class EmbeddingOps
{
public:
    virtual ~EmbeddingOps() = default;

    /// Returns [ids' shape, dim] in `dtype` (F32 or BF16).
    virtual Tensor embeddingForward(const Tensor& table, const Tensor& ids, DType dtype) = 0;
    /// gradOutput as the output -> gradTable F32 [rows,dim], overwritten or added to.
    virtual void embeddingBackward(const Tensor& ids, std::int32_t padding,
                                   const Tensor& gradOutput, Tensor gradTable, bool accumulate) = 0;
    /// The touched rows only, of a table with `rows` rows.
    virtual SparseRows embeddingBackwardSparse(const Tensor& ids, std::int32_t padding,
                                               const Tensor& gradOutput, std::int64_t rows) = 0;

    /// Rows that travel to other workers: ids [n] -> `output` [n,dim], memory of the caller's,
    /// in its type.
    virtual void rowsForward(const Tensor& table, const Tensor& ids, Tensor output) = 0;
    /// As embeddingBackwardSparse() without padding, where row source[i] of gradOutput [m,dim]
    /// belongs to ids[i]. The caller answers for the sources.
    virtual SparseRows rowsBackwardSparse(const Tensor& ids, const Tensor& source,
                                          const Tensor& gradOutput, std::int64_t rows) = 0;

    /// One row of each of several tables per sample, side by side: tables [rows_t,dim_t] and ids of
    /// one length n; returns [n, sum of dim_t]. Behind the columns of `front` [n,w], where there is
    /// one, in `dtype`: [n, w + sum of dim_t].
    virtual Tensor columnsForward(std::span<const Tensor> tables, std::span<const Tensor> ids,
                                  DType dtype, const Tensor& front) = 0;
    /// Gradient of the table whose columns of gradOutput [n,width] begin at `column`.
    virtual void columnsBackward(const Tensor& ids, std::int64_t column, const Tensor& gradOutput,
                                 Tensor gradTable, bool accumulate) = 0;
    virtual SparseRows columnsBackwardSparse(const Tensor& ids, std::int64_t column,
                                             const Tensor& gradOutput, std::int64_t rows,
                                             std::int64_t dim) = 0;
    /// The same of several tables of rows[t] rows and one width, side by side from `column` on.
    virtual std::vector<SparseRows> columnsBackwardSparse(std::span<const Tensor> ids,
                                                          std::int64_t column,
                                                          const Tensor& gradOutput,
                                                          std::span<const std::int64_t> rows,
                                                          std::int64_t dim) = 0;

    /// Returns [bags,dim]; an empty bag gives zeros.
    virtual Tensor bagForward(const Tensor& table, const BagIds& bags, std::int32_t padding,
                              DType dtype) = 0;
    virtual void bagBackward(const BagIds& bags, std::int32_t padding, const Tensor& gradOutput,
                             Tensor gradTable, bool accumulate) = 0;
    virtual SparseRows bagBackwardSparse(const BagIds& bags, std::int32_t padding,
                                         const Tensor& gradOutput, std::int64_t rows) = 0;

    /// Dot interaction (kernels/dot_interaction.h): [B,F,D] -> [B, D + F(F-1)/2], in its type.
    virtual Tensor dotInteractionForward(const Tensor& input) = 0;
    virtual Tensor dotInteractionBackward(const Tensor& input, const Tensor& gradOutput) = 0;

    /// Sum of sparse gradients of one table with `rows` rows, in the order given: micro-batches of
    /// a step, or the workers of an exchange. The parts need not be sorted or unique inside.
    virtual SparseRows sumSparse(std::span<const SparseRows> parts, std::int64_t rows) = 0;
};

} // namespace scalebench
