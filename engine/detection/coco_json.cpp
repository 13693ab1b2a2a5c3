// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/detection/coco_json.h"

#include "engine/core/lower_case.h"
#include "engine/core/utf16.h"
#include "engine/detection/object_checks.h"
#include "kernels/check.h"

#include <cstdint>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace scalebench::detection {
namespace {

using Json = nlohmann::json;

constexpr size_t kMaxRecords = size_t{1} << 27; ///< of one list
constexpr size_t kMaxName = 4096;
constexpr double kFarthest = 1e7; ///< coordinate that is believed

int64_t wholeNumber(const Json& object, const char* key, const std::string& where)
{
    const auto at = object.find(key);
    if (at == object.end())
        damaged(where, std::string("\"") + key + "\" is missing");
    // Some tools write ids as 7.0.
    if (at->is_number_float() && std::abs(at->get<double>()) < 1e15 &&
        std::trunc(at->get<double>()) == at->get<double>())
        return int64_t(at->get<double>());
    if (!at->is_number_integer() ||
        (at->is_number_unsigned() && at->get<uint64_t>() > uint64_t(INT64_MAX)))
        damaged(where, std::string("\"") + key + "\" is not a whole number");
    return at->get<int64_t>();
}

std::string nameOf(const Json& object, const char* key, const std::string& where)
{
    const auto at = object.find(key);
    if (at == object.end() || !at->is_string() || at->get_ref<const std::string&>().empty() ||
        at->get_ref<const std::string&>().size() > kMaxName)
        damaged(where, std::string("\"") + key + "\" is not a name");
    return at->get<std::string>();
}

double coordinate(const Json& value, const std::string& where, const char* what)
{
    if (!value.is_number() || std::abs(value.get<double>()) > kFarthest)
        damaged(where, std::string(what) + " holds something that is no coordinate");
    return value.get<double>();
}

std::string recordName(const std::string& file, const char* kind, const Json& object)
{
    const auto id = object.find("id");
    return file + ", " + kind + " " +
           (id != object.end() && id->is_number() ? id->dump() : std::string("without id"));
}

/// An annotation as it stands in the file; what it refers to may come later.
struct Record {
    int64_t id = 0, picture = 0, category = 0;
    Box box;
    double area = -1;
    bool crowd = false;
    /// Polygons, or run lengths as numbers (their size in front) or text.
    std::vector<std::vector<double>> polygons;
    std::vector<uint32_t> runs;
    std::string runText;
    int64_t runHeight = 0, runWidth = 0;
    bool hasRuns = false;
};

/// The word at a byte of the text, counted from 1; empty where there is none.
std::string wordAt(std::span<const uint8_t> text, size_t byte)
{
    const auto isPart = [&](size_t i) {
        return i < text.size() && (std::isalpha(text[i]) != 0 || text[i] == '-');
    };
    if (byte == 0 || byte > text.size())
        return {};
    size_t begin = byte - 1, end = begin;
    while (begin > 0 && isPart(begin - 1))
        --begin;
    while (isPart(end))
        ++end;
    return {text.begin() + std::ptrdiff_t(begin), text.begin() + std::ptrdiff_t(end)};
}

/// What some programs write for numbers that are none; JSON knows no such thing.
bool isNoNumber(std::string word)
{
    if (word.starts_with('-'))
        word.erase(0, 1);
    word = lowerCase(word);
    return word == "nan" || word == "inf" || word == "infinity";
}

class CocoReader
{
public:
    CocoReader(std::string name, bool masks, const ProblemSink& problem)
        : name_(std::move(name)), masks_(masks), problem_(problem)
    {
    }

    AnnotatedSet read(std::span<const uint8_t> bytes)
    {
        parse(bytes);
        std::ranges::sort(set_.categories, {}, &Category::id);
        std::ranges::sort(set_.pictures, {}, &AnnotatedPicture::id);
        refuseDoubles(set_.categories, "category");
        refuseDoubles(set_.pictures, "picture");
        if (set_.categories.empty())
            damaged(name_, "\"categories\" is empty");
        if (set_.pictures.empty())
            damaged(name_, "\"images\" is empty");
        if (problem_)
            tellDoubledRecords();
        for (Record& record : records_)
            orTell(problem_, [&] { place(record); });
        leftOut_.report(set_);
        if (problem_)
            remarkOnEmptyPictures();
        set_.bytesRead = int64_t(bytes.size());
        return std::move(set_);
    }

private:
    void parse(std::span<const uint8_t> bytes)
    {
        // Each record is taken as soon as it is complete and dropped: a file of half a gigabyte
        // must not become a tree of many.
        std::string section;
        const auto take = [&](int depth, Json::parse_event_t event, Json& value) {
            if (event == Json::parse_event_t::key && depth == 1)
                section = value.get<std::string>();
            if (event != Json::parse_event_t::object_end || depth != 2)
                return true;
            orTell(problem_, [&] {
                if (section == "images")
                    takePicture(value);
                else if (section == "annotations")
                    takeAnnotation(value);
                else if (section == "categories")
                    takeCategory(value);
            });
            return false;
        };
        Json root;
        try {
            root = Json::parse(bytes.begin(), bytes.end(), take);
        } catch (const Json::parse_error& error) {
            const std::string_view text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
            if (const std::string wrong = utf16Trouble(text); !wrong.empty())
                damaged(name_, wrong);
            if (const std::string word = wordAt(bytes, error.byte); isNoNumber(word))
                damaged(name_, "at byte " + std::to_string(error.byte) + " stands " + word +
                                   ", which is no number: mend what wrote it, or take out the "
                                   "record that it is in");
            damaged(name_, "not whole JSON, from byte " + std::to_string(error.byte) + " of " +
                               std::to_string(bytes.size()) +
                               "; the file is cut off or damaged: get it again");
        } catch (const Json::exception& error) {
            damaged(name_, std::string("cannot be read as JSON: ") + error.what());
        }
        for (const char* key : {"images", "categories", "annotations"}) {
            const auto at = root.is_object() ? root.find(key) : root.end();
            if (!root.is_object() || at == root.end() || !at->is_array() || !at->empty())
                damaged(name_, std::string("\"") + key +
                                   "\" is not a list of objects; this is not a COCO instances "
                                   "file");
        }
    }

