// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/detector/load_backbone.h"

#include "engine/nn/weights_file.h"
#include "kernels/check.h"

#include <algorithm>
#include <map>
#include <span>
#include <utility>

namespace scalebench {
namespace {

/// What torchvision calls a part of a residual network and what we call it. In both, # is the
/// number of the stage, from 1; @ that of the block, which is counted from 0 there and from 1 here.
constexpr std::pair<std::string_view, std::string_view> kNames[] = {
    {"conv1", "stem.conv"},
    {"bn1", "stem.bn"},
    {"layer#.@.conv1", "stage#.block@.conv1"},
    {"layer#.@.bn1", "stage#.block@.bn1"},
    {"layer#.@.conv2", "stage#.block@.conv2"},
    {"layer#.@.bn2", "stage#.block@.bn2"},
    {"layer#.@.conv3", "stage#.block@.conv3"},
    {"layer#.@.bn3", "stage#.block@.bn3"},
    {"layer#.@.downsample.0", "stage#.block@.shortcut.conv"},
    {"layer#.@.downsample.1", "stage#.block@.shortcut.bn"},
};
constexpr std::string_view kValues[] = {".weight", ".bias", ".running_mean", ".running_var"};
/// What others, and our own detectors, put in front.
constexpr std::string_view kPrefixes[] = {"module.", "model.", "backbone.body.", "backbone."};
constexpr size_t kMostNamed = 6;

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// Whether `name` is `pattern`; `stage` and `block` are what # and @ stand for.
bool fits(std::string_view name, std::string_view pattern, int& stage, int& block)
{
    size_t at = 0;
    for (const char expected : pattern) {
        if (expected != '#' && expected != '@') {
            if (at >= name.size() || name[at++] != expected)
                return false;
            continue;
        }
        int number = 0;
        const size_t begin = at;
        while (at < name.size() && at < begin + 3 && isDigit(name[at]))
            number = number * 10 + (name[at++] - '0');
        if (at == begin)
            return false;
        (expected == '#' ? stage : block) = number;
    }
    return at == name.size();
}

std::string filled(std::string_view pattern, int stage, int block)
{
    std::string name;
    for (const char c : pattern)
        name += c == '#'   ? std::to_string(stage)
                : c == '@' ? std::to_string(block)
                           : std::string(1, c);
    return name;
}

/// For lists: as shownName(), without the quotes.
std::string bare(const std::string& name)
{
    const std::string shown = shownName(name);
    return shown.substr(1, shown.size() - 2);
}

std::string listed(const std::vector<std::string>& names)
{
    std::string text;
    for (size_t i = 0; i < std::min(names.size(), kMostNamed); ++i)
        text.append(i == 0 ? "" : ", ").append(bare(names[i]));
    if (names.size() > kMostNamed)
        text += " and " + std::to_string(names.size() - kMostNamed) + " more";
    return text;
}

std::string_view withoutPrefixes(std::string_view name)
{
    for (const std::string_view prefix : kPrefixes)
        if (name.starts_with(prefix))
            name.remove_prefix(prefix.size());
    return name;
}

bool isOfBackbone(std::string_view name, const std::string& prefix)
{
    if (!name.starts_with(prefix))
        return false;
    name.remove_prefix(prefix.size());
    return name.starts_with("stem.") ||
           (name.starts_with("stage") && name.size() > 5 && isDigit(name[5]));
}

/// Everything that is to be filled, by name without the prefix.
std::map<std::string, Tensor> wantedOf(const ParameterSet& parameters, const std::string& prefix)
{
    std::map<std::string, Tensor> wanted;
    for (size_t i = 0; i < parameters.parameters().size(); ++i)
        if (const std::string& name = parameters.parameters()[i].name; isOfBackbone(name, prefix))
            wanted[name.substr(prefix.size())] = parameters.value(int(i));
    for (size_t i = 0; i < parameters.buffers().size(); ++i)
        if (const std::string& name = parameters.buffers()[i].name; isOfBackbone(name, prefix))
            wanted[name.substr(prefix.size())] = parameters.buffer(int(i));
    SB_REQUIRE(!wanted.empty(), "no backbone \"" + prefix + "\" to read weights for");
    return wanted;
}

} // namespace

std::string backboneName(std::string_view published)
{
    std::string_view part = published, value;
    for (const std::string_view end : kValues)
        if (part.ends_with(end)) {
            value = end;
            part.remove_suffix(end.size());
            break;
        }
    if (value.empty())
        return {};
    for (const auto& [theirs, ours] : kNames) {
        int stage = 0, block = 0;
        if (fits(part, theirs, stage, block))
            return filled(ours, stage, block + 1).append(value);
        if (fits(part, ours, stage, block))
            return std::string(published);
    }
    return {};
}

std::string LoadedWeights::describe(const std::string& file) const
{
    std::string text = std::to_string(taken) + " tensors of " + file + " (" + format + ")";
    if (!leftOver.empty())
        text += "; left over: " + listed(leftOver);
    return text;
}

LoadedWeights loadBackbone(ParameterSet& parameters, const std::string& file,
                           const std::string& prefix)
{
    const std::unique_ptr<WeightsFile> weights = openWeights(file);
    const std::map<std::string, Tensor> wanted = wantedOf(parameters, prefix);
    const auto refuse = [&](const std::string& reason) {
        throw InvalidArgument(
            "the weights in " + file + " are not of this network's backbone: " + reason, "weights");
    };
    LoadedWeights loaded;
    loaded.format = weights->format();
    std::map<std::string, std::vector<float>> found;
    for (size_t i = 0; i < weights->entries().size(); ++i) {
        const WeightsFile::Entry& entry = weights->entries()[i];
        const std::string name = backboneName(withoutPrefixes(entry.name));
        const auto to = wanted.find(name);
        if (to == wanted.end()) {
            if (!entry.name.ends_with("num_batches_tracked")) // a count, of no use to anybody
                loaded.leftOver.push_back(entry.name);
            continue;
        }
        if (entry.shape != to->second.shape())
            refuse(shownName(entry.name) + " is " + toString(entry.shape) + " there and " +
                   toString(to->second.shape()) + " here");
        if (!found.try_emplace(name, weights->read(i)).second)
            refuse("\"" + name + "\" is there twice");
    }
    std::vector<std::string> missing;
    for (const auto& [name, tensor] : wanted)
        if (!found.contains(name))
            missing.push_back(name);
    if (!missing.empty())
        refuse(std::to_string(missing.size()) + " of " + std::to_string(wanted.size()) +
               " tensors are missing: " + listed(missing) +
               (loaded.leftOver.empty() ? "" : "; left over: " + listed(loaded.leftOver)));
    for (const auto& [name, values] : found)
        std::ranges::copy(values, wanted.at(name).f32().begin());
    parameters.markValuesChanged();
    loaded.taken = int(found.size());
    return loaded;
}

} // namespace scalebench
