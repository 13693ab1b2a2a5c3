// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/conv_weight_float.h"

#include <omp.h>

#include <algorithm>
#include <cstring>

#include "kernels/cpu/float_gemm.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/scratch.h"
#include "kernels/cpu_level.h"

namespace scalebench::kernels::cpu {
namespace {

// The product is dW[K][R S C] = dY^T[K][pixels] X'[pixels][R S C], row (n, h, w) of X' being what
// the window sees at that pixel of the result.

struct Input {
    const Conv2dParams& p;
    const float* x;
};

/// Columns [n, n + width) lie in one place of the window each run of C; a pixel whose window hangs
/// over the edge there gets zeros.
void packWindow(const void* source, std::int64_t k, std::int64_t depth, std::int64_t n,
                std::int64_t width, std::int64_t panel, float* out)
{
    const auto& [p, x] = *static_cast<const Input*>(source);
    const std::int64_t outW = p.outW(), outH = p.outH();
    for (std::int64_t done = 0; done < panel;) {
        const std::int64_t column = n + done, place = column / p.C, c = column % p.C;
        const bool outside = done >= width;
        const std::int64_t count = outside ? panel - done : std::min(width - done, p.C - c);
        const std::int64_t r = place / p.S * p.dilation - p.padding,
                           s = place % p.S * p.dilation - p.padding;
        std::int64_t w = k % outW, h = k / outW % outH, image = k / outW / outH;
        float* to = out + done;
        for (std::int64_t i = 0; i < depth; ++i, to += panel) {
            const std::int64_t row = h * p.stride + r, col = w * p.stride + s;
            if (outside || row < 0 || row >= p.H || col < 0 || col >= p.W)
                std::memset(to, 0, std::size_t(count) * sizeof(float));
            else {
                const float* from = x + ((image * p.H + row) * p.W + col) * p.C + c;
                if (count == 16)
                    std::memcpy(to, from, 16 * sizeof(float));
                else if (count == 32)
                    std::memcpy(to, from, 32 * sizeof(float));
                else
                    std::memcpy(to, from, std::size_t(count) * sizeof(float));
            }
            if (++w == outW) {
                w = 0;
                if (++h == outH)
                    h = 0, ++image;
            }
        }
        done += count;
    }
}

} // namespace

// Where this was measured to be faster than oneDNN (GFLOP/s of one core with a peak of 118, Zen 4
// class, oneDNN 2.6.3; "AVX2" is the same core with both capped):
//
//   batch, picture, channels, window    AVX2: ours, oneDNN     AVX-512: ours, oneDNN
//   4, 56x56, 64 to 64, 3x3                  86    68                91   100
//   4, 28x28, 128 to 128, 3x3                96    85                97   107
//   8, 14x14, 256 to 256, 3x3                99    77                94   101
//   16, 7x7, 512 to 512, 3x3                 94    52                91    85
//   8, 28x28, 256 to 256, 3x3 stride 2       94    59                89    84
//   8, 56x56, 128 to 128, 3x3 stride 2                               88    72
//   2, 150x150, 64 to 64, 3x3 stride 2                               80    31
//   4, 75x75, 64 to 128, 3x3 stride 2                                88    72
//   128, 16x16, 32 to 64, 3x3 stride 2                               73    61
//   128, 32x32, 16 to 32, 3x3 stride 2                               50    65
//   4, 38x38, 256 to 256, 3x3                99    61                93   100
//   64, 8x8, 64 to 64, 3x3                   87    87                93   115
//   32, 16x16, 32 to 32, 3x3                 72    94                86   123
//   2, 224x224, 3 to 64, 7x7 stride 2        40    68                42    85
bool FloatWeightGradient::suits(const Conv2dParams& p)
{
    if (!floatGemmAvailable() || p.dtype != DType::F32 || p.groups != 1 || p.R * p.S == 1)
        return false;
    const std::int64_t narrow = std::min(p.C, p.K);
    if (cpuLevel() == CpuLevel::Avx2)
        return narrow >= 64;
    return p.stride > 1 ? narrow >= 32 : narrow >= 256 && p.outW() <= 7;
}

FloatWeightGradient::FloatWeightGradient(const Conv2dParams& p)
    : p_(p), tasks_(std::max(1, omp_get_max_threads()))
{
}

std::size_t FloatWeightGradient::workspaceBytes() const
{
    Carver c(nullptr);
    c.take<float>(p_.weightCount());
    return c.used() + floatGemmWorkspace(p_.R * p_.S * p_.C, tasks_);
}

void FloatWeightGradient::run(const float* x, const float* dy, float* dw, void* workspace) const
{
    const Conv2dParams& p = p_;
    Carver c(workspace);
    float* const rows = c.take<float>(p.weightCount());
    const std::int64_t places = p.R * p.S, N = places * p.C;
    const Input input{p, x};
    floatGemmPanels(p.K, N, p.N * p.outH() * p.outW(), {dy, 1, p.K}, {packWindow, &input}, rows, N,
                    false, tasks_, static_cast<std::byte*>(workspace) + c.used());
    parallelRanges(p.K, 16, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t k = begin; k < end; ++k)
            for (std::int64_t channel = 0; channel < p.C; ++channel)
                for (std::int64_t place = 0; place < places; ++place)
                    dw[(k * p.C + channel) * places + place] = rows[k * N + place * p.C + channel];
    });
}

} // namespace scalebench::kernels::cpu
