// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// This worker's copy of the network and everything that a training step changes: parameters,
// gradients, optimizer. Does one step at a time; when, with which learning rate and what is written
// down is the trainer's business.

#include "engine/data/prefetcher.h"
#include "engine/dist/gradient_reducer.h"
#include "engine/optim/loss_scaler.h"
#include "engine/optim/optimizer.h"
#include "engine/train/agreement.h"
#include "engine/train/device_factory.h"
#include "engine/train/row_copies.h"
#include "engine/train/row_mover.h"
#include "engine/train/step_graph.h"
#include "engine/train/step_split.h"

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace scalebench::train {

using NetworkFactory =
    std::function<std::unique_ptr<Network>(Backend& backend, const ArenaAllocator& arena)>;

class Replica
{
public:
    /// Collective: the gradient arena is shared memory. `makeNetwork` draws the same initial
    /// weights on every worker.
    Replica(const RunConfig& config, dist::Communicator& communicator, const DeviceFactory& devices,
            const NetworkFactory& makeNetwork);

    Backend& backend() { return *backend_; }
    Network& network() { return *network_; }
    ParameterSet& parameters() { return network_->parameters(); }
    Optimizer& optimizer() { return *optimizer_; }
    dist::GradientReducer& reducer() { return *reducer_; }
    /// Whether a device has the batches' pictures to itself: they may be bytes until they are
    /// there.
    bool makesPictures() const { return backend_->allocator().onDevice(); }
    /// Whether steps are replayed, for the setup record.
    const std::string& graphsNote() const { return graph_->note(); }
    /// Shapes of batches whose steps are on record.
    size_t recordedShapes() const { return graph_->records(); }
    /// Set where rows of owned tables have copies.
    std::optional<RowCopies>& rowCopies() { return copies_; }
    /// Set where the run scales its loss.
    std::optional<LossScaler>& lossScaler() { return scaler_; }

    /// What the trainer adds to a step, and gets out of it.
    struct Step {
        int64_t number = 0; ///< from 0 over the whole run
        double lossScale = 1;
        dist::StepTail mine; ///< in: stop, ready
        dist::StepTail sum;  ///< out: over all workers
        StepSplit split;     ///< out: by computeGradients() without the update
    };
    /// Whether trainStep() leaves the loss of its step unread, so that the device always has a step
    /// to go on with: sum.lossSum and sum.correct are then those of the step before (0 in the
    /// first), and so is a failure that only the device knew of. Weights do not move any more once
    /// a loss is NaN or infinite.
    bool lossIsLate() const { return late_; }
    /// How many batches behind the one in use must stay valid.
    int keptBatches() const { return late_ && !uploads_ ? 1 : 0; }
    /// computeGradients() and, unless a worker failed, update().
    void trainStep(Step& step, double learningRate, data::Prefetcher& batches,
                   std::optional<Failure>& failure);
    /// Collective: what trainStep() left unread, in last.sum (lossSum, correct, failed).
    void readLoss(Step& last, std::optional<Failure>& failure);

    /// A few steps on `batch` that change nothing but gradients (updates are off), so that plans
    /// are made and steps recorded before the clock starts. Collective; failures as in
    /// computeGradients(), told in `failure` or to be asked of the others. `lossScale`: of the
    /// steps to come.
    void warmUp(const Batch& batch, double lossScale, std::optional<Failure>& failure);
    /// Forward, backward and the sum of the gradients over the workers. Collective; a failure of
    /// this worker is left in `failure` and told to the others in `sum.failed`. A worker that comes
    /// in with a failure takes part without computing.
    void computeGradients(Step& step, data::Prefetcher& batches, std::optional<Failure>& failure);
    /// Moves the parameters. Collective where the optimizer is sharded. Its communication is added
    /// to split.comm, the rest to split.compute.
    void update(double learningRate, StepSplit& split);

private:
    /// A step that was issued, before anyone saw its loss.
    struct Unread {
        int64_t step;
        LossSums loss;
        Batch batch; ///< as it was computed with
        LossParams params;
    };
    /// An update that is issued, and recorded, with the gradients; off: to warm up.
    struct Inside {
        double learningRate = 0;
        bool off = false;
    };
    void shareValues();
    void makeOptimizer();
    void syncBatchNorm();
    std::function<void(std::span<double>)> sumOverWorkers();
    void setMemoryLimit();
    void exchangeRows(const DeviceFactory& devices);
    double takeRowsMs() { return rows_ ? rows_->takeExposedMs() : 0; }
    LossSums issue(const Step& step, int micro, const Batch& batch, const LossParams& params,
                   const std::function<void(const LossSums&)>& check);
    void flush();
    void waitQuietly();
    SoftmaxCeResult forwardBackward(const Step& step, int micro, const Batch& batch,
                                    const LossParams& params, data::Prefetcher& batches);
    void bringRandomSeed(const Step& step, int micro);
    LossSums issueAll(const Step& step, int micro, const Batch& batch, const LossParams& params);
    SoftmaxCeResult finite(int64_t step, const LossSums& loss, const Batch& batch,
                           const LossParams& params);
    void addLoss(const Unread& issued, dist::StepTail& tail);
    const Batch& nextBatch(data::Prefetcher& batches);
    void uploadAhead(data::Prefetcher& batches);
    void microStep(const Step& step, int micro, data::Prefetcher& batches, dist::StepTail& tail,
                   StepSplit& split);
    void begin(const Step& step);
    void attempt(std::optional<Failure>& failure, const std::function<void()>& body);
    void conclude(Step& step, dist::StepTail tail, const std::optional<Failure>& failure,
                  bool late);
    void announce(int parameter);
    void announceRest();
    void sumSparseGradients();

    const RunConfig& config_;
    dist::Communicator& comm_;
    // In this order: the network's gradients lie in the reducer's arena.
    std::unique_ptr<Backend> backend_;
    std::unique_ptr<dist::GradientReducer> reducer_;
    std::unique_ptr<Network> network_;
    std::unique_ptr<Optimizer> optimizer_;
    std::shared_ptr<RowMover> rows_; ///< set where tables are owned
    std::optional<RowCopies> copies_;
    std::optional<LossScaler> scaler_;
    std::unique_ptr<StepGraph> graph_;
    std::unique_ptr<BatchUploads> uploads_; ///< null: networks take batches from the host
    Batch made_;         ///< there: the one in use, where its pictures were bytes
    bool ahead_ = false; ///< the next batch is on its way
    bool late_ = false;  ///< lossIsLate()
    std::optional<Inside> inside_;
    Tensor randomSeed_;       ///< 8 bytes in the device's memory, where steps are recorded
    bool drawsRandom_ = true; ///< as far as anybody knows
    std::optional<Unread> unread_;
    std::vector<std::pair<size_t, size_t>> ranges_; ///< by parameter index, with padding
    size_t announced_ = 0;                          ///< parameters of the running step
    bool flushed_ = false;                          ///< its buckets are on their way
    double commInsideMs_ = 0; ///< collectives inside forward, backward or the update
};

} // namespace scalebench::train
