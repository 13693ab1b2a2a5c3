// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/families.h"

#include "engine/backend/families/pooling.h"
#include "kernels/cuda/elementwise.h"
#include "kernels/cuda/pool2d.h"
#include "kernels/cuda/resize2d.h"

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;

struct Device {
    using Context = CudaContext;
    static constexpr auto requireActivation = cuda_backend::requireActivation;
    static constexpr auto maxPoolForward = cuda::maxPoolForward;
    static constexpr auto maxPoolBackward = cuda::maxPoolBackward;
    static constexpr auto avgPoolForward = cuda::avgPoolForward;
    static constexpr auto avgPoolBackward = cuda::avgPoolBackward;
    static constexpr auto globalAvgPoolForward = cuda::globalAvgPoolForward;
    static constexpr auto globalAvgPoolBackward = cuda::globalAvgPoolBackward;
    static constexpr auto shortcutPadForward = cuda::shortcutPadForward;
    static constexpr auto shortcutPadBackward = cuda::shortcutPadBackward;
    static constexpr auto resize2dForward = cuda::resize2dForward;
    static constexpr auto resize2dBackward = cuda::resize2dBackward;
    static constexpr auto globalAvgPoolScratchBytes = cuda::globalAvgPoolScratchBytes;
};

} // namespace

std::unique_ptr<PoolingOps> makePoolingOps(CudaContext& context)
{
    return std::make_unique<PoolingFamily<Device>>(context);
}

} // namespace scalebench::cuda_backend
