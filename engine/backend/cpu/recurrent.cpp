// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"

#include <map>
#include <tuple>

#include "kernels/lstm.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

/// Layouts of packed weights, which depend on these only: a batch with other steps packs nothing.
enum class Packing { Input, Recurrent, RecurrentBackward };
using PackingKey = std::tuple<Packing, DType, std::int64_t, std::int64_t, std::int64_t>;

/// Part `direction` of a tensor whose first axis is the direction.
void* part(const Tensor& t, std::size_t direction, std::size_t directions)
{
    return t.defined() ? static_cast<std::byte*>(t.data()) + t.bytes() / directions * direction
                       : nullptr;
}
float* partF32(const Tensor& t, std::size_t direction, std::size_t directions)
{
    return static_cast<float*>(part(t, direction, directions));
}
float* f32OrNull(const Tensor& t)
{
    return t.defined() ? t.f32().data() : nullptr;
}
const std::int32_t* lengthsOrNull(const Tensor& t)
{
    return t.defined() ? t.i32().data() : nullptr;
}

void requireShape(const std::string& op, const char* what, const Tensor& t, const Shape& shape,
                  DType dtype, bool optional)
{
    if (optional && !t.defined())
        return;
    SB_REQUIRE(t.defined() && t.shape() == shape && t.dtype() == dtype,
               op + ": " + what + " must be " + dtypeName(dtype) + toString(shape) + ", not " +
                   t.describe());
}

void requireState(const std::string& op, const LstmState& state, const LstmParams& p,
                  std::size_t directions)
{
    const Shape shape{std::int64_t(directions), p.B, p.H};
    requireShape(op, "the hidden state", state.hidden, shape, p.dtype, true);
    requireShape(op, "the cell state", state.cell, shape, DType::F32, true);
}

LstmParams checkedParams(const Tensor& input, std::span<const LstmWeights> directions,
                         const Tensor& lengths, const LstmState& initial)
{
    requireActivation("lstm", input, 3);
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
    if (lengths.defined())
        for (const std::int32_t length : lengths.i32())
            SB_REQUIRE(length >= 0 && length <= p.T, op + ": length " + std::to_string(length) +
                                                         " of a sequence of at most " +
                                                         std::to_string(p.T) + " steps");
    requireState(op, initial, p, directions.size());
    return p;
}

class CpuRecurrent final : public RecurrentOps
{
public:
    explicit CpuRecurrent(CpuContext& context) : context_(context) {}

    LstmOutput lstmForward(const Tensor& input, std::span<const LstmWeights> directions,
                           const Tensor& lengths, const LstmState& initial,
                           LstmSaved& saved) override
    {
        const CpuContext::Timer timer(context_, "lstm forward");
        LstmParams p = checkedParams(input, directions, lengths, initial);
        const std::size_t D = directions.size();
        const auto d = std::int64_t(D);
        LstmOutput r;
        r.output = context_.make({p.T, p.B, d * p.H}, p.dtype);
        r.final = {context_.make({d, p.B, p.H}, p.dtype), context_.make({d, p.B, p.H}, DType::F32)};
        saved = {context_.make({d, p.T, p.B, p.H}, DType::F32),
                 context_.make({d, p.T, p.B, 4 * p.H}, p.dtype)};
        for (std::size_t i = 0; i < D; ++i) {
            p.reverse = i == 1;
            const cpu::LstmPlan& plan = lstmPlan(p);
            void* scratch = context_.workspace(plan.workspaceBytes());
            LstmForward a;
            a.x = input.data();
            a.wx = inputWeight(plan, directions[i].input);
            a.wh = recurrentWeight(plan, directions[i].recurrent, scratch);
            a.bx = f32OrNull(directions[i].inputBias);
            a.bh = f32OrNull(directions[i].recurrentBias);
            a.h0 = part(initial.hidden, i, D);
            a.c0 = partF32(initial.cell, i, D);
            a.lengths = lengthsOrNull(lengths);
            a.y = column(r.output, p, i);
            a.c = partF32(saved.cell, i, D);
            a.gates = part(saved.gates, i, D);
            a.hN = part(r.final.hidden, i, D);
            a.cN = partF32(r.final.cell, i, D);
            plan.forward(a, scratch);
        }
        return r;
    }

