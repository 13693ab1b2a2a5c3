// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/row_mover.h"

#include "engine/train/step_split.h"

#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace scalebench::train {
namespace {

void* addressOf(const Tensor& tensor)
{
    return tensor.defined() ? tensor.data() : nullptr;
}

std::span<std::byte> bytesOf(const Tensor& tensor, const std::vector<size_t>& sizes)
{
    const size_t bytes = std::accumulate(sizes.begin(), sizes.end(), size_t{0});
    return {static_cast<std::byte*>(addressOf(tensor)), bytes};
}

/// Adds the time of a scope.
class Exposed
{
public:
    explicit Exposed(double& ms) : ms_(ms) {}
    ~Exposed() { ms_ += msSince(start_); }
    Exposed(const Exposed&) = delete;
    Exposed& operator=(const Exposed&) = delete;

private:
    double& ms_;
    SteadyClock::time_point start_ = SteadyClock::now();
};

} // namespace

RowMover::RowMover(dist::Communicator& communicator, std::shared_ptr<dist::DeviceGroup> devices,
                   bool overlap)
    : communicator_(communicator), overlap_(overlap), devices_(std::move(devices))
{
    if (overlap && communicator.size() > 1)
        thread_.emplace();
}

void RowMover::start(RowTransfer transfer)
{
    if (underWay_)
        wait();
    const Exposed exposed(exposedMs_);
    transfer_ = std::move(transfer);
    underWay_ = true;
    if (onDevice()) {
        devices_->allToAll(addressOf(transfer_.send), transfer_.sendSizes,
                           addressOf(transfer_.receive), transfer_.receiveSizes);
        if (!overlap_)
            devices_->join();
    } else if (thread_) {
        thread_->add([this] { move(); });
    } else {
        move();
    }
}

void RowMover::wait()
{
    if (!std::exchange(underWay_, false))
        return;
    const Exposed exposed(exposedMs_);
    if (onDevice()) {
        if (overlap_)
            devices_->join();
    } else if (thread_) {
        thread_->wait();
    }
    transfer_ = {}; // on a device: whoever gets its memory comes after the transfer
}

/// The same on all workers: what goes between hosts are ids, and everybody asks for some rows.
bool RowMover::onDevice() const
{
    const Tensor& send = transfer_.send;
    return devices_ && !(send.defined() && !send.onDevice());
}

double RowMover::takeExposedMs()
{
    return std::exchange(exposedMs_, 0.0) + (devices_ ? devices_->takeExposedMs() : 0.0);
}

void RowMover::move()
{
    communicator_.allToAll(bytesOf(transfer_.send, transfer_.sendSizes), transfer_.sendSizes,
                           bytesOf(transfer_.receive, transfer_.receiveSizes),
                           transfer_.receiveSizes);
}

} // namespace scalebench::train
