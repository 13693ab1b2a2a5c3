// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows of owned tables between the workers of a run. Between the host's memories, with overlap a
// thread of its own sends and receives them while the network computes; without it start() does.
// Rows in a device's memory go by a group of such devices, whose stream is beside the computing
// one's; without overlap the latter waits at once.

#include "engine/autograd/functions/owned_tables.h"
#include "engine/dist/communicator.h"
#include "engine/dist/device_group.h"
#include "engine/dist/side_thread.h"

#include <memory>
#include <optional>

namespace scalebench::train {

/// One thread at a time. While a transfer is under way nobody else may call collectives of the
/// communicator itself; those of its arenas are free.
class RowMover final : public RowExchange
{
public:
    /// `devices`: of the backend's memory; null where that is the host's, or for one worker.
    RowMover(dist::Communicator& communicator, std::shared_ptr<dist::DeviceGroup> devices,
             bool overlap);

    void start(RowTransfer transfer) override;
    void wait() override;

    /// Time that start() and wait() took from computing, since the last call of this function.
    double takeExposedMs();

private:
    bool onDevice() const;
    void move();

    dist::Communicator& communicator_;
    bool overlap_;
    double exposedMs_ = 0;
    RowTransfer transfer_;
    bool underWay_ = false; ///< not waited for yet
    std::shared_ptr<dist::DeviceGroup> devices_;
    std::optional<dist::SideThread> thread_; ///< with overlap; last, as its work uses the others
};

} // namespace scalebench::train
