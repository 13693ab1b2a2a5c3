// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/conv_weight_panels.h"

#include <algorithm>
#include <cstring>

#include "kernels/cpu/panel_matmul.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/scratch.h"

namespace scalebench::kernels::cpu {
namespace {

constexpr std::int64_t kNumbers = std::int64_t{1} << 19; ///< of copied windows: 1 MB
constexpr std::int64_t kFewestPixels = 256, kFewestChannels = 64;

std::int64_t pixelsOf(const Conv2dParams& p)
{
    return p.N * p.outH() * p.outW();
}

/// dw [K][C][places] = rows [K][places][C].
void turnPlaces(const Conv2dParams& p, const float* rows, float* dw)
{
    constexpr std::int64_t kWide = 16;
    const std::int64_t places = p.R * p.S;
    parallelRanges(p.K, 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t k = begin; k < end; ++k)
            for (std::int64_t first = 0; first < p.C; first += kWide) {
                const float* const from = rows + k * places * p.C + first;
                float* const to = dw + (k * p.C + first) * places;
                const std::int64_t wide = std::min(kWide, p.C - first);
                for (std::int64_t place = 0; place < places; ++place)
                    for (std::int64_t c = 0; c < wide; ++c)
                        to[c * places + place] = from[place * p.C + c];
            }
    });
}

/// Of so many pixels, a row each of what the window sees and of gradients.
MatmulParams product(const Conv2dParams& p, std::int64_t pixels, bool accumulate)
{
    MatmulParams m;
    m.M = p.K, m.N = p.R * p.S * p.C, m.K = pixels;
    m.transA = true;
    m.inputType = DType::BF16;
    m.accumulate = accumulate;
    return m;
}

} // namespace

// GFLOP/s of one core with a peak of 517 (Zen 5 class), operands outside the caches, ours and
// oneDNN 2.6.3, all 3x3 with stride 2:
//
//   batch 8, 56x56, 64 to 128     340   320     batch 8, 14x14, 512 to 512    350   224
//   batch 8, 56x56, 128 to 128    370   296     batch 2, 38x38, 256 to 512    407   298
//   batch 8, 28x28, 256 to 256    413   323     batch 8, 150x150, 64 to 64    304   258
bool PanelWeightGradient::suits(const Conv2dParams& p)
{
    return p.dtype == DType::BF16 && p.groups == 1 && p.R * p.S > 1 && p.stride > 1 &&
           std::min(p.C, p.K) >= kFewestChannels && pixelsOf(p) > 1 &&
           PanelMatmul::suits(product(p, pixelsOf(p), false));
}

PanelWeightGradient::PanelWeightGradient(const Conv2dParams& p) : p_(p)
{
    const std::int64_t all = pixelsOf(p),
                       most = std::max(kFewestPixels, kNumbers / (p.R * p.S * p.C)),
                       pieces = (all + most - 1) / most;
    pixels_ = (all + pieces - 1) / pieces;
}

std::size_t PanelWeightGradient::workspaceBytes() const
{
    Carver c(nullptr);
    c.take<float>(p_.weightCount());
    c.take<bf16_t>(pixels_ * p_.R * p_.S * p_.C);
    return c.used() + PanelMatmul(product(p_, pixels_, false)).workspaceBytes();
}

/// Of pixels [first, end): a row each, zeros where the window hangs over the edge.
void PanelWeightGradient::copyWindows(const bf16_t* x, std::int64_t first, std::int64_t end,
                                      bf16_t* to) const
{
    const Conv2dParams& p = p_;
    const std::int64_t outW = p.outW(), outH = p.outH();
    const std::size_t bytes = std::size_t(p.C) * sizeof(bf16_t);
    for (std::int64_t pixel = first; pixel < end; ++pixel) {
        const std::int64_t w = pixel % outW * p.stride - p.padding,
                           h = pixel / outW % outH * p.stride - p.padding;
        const bf16_t* const image = x + pixel / outW / outH * p.H * p.W * p.C;
        for (std::int64_t r = 0; r < p.R; ++r)
            for (std::int64_t s = 0; s < p.S; ++s, to += p.C) {
                const std::int64_t row = h + r * p.dilation, column = w + s * p.dilation;
                if (row < 0 || row >= p.H || column < 0 || column >= p.W)
                    std::memset(to, 0, bytes);
                else
                    std::memcpy(to, image + (row * p.W + column) * p.C, bytes);
            }
    }
}

void PanelWeightGradient::run(const bf16_t* x, const bf16_t* dy, float* dw, void* workspace) const
{
    constexpr std::int64_t kGrain = 32;
    Carver c(workspace);
    const std::int64_t all = pixelsOf(p_), columns = p_.R * p_.S * p_.C;
    auto* const rows = c.take<float>(p_.weightCount());
    auto* const windows = c.take<bf16_t>(pixels_ * columns);
    void* const scratch = c.take(0);
    for (std::int64_t first = 0; first < all; first += pixels_) {
        const std::int64_t here = std::min(pixels_, all - first);
        parallelRanges(here, kGrain, [&](std::int64_t begin, std::int64_t end) {
            copyWindows(x, first + begin, first + end, windows + begin * columns);
        });
        PanelMatmul(product(p_, here, first > 0))
            .run(dy + first * p_.K, windows, nullptr, rows, scratch);
    }
    turnPlaces(p_, rows, dw);
}

} // namespace scalebench::kernels::cpu
