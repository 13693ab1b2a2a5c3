// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/replica.h"

#include "engine/backend/batch_pictures.h"
#include "engine/backend/host_copy.h"
#include "engine/core/memory_info.h"
#include "engine/core/thread_count.h"
#include "engine/dist/exchange.h"
#include "engine/train/divergence.h"
#include "engine/train/largest_batch.h"

#include <algorithm>
#include <cmath>

namespace scalebench::train {
namespace {

/// One batch, again and again.
class SameBatch final : public data::BatchSource
{
public:
    SameBatch(const Batch& batch, int64_t times) : batch_(batch), times_(times) {}
    int64_t batches(int64_t) const override { return times_; }
    void fill(int64_t, int64_t, Batch& batch) const override { batch = batch_; }

private:
    const Batch& batch_;
    int64_t times_;
};

/// A seed of its own for the dropout of every worker, step and micro batch.
std::uint64_t dropoutSeed(const RunConfig& config, int64_t step, int micro, int rank)
{
    std::uint64_t z = std::uint64_t(config.seed);
    for (const std::uint64_t part :
         {std::uint64_t(step), std::uint64_t(micro), std::uint64_t(rank)}) {
        z = (z ^ (part + 0x9e3779b97f4a7c15ull)) * 0xbf58476d1ce4e5b9ull;
        z ^= z >> 29;
    }
    return z;
}

} // namespace

Replica::Replica(const RunConfig& config, dist::Communicator& communicator,
                 const DeviceFactory& devices, const NetworkFactory& makeNetwork)
    : config_(config), comm_(communicator)
{
    setComputeThreads(config.threadsPerWorker);
    backend_ = devices.makeBackend();
    const bool onDevice = backend_->allocator().onDevice();
    setMemoryLimit();
    const ArenaAllocator arena = [&](std::size_t elements) {
        dist::ReducerOptions options;
        options.bucketMb = config_.options.bucketMb;
        options.overlap = config_.options.overlap;
        options.allReduce = dist::parseAllReduceKind(config_.options.allReduce);
        options.shard = config_.options.shardOptimizer;
        if (onDevice)
            options.makeArena = [&](size_t floats) {
                return devices.makeArena(*backend_, comm_, floats);
            };
        reducer_ = std::make_unique<dist::GradientReducer>(comm_, elements, options);
        return std::shared_ptr<float>(reducer_->gradients().data(), [](float*) {});
    };
    // Weights are drawn on the host; then everything moves to where it is trained.
    network_ = makeNetwork(*backend_, onDevice ? ArenaAllocator() : arena);
    network_->parameters().moveTo(*backend_, arena);
    shareValues();
    backend_->setShapesRepeat(network_->fixedWork());
    makeOptimizer();
    if (config.options.lossScale != 0) {
        LossScalerConfig scaling;
        scaling.dynamic = config.options.lossScale < 0;
        if (!scaling.dynamic) { // the person's own, whatever a growing one may reach
            scaling.initialScale = config.options.lossScale;
            scaling.largest = std::max(scaling.largest, scaling.initialScale);
        }
        scaler_.emplace(scaling);
    }
    syncBatchNorm();
    exchangeRows(devices);
    graph_ = std::make_unique<StepGraph>(*backend_, *network_, config, communicator.size(),
                                         reducer_->method());
    // Other networks look into their batches on the host.
    if (devices.makeUploads && network_->fixedWork())
        uploads_ = devices.makeUploads(*backend_);
    late_ = onDevice && config.options.gradAccum == 1 && optimizer_->issuesOnly();
    const std::vector<int>& order = parameters().readyOrder();
    ranges_.resize(parameters().parameters().size());
    for (size_t i = 0; i < order.size(); ++i) {
        const size_t from = parameters().parameters()[size_t(order[i])].offset;
        const size_t to = i + 1 < order.size()
                              ? parameters().parameters()[size_t(order[i + 1])].offset
                              : parameters().gradients().size();
        ranges_[size_t(order[i])] = {from, to - from};
    }
}

/// The same for all workers, which place their tables by it.
void Replica::setMemoryLimit()
{
    const size_t mebibytes = size_t(config_.options.memoryLimitMb);
    if (mebibytes > 0) {
        backend_->allocator().setLimit(mebibytes << 20);
    } else if (!backend_->allocator().onDevice()) {
        const std::vector<size_t> free = dist::gatherNumber(
            comm_, std::min(availableMemoryBytes(), nodeMemoryBytes() / size_t(comm_.localSize())));
        // An eighth is for what is not the allocator's: batches that wait, libraries, programs.
        backend_->allocator().setLimit(std::ranges::min(free) / 8 * 7);
    }
}

/// The workers of one node have one copy of the parameters where they can, of which each updates
/// its part: that halves the time of two workers' update and spares taking the other's part.
/// Tables of sparse parameters lie behind the others and are updated by every worker for itself.
void Replica::shareValues()
{
    if (reducer_->onDevice() || parameters().values().size() != parameters().gradients().size())
        return;
    const std::span<float> memory = reducer_->commonMemory();
    if (memory.empty())
        return;
    parameters().keepValuesIn(memory, comm_.rank() == 0);
    reducer_->gatherShards(memory); // waits until they are there
    reducer_->takeExposedMs();
}

void Replica::makeOptimizer()
{
    OptimizerPlacement placement;
    if (reducer_->sharded()) {
        placement.begin = reducer_->shardBegin();
        placement.end = reducer_->shardEnd();
        placement.reduceNorms = sumOverWorkers();
    }
    if (parameters().hasOwnedTables() && comm_.size() > 1)
        placement.reduceTables = sumOverWorkers();
    placement.countsShared = comm_.rank() == 0;
    OptimizerConfig optimizer = config_.optimizer;
    optimizer.skipNonFinite = config_.options.lossScale != 0;
    optimizer_ = scalebench::makeOptimizer(*backend_, parameters(), optimizer, placement);
}

void Replica::syncBatchNorm()
{
    if (!config_.options.syncBn || comm_.size() == 1)
        return;
    network_->setStatReducer(sumOverWorkers());
}

/// Its time counts as communication, wherever it is called.
std::function<void(std::span<double>)> Replica::sumOverWorkers()
{
    return [this](std::span<double> values) {
        const auto start = SteadyClock::now();
        comm_.allReduceSum(values);
        commInsideMs_ += msSince(start);
    };
}

void Replica::exchangeRows(const DeviceFactory& devices)
{
    if (!parameters().hasOwnedTables())
        return;
    std::shared_ptr<dist::DeviceGroup> group; // its stream is none of the gradients'
    if (backend_->allocator().onDevice() && comm_.size() > 1)
        group = devices.makeGroup(*backend_, comm_);
    rows_ = std::make_shared<RowMover>(comm_, group, config_.options.overlap);
    network_->setRowExchange(rows_);
    if (parameters().copies() >= 0)
        copies_.emplace(*backend_, parameters(), *optimizer_, comm_, group,
                        dist::parseAllReduceKind(config_.options.allReduce));
}

void Replica::announce(int parameter)
{
    if (parameters().parameters()[size_t(parameter)].sparse)
        return; // summed by rows after the step
    const auto [offset, count] = ranges_[size_t(parameter)];
    reducer_->markReady(offset, count);
    ++announced_;
}

/// A worker that cannot compute still sends every bucket, in the same order, so that the others do
/// not wait for ever; the tail tells them.
void Replica::announceRest()
{
    const std::vector<int>& order = parameters().readyOrder();
    while (announced_ < order.size())
        announce(order[announced_]);
}

/// Issues forward and backward; `check` sees the sums of the loss in between.
LossSums Replica::issue(const Step& step, int micro, const Batch& batch, const LossParams& params,
                        const std::function<void(const LossSums&)>& check)
{
    Tape tape(*backend_);
    tape.setAccumulate(micro > 0);
    if (graph_->on())
        tape.seedRandomFrom(static_cast<const std::uint64_t*>(randomSeed_.data()));
    else
        tape.seedRandom(dropoutSeed(config_, step.number, micro, comm_.rank()));
    const LossResult loss = network_->loss(tape, batch, params, true);
    drawsRandom_ = tape.drewRandom();
    if (check)
        check(loss.sums);
    if (late_)
        optimizer_->stopUnlessFinite(loss.loss.value());
    if (micro + 1 < config_.options.gradAccum) {
        tape.backward(loss.loss);
        return loss.sums;
    }
    tape.backward(loss.loss, [&](int parameter) { announce(parameter); });
    if (reducer_->onDevice())
        flush();
    return loss.sums;
}

/// In the device's memory where the last step has begun to bring it there.
const Batch& Replica::nextBatch(data::Prefetcher& batches)
{
    if (!uploads_) {
        const Batch& batch = batches.next();
        if (!batch.pictures)
            return batch;
        made_ = {}; // its memory is used again
        return made_ = withPictures(*backend_, batch);
    }
    if (!std::exchange(ahead_, false))
        uploads_->start(batches.next());
    return uploads_->take();
}

/// While the device computes: the host has nothing else to do, and the copy a stream of its own.
void Replica::uploadAhead(data::Prefetcher& batches)
{
    if (!uploads_ || !batches.ready())
        return;
    uploads_->start(batches.next());
    ahead_ = true;
}

SoftmaxCeResult Replica::finite(int64_t step, const LossSums& loss, const Batch& batch,
                                const LossParams& params)
{
    const SoftmaxCeResult sums = loss.get();
    if (!std::isfinite(float(sums.lossSum)))
        throw Error("diverged", explainDivergence({step, config_, comm_.rank()}, *backend_,
                                                  *network_, batch, params));
    return sums;
}

void Replica::bringRandomSeed(const Step& step, int micro)
{
    std::uint64_t seed = dropoutSeed(config_, step.number, micro, comm_.rank());
    const Tensor host = Tensor::view(&seed, {std::int64_t(sizeof seed)}, DType::U8);
    if (!randomSeed_.defined())
        randomSeed_ = backend_->zeros(host.shape(), host.dtype());
    backend_->copy(host, randomSeed_);
}

/// On a device. Asking it means waiting for it: everything is issued first.
LossSums Replica::issueAll(const Step& step, int micro, const Batch& batch,
                           const LossParams& params)
{
    LossSums loss;
    try {
        if (graph_->on() && drawsRandom_)
            bringRandomSeed(step, micro);
        if (inside_)
            optimizer_->bring(inside_->learningRate, inside_->off);
        loss = graph_->run(batch, {params.scale, inside_.has_value()}, [&](const Batch& b) {
            LossSums sums = issue(step, micro, b, params, {});
            if (inside_)
                optimizer_->issueUpdate();
            return sums;
        });
        if (inside_ && !inside_->off)
            optimizer_->count();
    } catch (...) {
        if (graph_->recordsOnly()) { // what was announced never ran
            announced_ = 0;
            flushed_ = false;
            reducer_->startAgain();
        }
        throw;
    }
    if (micro + 1 == config_.options.gradAccum)
        flushed_ = true; // a replay has sent the buckets too
    if (graph_->on())
        reducer_->noteReplay();
    return loss;
}

SoftmaxCeResult Replica::forwardBackward(const Step& step, int micro, const Batch& batch,
                                         const LossParams& params, data::Prefetcher& batches)
{
    if (!reducer_->onDevice()) {
        SoftmaxCeResult sums;
        issue(step, micro, batch, params,
              [&](const LossSums& loss) { sums = finite(step.number, loss, batch, params); });
        return sums;
    }
    const LossSums loss = issueAll(step, micro, batch, params).started();
    if (inside_ && !inside_->off) { // trainStep() reads it later
        unread_ = {step.number, loss, {batch.tensors, batch.samples}, params};
        return {};
    }
    uploadAhead(batches);
    return finite(step.number, loss, batch, params);
}

/// All gradients are on their way, and before whatever the device does next.
void Replica::flush()
{
    announceRest();
    reducer_->flush();
    flushed_ = true;
}

/// Until nobody waits for a bucket of this worker any more.
void Replica::waitQuietly()
{
    try {
        backend_->synchronize();
    } catch (const Error&) { // what failed first is told
    }
}

void Replica::microStep(const Step& step, int micro, data::Prefetcher& batches,
                        dist::StepTail& tail, StepSplit& split)
{
    const double waitedBefore = batches.waitedMs();
    const Batch& batch = nextBatch(batches);
    split.input += batches.waitedMs() - waitedBefore;
    split.made.add(batches.takeTimes());
    const auto start = SteadyClock::now();
    const double scale = step.lossScale * (scaler_ ? scaler_->scale() : 1.0);
    const LossParams params{float(config_.labelSmoothing), float(scale)};
    try {
        const SoftmaxCeResult loss = forwardBackward(step, micro, batch, params, batches);
        tail.lossSum += loss.lossSum;
        tail.correct += loss.correct;
        tail.samples += batch.samples;
    } catch (const Error& e) {
        if (e.code() != "out_of_memory")
            throw;
        const int64_t fits = largestBatchThatFits(*backend_, *network_, batch, params);
        throw Error(
            e.code(),
            std::string(e.what()) + " The micro-batch has " + std::to_string(batch.samples) +
                " samples per worker; " +
                (fits > 0 ? "the largest seen to fit has " + std::to_string(fits) +
                                ": use a global batch of " +
                                std::to_string(fits * config_.workers * config_.options.gradAccum) +
                                " or more accumulation steps (--grad-accum)."
                          : "use a smaller batch, more workers on other nodes or more "
                            "accumulation steps (--grad-accum)."));
    }
    split.compute += msSince(start);
}

void Replica::warmUp(const Batch& batch, double lossScale, std::optional<Failure>& failure)
{
    // As many as it takes to have one recorded and replayed.
    constexpr int kSteps = 4;
    const std::vector<float> statistics = toHost(*backend_, parameters().bufferValues());
    const SameBatch source(batch, int64_t{kSteps} * config_.options.gradAccum);
    data::Prefetcher batches(source, {}, 0);
    if (late_)
        inside_ = Inside{.off = true};
    for (int number = 0; number < kSteps; ++number) {
        Step step;
        step.lossScale = lossScale;
        // As after an update: a recorded step must hold the packing of weights, or its replays
        // would use those of today for ever.
        parameters().markValuesChanged();
        computeGradients(step, batches, failure);
        if (step.sum.failed)
            return;
    }
    inside_.reset();
    parameters().markValuesChanged();
    fromHost(*backend_, statistics, parameters().bufferValues());
}

void Replica::begin(const Step& step)
{
    comm_.setStep(step.number);
    announced_ = 0;
    flushed_ = false;
    commInsideMs_ = 0;
    takeRowsMs(); // of an evaluation
}

void Replica::attempt(std::optional<Failure>& failure, const std::function<void()>& body)
{
    if (failure)
        return;
    try {
        body();
    } catch (...) {
        failure = describeFailure(std::current_exception(), comm_);
        // With collectives inside forward the others wait there, not in the buckets.
        if ((config_.options.syncBn || network_->forwardIsCollective()) && comm_.size() > 1)
            comm_.fail(failure->code, failure->message);
    }
}

/// The sums over all workers.
void Replica::conclude(Step& step, dist::StepTail tail, const std::optional<Failure>& failure,
                       bool late)
{
    if (!reducer_->onDevice()) {
        announceRest();
    } else if (!flushed_) { // neither issued nor replayed to its end
        flush();
        // The others get this worker's buckets before they are told that they are worth nothing.
        if (!late)
            waitQuietly();
    }
    // Blocking buckets were sent from inside backward: that time is not compute.
    step.split.rows = takeRowsMs();
    const double inside = reducer_->takeExposedMs() + commInsideMs_ + step.split.rows;
    tail.failed = failure.has_value();
    if (!std::isfinite(float(tail.lossSum)))
        tail.lossSum = 0;
    tail.nonFinite = false; // a failure like any other, told with its explanation
    step.sum = reducer_->onDevice() ? reducer_->exchangeTail(tail) : reducer_->finish(tail);
    if (late && step.sum.failed) // nobody has waited for the buckets of this step
        waitQuietly();
    const double outside = reducer_->takeExposedMs();
    step.split.compute -= std::min(step.split.compute, inside);
    step.split.comm = inside + outside;
    if (!step.sum.failed && !parameters().sparseOrder().empty() && comm_.size() > 1) {
        const auto start = SteadyClock::now();
        sumSparseGradients();
        step.split.comm += msSince(start);
    }
    comm_.setStep(-1);
}

void Replica::computeGradients(Step& step, data::Prefetcher& batches,
                               std::optional<Failure>& failure)
{
    begin(step);
    dist::StepTail tail = step.mine;
    attempt(failure, [&] {
        for (int micro = 0; micro < config_.options.gradAccum; ++micro)
            microStep(step, micro, batches, tail, step.split);
    });
    conclude(step, tail, failure, false);
}

void Replica::trainStep(Step& step, double learningRate, data::Prefetcher& batches,
                        std::optional<Failure>& failure)
{
    if (!late_) {
        computeGradients(step, batches, failure);
        if (!step.sum.failed)
            update(learningRate, step.split);
        return;
    }
    begin(step);
    dist::StepTail tail = step.mine;
    const std::optional<Unread> before = std::exchange(unread_, std::nullopt);
    attempt(failure, [&] {
        inside_ = Inside{learningRate};
        microStep(step, 0, batches, tail, step.split);
        const auto start = SteadyClock::now();
        if (before)
            addLoss(*before, tail);
        uploadAhead(batches); // into the memory of the batch before
        step.split.compute += msSince(start);
    });
    inside_.reset();
    if (failure && before) { // the others wait for its buckets
        try {
            before->loss.get();
        } catch (const Error&) { // what failed first is told
        }
    }
    conclude(step, tail, failure, true);
}

void Replica::readLoss(Step& last, std::optional<Failure>& failure)
{
    dist::StepTail tail;
    const auto start = SteadyClock::now();
    const std::optional<Unread> issued = std::exchange(unread_, std::nullopt);
    attempt(failure, [&] {
        if (issued)
            addLoss(*issued, tail);
    });
    last.split.compute = msSince(start);
    tail.failed = failure.has_value();
    last.sum = reducer_->exchangeTail(tail);
    last.split.comm = reducer_->takeExposedMs();
}

void Replica::addLoss(const Unread& issued, dist::StepTail& tail)
{
    const SoftmaxCeResult loss = finite(issued.step, issued.loss, issued.batch, issued.params);
    tail.lossSum += loss.lossSum;
    tail.correct += loss.correct;
}

/// Every worker gets the rows that any worker touched.
void Replica::sumSparseGradients()
{
    for (const int parameter : parameters().sparseOrder()) {
        if (parameters().parameters()[size_t(parameter)].owner >= 0)
            continue; // its owner has the gradients of all
        if (parameter == parameters().copies()) {
            copies_->sumGradient();
            continue;
        }
        SparseRows& gradient = *parameters().sparseGradient(parameter);
        const int64_t width = parameters().parameters()[size_t(parameter)].shape.at(1);
        const Tensor hostIds = gradient.empty() ? Tensor() : backend_->download(gradient.rows);
        const Tensor hostRows = gradient.empty() ? Tensor() : backend_->download(gradient.values);
        const std::span<const int32_t> ids =
            gradient.empty() ? std::span<const int32_t>() : hostIds.i32();
        const std::span<const float> rows =
            gradient.empty() ? std::span<const float>() : hostRows.f32();
        const dist::RowSum sum = dist::sumSparseRows(comm_, ids, rows, size_t(width));
        gradient = {};
        if (sum.ids.empty())
            continue;
        const int64_t n = int64_t(sum.ids.size());
        gradient.rows = Tensor::empty({n}, DType::I32, backend_->allocator());
        gradient.values = Tensor::empty({n, width}, DType::F32, backend_->allocator());
        backend_->copy(Tensor::view(const_cast<int32_t*>(sum.ids.data()), {n}, DType::I32),
                       gradient.rows);
        fromHost(*backend_, sum.rows, gradient.values.f32());
    }
}

void Replica::update(double learningRate, StepSplit& split)
{
    const auto start = SteadyClock::now();
    commInsideMs_ = 0;
    const StepResult result =
        optimizer_->step(learningRate, scaler_ ? scaler_->gradientScale() : 1.0);
    if (scaler_ && !scaler_->update(result.applied))
        throw Error("diverged", "training diverged: gradients overflow even at the smallest loss "
                                "scale. Lower the learning rate or lengthen the warm-up.");
    split.compute += msSince(start) - commInsideMs_;
    split.comm += commInsideMs_;
    if (!reducer_->sharded())
        return;
    reducer_->gatherShards(parameters().values());
    parameters().markValuesChanged();
    split.comm += reducer_->takeExposedMs();
}

} // namespace scalebench::train