    void bound(size_t count) const
    {
        if (count >= kMaxRecords)
            damaged(name_, "more than " + std::to_string(kMaxRecords) + " records");
    }

    void takePicture(const Json& object)
    {
        bound(set_.pictures.size());
        const std::string where = recordName(name_, "picture", object);
        AnnotatedPicture picture;
        picture.id = wholeNumber(object, "id", where);
        const int64_t width = wholeNumber(object, "width", where);
        const int64_t height = wholeNumber(object, "height", where);
        requirePictureSize(width, height, where);
        picture.width = int(width);
        picture.height = int(height);
        picture.file.name = nameOf(object, "file_name", where);
        set_.pictures.push_back(std::move(picture));
    }

    void takeCategory(const Json& object)
    {
        bound(set_.categories.size());
        const std::string where = recordName(name_, "category", object);
        set_.categories.push_back(
            {wholeNumber(object, "id", where), nameOf(object, "name", where)});
    }

    void takeAnnotation(const Json& object)
    {
        bound(records_.size());
        const std::string where = recordName(name_, "annotation", object);
        Record record;
        record.id = wholeNumber(object, "id", where);
        record.picture = wholeNumber(object, "image_id", where);
        record.category = wholeNumber(object, "category_id", where);
        record.crowd = object.contains("iscrowd") && wholeNumber(object, "iscrowd", where) != 0;
        const auto box = object.find("bbox");
        if (box == object.end() || !box->is_array() || box->size() != 4)
            damaged(where, "\"bbox\" is not a list of four numbers");
        double* const to[] = {&record.box.x, &record.box.y, &record.box.width, &record.box.height};
        for (size_t i = 0; i < 4; ++i)
            *to[i] = coordinate((*box)[i], where, "\"bbox\"");
        if (const auto area = object.find("area"); area != object.end()) {
            if (!area->is_number() || !(area->get<double>() >= 0))
                damaged(where, "\"area\" is not a number of pixels");
            record.area = area->get<double>();
        }
        if (const auto shape = object.find("segmentation"); masks_ && shape != object.end())
            takeShape(*shape, record, where);
        records_.push_back(std::move(record));
    }

    static void takeShape(const Json& shape, Record& record, const std::string& where)
    {
        if (shape.is_object()) {
            takeRuns(shape, record, where);
            return;
        }
        if (!shape.is_array())
            damaged(where, "\"segmentation\" is neither polygons nor run lengths");
        for (const Json& polygon : shape) {
            if (!polygon.is_array() || polygon.size() % 2 != 0 || polygon.size() < 6)
                damaged(where, "polygon " + std::to_string(record.polygons.size() + 1) +
                                   " of \"segmentation\" has " +
                                   (polygon.is_array() ? std::to_string(polygon.size()) : "no") +
                                   " numbers; three points (six numbers) are the least");
            std::vector<double>& to = record.polygons.emplace_back();
            for (const Json& value : polygon)
                to.push_back(coordinate(value, where, "\"segmentation\""));
        }
    }

    static void takeRuns(const Json& shape, Record& record, const std::string& where)
    {
        const auto size = shape.find("size");
        const auto counts = shape.find("counts");
        if (size == shape.end() || !size->is_array() || size->size() != 2 ||
            !(*size)[0].is_number_unsigned() || !(*size)[1].is_number_unsigned() ||
            counts == shape.end() || !(counts->is_array() || counts->is_string()))
            damaged(where, "the run lengths of \"segmentation\" need \"size\" [height, width] and "
                           "\"counts\"");
        record.hasRuns = true;
        record.runHeight = (*size)[0].get<int64_t>();
        record.runWidth = (*size)[1].get<int64_t>();
        if (counts->is_string()) {
            record.runText = counts->get<std::string>();
            return;
        }
        for (const Json& run : *counts) {
            if (!run.is_number_unsigned() || run.get<uint64_t>() > uint64_t(kMaxPixels))
                damaged(where, "\"counts\" holds something that is no run length");
            record.runs.push_back(run.get<uint32_t>());
        }
    }

