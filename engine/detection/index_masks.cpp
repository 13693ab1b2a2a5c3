// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/detection/index_masks.h"

#include "engine/data/class_folders.h"
#include "engine/data/picture_parts.h"
#include "kernels/check.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace scalebench::detection {
namespace {

constexpr std::string_view kPictureFolders[] = {"images", "PNGImages", "JPEGImages"};
constexpr std::string_view kMaskFolders[] = {"masks", "PedMasks"};
constexpr std::string_view kParts[] = {"train", "val", "test"};
constexpr std::string_view kMaskEnding = "_mask";
constexpr size_t kEvaluated = 5; ///< each so manieth picture, where there are no parts

/// Where a file belongs: `name` is the same for a picture and its mask.
struct Place {
    std::string part, name;
};

std::vector<std::string> foldersOf(const std::string& path)
{
    std::vector<std::string> parts;
    for (size_t from = 0, at = 0; (at = path.find('/', from)) != std::string::npos; from = at + 1)
        parts.push_back(path.substr(from, at - from));
    return parts;
}

bool isOneOf(std::span<const std::string_view> names, const std::string& name)
{
    return std::ranges::find(names, name) != names.end();
}

/// Of a file in one of `folders`, or nothing.
std::optional<Place> placeOf(const std::string& path, std::span<const std::string_view> folders)
{
    std::vector<std::string> above = foldersOf(path);
    const auto folder = std::ranges::find_if(
        above, [&](const std::string& name) { return isOneOf(folders, name); });
    if (folder == above.end())
        return {};
    Place place;
    const auto at = size_t(folder - above.begin());
    above.erase(folder);
    for (const size_t near : {at, at - 1}) // right below it, right above it
        if (near < above.size() && isOneOf(kParts, above[near])) {
            place.part = above[near];
            break;
        }
    for (const std::string& name : above)
        place.name += name + "/";
    std::string stem = data::baseName(path);
    stem = stem.substr(0, stem.rfind('.'));
    if (stem.ends_with(kMaskEnding))
        stem.resize(stem.size() - kMaskEnding.size());
    place.name += stem;
    return place;
}

std::optional<Place> pictureAt(const data::StoredFile& file)
{
    return data::isPicture(file.name) ? placeOf(file.name, kPictureFolders) : std::nullopt;
}

std::optional<Place> maskAt(const data::StoredFile& file)
{
    return data::isPicture(file.name) ? placeOf(file.name, kMaskFolders) : std::nullopt;
}

AnnotatedPicture readPicture(const data::StoredFile& file, const data::StoredFile& maskFile,
                             bool masks, int64_t& bytes)
{
    AnnotatedPicture picture;
    picture.file = file;
    const data::ImageSize size = data::peekImageSize(file.read());
    requirePictureSize(size.width, size.height, file.describe());
    picture.width = size.width;
    picture.height = size.height;
    const data::IndexImage ids = data::decodeIndices(maskFile.read(), maskFile.describe());
    bytes += file.size + maskFile.size;
    if (ids.width != size.width || ids.height != size.height)
        damaged(maskFile.describe(),
                "the mask has " + std::to_string(ids.width) + "x" + std::to_string(ids.height) +
                    " pixels, but its picture has " + std::to_string(size.width) + "x" +
                    std::to_string(size.height));
    for (IndexMask& one : masksOf(ids)) {
        AnnotatedObject object;
        const MaskBox box = maskBox(one.mask);
        object.box = {double(box.x), double(box.y), double(box.width), double(box.height)};
        object.area = double(maskArea(one.mask));
        if (masks)
            object.mask = std::move(one.mask);
        picture.objects.push_back(std::move(object));
    }
    return picture;
}

struct Pair {
    std::string part;
    const data::StoredFile* picture = nullptr;
    const data::StoredFile* mask = nullptr;
};

/// Pictures with their masks, by name.
std::map<std::string, Pair> pairsIn(const std::vector<data::StoredFile>& files,
                                    const ProblemSink& problem)
{
    std::map<std::string, Pair> pairs;
    const auto put = [&](const Place& place, const data::StoredFile& file, bool mask) {
        Pair& pair = pairs[place.name];
        const data::StoredFile*& to = mask ? pair.mask : pair.picture;
        orTell(problem, [&] {
            if (to != nullptr)
                damaged(file.describe(), std::string("there is another ") +
                                             (mask ? "mask" : "picture") + " of that name, " +
                                             to->name);
            to = &file;
        });
        pair.part = place.part;
    };
    for (const data::StoredFile& file : files) {
        if (const auto place = pictureAt(file))
            put(*place, file, false);
        else if (const auto masked = maskAt(file))
            put(*masked, file, true);
    }
    std::erase_if(pairs, [&](const auto& entry) {
        // No structured bindings: clang 14's lambdas cannot capture them.
        const auto& picture = entry.second.picture;
        const auto& mask = entry.second.mask;
        return !orTell(problem, [&] {
            if (!picture)
                throw InvalidArgument(mask->describe() + " is a mask without a picture",
                                      "data_missing");
            if (!mask)
                throw InvalidArgument(picture->describe() +
                                          " has no mask; looked for a PNG of that name in a folder "
                                          "\"masks\" beside its own",
                                      "data_missing");
        });
    });
    return pairs;
}

} // namespace

