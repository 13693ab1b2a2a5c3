// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/tuning.h"

#include <limits>
#include <memory>
#include <type_traits>

#include "kernels/cuda/check.h"

namespace scalebench::cuda_backend {
namespace {

using kernels::cuda::check;

struct DestroyEvent {
    void operator()(cudaEvent_t e) const { (void)cudaEventDestroy(e); }
};
using Event = std::unique_ptr<std::remove_pointer_t<cudaEvent_t>, DestroyEvent>;

Event makeEvent()
{
    cudaEvent_t e = nullptr;
    check(cudaEventCreateWithFlags(&e, cudaEventDefault), "cudaEventCreate");
    return Event(e);
}

} // namespace

std::string planMachine(const CudaContext& context, const std::string& library)
{
    int driver = 0;
    check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    const DeviceFacts& d = context.device();
    return d.name + " sm_" + std::to_string(d.major) + std::to_string(d.minor) + ", driver " +
           std::to_string(driver) + ", " + library;
}

bool mayTune(const CudaContext& context)
{
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    return context.autotune() && cudaStreamIsCapturing(context.stream(), &status) == cudaSuccess &&
           status == cudaStreamCaptureStatusNone;
}

std::optional<std::size_t> fastestOf(const CudaContext& context, std::size_t count,
                                     const std::function<bool(std::size_t)>& run)
{
    const Event start = makeEvent(), stop = makeEvent();
    std::optional<std::size_t> best;
    float bestMs = std::numeric_limits<float>::infinity();
    for (std::size_t i = 0; i < count; ++i) {
        if (!run(i))
            continue;
        for (int repeat = 0; repeat < kTuneRuns; ++repeat) {
            check(cudaEventRecord(start.get(), context.stream()), "cudaEventRecord");
            if (!run(i))
                break;
            check(cudaEventRecord(stop.get(), context.stream()), "cudaEventRecord");
            check(cudaEventSynchronize(stop.get()), "timed search");
            float ms = 0;
            check(cudaEventElapsedTime(&ms, start.get(), stop.get()), "cudaEventElapsedTime");
            if (ms < bestMs) {
                bestMs = ms;
                best = i;
            }
        }
    }
    return best;
}

} // namespace scalebench::cuda_backend
