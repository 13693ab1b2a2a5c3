// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a loss op gives besides the gradient.

#include <functional>
#include <memory>
#include <utility>

#include "engine/tensor/tensor.h"
#include "kernels/softmax_ce.h"

namespace scalebench {

/// Plain sums over the rows, where the backend computed them. Copies share them.
class LossSums
{
public:
    LossSums() = default;
    /// Known on the host already.
    explicit LossSums(const SoftmaxCeResult& sums) : read_([sums] { return sums; }) {}
    /// Fetched each time it is asked for: from a device, after what was issued before.
    /// `start`: brings them on their way, see started().
    explicit LossSums(std::function<SoftmaxCeResult()> read, std::function<LossSums()> start = {})
        : read_(std::move(read)), start_(std::move(start))
    {
    }

    /// Waits for the backend. Losses without classes leave `correct` and `counted` 0.
    SoftmaxCeResult get() const { return read_ ? read_() : SoftmaxCeResult{}; }

    /// The sums as of what was issued before: get() of the result waits for no more than that, and
    /// may come when the device has long gone on. Waits now where a backend cannot do that.
    LossSums started() const { return start_ ? start_() : LossSums(get()); }

private:
    std::function<SoftmaxCeResult()> read_;
    std::function<LossSums()> start_;
};

struct LossOutput {
    Tensor value; ///< F32 [1]: scale * sum
    LossSums sums;
};

} // namespace scalebench
