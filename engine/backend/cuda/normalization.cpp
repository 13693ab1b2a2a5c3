// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/families.h"

namespace scalebench::cuda_backend {

// Placeholder until the family is there.
std::unique_ptr<NormalizationOps> makeNormalizationOps(CudaContext&, ElementwiseOps&)
{
    return nullptr;
}

} // namespace scalebench::cuda_backend
