// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A thin tape: forward functions record one coarse node per (fused) op, backward() walks the nodes
// in reverse and frees each as soon as it has run. Gradients of parameters go straight into the
// gradient arena of their ParameterSet; gradients of activations live only between the nodes.
// One tape per thread and step; not thread-safe.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/tensor/tensor.h"

namespace scalebench {

class Backend;

/// Where the gradient of one activation collects: the tensors still to be summed, in order.
struct GradientSlot {
    std::vector<Tensor> pending;
};

/// A value and, while recording, the slot of its gradient. Cheap to copy.
class Variable
{
public:
    Variable() = default;
    /// A constant: no gradient flows into it.
    explicit Variable(Tensor value) : value_(std::move(value)) {}
    Variable(Tensor value, std::shared_ptr<GradientSlot> slot)
        : value_(std::move(value)), slot_(std::move(slot))
    {
    }
    const Tensor& value() const noexcept { return value_; }
    bool needsGradient() const noexcept { return slot_ != nullptr; }
    const std::shared_ptr<GradientSlot>& slot() const noexcept { return slot_; }

private:
    Tensor value_;
    std::shared_ptr<GradientSlot> slot_;
};

/// Called during backward() each time the gradient of a parameter is complete in the arena.
using ParameterGradientReady = std::function<void(int parameterIndex)>;

class Tape
{
public:
    enum class Mode { Record, Inference };

    explicit Tape(Backend& backend, Mode mode = Mode::Record) : backend_(backend), mode_(mode) {}
    Tape(const Tape&) = delete;
    Tape& operator=(const Tape&) = delete;

    Backend& backend() const noexcept { return backend_; }
    bool recording() const noexcept { return mode_ == Mode::Record; }

    /// When true, backward adds to the gradient arena instead of overwriting it (gradient
    /// accumulation: false for the first micro batch of a step, true for the rest).
    void setAccumulate(bool accumulate) noexcept { accumulate_ = accumulate; }
    bool accumulate() const noexcept { return accumulate_; }

    /// Where the random numbers of this step come from (dropout): the same seed gives the same
    /// masks. Different for every step, micro batch and worker.
    void seedRandom(std::uint64_t seed) noexcept
    {
        randomSeed_ = seed;
        randomStep_ = nullptr;
        randomDraws_ = 0;
    }
    /// The same, with the seed in a device's memory: ops read it when they run, so that a recorded
    /// step has other masks in every replay.
    void seedRandomFrom(const std::uint64_t* onDevice) noexcept
    {
        randomStep_ = onDevice;
        randomDraws_ = 0;
    }
    /// For the counter-based generator of one op; another one each time, in the order of the calls.
    struct RandomKey {
        std::uint64_t value;
        const std::uint64_t* step; ///< set: `value` is the number of the draw
    };
    RandomKey drawRandomKey() noexcept;
    bool drewRandom() const noexcept { return randomDraws_ > 0; }

    /// For diagnosis: called with every output as it is recorded. `layer`: what enterLayer() was
    /// told last, or empty.
    using Inspector =
        std::function<void(const char* op, const std::string& layer, const Tensor& output)>;
    void setInspector(Inspector inspector) { inspector_ = std::move(inspector); }
    /// Layers say their name, so that a diagnosis can; `name` must outlive the tape.
    void enterLayer(const std::string& name) noexcept { layer_ = &name; }

    /// Runs all nodes in reverse from `loss` (a scalar), with gradient 1. The graph is freed on the
    /// way; the tape is empty and reusable afterwards, also when an exception leaves it.
    /// `onReady` is called once per parameter, in ParameterSet::readyOrder().
    void backward(const Variable& loss, const ParameterGradientReady& onReady = {});

    /// Whether `gradient` is the 1 that the running backward() began with.
    bool isSeed(const Tensor& gradient) const noexcept { return gradient.data() == seed_.data(); }

    /// For the autograd functions. `run` gets the pending gradients of the output (one or more, to
    /// be summed; never empty) and hands gradients on with addGradient() and parameterReady().
    /// Returns the output variable; a constant when nothing is recorded.
    using BackwardFn = std::function<void(std::vector<Tensor> gradOutputs)>;
    Variable record(const char* op, Tensor output, bool needsGradient, BackwardFn run);
    static void addGradient(const std::shared_ptr<GradientSlot>& slot, Tensor gradient);
    /// A parameter that several ops of one pass may use (a table tied to a classifier, a head run
    /// on every level) is announced by each of them while recording. Its gradient is then summed
    /// over the uses, and reported ready after the last; parameters with one use need not announce.
    void useParameter(int parameterIndex);
    /// Whether a gradient now to be written must be added to what is there: accumulate(), or a
    /// later use of the parameter has written its share in this pass.
    bool accumulateInto(int parameterIndex) const;
    /// The op has written its share of the gradient.
    void parameterReady(int parameterIndex);
    /// Nodes recorded and not yet walked.
    std::size_t size() const noexcept { return nodes_.size(); }

private:
    struct Node {
        const char* op;
        std::shared_ptr<GradientSlot> output;
        BackwardFn run;
    };
    Backend& backend_;
    Mode mode_;
    bool accumulate_ = false;
    std::uint64_t randomSeed_ = 0, randomDraws_ = 0;
    const std::uint64_t* randomStep_ = nullptr;
    struct Uses {
        int left = 0;         // announced and not yet walked
        bool written = false; // in this backward
    };
    void report(int parameterIndex);

    std::vector<Node> nodes_;
    Inspector inspector_;
    const std::string* layer_ = nullptr;
    std::vector<Uses> uses_; // by parameter, as far as announced
    const ParameterGradientReady* onReady_ = nullptr;
    Tensor seed_;
};

} // namespace scalebench
