// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/conv_weight_amx.h"

#include <algorithm>
#include <cstring>

#include "kernels/cpu/parallel.h"
#include "kernels/cpu/square_transpose.h"
#include "kernels/cpu/tile_gemm.h"
#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu {
namespace {

constexpr std::int64_t kSlice = 32;              // channels laid out together: two tiles
constexpr std::int64_t kBlock = kSlice * kSlice; // of dw, per tap
constexpr std::int64_t kPanelBytes = 1 << 20;    // of both panels: half the second-level cache
constexpr std::int64_t kChunk = 512;             // grid points laid out by one task
constexpr std::int64_t kDepth = 256;             // grid points per product: both blocks 16 KiB

std::int64_t divideUp(std::int64_t a, std::int64_t b)
{
    return (a + b - 1) / b;
}

using Words [[gnu::vector_size(64)]] = std::uint32_t;

/// 32 pixels, 16 channels from `channel` on: out[c][pixel], rows of `ld`.
SB_TARGET_CLONES void transposePixels(const bf16_t* const* pixels, std::int64_t channel,
                                      bf16_t* out, std::int64_t ld)
{
    Words r[16]; // a word: two neighbouring pixels of one channel
    for (int i = 0; i < 16; ++i) {
        const bf16_t *a = pixels[2 * i] + channel, *b = pixels[2 * i + 1] + channel;
        std::uint32_t words[16];
        for (int c = 0; c < 16; ++c)
            words[c] = std::uint32_t(a[c]) | std::uint32_t(b[c]) << 16;
        std::memcpy(&r[i], words, sizeof words);
    }
    transposeSquare(r);
    for (int c = 0; c < 16; ++c)
        std::memcpy(out + c * ld, &r[c], sizeof(Words));
}

/// Two pixels interleaved, 32 channels at a time, `stride` elements from slice to slice.
SB_TARGET_CLONES void pairPixels(const bf16_t* a, const bf16_t* b, std::int64_t slices, bf16_t* out,
                                 std::int64_t stride)
{
    for (std::int64_t s = 0; s < slices; ++s, a += kSlice, b += kSlice, out += stride)
        for (std::int64_t c = 0; c < kSlice; ++c) {
            const std::uint32_t word = std::uint32_t(a[c]) | std::uint32_t(b[c]) << 16;
            std::memcpy(out + 2 * c, &word, sizeof word);
        }
}

/// Walks over grid points in order: image, row, column.
struct GridPoint {
    std::int64_t rows, columns, n, i, j;
    GridPoint(std::int64_t point, std::int64_t gridRows, std::int64_t gridColumns)
        : rows(gridRows),
          columns(gridColumns),
          n(point / (gridRows * gridColumns)),
          i(point / gridColumns % gridRows),
          j(point % gridColumns)
    {
    }
    void next()
    {
        if (++j < columns)
            return;
        j = 0;
        if (++i == rows) {
            i = 0;
            ++n;
        }
    }
};

/// Pixels with their channels padded to whole slices: themselves, or copies where the last slice is
/// not full and reading on could leave the tensor.
class PaddedPixels
{
public:
    explicit PaddedPixels(std::int64_t channels)
        : channels_(channels), padded_(divideUp(channels, kSlice) * kSlice)
    {
        if (channels_ != padded_)
            copies_.assign(std::size_t(padded_ * kSlice), 0);
    }
    const bf16_t* at(const bf16_t* pixel, std::int64_t slot)
    {
        if (channels_ == padded_)
            return pixel;
        bf16_t* copy = copies_.data() + slot * padded_;
        std::memcpy(copy, pixel, std::size_t(channels_) * sizeof(bf16_t));
        return copy;
    }

private:
    std::int64_t channels_, padded_;
    std::vector<bf16_t> copies_;
};

} // namespace

/// Where the parts of the workspace begin.
struct AmxWeightGradient::Panels {
    bf16_t* gradient; // [slicesK][32][length], dy transposed
    bf16_t* input;    // [slicesC][phases][points/2][32][2]
    float* sums;      // [slicesK * slicesC][taps][32][32]
};

bool AmxWeightGradient::suits(const Conv2dParams& p)
{
    return p.dtype == DType::BF16 && p.groups == 1 && p.R * p.S > 1 && p.C >= kSlice &&
           p.K >= kSlice && p.C * p.K > kBlock && tile::amxAvailable();
}

