// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/detection/shown_pictures.h"

#include "engine/detection/object_checks.h"
#include "kernels/check.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace scalebench::detection {
namespace {

using Json = nlohmann::json;

constexpr const char* kFormat = "scalebench.pictures";
constexpr size_t kMostText = 4 << 20, kMostMaskText = 2 << 20;
constexpr size_t kMostCategories = 100'000, kMostObjects = 1000, kLongestName = 1000;
constexpr double kFarthestShown = 1e7;

bool asked(const AnnotatedPicture& picture)
{
    return !std::ranges::all_of(picture.objects, &AnnotatedObject::ignored);
}

/// So many of the set's pictures with an object, evenly spaced.
std::vector<size_t> spread(const AnnotatedSet& set)
{
    std::vector<size_t> with, chosen;
    for (size_t i = 0; i < set.pictures.size(); ++i)
        if (asked(set.pictures[i]))
            with.push_back(i);
    const size_t count = std::min(with.size(), size_t(kMostShown));
    for (size_t k = 0; k < count; ++k)
        chosen.push_back(with[k * with.size() / count]);
    return chosen;
}

double rounded(double value, double steps)
{
    return std::round(value * steps) / steps;
}

/// `room`: bytes that masks may still take.
Json objectJson(const ShownObject& object, bool found, size_t& room, int64_t& leftOut)
{
    const Box& b = object.box;
    Json json = {
        {"category", object.category},
        {"box",
         {rounded(b.x, 100), rounded(b.y, 100), rounded(b.width, 100), rounded(b.height, 100)}}};
    if (found)
        json["score"] = rounded(object.score, 1e4);
    else if (object.ignored)
        json["ignored"] = true;
    if (object.mask.empty())
        return json;
    std::string runs = printRuns(object.mask);
    if (runs.size() > room) {
        ++leftOut;
        return json;
    }
    room -= runs.size();
    json["mask"] = std::move(runs);
    return json;
}

[[noreturn]] void refuse(const std::string& name, const std::string& reason)
{
    throw InvalidArgument(name + " cannot be used: " + reason, "pictures");
}

/// Values of one object of the file, checked.
class Fields
{
public:
    Fields(const Json& object, std::string name) : object_(object), name_(std::move(name))
    {
        if (!object.is_object())
            refuse(name_, "it is not made as Scalebench makes it");
    }
    const Json* find(const char* key) const
    {
        const auto at = object_.find(key);
        return at == object_.end() ? nullptr : &*at;
    }
    const Json& list(const char* key, size_t most) const
    {
        const Json* value = find(key);
        if (!value || !value->is_array() || value->size() > most)
            refuse(name_, std::string("\"") + key + "\" is no list of " + std::to_string(most) +
                              " entries at most");
        return *value;
    }
    double number(const char* key, double lowest, double highest) const
    {
        const Json* value = find(key);
        return checked(value ? *value : Json(), key, lowest, highest);
    }
    double checked(const Json& value, const char* key, double lowest, double highest) const
    {
        if (!value.is_number() || !(value.get<double>() >= lowest) ||
            !(value.get<double>() <= highest))
            refuse(name_, std::string("\"") + key + "\" is not a number that can be there");
        return value.get<double>();
    }
    std::string text(const char* key, size_t longest) const
    {
        const Json* value = find(key);
        if (!value || !value->is_string() || value->get_ref<const std::string&>().size() > longest)
            refuse(name_, std::string("\"") + key + "\" is no text of " + std::to_string(longest) +
                              " bytes at most");
        return value->get<std::string>();
    }

private:
    const Json& object_;
    std::string name_;
};

ShownObject parseObject(const Json& json, const ShownPicture& picture, size_t categories,
                        const std::string& name)
{
    const Fields in(json, name);
    ShownObject object;
    object.category = int32_t(in.number("category", 0, double(categories) - 1));
    object.score = in.find("score") ? in.number("score", 0, 1) : 0;
    object.ignored = in.find("ignored") != nullptr;
    const Json& box = in.list("box", 4);
    if (box.size() != 4)
        refuse(name, "a box has four numbers");
    double* const to[] = {&object.box.x, &object.box.y, &object.box.width, &object.box.height};
    for (size_t i = 0; i < 4; ++i)
        *to[i] = in.checked(box[i], "box", i < 2 ? -kFarthestShown : 0, kFarthestShown);
    if (in.find("mask"))
        object.mask = parseRuns(in.text("mask", kMostText), picture.width, picture.height);
    return object;
}

ShownPicture parsePicture(const Json& json, size_t categories, const std::string& name)
{
    const Fields in(json, name);
    ShownPicture picture;
    picture.file = in.text("file", kLongestName);
    if (std::ranges::any_of(picture.file, [](char c) { return uint8_t(c) < ' ' || c == 127; }))
        refuse(name, "\"file\" is no name");
    picture.width = int(in.number("width", 1, double(kMaxEdge)));
    picture.height = int(in.number("height", 1, double(kMaxEdge)));
    requirePictureSize(picture.width, picture.height, name);
    for (const Json& object : in.list("found", kMostObjects))
        picture.found.push_back(parseObject(object, picture, categories, name));
    for (const Json& object : in.list("true", kMostObjects))
        picture.truth.push_back(parseObject(object, picture, categories, name));
    return picture;
}

} // namespace

