// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows of tables that lie on different workers, on the tape: ids are sent to the owners, their rows
// come back, and on the way back gradients go to the owners. In two functions, so that a network
// may compute between them while the rows are on their way, and the gradients in backward.

#include "engine/autograd/functions/table_places.h"
#include "engine/autograd/parameter_ref.h"
#include "engine/autograd/tape.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace scalebench {

/// Bytes for and from each worker, one after the other by rank, as dist::Communicator::allToAll:
/// what is for worker r has sendSizes[r] bytes. The tensors are in the memory of the
/// backend or in the host's, and may be longer, or undefined where nothing is sent or received.
struct RowTransfer {
    Tensor send, receive;
    std::vector<std::size_t> sendSizes, receiveSizes;
};

/// How rows travel between the workers of a run. Collective, in step on all of them.
class RowExchange
{
public:
    virtual ~RowExchange() = default;
    /// May return before all is there. Waits for the transfer before, if nobody did.
    virtual void start(RowTransfer transfer) = 0;
    /// For what was started last. Throws its failure.
    virtual void wait() = 0;
};

namespace autograd {

/// Tables of one width.
struct OwnedTables {
    const TablePlaces& places;
    std::vector<ParameterRef> blocks; ///< as places.blocks; those of other workers without a value
    ParameterRef hot;                 ///< as places.hot, where there are hot rows
    std::int64_t dim = 1;
    std::shared_ptr<RowExchange> exchange;
};

class RowsUnderWay;

/// As embeddingColumnsBehind() of tables of one's own, one row of each table per sample: ids I32
/// [tables,n] in the backend's memory, the same n on every worker. takeRows() then returns
/// [n, dim + tables * dim] in `dtype`, a row of x [n, dim] and behind it the very rows that tables
/// of one's own would give. The gradient of an owner's rows is the sum of those of all workers'
/// batches, of each batch in fp32 and then in the order of the workers; that of hot rows is of this
/// worker's batch alone. A row travels once, however often a batch names it. The routes are worked
/// out on the host. Collective, forward and backward, in step on all workers. An id outside its
/// table is InvalidArgument.
std::shared_ptr<RowsUnderWay> sendRows(Tape& tape, const OwnedTables& tables, const Tensor& ids,
                                       DType dtype);
/// Once for each sendRows(), which was the last. x is of the `dtype` and `dim` of the rows.
Variable takeRows(Tape& tape, const Variable& x, const std::shared_ptr<RowsUnderWay>& rows);

} // namespace autograd
} // namespace scalebench
