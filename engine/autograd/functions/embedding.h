// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows of tables, on the tape. The gradient of a dense parameter is added into the arena; that of a
// sparse one becomes (or, when accumulating, joins) its SparseRows.

#include <cstdint>
#include <vector>

#include "engine/autograd/parameter_ref.h"
#include "engine/autograd/tape.h"
#include "engine/backend/backend.h"

namespace scalebench::autograd {

/// table [rows,dim]; ids I32 of any shape, constant. Returns [ids' shape, dim] in `dtype` (F32 or
/// BF16). The id `padding` gets no gradient (-1: every id does). A table may be used several times
/// in a pass.
Variable embedding(Tape& tape, const ParameterRef& table, const Tensor& ids, DType dtype,
                   std::int32_t padding = -1);

/// One row of each table per sample, side by side: tables [rows_t,dim_t], ids I32 of one length n;
/// returns [n, sum of dim_t] in `dtype`.
Variable embeddingColumns(Tape& tape, const std::vector<ParameterRef>& tables,
                          const std::vector<Tensor>& ids, DType dtype);

/// x [n,width] and behind it, in its type, the columns of embeddingColumns(): [n, width + sum of
/// dim_t]. Backward reads the gradients of the tables where they are.
Variable embeddingColumnsBehind(Tape& tape, const Variable& x,
                                const std::vector<ParameterRef>& tables,
                                const std::vector<Tensor>& ids);

/// Sum or mean of the rows of each bag: [bags,dim] in `dtype`.
Variable embeddingBag(Tape& tape, const ParameterRef& table, const BagIds& bags, DType dtype,
                      std::int32_t padding = -1);

/// DLRM's dot interaction of [B,F,D]: vector 0 of each sample and the products of all pairs,
/// [B, D + F(F-1)/2] (kernels/dot_interaction.h).
Variable dotInteraction(Tape& tape, const Variable& input);

} // namespace scalebench::autograd
