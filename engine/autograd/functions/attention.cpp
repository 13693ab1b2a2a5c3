// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/functions/attention.h"

#include <utility>

#include "kernels/check.h"

namespace scalebench::autograd {
namespace {

/// One gradient tensor per variable among the operands of attention.
class OperandGradients
{
public:
    OperandGradients(Backend& backend, std::int64_t width) : backend_(backend), width_(width) {}

    TokenColumns of(const std::shared_ptr<GradientSlot>& slot, const TokenColumns& operand)
    {
        for (Entry& e : entries_)
            if (e.operand == operand.tokens.data()) {
                e.columns += width_;
                return {e.gradient, operand.offset};
            }
        Tensor gradient =
            Tensor::empty(operand.tokens.shape(), operand.tokens.dtype(), backend_.allocator());
        entries_.push_back({operand.tokens.data(), slot, gradient, width_});
        return {gradient, operand.offset};
    }
    /// Columns that attention does not write have no gradient.
    void clearUnwritten()
    {
        for (Entry& e : entries_)
            if (e.columns < e.gradient.shape().back() && e.gradient.count() > 0)
                backend_.clear(e.gradient);
    }
    void handOn()
    {
        for (Entry& e : entries_)
            Tape::addGradient(e.slot, std::move(e.gradient));
    }

private:
    struct Entry {
        const void* operand;
        std::shared_ptr<GradientSlot> slot;
        Tensor gradient;
        std::int64_t columns;
    };
    Backend& backend_;
    std::int64_t width_;
    std::vector<Entry> entries_;
};

} // namespace

Variable dotAttention(Tape& tape, DotAttentionArgs args, const HeadColumns& query,
                      const HeadColumns& key, const HeadColumns& value)
{
    Backend& backend = tape.backend();
    const TokenColumns q{query.tokens.value(), query.offset}, k{key.tokens.value(), key.offset},
        v{value.tokens.value(), value.offset};
    if (args.dropout > 0.0f && args.dropoutKey == 0) {
        const Tape::RandomKey drawn = tape.drawRandomKey();
        if (drawn.step != nullptr) // and its mask is the host's in any case
            throw Unsupported("attention with dropout cannot be part of a recorded step");
        args.dropoutKey = drawn.value;
    }
    const bool needs =
        tape.recording() && (query.tokens.needsGradient() || key.tokens.needsGradient() ||
                             value.tokens.needsGradient());
    const DotAttentionResult r = backend.attention().dotAttentionForward(args, q, k, v, needs);
    return tape.record("attention", r.output, needs,
                       [&backend, args, q, k, v, r, sq = query.tokens.slot(),
                        sk = key.tokens.slot(),
                        sv = value.tokens.slot()](std::vector<Tensor> grads) {
                           const Tensor dy = backend.elementwise().sum(std::move(grads));
                           OperandGradients operands(backend, args.heads * args.headDim);
                           DotAttentionGradients g;
                           g.query = operands.of(sq, q);
                           g.key = operands.of(sk, k);
                           g.value = operands.of(sv, v);
                           operands.clearUnwritten();
                           backend.attention().dotAttentionBackward(args, q, k, v, r, dy, g);
                           operands.handOn();
                       });
}

namespace {

/// The way back through a layer norm: what reached the sum directly joins in the same pass.
void layerNormBackward(Tape& tape, const LayerNormArgs& args, const LayerNormResult& r,
                       const ParameterRef& gamma, const ParameterRef& beta,
                       const std::shared_ptr<GradientSlot>& target, std::vector<Tensor> grads)
{
    Backend& backend = tape.backend();
    const Tensor dy = backend.elementwise().sum(std::move(grads));
    Tensor more;
    if (target && !target->pending.empty())
        more = backend.elementwise().sum(std::exchange(target->pending, {}));
    Tensor ds = backend.normalization().layerNormBackward(args, r, gamma.value, dy, more,
                                                          {gamma.gradient, beta.gradient,
                                                           tape.accumulateInto(gamma.index),
                                                           tape.accumulateInto(beta.index)});
    tape.parameterReady(beta.index);
    tape.parameterReady(gamma.index);
    Tape::addGradient(target, std::move(ds));
}

} // namespace

Variable layerNorm(Tape& tape, const LayerNormArgs& args, const Variable& input,
                   const ParameterRef& gamma, const ParameterRef& beta)
{
    const LayerNormResult r = tape.backend().normalization().layerNormForward(
        args, input.value(), Tensor(), gamma.value, beta.value, tape.recording());
    if (!tape.recording())
        return Variable(r.output);
    tape.useParameter(gamma.index);
    tape.useParameter(beta.index);
    // Later readers of the input have gone back already; earlier ones are still to come, and add.
    return tape.record(
        "layer norm", r.output, true,
        [&tape, args, r, gamma, beta, slot = input.slot()](std::vector<Tensor> grads) {
            layerNormBackward(tape, args, r, gamma, beta, slot, std::move(grads));
        });
}

SumAndNorm addLayerNorm(Tape& tape, const LayerNormArgs& args, const Variable& input,
                        const Variable& residual, const ParameterRef& gamma,
                        const ParameterRef& beta)
{
    const LayerNormResult r = tape.backend().normalization().layerNormForward(
        args, input.value(), residual.value(), gamma.value, beta.value, tape.recording());
    if (!tape.recording())
        return {Variable(r.sum), Variable(r.output)};
    tape.useParameter(gamma.index);
    tape.useParameter(beta.index);
    // Two nodes: that of the norm runs first and leaves the whole gradient with the sum, whose node
    // hands the one tensor to both terms.
    Backend& backend = tape.backend();
    Variable sum =
        tape.record("residual", r.sum, true,
                    [&backend, sa = input.slot(), sb = residual.slot()](std::vector<Tensor> grads) {
                        const Tensor ds = backend.elementwise().sum(std::move(grads));
                        Tape::addGradient(sa, ds);
                        Tape::addGradient(sb, ds);
                    });
    Variable output =
        tape.record("layer norm", r.output, true,
                    [&tape, args, r, gamma, beta, slot = sum.slot()](std::vector<Tensor> grads) {
                        layerNormBackward(tape, args, r, gamma, beta, slot, std::move(grads));
                    });
    return {std::move(sum), std::move(output)};
}

Variable softmax(Tape& tape, const Variable& input)
{
    Backend& backend = tape.backend();
    Tensor y = backend.normalization().softmaxForward(input.value());
    return tape.record("softmax", y, input.needsGradient(),
                       [&backend, y, slot = input.slot()](std::vector<Tensor> grads) {
                           const Tensor dy = backend.elementwise().sum(std::move(grads));
                           Tape::addGradient(slot, backend.normalization().softmaxBackward(y, dy));
                       });
}

} // namespace scalebench::autograd
