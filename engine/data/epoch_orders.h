// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Orders of epochs that batches are cut from: two are kept, since the last batches of an epoch and
// the first of the next are filled at the same time.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace scalebench::data {

class EpochOrders
{
public:
    using Order = std::shared_ptr<const std::vector<std::int64_t>>;

    /// `make()` gives the order of an epoch that is not kept. Thread-safe.
    template <class Make>
    Order of(std::int64_t epoch, Make&& make)
    {
        const std::lock_guard lock(mutex_);
        Kept& kept = kept_[std::size_t(epoch % 2)];
        if (kept.epoch != epoch)
            kept = {epoch, std::make_shared<const std::vector<std::int64_t>>(make())};
        return kept.order;
    }

private:
    struct Kept {
        std::int64_t epoch = -1;
        Order order;
    };
    std::mutex mutex_;
    std::array<Kept, 2> kept_;
};

} // namespace scalebench::data