    template <typename Entry>
    void refuseDoubles(std::vector<Entry>& entries, const char* kind) const
    {
        const auto same = [](const Entry& a, const Entry& b) { return a.id == b.id; };
        for (auto at = entries.begin();
             (at = std::adjacent_find(at, entries.end(), same)) != entries.end();)
            orTell(problem_, [&] {
                const int64_t id = (at++)->id;
                damaged(name_, std::string(kind) + " " + std::to_string(id) + " is listed twice");
            });
        entries.erase(std::unique(entries.begin(), entries.end(), same), entries.end());
    }

    void tellDoubledRecords() const
    {
        std::vector<int64_t> ids;
        for (const Record& record : records_)
            ids.push_back(record.id);
        std::ranges::sort(ids);
        for (auto at = ids.begin(); (at = std::adjacent_find(at, ids.end())) != ids.end(); ++at)
            problem_(name_ + ": annotation " + std::to_string(*at) + " is listed twice");
    }

    void remarkOnEmptyPictures()
    {
        const auto empty = [](const AnnotatedPicture& picture) { return picture.objects.empty(); };
        const auto first = std::ranges::find_if(set_.pictures, empty);
        if (first == set_.pictures.end())
            return;
        set_.remarks.push_back(countedRemark(
            std::ranges::count_if(set_.pictures, empty), "pictures without annotation",
            name_ + ", picture " + std::to_string(first->id) + " (" + first->file.name + ")"));
    }

    /// Hands an annotation to its picture.
    void place(Record& record)
    {
        const std::string where = name_ + ", annotation " + std::to_string(record.id);
        const auto picture =
            std::ranges::lower_bound(set_.pictures, record.picture, {}, &AnnotatedPicture::id);
        if (picture == set_.pictures.end() || picture->id != record.picture)
            damaged(where, "belongs to picture " + std::to_string(record.picture) +
                               ", which \"images\" does not list");
        const auto category =
            std::ranges::lower_bound(set_.categories, record.category, {}, &Category::id);
        if (category == set_.categories.end() || category->id != record.category)
            damaged(where, "has category " + std::to_string(record.category) +
                               ", which \"categories\" does not list");
        if (!checkBox(record.box, picture->width, picture->height, where)) {
            leftOut_.add(where);
            return;
        }
        AnnotatedObject object;
        object.category = int32_t(category - set_.categories.begin());
        object.box = record.box;
        object.crowd = record.crowd;
        if (masks_)
            object.mask = maskOf(record, *picture, where);
        object.area = record.area >= 0      ? record.area
                      : object.mask.empty() ? record.box.area()
                                            : double(maskArea(object.mask));
        picture->objects.push_back(std::move(object));
    }

    /// A point further from the picture than it is large would make filling as slow as it is far.
    static void requireNear(const std::vector<double>& outline, const AnnotatedPicture& picture,
                            const std::string& where)
    {
        for (size_t i = 0; i < outline.size(); ++i) {
            const double edge = i % 2 == 0 ? picture.width : picture.height;
            if (outline[i] < -edge || outline[i] > 2 * edge)
                damaged(where, "a polygon of \"segmentation\" reaches far outside its picture of " +
                                   std::to_string(picture.width) + "x" +
                                   std::to_string(picture.height) + " pixels");
        }
    }

    static RunLengthMask maskOf(Record& record, const AnnotatedPicture& picture,
                                const std::string& where)
    {
        if (!record.hasRuns) {
            RunLengthMask mask;
            for (const std::vector<double>& outline : record.polygons) {
                requireNear(outline, picture, where);
                RunLengthMask part = fillPolygon(outline, picture.width, picture.height);
                mask = mask.empty() ? std::move(part) : maskUnion(mask, part);
            }
            return mask;
        }
        if (record.runHeight != picture.height || record.runWidth != picture.width)
            damaged(where, "the mask is for a picture of " + std::to_string(record.runWidth) + "x" +
                               std::to_string(record.runHeight) + " pixels, but picture " +
                               std::to_string(picture.id) + " has " +
                               std::to_string(picture.width) + "x" +
                               std::to_string(picture.height));
        try {
            return record.runText.empty()
                       ? checkedRuns(std::move(record.runs), picture.width, picture.height)
                       : parseRuns(record.runText, picture.width, picture.height);
        } catch (const InvalidArgument& error) {
            damaged(where, error.what());
        }
    }

    std::string name_;
    bool masks_;
    const ProblemSink& problem_;
    AnnotatedSet set_;
    std::vector<Record> records_;
    LeftOut leftOut_;
};

} // namespace

AnnotatedSet parseCoco(std::span<const uint8_t> bytes, const std::string& name, bool masks,
                       const ProblemSink& problem)
{
    return CocoReader(name, masks, problem).read(bytes);
}

} // namespace scalebench::detection
