// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"

namespace scalebench::cpu_backend {
namespace {

class CpuEmbedding final : public EmbeddingOps
{
public:
    explicit CpuEmbedding(CpuContext&) {}
};

} // namespace

std::unique_ptr<EmbeddingOps> makeEmbeddingOps(CpuContext& context)
{
    return std::make_unique<CpuEmbedding>(context);
}

} // namespace scalebench::cpu_backend
