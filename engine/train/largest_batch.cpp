// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/largest_batch.h"

#include "kernels/check.h"

#include <algorithm>
#include <chrono>
#include <cstddef>

namespace scalebench::train {
namespace {

/// Tries batches for so long; what is known to fit by then is the answer.
constexpr double kSeconds = 30;

class Trials
{
public:
    Trials(Backend& backend, Network& network, const Batch& batch, const LossParams& params)
        : backend_(backend), network_(network), batch_(batch), params_(params)
    {
    }

    /// Peak memory of the backend while `samples` samples go forward and backward; 0 where they do
    /// not fit.
    std::size_t peakBytes(int64_t samples)
    {
        Batch part{{}, samples};
        for (const Tensor& t : batch_.tensors)
            part.tensors.push_back(t.firstRows(samples));
        backend_.allocator().trim();
        backend_.allocator().resetPeak();
        try {
            Tape tape(backend_);
            tape.backward(network_.loss(tape, part, params_, true).loss);
        } catch (const Error& e) {
            if (e.code() != "out_of_memory")
                throw;
            return 0;
        }
        return backend_.allocator().stats().peakBytesInUse;
    }

    /// The largest that was seen to fit, from `fits`, which does, up to below `tooMany`, which does
    /// not, and first at `guess`.
    int64_t search(int64_t fits, int64_t tooMany, int64_t guess)
    {
        const auto start = std::chrono::steady_clock::now();
        const auto passed = [&] {
            return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        };
        // Near enough for a batch size.
        while (tooMany - fits > std::max<int64_t>(1, fits / 32) && passed() < kSeconds) {
            const int64_t samples = std::clamp(guess, fits + 1, tooMany - 1);
            (peakBytes(samples) > 0 ? fits : tooMany) = samples;
            guess = fits + (tooMany - fits) / 2;
        }
        return fits;
    }

private:
    Backend& backend_;
    Network& network_;
    const Batch& batch_;
    const LossParams& params_;
};

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
    try {
        Trials trials(backend, network, batch, params);
        // An eighth and a quarter of the batch give the truer line of memory over samples.
        for (const int64_t few : {std::max<int64_t>(1, batch.samples / 8), int64_t{1}}) {
            // Once for what stays (packed weights, plans), then to measure.
            if (trials.peakBytes(few) == 0)
                continue;
            const std::size_t small = trials.peakBytes(few);
            if (small == 0)
                continue;
            const std::size_t large = 2 * few < batch.samples ? trials.peakBytes(2 * few) : 0;
            if (large == 0)
                return trials.search(few, std::min(2 * few, batch.samples), few);
            const std::size_t more = large > small ? large - small : 1;
            const double guess =
                double(limit - std::min(limit, small)) / double(more) * double(few);
            return trials.search(2 * few, batch.samples,
                                 few + int64_t(std::min(guess, double(batch.samples))));
        }
    } catch (const Error&) { // the search was to help; what went wrong first is told
    }
    return 0;
}

} // namespace scalebench::train