AmxWeightGradient::AmxWeightGradient(const Conv2dParams& p) : params_(p)
{
    const std::int64_t lastR = (p.R - 1) * p.dilation, lastS = (p.S - 1) * p.dilation;
    gridH_ = p.outH() + lastR / p.stride;
    gridW_ = p.outW() + lastS / p.stride;
    phasesH_ = std::min(p.stride, lastR + 1);
    phasesW_ = std::min(p.stride, lastS + 1);
    slicesK_ = divideUp(p.K, kSlice);
    slicesC_ = divideUp(p.C, kSlice);
    const std::int64_t grid = gridH_ * gridW_;
    const std::int64_t pointBytes = (slicesK_ + slicesC_ * phasesH_ * phasesW_) * kSlice * 2;
    // Either the panels stay in the cache, or the sums pass through it less often.
    const std::int64_t panelBytes = std::max(kPanelBytes, 8 * p.weightCount());
    const std::int64_t wanted = std::clamp<std::int64_t>(panelBytes / pointBytes, 1024, 8192);
    images_ = std::clamp<std::int64_t>(wanted / grid, 1, p.N);
    points_ = tile::padded(images_ * grid, tile::kDepth);
    margin_ = lastR / p.stride * gridW_ + lastS / p.stride;
    length_ = tile::padded(margin_ + points_, tile::kDepth);
    if (length_ / tile::kDepth % 2 == 0)
        length_ += tile::kDepth; // rows an odd number of cache lines apart fall into different sets
    zeros_.assign(std::size_t(std::max(slicesK_, slicesC_) * kSlice), 0);
}

std::size_t AmxWeightGradient::workspaceBytes() const
{
    const std::int64_t phases = phasesH_ * phasesW_, taps = params_.R * params_.S;
    const std::int64_t elements =
        slicesK_ * kSlice * length_ + slicesC_ * phases * points_ * kSlice;
    return std::size_t(elements) * sizeof(bf16_t) +
           std::size_t(slicesK_ * slicesC_ * taps * kBlock) * sizeof(float);
}

AmxWeightGradient::Panels AmxWeightGradient::panelsIn(void* workspace) const
{
    Panels at{};
    at.gradient = static_cast<bf16_t*>(workspace);
    at.input = at.gradient + slicesK_ * kSlice * length_;
    at.sums =
        reinterpret_cast<float*>(at.input + slicesC_ * phasesH_ * phasesW_ * points_ * kSlice);
    return at;
}

/// dy of some images: the margin, then per image its rows with zeros up to the grid; transposed.
void AmxWeightGradient::layOutGradient(const Panels& at, const bf16_t* dy, std::int64_t first,
                                       std::int64_t images, std::int64_t chunk) const
{
    const Conv2dParams& p = params_;
    const std::int64_t outH = p.outH(), outW = p.outW();
    PaddedPixels padded(p.K);
    const std::int64_t begin = chunk * kChunk, end = std::min(length_, begin + kChunk);
    GridPoint g(std::max<std::int64_t>(0, begin - margin_), gridH_, gridW_);
    for (std::int64_t block = begin; block < end; block += tile::kDepth) {
        const bf16_t* pixels[tile::kDepth];
        for (std::int64_t t = 0; t < tile::kDepth; ++t) {
            pixels[t] = zeros_.data();
            if (block + t < margin_)
                continue;
            if (g.n < images && g.i < outH && g.j < outW)
                pixels[t] = padded.at(dy + (((first + g.n) * outH + g.i) * outW + g.j) * p.K, t);
            g.next();
        }
        for (std::int64_t k = 0; k < slicesK_ * kSlice; k += tile::kEdge)
            transposePixels(pixels, k, at.gradient + k * length_ + block, length_);
    }
}

