// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows of owned tables between the workers of a run. With overlap a thread of its own sends and
// receives them while the network computes; without it start() does. Rows in a device's memory go
// through the host's.

#include "engine/autograd/functions/owned_tables.h"
#include "engine/backend/backend.h"
#include "engine/dist/communicator.h"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace scalebench::train {

/// One thread at a time. While a transfer is under way nobody else may call collectives of the
/// communicator itself; those of its arenas are free.
class RowMover final : public RowExchange
{
public:
    RowMover(dist::Communicator& communicator, Backend& backend, bool overlap);
    /// Waits for what is under way; a failure of it is dropped.
    ~RowMover() override;
    RowMover(const RowMover&) = delete;
    RowMover& operator=(const RowMover&) = delete;

    void start(RowTransfer transfer) override;
    void wait() override;

    /// Time that start() and wait() took from computing, since the last call of this function.
    double takeExposedMs() { return std::exchange(exposedMs_, 0.0); }

private:
    void move();
    void serve();
    void finish();

    dist::Communicator& communicator_;
    Backend& backend_;
    double exposedMs_ = 0;
    RowTransfer transfer_;  ///< in host memory
    Tensor destination_;    ///< on a device, where what is received is wanted there
    bool underWay_ = false; ///< not waited for yet

    // With overlap only.
    std::mutex mutex_;
    std::condition_variable wake_, idle_;
    bool busy_ = false;
    bool stop_ = false;
    std::exception_ptr failure_;
    std::thread thread_;
};

} // namespace scalebench::train
