// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/ref/attention.h"

#include <algorithm>
#include <cmath>

#include "kernels/formula/dropout.h"

namespace scalebench::kernels::ref {
namespace {

/// Softmax of a few numbers, in place.
void softmax(Values& x)
{
    double top = x[0], sum = 0.0;
    for (double v : x)
        top = std::max(top, v);
    for (double& v : x)
        sum += v = std::exp(v - top);
    for (double& v : x)
        v /= sum;
}

} // namespace

Values attentionForward(const AttentionParams& p, std::span<const AttentionSegment> segments,
                        const Values& q, std::int64_t offsetQ, const Values& k,
                        std::int64_t offsetK, const Values& v, std::int64_t offsetV)
{
    const std::int64_t width = p.heads * p.headDim, pitch = (p.keyRows + 63) / 64 * 64;
    Values o(std::size_t(p.queryRows * width), 0.0);
    for (const AttentionSegment& s : segments)
        for (std::int64_t h = 0; h < p.heads; ++h)
            for (std::int64_t i = 0; i < s.queryCount; ++i) {
                const std::int64_t row = s.queryBegin + i,
                                   seen = p.causal ? std::min(s.keyCount, i + 1) : s.keyCount;
                if (seen == 0)
                    continue;
                Values P(std::size_t(seen), 0.0);
                for (std::int64_t j = 0; j < seen; ++j) {
                    for (std::int64_t d = 0; d < p.headDim; ++d)
                        P[std::size_t(j)] +=
                            q[std::size_t(row * p.strideQ + offsetQ + h * p.headDim + d)] *
                            k[std::size_t((s.keyBegin + j) * p.strideK + offsetK + h * p.headDim +
                                          d)];
                    P[std::size_t(j)] *= double(p.scale);
                }
                softmax(P);
                for (std::int64_t j = 0; j < seen; ++j) {
                    double weight = P[std::size_t(j)];
                    if (p.dropout > 0.0f)
                        weight *= double(formula::dropoutFactor(
                            formula::dropoutWord(
                                p.seed, p.stream,
                                p.dropoutOffset +
                                    std::uint64_t((h * p.queryRows + row) * pitch + j)),
                            formula::dropoutThreshold(p.dropout),
                            formula::dropoutScale(p.dropout)));
                    for (std::int64_t d = 0; d < p.headDim; ++d)
                        o[std::size_t(row * width + h * p.headDim + d)] +=
                            weight * v[std::size_t((s.keyBegin + j) * p.strideV + offsetV +
                                                   h * p.headDim + d)];
                }
            }
    return o;
}

Values layerNormForward(std::int64_t rows, std::int64_t C, double epsilon, const Values& x,
                        const Values& z, const Values& gamma, const Values& beta)
{
    Values y(x);
    for (std::int64_t r = 0; r < rows; ++r) {
        double* row = y.data() + r * C;
        double mean = 0.0, squares = 0.0;
        for (std::int64_t c = 0; c < C; ++c) {
            if (!z.empty())
                row[c] += z[std::size_t(r * C + c)];
            mean += row[c] / double(C);
        }
        for (std::int64_t c = 0; c < C; ++c)
            squares += (row[c] - mean) * (row[c] - mean);
        const double invStd = 1.0 / std::sqrt(squares / double(C) + epsilon);
        for (std::int64_t c = 0; c < C; ++c)
            row[c] = (row[c] - mean) * invStd * gamma[std::size_t(c)] + beta[std::size_t(c)];
    }
    return y;
}

Values softmaxForward(std::int64_t rows, std::int64_t C, const Values& x)
{
    Values y;
    for (std::int64_t r = 0; r < rows && C > 0; ++r) {
        Values row(x.begin() + r * C, x.begin() + (r + 1) * C);
        softmax(row);
        y.insert(y.end(), row.begin(), row.end());
    }
    return y;
}

} // namespace scalebench::kernels::ref
