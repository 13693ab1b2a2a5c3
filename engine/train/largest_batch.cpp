// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/largest_batch.h"

#include "kernels/check.h"

#include <algorithm>

namespace scalebench::train {
namespace {

/// Peak memory of the backend while `samples` samples go forward and backward.
std::size_t peakBytes(Backend& backend, Network& network, const Batch& batch,
                      const LossParams& params, int64_t samples)
{
    Batch part{{}, samples};
    for (const Tensor& t : batch.tensors)
        part.tensors.push_back(t.firstRows(samples));
    backend.allocator().trim();
    backend.allocator().resetPeak();
    Tape tape(backend);
    tape.backward(network.loss(tape, part, params, true).loss);
    return backend.allocator().stats().peakBytesInUse;
}

} // namespace

int64_t largestBatchThatFits(Backend& backend, Network& network, const Batch& batch,
                             const LossParams& params)
{
    const std::size_t limit = backend.allocator().limit();
    const bool bySamples = std::ranges::all_of(
        batch.tensors, [&](const Tensor& t) { return t.dim(0) == batch.samples; });
    if (limit == 0 || batch.samples < 2 || !bySamples || network.forwardIsCollective())
        return 0;
    network.setStatReducer({});
    // An eighth and a quarter of the batch give the truer line: small tensors are rounded up more.
    for (const int64_t few : {std::max<int64_t>(1, batch.samples / 8), int64_t{1}}) {
        try {
            // Once for what stays (packed weights, plans), then to measure.
            peakBytes(backend, network, batch, params, few);
            const std::size_t small = peakBytes(backend, network, batch, params, few);
            const std::size_t large = peakBytes(backend, network, batch, params, 2 * few);
            if (large <= small)
                return 0;
            const std::size_t perSample = (large - small) / std::size_t(few);
            const int64_t more = int64_t((limit - small) / std::max<std::size_t>(perSample, 1));
            // The allocator rounds up to size classes, by an eighth at most.
            return std::clamp<int64_t>((few + more) * 7 / 8, 1, batch.samples - 1);
        } catch (const Error&) {
            continue; // not even that many fit
        }
    }
    return 0;
}

} // namespace scalebench::train
