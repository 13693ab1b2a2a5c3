// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/row_mover.h"

#include "engine/train/step_split.h"

#include <numeric>
#include <span>
#include <vector>

namespace scalebench::train {
namespace {

std::span<std::byte> bytesOf(const Tensor& tensor, const std::vector<size_t>& sizes)
{
    const size_t bytes = std::accumulate(sizes.begin(), sizes.end(), size_t{0});
    if (bytes == 0)
        return {};
    return {static_cast<std::byte*>(tensor.data()), bytes};
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

RowMover::RowMover(dist::Communicator& communicator, Backend& backend, bool overlap)
    : communicator_(communicator), backend_(backend)
{
    if (overlap && communicator.size() > 1)
        thread_ = std::thread([this] { serve(); });
}

RowMover::~RowMover()
{
    if (!thread_.joinable())
        return;
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    wake_.notify_all();
    thread_.join();
}

void RowMover::start(RowTransfer transfer)
{
    if (underWay_)
        wait();
    const Exposed exposed(exposedMs_);
    transfer_ = std::move(transfer);
    if (transfer_.send.defined() && transfer_.send.onDevice())
        transfer_.send = backend_.download(transfer_.send);
    destination_ = Tensor();
    if (transfer_.receive.defined() && transfer_.receive.onDevice()) {
        destination_ = transfer_.receive;
        const auto memory = std::make_shared<std::vector<std::byte>>(destination_.bytes());
        transfer_.receive =
            Tensor::view(memory->data(), destination_.shape(), destination_.dtype(), memory);
    }
    underWay_ = true;
    if (!thread_.joinable()) {
        move();
        return;
    }
    {
        const std::lock_guard lock(mutex_);
        busy_ = true;
    }
    wake_.notify_one();
}

void RowMover::wait()
{
    if (!std::exchange(underWay_, false))
        return;
    const Exposed exposed(exposedMs_);
    if (thread_.joinable()) {
        std::unique_lock lock(mutex_);
        idle_.wait(lock, [this] { return !busy_; });
        if (failure_)
            std::rethrow_exception(std::exchange(failure_, nullptr));
    }
    finish();
}

/// What was received goes to where it is wanted.
void RowMover::finish()
{
    const RowTransfer done = std::exchange(transfer_, {});
    const size_t received = bytesOf(done.receive, done.receiveSizes).size();
    if (!destination_.defined() || received == 0)
        return;
    const auto bytes = [&](const Tensor& t) {
        return Tensor::view(t.data(), {int64_t(received)}, DType::U8, std::make_shared<Tensor>(t),
                            t.onDevice());
    };
    backend_.copy(bytes(done.receive), bytes(destination_));
    destination_ = Tensor();
}

void RowMover::move()
{
    communicator_.allToAll(bytesOf(transfer_.send, transfer_.sendSizes), transfer_.sendSizes,
                           bytesOf(transfer_.receive, transfer_.receiveSizes),
                           transfer_.receiveSizes);
}

void RowMover::serve()
{
    std::unique_lock lock(mutex_);
    for (;;) {
        wake_.wait(lock, [this] { return busy_ || stop_; });
        if (!busy_)
            return;
        lock.unlock();
        std::exception_ptr failure;
        try {
            move();
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        failure_ = failure;
        busy_ = false;
        idle_.notify_all();
    }
}

} // namespace scalebench::train
