// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/weights_file.h"

#include "engine/core/checkpoint.h"
#include "engine/nn/checkpoint_weights.h"
#include "engine/nn/safetensors.h"
#include "kernels/check.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

namespace scalebench {

void WeightsFile::refuse(const std::string& path, const std::string& reason)
{
    throw InvalidArgument("the weights in " + path + " cannot be used: " + reason, "weights");
}

std::vector<float> WeightsFile::read(size_t entry) const
{
    std::vector<float> all = values(entry);
    if (!std::ranges::all_of(all, [](float v) { return std::isfinite(v); }))
        refuse(path_, shownName(entries_.at(entry).name) + " holds values that are no numbers");
    return all;
}

std::string shownName(const std::string& name)
{
    std::string text = "\"";
    for (const char c : name.substr(0, 80))
        text += uint8_t(c) < ' ' || c == 127 ? '?' : c;
    text += '"';
    return text;
}

std::unique_ptr<WeightsFile> openWeights(const std::string& path)
{
    namespace fs = std::filesystem;
    std::error_code failed;
    if (!fs::exists(path, failed))
        throw InvalidArgument("there is no file of weights " + path +
                                  "; every host of the run reads it from there",
                              "weights");
    if (!fs::is_regular_file(path, failed))
        throw InvalidArgument(path + " is no file, so no weights can be read from it", "weights");
    if (isCheckpointFile(path))
        return std::make_unique<CheckpointWeights>(path);
    return std::make_unique<Safetensors>(path);
}

} // namespace scalebench
