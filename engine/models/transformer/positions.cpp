// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/transformer/positions.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/formula/bf16.h"
#include "kernels/formula/f16.h"

namespace scalebench {

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

Tensor positionRows(const std::vector<AttentionSegment>& segments, bool queries, std::int64_t rows,
                    std::int64_t hidden, DType dtype, Backend& backend)
{
    std::int64_t longest = 0;
    for (const AttentionSegment& s : segments)
        longest = std::max(longest, queries ? s.queryCount : s.keyCount);
    // Where tensors are the host's, their cache spares fresh pages in every step.
    CachingAllocator own;
    Allocator& host = backend.allocator().onDevice() ? own : backend.allocator();
    const Tensor table = Tensor::empty({longest, hidden}, dtype, host);
    std::vector<float> row(std::size_t(hidden), 0.0f);
    for (std::int64_t p = 0; p < longest; ++p) {
        sinusoid(p, hidden, row.data());
        for (std::int64_t c = 0; c < hidden; ++c) {
            const auto at = std::size_t(p * hidden + c);
            const float value = row[std::size_t(c)];
            if (dtype == DType::BF16)
                table.bf16()[at] = formula::f32ToBf16(value);
            else if (dtype == DType::F16)
                table.f16()[at] = formula::f32ToF16(value);
            else
                table.f32()[at] = value;
        }
    }
    const Tensor out = Tensor::zeros({rows, hidden}, dtype, host);
    const std::size_t rowBytes = std::size_t(hidden) * dtypeBytes(dtype);
    for (const AttentionSegment& s : segments)
        std::memcpy(static_cast<char*>(out.data()) +
                        std::size_t(queries ? s.queryBegin : s.keyBegin) * rowBytes,
                    table.data(), std::size_t(queries ? s.queryCount : s.keyCount) * rowBytes);
    return backend.upload(out);
}

} // namespace scalebench
