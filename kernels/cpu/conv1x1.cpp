// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/conv1x1.h"

#include <algorithm>
#include <cstring>

#include "kernels/cpu/parallel.h"
#include "kernels/cpu/weight_layout.h"

namespace scalebench::kernels::cpu {

using dnnl::memory;
using tag = dnnl::memory::format_tag;
using dt = dnnl::memory::data_type;

namespace {

dnnl::matmul::primitive_desc product(const std::string& what, const memory::desc& a,
                                     const memory::desc& b, const memory::desc& c)
{
    return chooseImplementation(
        what, [&] { return dnnl_api::matmul(dnnlEngine(), a, b, nullptr, c, userScratch()); });
}

/// compact [N,outH,outW,C] = every stride-th pixel of x.
void gatherPixels(const Conv2dParams& p, const std::byte* x, std::byte* compact)
{
    const std::int64_t outH = p.outH(), outW = p.outW();
    const std::size_t pixel = std::size_t(p.C) * dtypeBytes(p.dtype);
    parallelFor(p.N * outH, [&](std::int64_t row) {
        const std::int64_t n = row / outH, h = row % outH * p.stride;
        const std::byte* from = x + std::size_t((n * p.H + h) * p.W) * pixel;
        std::byte* to = compact + std::size_t(row * outW) * pixel;
        for (std::int64_t w = 0; w < outW; ++w)
            std::memcpy(to + std::size_t(w) * pixel, from + std::size_t(w * p.stride) * pixel,
                        pixel);
    });
}

/// dx = compact at every stride-th pixel, zero between them.
void spreadPixels(const Conv2dParams& p, const std::byte* compact, std::byte* dx)
{
    const std::int64_t outH = p.outH(), outW = p.outW();
    const std::size_t pixel = std::size_t(p.C) * dtypeBytes(p.dtype);
    parallelFor(p.N * p.H, [&](std::int64_t row) {
        const std::int64_t n = row / p.H, h = row % p.H;
        std::byte* to = dx + std::size_t(row * p.W) * pixel;
        if (h % p.stride != 0 || h / p.stride >= outH) {
            std::memset(to, 0, std::size_t(p.W) * pixel);
            return;
        }
        const std::byte* from = compact + std::size_t((n * outH + h / p.stride) * outW) * pixel;
        for (std::int64_t w = 0; w < outW; ++w) {
            const std::int64_t end = w + 1 < outW ? (w + 1) * p.stride : p.W;
            std::byte* at = to + std::size_t(w * p.stride) * pixel;
            std::memcpy(at, from + std::size_t(w) * pixel, pixel);
            std::memset(at + pixel, 0, std::size_t(end - w * p.stride - 1) * pixel);
        }
    });
}

} // namespace

bool isPointwise(const Conv2dParams& p)
{
    return p.R == 1 && p.S == 1 && p.padding == 0 && p.groups == 1;
}

PointwiseGradients::PointwiseGradients(const Conv2dParams& p, bool needData) : params_(p)
{
    const std::int64_t pixels = p.N * p.outH() * p.outW();
    const dt type = dnnlType(p.dtype);
    const memory::desc x({pixels, p.C}, type, tag::ab), dy({pixels, p.K}, type, tag::ab);
    const memory::desc dyTransposed({p.K, pixels}, type, tag::ba);
    const memory::desc dw({p.K, p.C}, dt::f32, tag::ab);

    const auto weightPd = product(p.describe() + " (weight gradient)", dyTransposed, x, dw);
    weight_ = DnnlCall(weightPd);
    weight_.add(DNNL_ARG_SRC, dyTransposed);
    weight_.add(DNNL_ARG_WEIGHTS, x);
    weight_.add(DNNL_ARG_DST, dw);
    if (needData) {
        const memory::desc any({p.K, p.C}, type, tag::any);
        const auto dataPd = product(p.describe() + " (data gradient)", dy, any, x);
        data_ = DnnlCall(dataPd);
        data_.add(DNNL_ARG_SRC, dy);
        data_.add(DNNL_ARG_WEIGHTS, dataPd.weights_desc());
        data_.add(DNNL_ARG_DST, x);
        packedBytes_ = dataPd.weights_desc().get_size();
        packedLayout_ = layoutOf(dataPd.weights_desc());
        pack_ = makeReorder(dw, dataPd.weights_desc());
    }
    for (const DnnlCall* call : {&weight_, &data_, &pack_})
        primitiveBytes_ = std::max(primitiveBytes_, roundUpTo64(call->scratchBytes()));
    if (p.stride > 1)
        compactBytes_ = roundUpTo64(std::size_t(pixels * p.C) * dtypeBytes(p.dtype));
}

void PointwiseGradients::pack(const float* w, void* packed, void* workspace) const
{
    pack_.set(DNNL_ARG_FROM, w);
    pack_.set(DNNL_ARG_TO, packed);
    pack_.run(workspace);
}

void PointwiseGradients::dataGradient(const void* dy, const void* packed, void* dx,
                                      void* workspace) const
{
    const bool strided = params_.stride > 1;
    data_.set(DNNL_ARG_SRC, dy);
    data_.set(DNNL_ARG_WEIGHTS, packed);
    data_.set(DNNL_ARG_DST, strided ? compact(workspace) : dx);
    data_.run(workspace);
    if (strided)
        spreadPixels(params_, static_cast<const std::byte*>(compact(workspace)),
                     static_cast<std::byte*>(dx));
}

void PointwiseGradients::weightGradient(const void* x, const void* dy, float* dw,
                                        void* workspace) const
{
    if (params_.stride > 1) {
        gatherPixels(params_, static_cast<const std::byte*>(x),
                     static_cast<std::byte*>(compact(workspace)));
        x = compact(workspace);
    }
    weight_.set(DNNL_ARG_SRC, dy);
    weight_.set(DNNL_ARG_WEIGHTS, x);
    weight_.set(DNNL_ARG_DST, dw);
    weight_.run(workspace);
}

} // namespace scalebench::kernels::cpu
