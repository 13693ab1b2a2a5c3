// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/recurrent_arguments.h"

#include <cstddef>
#include <string>

#include "engine/backend/tensor_checks.h"
#include "kernels/check.h"

namespace scalebench {
namespace {

void requireState(const std::string& op, const LstmState& state, const LstmParams& p,
                  std::size_t directions)
{
    const Shape shape{std::int64_t(directions), p.B, p.H};
    requireShape(op, "the hidden state", state.hidden, shape, p.dtype, true);
    requireShape(op, "the cell state", state.cell, shape, DType::F32, true);
}

} // namespace

LstmParams lstmParams(const Tensor& input, std::span<const LstmWeights> directions,
                      const Tensor& lengths, const LstmState& initial)
{
    SB_REQUIRE(directions.size() == 1 || directions.size() == 2,
               "lstm: one or two directions, not " + std::to_string(directions.size()));
    const Tensor& recurrent = directions[0].recurrent.value;
    SB_REQUIRE(recurrent.shape().size() == 2,
               "lstm: recurrent weight " + recurrent.describe() + " must be [4H,H]");
    LstmParams p;
    p.T = input.dim(0), p.B = input.dim(1), p.I = input.dim(2), p.H = recurrent.dim(1);
    p.ldy = p.H * std::int64_t(directions.size());
    p.dtype = input.dtype();
    const std::string op = p.describe();
    for (const LstmWeights& w : directions) {
        requireShape(op, "the input weight", w.input.value, {4 * p.H, p.I}, DType::F32, false);
        requireShape(op, "the recurrent weight", w.recurrent.value, {4 * p.H, p.H}, DType::F32,
                     false);
        requireShape(op, "the input bias", w.inputBias, {4 * p.H}, DType::F32, true);
        requireShape(op, "the recurrent bias", w.recurrentBias, {4 * p.H}, DType::F32, true);
    }
    requireShape(op, "lengths", lengths, {p.B}, DType::I32, true);
    requireState(op, initial, p, directions.size());
    return p;
}

void requireLstmGradients(const LstmParams& p, const Tensor& output, const LstmSaved& saved,
                          const LstmOutput& gradOutput, std::size_t directions,
                          std::span<const LstmWeightGradients> gradWeights)
{
    const std::string op = p.describe() + " backward";
    const auto d = std::int64_t(directions);
    const Shape y{p.T, p.B, d * p.H};
    requireShape(op, "the output", output, y, p.dtype, false);
    requireShape(op, "the gradient", gradOutput.output, y, p.dtype, true);
    requireState(op, gradOutput.final, p, directions);
    requireShape(op, "the saved cell", saved.cell, {d, p.T, p.B, p.H}, DType::F32, false);
    requireShape(op, "the saved gates", saved.gates, {d, p.T, p.B, 4 * p.H}, p.dtype, false);
    SB_REQUIRE(gradWeights.size() == directions, op + ": one set of gradients per direction");
    for (const LstmWeightGradients& g : gradWeights) {
        requireShape(op, "the input weight's gradient", g.input, {4 * p.H, p.I}, DType::F32, false);
        requireShape(op, "the recurrent weight's gradient", g.recurrent, {4 * p.H, p.H}, DType::F32,
                     false);
        requireShape(op, "the input bias' gradient", g.inputBias, {4 * p.H}, DType::F32, true);
        requireShape(op, "the recurrent bias' gradient", g.recurrentBias, {4 * p.H}, DType::F32,
                     true);
    }
}

void* directionOf(const Tensor& t, std::size_t direction, std::size_t directions)
{
    return t.defined() ? static_cast<std::byte*>(t.data()) + t.bytes() / directions * direction
                       : nullptr;
}

void* directionColumn(const Tensor& output, const LstmParams& p, std::size_t direction)
{
    return static_cast<std::byte*>(output.data()) +
           direction * std::size_t(p.H) * dtypeBytes(p.dtype);
}

} // namespace scalebench
