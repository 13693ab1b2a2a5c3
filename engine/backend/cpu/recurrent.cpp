// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"

namespace scalebench::cpu_backend {
namespace {

class CpuRecurrent final : public RecurrentOps
{
public:
    explicit CpuRecurrent(CpuContext&) {}
};

} // namespace

std::unique_ptr<RecurrentOps> makeRecurrentOps(CpuContext& context)
{
    return std::make_unique<CpuRecurrent>(context);
}

} // namespace scalebench::cpu_backend