ShownPictures choosePictures(const AnnotatedSet& truth, std::span<const Detection> found,
                             double epoch)
{
    ShownPictures shown;
    shown.epoch = epoch;
    for (const Category& category : truth.categories)
        shown.categories.push_back(category.name.substr(0, kLongestName));
    std::map<int32_t, size_t> places;
    for (const size_t index : spread(truth)) {
        const AnnotatedPicture& from = truth.pictures[index];
        places[int32_t(index)] = shown.pictures.size();
        ShownPicture& picture = shown.pictures.emplace_back();
        picture.file = from.file.name;
        picture.width = from.width;
        picture.height = from.height;
        for (size_t i = 0; i < std::min(from.objects.size(), kMostObjects); ++i) {
            const AnnotatedObject& object = from.objects[i];
            picture.truth.push_back(
                {object.category, 0, object.ignored(), object.box, object.mask});
        }
    }
    for (const Detection& detection : found)
        if (const auto place = places.find(detection.picture); place != places.end())
            shown.pictures[place->second].found.push_back(
                {detection.category, detection.score, false, detection.box, detection.mask});
    for (ShownPicture& picture : shown.pictures) {
        std::ranges::stable_sort(picture.found, std::greater(), &ShownObject::score);
        if (picture.found.size() > size_t(kMostFoundShown))
            picture.found.resize(size_t(kMostFoundShown));
    }
    return shown;
}

std::string printShown(const ShownPictures& shown)
{
    size_t room = kMostMaskText;
    int64_t leftOut = shown.masksLeftOut;
    Json pictures = Json::array();
    for (const ShownPicture& picture : shown.pictures) {
        Json found = Json::array(), truth = Json::array();
        for (const ShownObject& object : picture.found)
            found.push_back(objectJson(object, true, room, leftOut));
        for (const ShownObject& object : picture.truth)
            truth.push_back(objectJson(object, false, room, leftOut));
        pictures.push_back({{"file", picture.file},
                            {"width", picture.width},
                            {"height", picture.height},
                            {"found", std::move(found)},
                            {"true", std::move(truth)}});
    }
    const Json all = {{"format", kFormat},
                      {"version", 1},
                      {"epoch", shown.epoch},
                      {"masks_left_out", leftOut},
                      {"categories", shown.categories},
                      {"pictures", std::move(pictures)}};
    return all.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

ShownPictures parseShown(std::string_view text, const std::string& name)
{
    if (text.size() > kMostText)
        refuse(name, "it is larger than 4 MiB");
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded())
        refuse(name, "it is not whole JSON; an evaluation that is going on may be writing it");
    const Fields in(json, name);
    if (in.text("format", 100) != kFormat)
        refuse(name, "it does not hold pictures of a run");
    if (in.number("version", 0, 1e9) != 1)
        refuse(name, "it is of another version; this engine reads version 1");
    ShownPictures shown;
    shown.epoch = in.number("epoch", 0, 1e9);
    shown.masksLeftOut = int64_t(in.number("masks_left_out", 0, 1e9));
    for (const Json& category : in.list("categories", kMostCategories)) {
        if (!category.is_string() || category.get_ref<const std::string&>().size() > kLongestName)
            refuse(name, "a category has no name");
        shown.categories.push_back(category.get<std::string>());
    }
    try {
        for (const Json& picture : in.list("pictures", kMostShown))
            shown.pictures.push_back(parsePicture(picture, shown.categories.size(), name));
    } catch (const InvalidArgument& error) {
        if (error.code() == "pictures")
            throw;
        refuse(name, error.what());
    }
    return shown;
}

} // namespace scalebench::detection