/// x of some images at one phase of the stride, with its padding; points paired.
void AmxWeightGradient::layOutInput(const Panels& at, const bf16_t* x, std::int64_t phase,
                                    std::int64_t first, std::int64_t images,
                                    std::int64_t chunk) const
{
    const Conv2dParams& p = params_;
    const std::int64_t top = phase / phasesW_ - p.padding, left = phase % phasesW_ - p.padding;
    PaddedPixels padded(p.C);
    const std::int64_t begin = chunk * kChunk, end = std::min(points_, begin + kChunk);
    GridPoint g(begin, gridH_, gridW_);
    auto source = [&](std::int64_t slot) {
        const std::int64_t h = g.i * p.stride + top, w = g.j * p.stride + left;
        const bool inside = g.n < images && h >= 0 && h < p.H && w >= 0 && w < p.W;
        const bf16_t* pixel = inside
                                  ? padded.at(x + (((first + g.n) * p.H + h) * p.W + w) * p.C, slot)
                                  : zeros_.data();
        g.next();
        return pixel;
    };
    const std::int64_t stride = phasesH_ * phasesW_ * points_ * kSlice;
    bf16_t* panel = at.input + phase * points_ * kSlice;
    for (std::int64_t q = begin; q < end; q += 2) {
        const bf16_t* a = source(0);
        const bf16_t* b = source(1);
        pairPixels(a, b, slicesC_, panel + q * kSlice, stride);
    }
}

/// All taps of a 32 x 32 block of dw, over the points laid out.
void AmxWeightGradient::multiplyBlock(const Panels& at, std::int64_t block, std::int64_t points,
                                      bool first) const
{
    const Conv2dParams& p = params_;
    const std::int64_t phases = phasesH_ * phasesW_;
    const std::int64_t sliceK = block % slicesK_, sliceC = block / slicesK_;
    const bf16_t* gradient = at.gradient + sliceK * length_ * kSlice + margin_;
    const bf16_t* input = at.input + sliceC * phases * points_ * kSlice;
    const std::int64_t M = std::min(kSlice, tile::padded(p.K - sliceK * kSlice, tile::kEdge));
    const std::int64_t N = std::min(kSlice, tile::padded(p.C - sliceC * kSlice, tile::kEdge));
    float* sums = at.sums + block * p.R * p.S * kBlock;
    for (std::int64_t q = 0; q < points; q += kDepth)
        for (std::int64_t tap = 0; tap < p.R * p.S; ++tap) {
            const std::int64_t r = tap / p.S * p.dilation, s = tap % p.S * p.dilation;
            const std::int64_t phase = r % p.stride * phasesW_ + s % p.stride;
            const std::int64_t distance = r / p.stride * gridW_ + s / p.stride;
            tile::multiply(M, N, std::min(kDepth, points - q), gradient + q - distance, length_,
                           input + (phase * points_ + q) * kSlice, kSlice, sums + tap * kBlock,
                           kSlice, !first || q > 0);
        }
}

/// From [tap][k][c] to dw's [k][c][tap].
void AmxWeightGradient::storeBlock(const Panels& at, std::int64_t block, float* dw) const
{
    const Conv2dParams& p = params_;
    const std::int64_t k0 = block % slicesK_ * kSlice, c0 = block / slicesK_ * kSlice;
    const std::int64_t taps = p.R * p.S, channels = std::min(kSlice, p.C - c0);
    const float* sums = at.sums + block * taps * kBlock;
    for (std::int64_t k = 0; k < std::min(kSlice, p.K - k0); ++k) {
        float* to = dw + ((k0 + k) * p.C + c0) * taps;
        for (std::int64_t c = 0; c < channels; ++c)
            for (std::int64_t tap = 0; tap < taps; ++tap)
                *to++ = sums[tap * kBlock + k * kSlice + c];
    }
}

void AmxWeightGradient::run(const bf16_t* x, const bf16_t* dy, float* dw, void* workspace) const
{
    const Panels at = panelsIn(workspace);
    const std::int64_t phases = phasesH_ * phasesW_, blocks = slicesK_ * slicesC_;
    const std::int64_t chunksK = divideUp(length_, kChunk), chunksC = divideUp(points_, kChunk);
    for (std::int64_t first = 0; first < params_.N; first += images_) {
        const std::int64_t images = std::min(images_, params_.N - first);
        const std::int64_t points = tile::padded(images * gridH_ * gridW_, tile::kDepth);
        parallelFor(chunksK + phases * chunksC, [&](std::int64_t task) {
            if (task < chunksK)
                layOutGradient(at, dy, first, images, task);
            else
                layOutInput(at, x, (task - chunksK) / chunksC, first, images,
                            (task - chunksK) % chunksC);
        });
        const bool last = first + images_ >= params_.N;
        parallelFor(blocks, [&](std::int64_t block) {
            {
                const tile::AmxScope scope(true);
                multiplyBlock(at, block, points, first == 0);
            }
            if (last)
                storeBlock(at, block, dw);
        });
    }
}

} // namespace scalebench::kernels::cpu
