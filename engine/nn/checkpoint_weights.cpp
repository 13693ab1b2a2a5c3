// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/checkpoint_weights.h"

#include "kernels/check.h"

#include <algorithm>
#include <utility>

namespace scalebench {
namespace {

using Json = nlohmann::json;

/// Of what all workers kept, by rank.
std::vector<float> meanOf(std::span<const float> all, size_t each)
{
    std::vector<float> mean(each);
    const size_t workers = each > 0 ? all.size() / each : 0;
    for (size_t i = 0; i < each; ++i) {
        double sum = 0;
        for (size_t w = 0; w < workers; ++w)
            sum += double(all[w * each + i]);
        mean[i] = float(sum / double(workers));
    }
    return mean;
}

} // namespace

Json layoutOf(const ParameterSet& parameters)
{
    Json dense = Json::array(), buffers = Json::array();
    for (const ParameterInfo& p : parameters.parameters())
        if (!p.sparse)
            dense.push_back({p.name, p.shape, p.offset});
    for (const BufferInfo& b : parameters.buffers())
        buffers.push_back({b.name, b.shape, b.offset});
    return {{"parameters", std::move(dense)},
            {"buffers", std::move(buffers)},
            {"buffer_values", parameters.bufferValues().size()}};
}

CheckpointWeights::CheckpointWeights(const std::string& path) : WeightsFile(path)
{
    Checkpoint checkpoint;
    try {
        checkpoint = readCheckpoint(
            path, [](const std::string& name) { return name == "values" || name == "buffers"; });
    } catch (const InvalidArgument& error) {
        throw InvalidArgument(std::string("the weights cannot be used: ") + error.what(),
                              "weights");
    }
    for (Checkpoint::Array& array : checkpoint.arrays)
        (array.name == "values" ? values_ : buffers_) = std::move(array.values);
    const auto layout = checkpoint.header.find("layout");
    if (layout == checkpoint.header.end())
        refuse(path, "the checkpoint was written by an older version, which did not name the "
                     "layers in it");
    try {
        const auto each = layout->at("buffer_values").get<uint64_t>();
        if (each > buffers_.size() || (each == 0) != buffers_.empty() ||
            (each > 0 && buffers_.size() % each != 0))
            refuse(path, "its header does not fit its values");
        buffers_ = meanOf(buffers_, each);
        addList(layout->at("parameters"), false, values_.size());
        addList(layout->at("buffers"), true, buffers_.size());
    } catch (const Json::exception&) {
        refuse(path, "its header is damaged");
    }
}

void CheckpointWeights::addList(const Json& list, bool buffer, uint64_t room)
{
    for (const Json& item : list) {
        Entry entry{item.at(0).get<std::string>(), item.at(1).get<std::vector<int64_t>>()};
        const auto offset = item.at(2).get<uint64_t>();
        uint64_t count = 1;
        for (const int64_t edge : entry.shape)
            if (edge < 1 || __builtin_mul_overflow(count, uint64_t(edge), &count))
                refuse(path_, "its header is damaged");
        if (offset > room || count > room - offset)
            refuse(path_, shownName(entry.name) + " reaches behind the end of the values");
        entries_.push_back(std::move(entry));
        places_.push_back({buffer, offset, count});
    }
}

std::vector<float> CheckpointWeights::values(size_t entry) const
{
    const Place& place = places_.at(entry);
    const std::vector<float>& from = place.buffer ? buffers_ : values_;
    const auto begin = from.begin() + std::ptrdiff_t(place.offset);
    return {begin, begin + std::ptrdiff_t(place.count)};
}

} // namespace scalebench
