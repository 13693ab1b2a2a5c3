// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows of tables that lie on different workers, on the tape: one node that sends ids to the owners,
// brings their rows back, and on the way back takes gradients to the owners.

#include "engine/autograd/parameter_ref.h"
#include "engine/autograd/tape.h"

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace scalebench {

/// All workers give and get bytes: sizes[r] for each worker r, one after the other (as
/// dist::Communicator::allToAll). Collective.
using RowExchange =
    std::function<void(std::span<const std::byte> send, std::span<const std::size_t> sendSizes,
                       std::span<std::byte> receive, std::span<const std::size_t> receiveSizes)>;

namespace autograd {

/// Where tables are: owners[t] has table t. This worker is `rank` of `workers`.
struct TablePlaces {
    std::vector<int> owners;
    int rank = 0, workers = 1;
};

/// As embeddingColumns() of tables of one width, one row of each per sample: ids I32 [tables,n] in
/// the backend's memory, the same n on every worker; `tables` in this order, those of other workers
/// without a value. Returns [n, tables * dim] in `dtype`: the very rows that tables of one's own
/// would give. The gradient of an owner's table is that of the batches of all workers, one after
/// the other, as if one worker had them all. Rows travel through host memory. Collective, forward
/// and backward, in step on all workers. An id outside a table is InvalidArgument on its owner.
Variable ownedColumns(Tape& tape, const std::vector<ParameterRef>& tables,
                      const TablePlaces& places, std::int64_t dim, const Tensor& ids, DType dtype,
                      const RowExchange& exchange);

} // namespace autograd
} // namespace scalebench
