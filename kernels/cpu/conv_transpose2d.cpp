// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/conv_transpose2d.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include "kernels/check.h"
#include "kernels/cpu/parallel.h"
#include "kernels/matmul.h"

// Row h of the input image makes `stride` rows of the output. With the weight as a matrix
// [C, (r,s,k)], the product of one input pixel holds, for each r, stride*K values that lie side by
// side in output row h*stride + r: the shuffle moves runs of that length.

namespace scalebench {

namespace kernels::cpu {
namespace {

/// Pixels of a block: enough for the matrix units, few enough that a block stays in the cache.
constexpr std::int64_t kBlockPixels = 512;

std::size_t roundUp(std::size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/// Products over a block of image rows.
struct Block {
    std::int64_t rows = 0; ///< image rows (n,h)
    std::optional<MatmulPlan> forward, data, weight;

    Block(const ConvTranspose2dParams& p, std::int64_t imageRows) : rows(imageRows)
    {
        const std::int64_t pixels = rows * p.W, columns = p.stride * p.stride * p.K;
        MatmulParams m;
        m.M = pixels, m.N = columns, m.K = p.C;
        m.inputType = m.outputType = p.dtype;
        m.bias = p.bias;
        m.activation = p.relu ? Activation::Relu : Activation::None;
        m.packedB = true;
        forward.emplace(m);
        MatmulParams d;
        d.M = pixels, d.N = p.C, d.K = columns;
        d.inputType = d.outputType = p.dtype;
        d.transB = d.packedB = true;
        data.emplace(d);
        MatmulParams w;
        w.M = p.C, w.N = columns, w.K = pixels;
        w.transA = w.accumulate = true;
        w.inputType = p.dtype;
        weight.emplace(w);
    }
    std::size_t workspaceBytes() const
    {
        return std::max(
            {forward->workspaceBytes(), data->workspaceBytes(), weight->workspaceBytes()});
    }
};

/// Between products [pixels, (r,s,k)] and the output image. kToImage: image from products.
template <bool kToImage>
void shuffle(const ConvTranspose2dParams& p, std::int64_t rows, std::byte* products,
             std::byte* image)
{
    const std::size_t run = std::size_t(p.stride * p.K) * dtypeBytes(p.dtype);
    const std::size_t imageRow = run * std::size_t(p.W), pixel = run * std::size_t(p.stride);
    parallelFor(rows, [&](std::int64_t row) {
        for (std::int64_t r = 0; r < p.stride; ++r) {
            std::byte* line = image + std::size_t(row * p.stride + r) * imageRow;
            std::byte* from = products + std::size_t(row * p.W) * pixel + std::size_t(r) * run;
            for (std::int64_t w = 0; w < p.W; ++w, line += run, from += pixel)
                std::memcpy(kToImage ? line : from, kToImage ? from : line, run);
        }
    });
}

/// [C,K,r,s] -> [C,(r,s,k)].
void toMatrix(const ConvTranspose2dParams& p, const float* w, float* matrix)
{
    const std::int64_t taps = p.stride * p.stride;
    for (std::int64_t c = 0; c < p.C; ++c)
        for (std::int64_t t = 0; t < taps; ++t)
            for (std::int64_t k = 0; k < p.K; ++k)
                matrix[(c * taps + t) * p.K + k] = w[(c * p.K + k) * taps + t];
}

/// dw[C,K,r,s] (+)= matrix[C,(r,s,k)].
void fromMatrix(const ConvTranspose2dParams& p, const float* matrix, float* dw, bool accumulate)
{
    const std::int64_t taps = p.stride * p.stride;
    for (std::int64_t c = 0; c < p.C; ++c)
        for (std::int64_t k = 0; k < p.K; ++k)
            for (std::int64_t t = 0; t < taps; ++t) {
                float& out = dw[(c * p.K + k) * taps + t];
                out = (accumulate ? out : 0.0f) + matrix[(c * taps + t) * p.K + k];
            }
}

} // namespace

struct ConvTranspose2dPlan::Impl {
    ConvTranspose2dParams params;
    std::vector<Block> blocks; // the full one, then a smaller last one if there is a rest
    std::size_t scratchBytes = 0, productBytes = 0, matrixBytes = 0, biasBytes = 0;
    // The blocks of a plan lie one behind the other: no other plan packs so.
    WeightLayout forwardLayout = newWeightLayout(), dataLayout = newWeightLayout();

