// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/gradient_terms.h"

#include <utility>

#include "kernels/check.h"

namespace scalebench {

void sumToTwoTerms(std::vector<Tensor>& gradOutputs, ElementwiseOps& elementwise)
{
    SB_REQUIRE(!gradOutputs.empty(), "batch norm backward needs a gradient");
    while (gradOutputs.size() > 2) {
        std::vector<Tensor> pair{std::move(gradOutputs[gradOutputs.size() - 2]),
                                 std::move(gradOutputs.back())};
        gradOutputs.pop_back();
        gradOutputs.back() = elementwise.sum(std::move(pair));
    }
}

BatchNormGradients batchNormGradientsIn(const std::vector<Tensor>& gradOutputs, bool hasResidual,
                                        Allocator& allocator)
{
    const Tensor* reusable = nullptr;
    for (const Tensor& g : gradOutputs)
        if (g.unique())
            reusable = &g;
    const Tensor& like = gradOutputs[0];
    BatchNormGradients result;
    Tensor& first = hasResidual ? result.residual : result.input;
    first = reusable ? *reusable : Tensor::empty(like.shape(), like.dtype(), allocator);
    if (hasResidual)
        result.input = Tensor::empty(like.shape(), like.dtype(), allocator);
    return result;
}

} // namespace scalebench