    LstmGradients lstmBackward(const Tensor& input, const Tensor& output,
                               std::span<const LstmWeights> directions, const Tensor& lengths,
                               const LstmState& initial, const LstmSaved& saved,
                               const LstmOutput& gradOutput,
                               std::span<const LstmWeightGradients> gradWeights,
                               bool needInputGradient) override
    {
        const CpuContext::Timer timer(context_, "lstm backward");
        LstmParams p = checkedParams(input, directions, lengths, initial);
        checkBackward(p, output, saved, gradOutput, directions.size(), gradWeights);
        const std::size_t D = directions.size();
        LstmGradients r;
        if (needInputGradient)
            r.input = context_.make(input.shape(), p.dtype);
        if (initial.hidden.defined())
            r.initial.hidden = context_.make(initial.hidden.shape(), p.dtype);
        if (initial.cell.defined())
            r.initial.cell = context_.make(initial.cell.shape(), DType::F32);
        for (std::size_t i = 0; i < D; ++i) {
            p.reverse = i == 1;
            const cpu::LstmPlan& plan = lstmPlan(p);
            void* scratch = context_.workspace(plan.workspaceBytes());
            LstmBackward a;
            a.x = input.data();
            a.wx = inputWeight(plan, directions[i].input);
            a.wh = recurrentBackwardWeight(plan, directions[i].recurrent, scratch);
            a.h0 = part(initial.hidden, i, D);
            a.c0 = partF32(initial.cell, i, D);
            a.lengths = lengthsOrNull(lengths);
            a.y = column(output, p, i);
            a.c = partF32(saved.cell, i, D);
            a.gates = part(saved.gates, i, D);
            a.dy = gradOutput.output.defined() ? column(gradOutput.output, p, i) : nullptr;
            a.dhN = part(gradOutput.final.hidden, i, D);
            a.dcN = partF32(gradOutput.final.cell, i, D);
            a.dx = r.input.data();
            a.dwx = gradWeights[i].input.f32().data();
            a.dwh = gradWeights[i].recurrent.f32().data();
            a.dbx = f32OrNull(gradWeights[i].inputBias);
            a.dbh = f32OrNull(gradWeights[i].recurrentBias);
            a.dh0 = part(r.initial.hidden, i, D);
            a.dc0 = partF32(r.initial.cell, i, D);
            a.accumulate = gradWeights[i].accumulate;
            a.addToDx = i > 0;
            plan.backward(a, scratch);
        }
        return r;
    }

private:
    /// Columns of one direction.
    static void* column(const Tensor& t, const LstmParams& p, std::size_t direction)
    {
        return static_cast<std::byte*>(t.data()) +
               direction * std::size_t(p.H) * dtypeBytes(p.dtype);
    }

    static void checkBackward(const LstmParams& p, const Tensor& output, const LstmSaved& saved,
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
            requireShape(op, "the input weight's gradient", g.input, {4 * p.H, p.I}, DType::F32,
                         false);
            requireShape(op, "the recurrent weight's gradient", g.recurrent, {4 * p.H, p.H},
                         DType::F32, false);
            requireShape(op, "the input bias' gradient", g.inputBias, {4 * p.H}, DType::F32, true);
            requireShape(op, "the recurrent bias' gradient", g.recurrentBias, {4 * p.H}, DType::F32,
                         true);
        }
    }

    const cpu::LstmPlan& lstmPlan(const LstmParams& p)
    {
        auto it = plans_.find(p);
        if (it == plans_.end())
            it = plans_.emplace(p, cpu::LstmPlan(p)).first;
        return it->second;
    }

    /// An address that stands for a layout.
    const void* layout(Packing packing, const LstmParams& p)
    {
        return &layouts_[{packing, p.dtype, p.B, p.I, p.H}];
    }

    const void* inputWeight(const cpu::LstmPlan& plan, const WeightRef& weight)
    {
        if (plan.inputWeightBytes() == 0)
            return weight.value.data();
        return context_.packedWeight(
            weight, layout(Packing::Input, plan.params()), plan.inputWeightBytes(),
            [&](const float* w, void* packed) { plan.packInput(w, packed); });
    }

    const void* recurrentWeight(const cpu::LstmPlan& plan, const WeightRef& weight, void* scratch)
    {
        return context_.packedWeight(
            weight, layout(Packing::Recurrent, plan.params()), plan.recurrentWeightBytes(),
            [&](const float* w, void* packed) { plan.packRecurrent(w, packed, scratch); });
    }

    const void* recurrentBackwardWeight(const cpu::LstmPlan& plan, const WeightRef& weight,
                                        void* scratch)
    {
        return context_.packedWeight(
            weight, layout(Packing::RecurrentBackward, plan.params()),
            plan.recurrentBackwardWeightBytes(),
            [&](const float* w, void* packed) { plan.packRecurrentBackward(w, packed, scratch); });
    }

    CpuContext& context_;
    std::map<LstmParams, cpu::LstmPlan> plans_;
    std::map<PackingKey, char> layouts_;
};

} // namespace

std::unique_ptr<RecurrentOps> makeRecurrentOps(CpuContext& context)
{
    return std::make_unique<CpuRecurrent>(context);
}

} // namespace scalebench::cpu_backend
