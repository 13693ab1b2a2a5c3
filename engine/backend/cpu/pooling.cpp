// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"

#include "engine/backend/families/pooling.h"
#include "kernels/avg_pool2d.h"
#include "kernels/elementwise.h"
#include "kernels/pool2d.h"
#include "kernels/resize2d.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

struct Device {
    using Context = CpuContext;
    static constexpr auto requireActivation = cpu_backend::requireActivation;
    static constexpr auto maxPoolForward = cpu::maxPoolForward;
    static constexpr auto maxPoolBackward = cpu::maxPoolBackward;
    static constexpr auto avgPoolForward = cpu::avgPoolForward;
    static constexpr auto avgPoolBackward = cpu::avgPoolBackward;
    static constexpr auto globalAvgPoolForward = cpu::globalAvgPoolForward;
    static constexpr auto globalAvgPoolBackward = cpu::globalAvgPoolBackward;
    static constexpr auto shortcutPadForward = cpu::shortcutPadForward;
    static constexpr auto shortcutPadBackward = cpu::shortcutPadBackward;
    static constexpr auto resize2dForward = cpu::resize2dForward;
    static constexpr auto resize2dBackward = cpu::resize2dBackward;
};

} // namespace

std::unique_ptr<PoolingOps> makePoolingOps(CpuContext& context)
{
    return std::make_unique<PoolingFamily<Device>>(context);
}

} // namespace scalebench::cpu_backend