    std::int64_t imageRows() const { return params.N * params.H; }
    // Parts of the workspace, one behind the other.
    std::byte* products(void* workspace) const
    {
        return static_cast<std::byte*>(workspace) + scratchBytes;
    }
    float* matrix(void* workspace) const
    {
        return reinterpret_cast<float*>(products(workspace) + productBytes);
    }
    float* wideBias(void* workspace) const
    {
        return reinterpret_cast<float*>(products(workspace) + productBytes + matrixBytes);
    }

    /// body(block, x of the block, y of the block) in order.
    template <class Body>
    void everyBlock(const void* x, const void* y, Body&& body) const
    {
        const std::size_t element = dtypeBytes(params.dtype);
        const std::size_t xRow = std::size_t(params.W * params.C) * element;
        const std::size_t yRow = std::size_t(params.stride * params.outW() * params.K) * element;
        for (std::int64_t row = 0; row < imageRows(); row += blocks.front().rows) {
            const bool full = row + blocks.front().rows <= imageRows();
            const Block& block = full ? blocks.front() : blocks.back();
            // Constness is the caller's: body writes only to what it may.
            body(block,
                 const_cast<std::byte*>(static_cast<const std::byte*>(x)) + std::size_t(row) * xRow,
                 const_cast<std::byte*>(static_cast<const std::byte*>(y)) +
                     std::size_t(row) * yRow);
        }
    }
};

ConvTranspose2dPlan::ConvTranspose2dPlan(const ConvTranspose2dParams& p) : impl_(new Impl)
{
    validate(p);
    SB_REQUIRE(p.dtype == DType::F32 || p.dtype == DType::BF16,
               p.describe() + ": the element type must be f32 or bf16");
    Impl& m = *impl_;
    m.params = p;
    if (p.N == 0)
        return;
    const std::int64_t rows =
        std::min(m.imageRows(), std::max<std::int64_t>(1, kBlockPixels / p.W));
    m.blocks.emplace_back(p, rows);
    if (m.imageRows() % rows != 0)
        m.blocks.emplace_back(p, m.imageRows() % rows);
    for (const Block& b : m.blocks)
        m.scratchBytes = std::max(m.scratchBytes, roundUp(b.workspaceBytes()));
    const std::int64_t columns = p.stride * p.stride * p.K;
    m.productBytes = roundUp(std::size_t(rows * p.W * columns) * dtypeBytes(p.dtype));
    m.matrixBytes = roundUp(std::size_t(p.weightCount()) * sizeof(float));
    m.biasBytes = roundUp(std::size_t(columns) * sizeof(float));
}

ConvTranspose2dPlan::~ConvTranspose2dPlan() = default;
ConvTranspose2dPlan::ConvTranspose2dPlan(ConvTranspose2dPlan&&) noexcept = default;

std::size_t ConvTranspose2dPlan::forwardWeightBytes() const
{
    std::size_t bytes = 0;
    for (const Block& b : impl_->blocks)
        bytes += roundUp(b.forward->packedBytes());
    return bytes;
}

std::size_t ConvTranspose2dPlan::dataWeightBytes() const
{
    std::size_t bytes = 0;
    for (const Block& b : impl_->blocks)
        bytes += roundUp(b.data->packedBytes());
    return bytes;
}

WeightLayout ConvTranspose2dPlan::forwardLayout() const
{
    return impl_->forwardLayout;
}
WeightLayout ConvTranspose2dPlan::dataLayout() const
{
    return impl_->dataLayout;
}

std::size_t ConvTranspose2dPlan::workspaceBytes() const
{
    return impl_->scratchBytes + impl_->productBytes + impl_->matrixBytes + impl_->biasBytes;
}

// The layout of a packed weight may depend on the number of pixels: one copy per block size.

void ConvTranspose2dPlan::packForward(const float* w, void* packed, void* workspace) const
{
    if (impl_->blocks.empty())
        return;
    float* matrix = impl_->matrix(workspace);
    toMatrix(impl_->params, w, matrix);
    auto* out = static_cast<std::byte*>(packed);
    for (const Block& b : impl_->blocks) {
        b.forward->packB(matrix, out, workspace);
        out += roundUp(b.forward->packedBytes());
    }
}

void ConvTranspose2dPlan::packData(const float* w, void* packed, void* workspace) const
{
    if (impl_->blocks.empty())
        return;
    float* matrix = impl_->matrix(workspace);
    toMatrix(impl_->params, w, matrix);
    auto* out = static_cast<std::byte*>(packed);
    for (const Block& b : impl_->blocks) {
        b.data->packB(matrix, out, workspace);
        out += roundUp(b.data->packedBytes());
    }
}

void ConvTranspose2dPlan::forward(const void* x, const void* packed, const float* bias, void* y,
                                  void* workspace) const
{
    const Impl& m = *impl_;
    const ConvTranspose2dParams& p = m.params;
    if (m.blocks.empty())
        return;
    float* wide = nullptr;
    if (p.bias) {
        wide = m.wideBias(workspace);
        for (std::int64_t t = 0; t < p.stride * p.stride; ++t)
            std::copy_n(bias, p.K, wide + t * p.K);
    }
    const std::size_t first = roundUp(m.blocks.front().forward->packedBytes());
    m.everyBlock(x, y, [&](const Block& b, std::byte* in, std::byte* out) {
        const auto* w = static_cast<const std::byte*>(packed) +
                        (&b == &m.blocks.front() ? std::size_t(0) : first);
        b.forward->run(in, w, wide, m.products(workspace), workspace);
        shuffle<true>(p, b.rows, m.products(workspace), out);
    });
}

void ConvTranspose2dPlan::backwardData(const void* dy, const void* packed, void* dx,
                                       void* workspace) const
{
    const Impl& m = *impl_;
    if (m.blocks.empty())
        return;
    const std::size_t first = roundUp(m.blocks.front().data->packedBytes());
    m.everyBlock(dx, dy, [&](const Block& b, std::byte* out, std::byte* in) {
        const auto* w = static_cast<const std::byte*>(packed) +
                        (&b == &m.blocks.front() ? std::size_t(0) : first);
        shuffle<false>(m.params, b.rows, m.products(workspace), in);
        b.data->run(m.products(workspace), w, nullptr, out, workspace);
    });
}

void ConvTranspose2dPlan::backwardWeight(const void* x, const void* dy, float* dw, bool accumulate,
                                         void* workspace) const
{
    const Impl& m = *impl_;
    if (m.blocks.empty()) {
        if (!accumulate)
            std::fill_n(dw, m.params.weightCount(), 0.0f);
        return;
    }
    float* matrix = m.matrix(workspace);
    std::fill_n(matrix, m.params.weightCount(), 0.0f);
    m.everyBlock(x, dy, [&](const Block& b, std::byte* in, std::byte* gradient) {
        shuffle<false>(m.params, b.rows, m.products(workspace), gradient);
        b.weight->run(in, m.products(workspace), nullptr, matrix, workspace);
    });
    fromMatrix(m.params, matrix, dw, accumulate);
}

std::string ConvTranspose2dPlan::implementations() const
{
    if (impl_->blocks.empty())
        return "forward=none, data=none, weight=none";
    const Block& b = impl_->blocks.front();
    return "forward=" + b.forward->implementation() + ", data=" + b.data->implementation() +
           ", weight=" + b.weight->implementation();
}

} // namespace kernels::cpu
} // namespace scalebench
