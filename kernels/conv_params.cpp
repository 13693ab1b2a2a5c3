// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of convolutions, on every device.
#include <algorithm>
#include <initializer_list>

#include "kernels/check.h"
#include "kernels/conv2d.h"
#include "kernels/conv_transpose2d.h"

namespace scalebench {
namespace {

std::string list(std::initializer_list<std::int64_t> sizes)
{
    std::string text = "[";
    for (auto s : sizes) {
        if (text.size() > 1)
            text += ',';
        text += std::to_string(s);
    }
    text += ']';
    return text;
}

} // namespace

std::string Conv2dParams::describe() const
{
    std::string text = std::string("conv2d x=") + dtypeName(dtype) + list({N, H, W, C}) +
                       " NHWC w=" + list({K, groups > 0 ? C / groups : C, R, S}) +
                       " stride=" + std::to_string(stride) + " padding=" + std::to_string(padding);
    if (dilation != 1)
        text += " dilation=" + std::to_string(dilation);
    if (groups != 1)
        text += " groups=" + std::to_string(groups);
    return text + (bias ? " bias" : "") + (relu ? " relu" : "");
}

void validate(const Conv2dParams& p)
{
    SB_REQUIRE(p.N >= 0 && p.H > 0 && p.W > 0 && p.C > 0 && p.K > 0 && p.R > 0 && p.S > 0,
               p.describe() + ": every size but the batch must be positive");
    SB_REQUIRE(p.groups > 0 && p.C % p.groups == 0 && p.K % p.groups == 0,
               p.describe() + ": the groups must divide both channel counts");
    const std::int64_t spanH = p.dilation * (p.R - 1) + 1, spanW = p.dilation * (p.S - 1) + 1;
    SB_REQUIRE(p.stride > 0 && p.dilation > 0 && p.padding >= 0 &&
                   p.padding <= std::min(spanH, spanW),
               p.describe() + ": stride and dilation must be positive and padding no larger than "
                              "the kernel");
    SB_REQUIRE(p.H + 2 * p.padding >= spanH && p.W + 2 * p.padding >= spanW,
               p.describe() + ": the kernel is larger than the padded image");
    SB_REQUIRE(p.dtype == DType::F32 || p.dtype == DType::BF16 || p.dtype == DType::F16,
               p.describe() + ": the element type must be f32, bf16 or f16");
}

std::string ConvTranspose2dParams::describe() const
{
    return std::string("conv transpose2d x=") + dtypeName(dtype) + list({N, H, W, C}) +
           " NHWC w=" + list({C, K, stride, stride}) + " stride=" + std::to_string(stride) +
           (bias ? " bias" : "") + (relu ? " relu" : "");
}

void validate(const ConvTranspose2dParams& p)
{
    SB_REQUIRE(p.N >= 0 && p.H > 0 && p.W > 0 && p.C > 0 && p.K > 0 && p.stride > 0,
               p.describe() + ": every size but the batch must be positive");
    SB_REQUIRE(p.dtype == DType::F32 || p.dtype == DType::BF16 || p.dtype == DType::F16,
               p.describe() + ": the element type must be f32, bf16 or f16");
}

} // namespace scalebench
