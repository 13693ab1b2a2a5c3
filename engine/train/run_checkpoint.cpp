// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/run_checkpoint.h"

#include "engine/backend/host_copy.h"

#include "engine/dist/exchange.h"
#include "engine/nn/checkpoint_weights.h"
#include "engine/train/agreement.h"
#include "engine/train/table_parts.h"

#include <algorithm>
#include <cstring>

namespace scalebench::train {
namespace {

/// Everything that must be the same for the curve to go on.
nlohmann::json identity(const RunConfig& config, const DataIdentity& data,
                        const ParameterSet& parameters)
{
    nlohmann::json same = {{"workload", config.workload},
                           {"model", config.model},
                           {"parameters", parameters.trainableCount()},
                           {"precision", config.precision},
                           {"optimizer", optimizerName(config.optimizer.kind)},
                           {"global_batch", config.globalBatch},
                           {"grad_accum", config.options.gradAccum},
                           {"seed", config.seed},
                           {"data", dataSourceName(config.data.source)},
                           {"train_samples", config.data.trainSamples}};
    // Dropout and the statistics of batch norm are a worker's own. A network that lies in parts has
    // neither, and its update is the same on any number of workers.
    if (!parameters.hasOwnedTables())
        same["workers"] = config.workers;
    if (!data.encoding.empty())
        same["encoding"] = data.encoding;
    return same;
}

nlohmann::json contentOf(const DataIdentity& data)
{
    return {{"train_samples", data.trainSamples},
            {"eval_samples", data.evalSamples},
            {"fingerprint", data.fingerprint}};
}

void requireSameContent(const nlohmann::json& saved, const DataIdentity& data,
                        const std::string& path)
{
    if (saved == contentOf(data))
        return;
    const auto counts = [](const nlohmann::json& content) {
        return content["train_samples"].dump() + " samples to train on and " +
               content["eval_samples"].dump() + " to evaluate";
    };
    const std::string then = counts(saved), now = counts(contentOf(data));
    throw InvalidArgument(
        "cannot resume: the data set " + path + " was changed since the checkpoint: " +
            (then == now ? "it holds as many samples, but others"
                         : "it had " + then + ", and has " + now) +
            ". Put it back as it was, or remove the run's folder \"checkpoint\" to start it anew.",
        "checkpoint");
}

void requireSameRun(const nlohmann::json& saved, const nlohmann::json& mine)
{
    for (const auto& [key, value] : mine.items())
        if (!saved.contains(key) || saved[key] != value)
            throw InvalidArgument("cannot resume: the checkpoint is of another run: \"" + key +
                                      "\" is " +
                                      (saved.contains(key) ? saved[key].dump() : "missing") +
                                      " there and " + value.dump() +
                                      " here. Give it the same settings, or remove its folder "
                                      "\"checkpoint\" to start it anew.",
                                  "checkpoint");
}

/// Everybody's floats, by rank.
std::vector<float> gathered(dist::Communicator& communicator, std::span<const float> mine)
{
    return dist::gatherAll<float>(communicator, mine).values;
}

/// The values that all workers have.
std::span<float> shared(const ParameterSet& parameters)
{
    return parameters.hasOwnedTables() ? parameters.values().first(parameters.gradients().size())
                                       : parameters.values();
}

void broadcastText(dist::Communicator& communicator, std::string& text)
{
    uint64_t size = text.size();
    communicator.broadcast(std::as_writable_bytes(std::span(&size, 1)), 0);
    text.resize(size);
    communicator.broadcast(std::as_writable_bytes(std::span(text.data(), text.size())), 0);
}

/// `count` floats of the checkpoint's array from `offset` on, to every worker.
void broadcastArray(const Checkpoint* checkpoint, const std::string& name, size_t whole,
                    std::vector<float>& out, dist::Communicator& communicator)
{
    doTogether(communicator, [&] {
        if (checkpoint == nullptr)
            return;
        const std::span<const float> values = checkpoint->array(name, whole);
        out.assign(values.begin(), values.end());
    });
    out.resize(whole);
    communicator.broadcast(std::as_writable_bytes(std::span(out)), 0);
}

} // namespace

void saveRun(const std::string& folder, const RunConfig& config, const DataIdentity& data,
             const RunPosition& position, Replica& replica, dist::Communicator& communicator,
             const report::ResultsWriter* writer, const CheckpointProgress& written)
{
    const ParameterSet& parameters = replica.parameters();
    Backend& backend = replica.backend();
    const std::vector<float> buffers =
        gathered(communicator, toHost(backend, parameters.bufferValues()));
    std::vector<std::vector<float>> states;
    const bool sharded = replica.reducer().sharded();
    const bool owned = parameters.hasOwnedTables();
    std::vector<std::string> names;
    for (const StateSpan& span : replica.optimizer().state()) {
        // Tables are whole on every worker, or on one and written as parts.
        const bool table = span.name.starts_with("table_");
        if (table && owned)
            continue;
        names.push_back("optimizer/" + span.name);
        std::vector<float> mine = toHost(backend, span.values);
        states.push_back(sharded && !table ? gathered(communicator, mine) : std::move(mine));
    }
    if (replica.rowCopies())
        replica.rowCopies()->giveToOwners();
    TableParts parts(replica, communicator);
    doTogether(communicator, [&] {
        if (communicator.rank() != 0) {
            parts.give();
            return;
        }
        const auto stream = writer ? writer->position() : report::ResultsWriter::Position();
        nlohmann::json header = {
            {"run", identity(config, data, parameters)},
            {"step", position.step},
            {"samples", position.samples},
            {"epoch", position.epoch},
            {"mid_epoch", position.midEpoch},
            {"epoch_loss_sum", position.epochLossSum},
            {"epoch_steps", position.epochSteps},
            {"pending_eval", position.pendingEval},
            {"optimizer_steps", replica.optimizer().stepCount()},
            {"layout", layoutOf(parameters)},
            {"data", contentOf(data)},
            {"stream",
             {{"bytes", stream.bytes}, {"records", stream.records}, {"time_ms", stream.timeMs}}}};
        if (replica.lossScaler()) {
            const LossScaler::State& s = replica.lossScaler()->state();
            header["loss_scale"] = {
                {"scale", s.scale}, {"good_steps", s.goodSteps}, {"skipped", s.skipped}};
        }
        const std::vector<float> values = toHost(backend, shared(parameters));
        std::vector<CheckpointArray> arrays = {{"values", values}, {"buffers", buffers}};
        for (size_t i = 0; i < states.size(); ++i)
            arrays.push_back({names[i], states[i]});
        parts.append(arrays);
        try {
            writeCheckpoint(folder, header, arrays, written);
        } catch (...) {
            parts.drain(); // the others give on, whatever becomes of it
            throw;
        }
    });
}

RunPosition restoreRun(const Checkpoint* checkpoint, const RunConfig& config,
                       const DataIdentity& data, Replica& replica, dist::Communicator& communicator)
{
    ParameterSet& parameters = replica.parameters();
    std::string text = checkpoint != nullptr ? checkpoint->header.dump() : std::string();
    broadcastText(communicator, text);
    const nlohmann::json header = nlohmann::json::parse(text);
    doTogether(communicator, [&] {
        requireSameRun(header.at("run"), identity(config, data, parameters));
        if (header.contains("data")) // early checkpoints do not say it
            requireSameContent(header["data"], data, config.data.path);
    });
    std::vector<float> values;
    broadcastArray(checkpoint, "values", shared(parameters).size(), values, communicator);
    fromHost(replica.backend(), values, shared(parameters));
    TableParts(replica, communicator).restore(checkpoint);
    parameters.markValuesChanged();
    const size_t buffers = parameters.bufferValues().size();
    broadcastArray(checkpoint, "buffers", buffers * size_t(communicator.size()), values,
                   communicator);
    fromHost(replica.backend(),
             std::span(values).subspan(buffers * size_t(communicator.rank()), buffers),
             parameters.bufferValues());
    const bool sharded = replica.reducer().sharded();
    for (const StateSpan& span : replica.optimizer().state()) {
        const bool table = span.name.starts_with("table_");
        if (table && parameters.hasOwnedTables())
            continue;
        const bool part = sharded && !table;
        const size_t whole = part ? parameters.gradients().size() : span.values.size();
        broadcastArray(checkpoint, "optimizer/" + span.name, whole, values, communicator);
        const size_t from = part ? replica.reducer().shardBegin() : 0;
        fromHost(replica.backend(), std::span(values).subspan(from, span.values.size()),
                 span.values);
    }
    if (replica.rowCopies())
        replica.rowCopies()->takeFromOwners();
    replica.optimizer().setStepCount(header.at("optimizer_steps"));
    if (replica.lossScaler() && header.contains("loss_scale")) {
        const nlohmann::json& s = header["loss_scale"];
        replica.lossScaler()->setState({s.at("scale"), s.at("good_steps"), s.at("skipped")});
    }
    RunPosition position;
    position.step = header.at("step");
    position.samples = header.at("samples");
    position.epoch = header.at("epoch");
    position.midEpoch = header.at("mid_epoch");
    position.epochLossSum = header.at("epoch_loss_sum");
    position.epochSteps = header.at("epoch_steps");
    position.pendingEval = header.at("pending_eval");
    return position;
}

report::ResultsWriter::Position streamPosition(const Checkpoint& checkpoint)
{
    try {
        const nlohmann::json& s = checkpoint.header.at("stream");
        return {s.at("records"), s.at("bytes"), s.at("time_ms")};
    } catch (const nlohmann::json::exception&) {
        throw InvalidArgument("the checkpoint does not say how long its run's stream was",
                              "checkpoint");
    }
}

} // namespace scalebench::train
