// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"

namespace scalebench::cpu_backend {
namespace {

class CpuAttention final : public AttentionOps
{
public:
    explicit CpuAttention(CpuContext&) {}
};

} // namespace

std::unique_ptr<AttentionOps> makeAttentionOps(CpuContext& context)
{
    return std::make_unique<CpuAttention>(context);
}

} // namespace scalebench::cpu_backend
