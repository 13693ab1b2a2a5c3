// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What turns gradients into new parameters. An Optimizer works on the flat arenas of a
// ParameterSet, on all of them or, in a sharded run, on a range: then its state covers the range
// only, and whoever shards gathers the values afterwards. Clipping by the global norm and skipping
// updates with overflowed gradients are the same for all kinds and live here.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/backend/backend.h"
#include "engine/backend/ops/device_trust.h"
#include "engine/backend/ops/device_updates.h"
#include "engine/nn/parameter_set.h"
#include "engine/optim/optimizer_config.h"

namespace scalebench {

/// Whether weight decay and adapted rates apply to a parameter: declared so, and not in the list.
bool decaysWeights(const OptimizerConfig& config, const ParameterInfo& parameter);

/// Sums the numbers over all workers, in place and with the same result on each.
using NormReducer = std::function<void(std::span<double>)>;

/// The part of the gradient arena [begin, end) that this worker updates; end 0: all of it. Bounds
/// may fall anywhere: norms of a tensor that lies in several parts are summed by reduceNorms, which
/// every worker calls equally often. Tables with sparse gradients are updated by every worker.
struct OptimizerPlacement {
    std::size_t begin = 0, end = 0;
    NormReducer reduceNorms; ///< empty: the range is all there is
    /// Set where tables are owned (ParameterSet): sums what each worker's own ones have.
    NormReducer reduceTables = {};
    /// Of those workers one: counts what the gradients of sparse parameters that all have come to.
    bool countsShared = true;
};

struct StepResult {
    bool applied = true; ///< false: skipped for a non-finite gradient
    /// Global norm of the gradient after gradientScale, before clipping; NaN when no one needed it.
    double gradientNorm = std::numeric_limits<double>::quiet_NaN();
};

/// A piece of an optimizer's memory, for checkpoints.
struct StateSpan {
    std::string name; ///< "momentum", "moment1", "moment2"; "table_" in front: of sparse parameters
    std::span<float> values;
};

class Optimizer
{
public:
    virtual ~Optimizer() = default;
    Optimizer(const Optimizer&) = delete;
    Optimizer& operator=(const Optimizer&) = delete;

    /// One update from the gradient arena and the sparse gradients, which are left as they are;
    /// gradients count times gradientScale (1 / loss scale). Calls markValuesChanged().
    StepResult step(double learningRate, double gradientScale = 1.0);

    /// Whether an update can be issued in parts, without asking the device: it may then come before
    /// anyone knows the loss, if stopUnlessFinite() was told.
    bool issuesOnly() const;
    /// As DeviceUpdates; only where issuesOnly().
    void stopUnlessFinite(const Tensor& loss) { deviceUpdates()->stopUnlessFinite(loss); }

    /// step() in three parts, only where issuesOnly(). bring(): what differs from step to step goes
    /// to the device; off: what is issued then changes nothing. issueUpdate(): may be recorded, and
    /// every replay then takes what was brought last. count(): of each update that was not off.
    void bring(double learningRate, bool off = false);
    void issueUpdate();
    void count();

    /// Together with stepCount() all that a resumed run needs. Dense spans cover the range, table
    /// spans all sparse parameters, laid out as in the value arena. Empty for Sgd without momentum.
    const std::vector<StateSpan>& state() const noexcept { return state_; }
    /// The part of a table span that belongs to a sparse parameter of this worker.
    std::span<float> tableState(const StateSpan& span, int parameter) const;
    /// Updates applied so far: the bias corrections of Adam and Lamb.
    std::int64_t stepCount() const noexcept { return stepCount_; }
    void setStepCount(std::int64_t count) noexcept { stepCount_ = count; }

    const OptimizerConfig& config() const noexcept { return config_; }
    /// "adam, betas 0.9 0.999, epsilon 1e-08, weight decay 0, fused".
    std::string describe() const;

protected:
    /// `states`: names of the arenas of state it needs; they start at zero.
    Optimizer(Backend& backend, ParameterSet& parameters, const OptimizerConfig& config,
              const OptimizerPlacement& placement, const std::vector<std::string>& states);

    struct Update {
        double learningRate;
        float gradientScale;
        std::int64_t step; ///< from 1
    };
    /// One tensor's elements inside the range, counted from its beginning.
    struct Piece {
        std::size_t offset, count;
        std::int32_t tensor;
    };

    virtual void updateFused(const Update& update) = 0;
    virtual void updateUnfused(const Update& update) = 0;
    /// The touched rows of one sparse parameter.
    virtual void updateTable(const Update& update, int parameter) = 0;

    /// Sums of squares per tensor of the gradient arena and of the value arena, over all workers.
    /// The former are made once per step.
    std::span<const double> gradientSquares();
    void addOverWorkers(std::span<double> numbers) const;
    /// Arrays of the range.
    OptimizerArenas arenas() const;
    ChunkList chunks() const noexcept { return {chunks_, settings_}; }
    std::size_t tensorCount() const noexcept { return settings_.size(); }
    const TensorSetting& setting(std::int32_t tensor) const
    {
        return settings_[std::size_t(tensor)];
    }
    const std::vector<Piece>& pieces() const noexcept { return pieces_; }
    OptimizerOps& ops() const { return backend_.optimizer(); }
    /// Null where the host computes trust ratios: it adds up norms of several workers, too.
    DeviceTrust* deviceTrust() const
    {
        return placement_.reduceNorms ? nullptr : dynamic_cast<DeviceTrust*>(&ops());
    }
    /// The value of a sparse parameter and state number `state` of it.
    Tensor table(int parameter) const { return parameters_.value(parameter); }
    Tensor tableState(int parameter, std::size_t state) const;
    const SparseRows& tableGradient(int parameter) const
    {
        return *parameters_.sparseGradient(parameter);
    }
    Tensor makeArray(std::size_t elements) const;
    /// Scratch number 0 or 1 of a piece's length, for the unfused mode.
    std::span<float> scratch(int number, std::size_t count);

private:
    DeviceUpdates* deviceUpdates() const { return dynamic_cast<DeviceUpdates*>(&ops()); }
    bool needsNorm() const;
    void layOut();
    /// Elements begin ... end of the gradient arena.
    void addTensor(std::int32_t tensor, std::size_t begin, std::size_t end);
    void makeState(const std::vector<std::string>& names);
    double tableSquares() const;
    double gradientNorm(double gradientScale);
    double clipFactor(double norm) const;
    bool clips() const;
    double largestNorm() const; ///< 0: all are brought to 1
    double clipEpsilon() const;
    void inParts(const Update& update, const DeviceUpdates::Parts& parts);

    Backend& backend_;
    ParameterSet& parameters_;
    OptimizerConfig config_;
    OptimizerPlacement placement_;
    std::vector<TensorSetting> settings_; ///< per part of a dense parameter, in ready order
    std::vector<Piece> pieces_;
    std::vector<TensorChunk> chunks_;
    std::vector<Tensor> stateStorage_;
    std::vector<StateSpan> state_;
    std::size_t denseStates_ = 0;
    std::vector<double> squares_; ///< per tensor, then the tables
    bool squaresKnown_ = false;
    Tensor scratch_[2];
    std::int64_t stepCount_ = 0;
    Update brought_{};
};

/// `parameters` must be built; both outlive the optimizer. Unsupported for sparse parameters with
/// anything that a row without gradient would have to join in: momentum, decay, LARS, LAMB.
std::unique_ptr<Optimizer> makeOptimizer(Backend& backend, ParameterSet& parameters,
                                         const OptimizerConfig& config,
                                         const OptimizerPlacement& placement = {});

} // namespace scalebench
