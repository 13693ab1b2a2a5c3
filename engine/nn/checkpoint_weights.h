// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Weights out of a checkpoint of Scalebench (engine/core/checkpoint.h); use openWeights(). Where
// each layer's values lie is in the checkpoint's header: "layout", written by layoutOf().

#include "engine/core/checkpoint.h"
#include "engine/nn/parameter_set.h"
#include "engine/nn/weights_file.h"

#include <cstdint>
#include <string>
#include <vector>

namespace scalebench {

/// {"parameters": [[name, shape, offset], ...], "buffers": the same, "buffer_values": of one
/// worker}: dense parameters in the array "values", buffers in the array "buffers", which holds
/// those of all workers by rank.
nlohmann::json layoutOf(const ParameterSet& parameters);

class CheckpointWeights final : public WeightsFile
{
public:
    explicit CheckpointWeights(const std::string& path);

    std::string format() const override { return "checkpoint"; }

private:
    struct Place {
        bool buffer = false;
        uint64_t offset = 0, count = 0;
    };
    std::vector<float> values(size_t entry) const override;
    void addList(const nlohmann::json& list, bool buffer, uint64_t room);

    std::vector<Place> places_;
    std::vector<float> values_, buffers_; ///< buffers: the mean of all workers', as evaluated
};

} // namespace scalebench
