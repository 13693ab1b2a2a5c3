// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/autograd/tape.h"

#include "engine/backend/backend.h"
#include "kernels/check.h"
#include "kernels/formula/dropout.h"

namespace scalebench {

Variable Tape::record(const char* op, Tensor output, bool needsGradient, BackwardFn run)
{
    if (inspector_)
        inspector_(op, layer_ ? *layer_ : std::string(), output);
    if (!recording() || !needsGradient)
        return Variable(std::move(output));
    auto slot = std::make_shared<GradientSlot>();
    nodes_.push_back({op, slot, std::move(run)});
    return Variable(std::move(output), std::move(slot));
}

void Tape::addGradient(const std::shared_ptr<GradientSlot>& slot, Tensor gradient)
{
    if (slot)
        slot->pending.push_back(std::move(gradient));
}

void Tape::useParameter(int parameterIndex)
{
    if (!recording())
        return;
    const auto index = std::size_t(parameterIndex);
    if (uses_.size() <= index)
        uses_.resize(index + 1);
    ++uses_[index].left;
}

bool Tape::accumulateInto(int parameterIndex) const
{
    const auto index = std::size_t(parameterIndex);
    return accumulate_ || (index < uses_.size() && uses_[index].written);
}

void Tape::parameterReady(int parameterIndex)
{
    const auto index = std::size_t(parameterIndex);
    if (index < uses_.size()) {
        uses_[index].written = true;
        if (--uses_[index].left > 0)
            return;
    }
    report(parameterIndex);
}

void Tape::report(int parameterIndex)
{
    if (onReady_ && *onReady_)
        (*onReady_)(parameterIndex);
}

Tape::RandomKey Tape::drawRandomKey() noexcept
{
    ++randomDraws_;
    if (randomStep_ != nullptr)
        return {randomDraws_, randomStep_};
    return {formula::drawnSeed(randomSeed_, randomDraws_), nullptr};
}

void Tape::backward(const Variable& loss, const ParameterGradientReady& onReady)
{
    SB_REQUIRE(recording(), "backward() needs a recording tape");
    SB_REQUIRE(loss.needsGradient() && loss.value().count() == 1,
               "backward() starts from a recorded scalar, not from " + loss.value().describe());
    struct Reset { // also when a node throws
        Tape& tape;
        ~Reset()
        {
            tape.nodes_.clear();
            tape.uses_.clear();
            tape.onReady_ = nullptr;
            tape.seed_ = Tensor();
        }
    } reset{*this};
    onReady_ = &onReady;
    seed_ = backend_.one();
    addGradient(loss.slot(), seed_);
    while (!nodes_.empty()) {
        Node node = std::move(nodes_.back());
        nodes_.pop_back(); // with it goes what the op saved, as soon as it has run
        if (!node.output->pending.empty())
            node.run(std::exchange(node.output->pending, {}));
    }
    // A use whose result reached no loss was not walked: what the other uses wrote is complete.
    for (std::size_t i = 0; i < uses_.size(); ++i)
        if (uses_[i].written && uses_[i].left > 0)
            report(int(i));
}

} // namespace scalebench
