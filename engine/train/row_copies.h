// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows of owned tables that every worker has a copy of (ParameterSet::addCopies): their gradients
// are summed by one all-reduce, and their numbers come from the owners and go back there.

#include "engine/backend/backend.h"
#include "engine/dist/communicator.h"
#include "engine/dist/device_group.h"
#include "engine/optim/optimizer.h"

#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace scalebench::train {

class RowCopies
{
public:
    /// Collective; then, as after everything that changes tables behind the optimizer's back, all
    /// copies are taken from the owners.
    /// `devices`: of the backend's memory, where gradients are summed; null where that is the
    /// host's, which sums by `kind`.
    RowCopies(Backend& backend, ParameterSet& parameters, const Optimizer& optimizer,
              dist::Communicator& communicator, std::shared_ptr<dist::DeviceGroup> devices,
              dist::AllReduceKind kind);

    /// Collective. The gradient of the copies, of this worker's batch until now, becomes the sum
    /// over the workers: rows that one of them touched.
    void sumGradient();
    /// Collective: copies of values and optimizer state from the owners.
    void takeFromOwners();
    /// Owners' rows, values and optimizer state, become what the copies are.
    void giveToOwners();

private:
    /// Of each kind of number: where a parameter's are.
    using Array = std::function<std::span<float>(int parameter)>;
    std::vector<Array> arrays() const;
    std::span<float> rowOf(const Array& array, const CopiedRow& row) const;
    void sumOnDevice(SparseRows& gradient);
    void sumOnHost(SparseRows& gradient);

    Backend& backend_;
    ParameterSet& parameters_;
    const Optimizer& optimizer_;
    dist::Communicator& comm_;
    size_t rows_, width_;
    std::shared_ptr<dist::DeviceGroup> devices_;
    /// On the host: the rows, then for each how many workers touched it.
    std::unique_ptr<dist::ReductionArena> sums_;
};

} // namespace scalebench::train
