// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"
#include "engine/backend/recurrent_arguments.h"

#include <map>
#include <tuple>

#include "kernels/lstm.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

/// Layouts of packed weights, which depend on these only: a batch with other steps packs nothing.
enum class Packing { Input, Recurrent, RecurrentBackward };
using PackingKey = std::tuple<Packing, DType, std::int64_t, std::int64_t, std::int64_t>;

float* partF32(const Tensor& t, std::size_t direction, std::size_t directions)
{
    return static_cast<float*>(directionOf(t, direction, directions));
}
float* floatsOrNull(const Tensor& t)
{
    return t.defined() ? t.f32().data() : nullptr;
}
const std::int32_t* lengthsOrNull(const Tensor& t)
{
    return t.defined() ? t.i32().data() : nullptr;
}

/// Of all steps of a direction forward; the gradients of inputs and of weights are as much each.
double stepFlops(const LstmParams& p)
{
    return 2.0 * double(p.T * p.B) * 4.0 * double(p.H) * double(p.I + p.H);
}

LstmParams checkedParams(const Tensor& input, std::span<const LstmWeights> directions,
                         const Tensor& lengths, const LstmState& initial)
{
    requireActivation("lstm", input, 3);
    const LstmParams p = lstmParams(input, directions, lengths, initial);
    if (lengths.defined())
        for (const std::int32_t length : lengths.i32())
            SB_REQUIRE(length >= 0 && length <= p.T,
                       p.describe() + ": length " + std::to_string(length) +
                           " of a sequence of at most " + std::to_string(p.T) + " steps");
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
        timer.work(double(D) * stepFlops(p), 0);
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
            a.bx = floatsOrNull(directions[i].inputBias);
            a.bh = floatsOrNull(directions[i].recurrentBias);
            a.h0 = directionOf(initial.hidden, i, D);
            a.c0 = partF32(initial.cell, i, D);
            a.lengths = lengthsOrNull(lengths);
            a.y = directionColumn(r.output, p, i);
            a.c = partF32(saved.cell, i, D);
            a.gates = directionOf(saved.gates, i, D);
            a.hN = directionOf(r.final.hidden, i, D);
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
        requireLstmGradients(p, output, saved, gradOutput, directions.size(), gradWeights);
        const std::size_t D = directions.size();
        timer.work(2 * double(D) * stepFlops(p), 0);
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
            a.h0 = directionOf(initial.hidden, i, D);
            a.c0 = partF32(initial.cell, i, D);
            a.lengths = lengthsOrNull(lengths);
            a.y = directionColumn(output, p, i);
            a.c = partF32(saved.cell, i, D);
            a.gates = directionOf(saved.gates, i, D);
            a.dy = gradOutput.output.defined() ? directionColumn(gradOutput.output, p, i) : nullptr;
            a.dhN = directionOf(gradOutput.final.hidden, i, D);
            a.dcN = partF32(gradOutput.final.cell, i, D);
            a.dx = r.input.data();
            a.dwx = gradWeights[i].input.f32().data();
            a.dwh = gradWeights[i].recurrent.f32().data();
            a.dbx = floatsOrNull(gradWeights[i].inputBias);
            a.dbh = floatsOrNull(gradWeights[i].recurrentBias);
            a.dh0 = directionOf(r.initial.hidden, i, D);
            a.dc0 = partF32(r.initial.cell, i, D);
            a.accumulate = gradWeights[i].accumulate;
            a.addToDx = i > 0;
            plan.backward(a, scratch);
        }
        return r;
    }

private:
    const cpu::LstmPlan& lstmPlan(const LstmParams& p)
    {
        return plans_.get(p, [&] { return cpu::LstmPlan(p); });
    }

    cpu::WeightLayout layout(Packing packing, const LstmParams& p)
    {
        return layouts_.get({packing, p.dtype, p.B, p.I, p.H}, cpu::newWeightLayout);
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
    PlanCache<LstmParams, cpu::LstmPlan> plans_;
    PlanCache<PackingKey, cpu::WeightLayout> layouts_;
};

} // namespace

std::unique_ptr<RecurrentOps> makeRecurrentOps(CpuContext& context)
{
    return std::make_unique<CpuRecurrent>(context);
}

} // namespace scalebench::cpu_backend