std::vector<IndexMask> masksOf(const data::IndexImage& image)
{
    // Column by column, as run lengths count: every id remembers where its last run ended.
    struct Open {
        uint32_t end = 0; ///< of the last run of ones
        std::vector<uint32_t> runs;
    };
    std::map<int, Open> open;
    const auto height = uint32_t(image.height), pixels = uint32_t(image.ids.size());
    const auto idAt = [&](uint32_t at) {
        return image.ids[size_t(at % height) * size_t(image.width) + at / height];
    };
    for (uint32_t at = 0; at < pixels;) {
        const uint16_t id = idAt(at);
        const uint32_t begin = at;
        while (++at < pixels && idAt(at) == id) {
        }
        if (id == 0)
            continue;
        Open& one = open[id];
        one.runs.push_back(begin - one.end);
        one.runs.push_back(at - begin);
        one.end = at;
    }
    std::vector<IndexMask> masks;
    for (auto& [id, one] : open) {
        if (one.end < pixels)
            one.runs.push_back(pixels - one.end);
        masks.push_back({id, {image.width, image.height, std::move(one.runs)}});
    }
    return masks;
}

bool hasIndexMasks(const std::vector<data::StoredFile>& files)
{
    return std::ranges::any_of(files,
                               [](const auto& file) { return pictureAt(file).has_value(); }) &&
           std::ranges::any_of(files, [](const auto& file) { return maskAt(file).has_value(); });
}

std::map<std::string, AnnotatedSet> readIndexMasks(const std::vector<data::StoredFile>& files,
                                                   bool masks, const ProblemSink& problem)
{
    const std::map<std::string, Pair> pairs = pairsIn(files, problem);
    const bool parted =
        std::ranges::any_of(pairs, [](const auto& entry) { return !entry.second.part.empty(); });
    std::map<std::string, AnnotatedSet> sets;
    size_t number = 0;
    for (const auto& entry : pairs) {
        const Pair& pair = entry.second;
        const bool evaluated = ++number % kEvaluated == 0;
        const std::string part = parted ? pair.part : evaluated ? "val" : "train";
        if (part.empty())
            continue; // beside the parts
        AnnotatedSet& set = sets[part];
        orTell(problem, [&] {
            set.pictures.push_back(readPicture(*pair.picture, *pair.mask, masks, set.bytesRead));
            set.pictures.back().id = int64_t(set.pictures.size());
        });
    }
    for (auto& [part, set] : sets) {
        set.categories = {{1, "object"}};
        if (set.objects() == 0)
            throw InvalidArgument("no mask of the part \"" + part +
                                      "\" has an object; pixels are 0 where nothing is, and else "
                                      "the number of their object",
                                  "data_empty");
        const auto empty = [](const AnnotatedPicture& picture) { return picture.objects.empty(); };
        if (const auto count = std::ranges::count_if(set.pictures, empty); count > 0)
            set.remarks.push_back(
                countedRemark(count, "masks without an object",
                              std::ranges::find_if(set.pictures, empty)->file.describe()));
    }
    return sets;
}

} // namespace scalebench::detection
