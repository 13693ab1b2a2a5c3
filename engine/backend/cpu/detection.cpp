// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"

namespace scalebench::cpu_backend {
namespace {

class CpuDetection final : public DetectionOps
{
public:
    explicit CpuDetection(CpuContext&) {}
};

} // namespace

std::unique_ptr<DetectionOps> makeDetectionOps(CpuContext& context)
{
    return std::make_unique<CpuDetection>(context);
}

} // namespace scalebench::cpu_backend
