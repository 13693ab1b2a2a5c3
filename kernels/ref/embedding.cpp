// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/embedding.h"

namespace scalebench::kernels::ref {

Values embeddingForward(std::int64_t dim, const Values& table, const Ids& ids)
{
    Values y;
    for (const std::int32_t id : ids)
        for (std::int64_t c = 0; c < dim; ++c)
            y.push_back(table[std::size_t(id * dim + c)]);
    return y;
}

Values embeddingBagForward(std::int64_t dim, bool mean, std::int32_t padding, const Values& table,
                           const Ids& ids, const Ids& offsets)
{
    Values y;
    for (std::size_t b = 0; b < offsets.size(); ++b) {
        const auto begin = std::size_t(offsets[b]);
        const auto end = b + 1 < offsets.size() ? std::size_t(offsets[b + 1]) : ids.size();
        Values sum(std::size_t(dim), 0.0);
        double counted = 0.0;
        for (std::size_t i = begin; i < end; ++i) {
            if (ids[i] == padding)
                continue;
            counted += 1.0;
            for (std::int64_t c = 0; c < dim; ++c)
                sum[std::size_t(c)] += table[std::size_t(ids[i] * dim + c)];
        }
        for (const double v : sum)
            y.push_back(mean && counted > 0.0 ? v / counted : v);
    }
    return y;
}

Values embeddingBackward(std::int64_t rows, std::int64_t dim, std::int32_t padding, const Ids& ids,
                         const Values& dy)
{
    Values gradient(std::size_t(rows * dim), 0.0);
    for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::int64_t c = 0; c < dim && ids[i] != padding; ++c)
            gradient[std::size_t(ids[i] * dim + c)] += dy[i * std::size_t(dim) + std::size_t(c)];
    return gradient;
}

Values dotInteractionForward(std::int64_t B, std::int64_t F, std::int64_t D, const Values& x)
{
    Values y;
    for (std::int64_t b = 0; b < B; ++b) {
        const double* v = x.data() + b * F * D;
        y.insert(y.end(), v, v + D);
        for (std::int64_t i = 0; i < F; ++i)
            for (std::int64_t j = 0; j < i; ++j) {
                double dot = 0.0;
                for (std::int64_t c = 0; c < D; ++c)
                    dot += v[i * D + c] * v[j * D + c];
                y.push_back(dot);
            }
    }
    return y;
}

} // namespace scalebench::kernels::ref
