// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The training problems of DeepBench (github.com/baidu-research/DeepBench, code/kernels), so that
// figures can be set beside those published for other machines. Only sizes are taken from there.
// DeepBench counts in column-major matrices; operations are 2 per multiply-add.

#include <cstdint>
#include <span>

namespace scalebench::bench {

/// C[m,n] = op(A)[m,k] op(B)[k,n], all stored column-major.
struct GemmProblem {
    std::int64_t m, n, k;
    bool transA, transB;
    double flops() const { return 2.0 * double(m) * double(n) * double(k); }
};

/// Padding and stride are the same in both directions in the whole list.
struct ConvProblem {
    std::int64_t w, h, c, n; ///< input: width, height, channels, pictures
    std::int64_t k, s, r;    ///< output channels, filter width and height
    std::int64_t padding, stride;
    std::int64_t outH() const { return (h + 2 * padding - r) / stride + 1; }
    std::int64_t outW() const { return (w + 2 * padding - s) / stride + 1; }
    /// Of one pass: forward, data gradient and weight gradient cost the same.
    double flops() const
    {
        return 2.0 * double(n) * double(k) * double(c) * double(r * s) * double(outH() * outW());
    }
    /// The same without the padding, whose products with zero an implementation may leave out.
    double flopsWithoutPadding() const;
};

enum class RnnCell { Vanilla, Lstm, Gru };

/// One layer, one direction, input as wide as the hidden state.
struct RnnProblem {
    std::int64_t hidden, batch, steps;
    RnnCell cell;
    /// Matrix products of forward, with the input and with the hidden state.
    double flops() const
    {
        const double gates = cell == RnnCell::Lstm ? 4 : cell == RnnCell::Gru ? 3 : 1;
        return 2.0 * gates * 2.0 * double(hidden) * double(hidden) * double(batch) * double(steps);
    }
};

constexpr const char* rnnCellName(RnnCell cell)
{
    return cell == RnnCell::Lstm ? "lstm" : cell == RnnCell::Gru ? "gru" : "vanilla";
}

std::span<const GemmProblem> deepbenchGemm();
std::span<const ConvProblem> deepbenchConv();
std::span<const RnnProblem> deepbenchRnn();
/// Numbers of floats.
std::span<const std::int64_t> deepbenchAllReduce();

} // namespace scalebench::bench
