// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/transformer/positions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/formula/bf16.h"
#include "kernels/formula/f16.h"

namespace scalebench {
namespace {

/// On the host, to be uploaded.
Tensor hostZeros(Shape shape, DType dtype, Backend& backend)
{
    if (!backend.allocator().onDevice())
        return Tensor::zeros(std::move(shape), dtype, backend.allocator());
    CachingAllocator own;
    return Tensor::zeros(std::move(shape), dtype, own);
}

} // namespace

void sinusoid(std::int64_t position, std::int64_t hidden, float* out)
{
    const std::int64_t waves = hidden / 2;
    const double step = std::log(10000.0) / double(std::max<std::int64_t>(waves - 1, 1));
    for (std::int64_t i = 0; i < waves; ++i) {
        const double angle = double(position) * std::exp(-double(i) * step);
        out[i] = float(std::sin(angle));
        out[waves + i] = float(std::cos(angle));
    }
    if (hidden % 2 != 0)
        out[hidden - 1] = 0.0f;
}

void PositionTable::reach(std::int64_t positions, Backend& backend)
{
    if (table_.defined() && table_.dim(0) > positions)
        return;
    // Twice what is asked for: lengths grow by little.
    const std::int64_t rows = 1 + std::max<std::int64_t>(64, 2 * positions);
    const Tensor table = hostZeros({rows, hidden_}, dtype_, backend);
    std::vector<float> row(std::size_t(hidden_), 0.0f);
    for (std::int64_t p = 1; p < rows; ++p) {
        sinusoid(p - 1, hidden_, row.data());
        for (std::int64_t c = 0; c < hidden_; ++c) {
            const auto at = std::size_t(p * hidden_ + c);
            const float value = row[std::size_t(c)];
            if (dtype_ == DType::BF16)
                table.bf16()[at] = formula::f32ToBf16(value);
            else if (dtype_ == DType::F16)
                table.f16()[at] = formula::f32ToF16(value);
            else
                table.f32()[at] = value;
        }
    }
    table_ = backend.upload(table);
}

Tensor PositionTable::rowsOf(const std::vector<AttentionSegment>& segments, bool queries,
                             std::int64_t rows, Backend& backend)
{
    const Tensor ids = hostZeros({rows}, DType::I32, backend);
    std::int64_t longest = 0;
    for (const AttentionSegment& s : segments) {
        const std::int64_t begin = queries ? s.queryBegin : s.keyBegin;
        const std::int64_t count = queries ? s.queryCount : s.keyCount;
        const auto of = ids.i32().subspan(std::size_t(begin), std::size_t(count));
        std::iota(of.begin(), of.end(), 1);
        longest = std::max(longest, count);
    }
    reach(longest, backend);
    return backend.elementwise().gather(table_, 0, backend.upload(ids));
}

Tensor PositionTable::row(std::int64_t position, Backend& backend)
{
    reach(position + 1, backend);
    return backend.elementwise().slice(table_, 0, position + 1, position + 2);
}

} // namespace scalebench
