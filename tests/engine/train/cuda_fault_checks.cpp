// SPDX-License-Identifier: GPL-3.0-or-later
// Two or more workers on the emulated GPU, NCCL's stand-in between them, and something that goes
// wrong on the last one, or nothing. Arguments: the case, the file that every rank adds a line to:
// "rank R: CODE | MESSAGE", or "rank R: same bits".
//
//   same              recorded steps give the bits of issued ones, in both orders of branches
//   record-forward    the last rank fails in forward while its step is recorded
//   record-backward   in the middle of backward while its step is recorded
//   record-end        when what was recorded becomes a graph
//   backward          in the middle of backward, step by step
//   hang              the last rank does not come, while the others replay

#include "engine/autograd/functions/elementwise.h"
#include "engine/backend/host_copy.h"
#include "engine/data/prefetcher.h"
#include "engine/dist/comm_error.h"
#include "engine/dist/mpi/mpi_communicator.h"
#include "engine/nn/layers.h"
#include "engine/nn/network.h"
#include "engine/train/agreement.h"
#include "engine/train/replica.h"
#include "support/cuda_emulation/emulation.h"
#include "support/emulated_devices.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

using namespace scalebench;

namespace {

constexpr int kWidth = 64, kClasses = 8, kSteps = 6, kFaultStep = 2, kHangStep = 4;

struct Fault {
    bool forward = false, backward = false, recordEnd = false;
};
Fault fault; ///< of the running step

[[noreturn]] void fail()
{
    throw Error("data_damaged", "a fault of the test");
}

/// Four linear layers; the fault of backward is in the middle.
class Layers final : public Network
{
public:
    Layers(Backend& backend, const ArenaAllocator& arena)
        : precision_(backend.computePrecision(Precision::Fp32)),
          first_(parameters_, "first", kWidth, kWidth),
          second_(parameters_, "second", kWidth, kWidth),
          third_(parameters_, "third", kWidth, kWidth),
          last_(parameters_, "last", kWidth, kClasses)
    {
        parameters_.build(arena);
        for (const Linear* layer : {&first_, &second_, &third_, &last_})
            layer->initialise(parameters_, 5);
        parameters_.markValuesChanged();
    }
    LossResult loss(Tape& tape, const Batch& batch, const LossParams& params, bool) override
    {
        Backend& backend = tape.backend();
        if (fault.forward)
            fail();
        const auto layer = [&](const Linear& linear, const Variable& x) {
            return autograd::activation(tape, Activation::GeluErf, linear(tape, parameters_, x));
        };
        Variable x = layer(first_, Variable(backend.upload(batch.tensors.at(0))));
        x = passing(tape, layer(second_, x));
        x = layer(third_, x);
        return softmaxCrossEntropy(tape, last_(tape, parameters_, x),
                                   backend.upload(batch.tensors.at(1)), params);
    }
    ParameterSet& parameters() noexcept override { return parameters_; }
    const ComputePrecision& precision() const noexcept override { return precision_; }
    bool fixedWork() const override { return true; }

private:
    static Variable passing(Tape& tape, const Variable& x)
    {
        return tape.record("pass", x.value(), true,
                           [slot = x.slot()](const std::vector<Tensor>& gradients) {
                               if (fault.backward)
                                   fail();
                               for (const Tensor& g : gradients)
                                   Tape::addGradient(slot, g);
                           });
    }

    ComputePrecision precision_;
    ParameterSet parameters_;
    Linear first_, second_, third_, last_;
};

class Source final : public data::BatchSource
{
public:
    explicit Source(int rank) : rank_(rank) {}
    int64_t batches(int64_t) const override { return kSteps; }
    void fill(int64_t, int64_t index, Batch& batch) const override
    {
        const int64_t samples = 4;
        Tensor inputs = Tensor::empty({samples, kWidth}, DType::F32, memory_);
        Tensor labels = Tensor::empty({samples}, DType::I32, memory_);
        for (size_t i = 0; i < inputs.f32().size(); ++i)
            inputs.f32()[i] = float((i * 37 + size_t(index) * 11 + size_t(rank_) * 5) % 19) / 9 - 1;
        for (size_t i = 0; i < labels.i32().size(); ++i)
            labels.i32()[i] = int32_t((i + size_t(index)) % kClasses);
        batch = {{inputs, labels}, samples};
    }

private:
    int rank_;
    mutable CachingAllocator memory_;
};

/// The parameters after a few steps.
std::vector<float> trained(dist::Communicator& comm, const std::string& kind, bool graphs)
{
    RunConfig config;
    config.workers = comm.size();
    config.globalBatch = 4 * comm.size();
    config.optimizer = optimizerDefaults(OptimizerKind::Sgd);
    config.options.bucketMb = 4.0 / 1024;
    config.options.overlap = true;
    config.options.cudaGraphs = graphs;
    train::Replica replica(config, comm, test::emulatedDevices(dist::AllReduceKind::Nccl),
                           [](Backend& backend, const ArenaAllocator& arena) {
                               return std::make_unique<Layers>(backend, arena);
                           });
    if (graphs && replica.graphsNote() != "on")
        throw Error("internal", "steps are not recorded: " + replica.graphsNote());
    const Source source(comm.rank());
    data::Prefetcher batches(source, {}, 0);
    const bool mine = comm.rank() + 1 == comm.size();
    for (int number = 0; number < kSteps; ++number) {
        const bool now = mine && number == kFaultStep;
        fault = {now && kind == "record-forward",
                 now && (kind == "record-backward" || kind == "backward"),
                 now && kind == "record-end"};
        if (fault.recordEnd)
            emulation::failNextGraph();
        if (mine && number == kHangStep && kind == "hang")
            std::this_thread::sleep_for(std::chrono::hours(1));
        train::Replica::Step step;
        step.number = number;
        step.lossScale = 1.0 / double(config.globalBatch);
        std::optional<train::Failure> failure;
        if (kind != "hang") {
            replica.trainStep(step, 0.05, batches, failure);
            train::agree(comm, failure);
            continue;
        }
        replica.computeGradients(step, batches, failure); // the loss is waited for on the device
        train::agree(comm, failure);
        replica.update(0.05, step.split);
    }
    return toHost(replica.backend(), replica.parameters().values());
}

void say(const char* file, const dist::Communicator& comm, const std::string& text)
{
    const std::string line = "rank " + std::to_string(comm.rank()) + ": " + text + "\n";
    const int out = ::open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (out < 0 || ::write(out, line.data(), line.size()) < 0)
        std::_Exit(4);
}

std::string sameBits(dist::Communicator& comm)
{
    for (const auto order : {emulation::Order::Forward, emulation::Order::Reverse}) {
        emulation::setOrder(order);
        if (trained(comm, "same", true) != trained(comm, "same", false))
            return "recorded steps differ from issued ones";
    }
    return "same bits";
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 3)
        return 2;
    const std::string kind = argv[1];
    const dist::MpiScope mpi;
    const auto comm = dist::makeMpiCommunicator({0});
    comm->setTimeout(kind == "hang" ? 2 : 60);
    try {
        if (kind == "same")
            say(argv[2], *comm, sameBits(*comm));
        else
            trained(*comm, kind, kind != "backward");
    } catch (const Error& e) {
        say(argv[2], *comm, e.code() + " | " + e.what());
        if (kind == "hang")
            comm->abort(0);
    }
    return 0;
}
