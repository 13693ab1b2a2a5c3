// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/detection/object_checks.h"

#include "engine/data/picture_parts.h"
#include "kernels/check.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <unordered_map>

namespace scalebench::detection {
namespace {

std::string text(const Box& box)
{
    std::ostringstream out;
    out << "[" << box.x << ", " << box.y << ", " << box.width << ", " << box.height << "]";
    return out.str();
}

/// What annotation tools round by.
constexpr double kOutsideBy = 1.5;

/// "train2017" of "annotations/instances_train2017.json": the folder beside, by COCO's custom, that
/// has this part's pictures.
std::string partOf(const std::string& annotations)
{
    const std::string name = data::baseName(annotations);
    const size_t begin = name.rfind('_') + 1; // 0 without one
    return name.substr(begin, name.find('.', begin) - begin);
}

bool endsInPath(const std::string& name, const std::string& wanted)
{
    return name.ends_with(wanted) &&
           (name.size() == wanted.size() || name[name.size() - wanted.size() - 1] == '/');
}

} // namespace

bool orTell(const ProblemSink& problem, const std::function<void()>& body)
{
    try {
        body();
        return true;
    } catch (const InvalidArgument& error) {
        if (!problem || !error.code().starts_with("data_"))
            throw;
        problem(error.what());
        return false;
    }
}

void damaged(const std::string& where, const std::string& message)
{
    throw InvalidArgument(where + ": " + message, "data_damaged");
}

void requirePictureSize(int64_t width, int64_t height, const std::string& where)
{
    if (width < 1 || height < 1 || width > kMaxEdge || height > kMaxEdge ||
        width * height > kMaxPixels)
        damaged(where, "a picture cannot have " + std::to_string(width) + "x" +
                           std::to_string(height) + " pixels");
}

bool checkBox(const Box& box, int width, int height, const std::string& where)
{
    for (const double v : {box.x, box.y, box.width, box.height})
        if (!std::isfinite(v))
            damaged(where, "the box " + text(box) + " is not made of numbers");
    if (box.width < 0 || box.height < 0)
        damaged(where, "the box " + text(box) +
                           " has a negative size; boxes are [left, top, width, height]");
    if (box.x < -kOutsideBy || box.y < -kOutsideBy || box.x + box.width > width + kOutsideBy ||
        box.y + box.height > height + kOutsideBy)
        damaged(where, "the box " + text(box) + " reaches outside its picture of " +
                           std::to_string(width) + "x" + std::to_string(height) +
                           " pixels; the annotation belongs to another picture, or the picture "
                           "was resized without its boxes");
    return box.width > 0 && box.height > 0;
}

void LeftOut::add(const std::string& where)
{
    if (count_++ == 0)
        first_ = where;
}

void LeftOut::report(AnnotatedSet& set) const
{
    if (count_ > 0)
        set.remarks.push_back(std::to_string(count_) + (count_ == 1 ? " box" : " boxes") +
                              " without width or height left out, the first: " + first_);
}

std::string countedRemark(int64_t count, const std::string& what, const std::string& first)
{
    return what + ": " + std::to_string(count) + ", the first: " + first;
}

void attachPictures(AnnotatedSet& set, const std::vector<data::StoredFile>& files,
                    const data::StoredFile& annotations, const ProblemSink& problem)
{
    const std::string folder = annotations.name.substr(0, annotations.name.rfind('/') + 1);
    const std::string part = partOf(annotations.name);
    const auto inPart = [&](const data::StoredFile& file) {
        return ("/" + file.name).find("/" + part + "/") != std::string::npos;
    };
    const bool hasFolder = std::ranges::any_of(files, inPart);
    std::unordered_map<std::string, std::vector<const data::StoredFile*>> byName;
    for (const data::StoredFile& file : files)
        byName[data::baseName(file.name)].push_back(&file);
    const auto attach = [&](AnnotatedPicture& picture) {
        const std::string wanted = picture.file.name;
        const bool bare = wanted.find('/') == std::string::npos;
        std::vector<const data::StoredFile*> fitting;
        for (const data::StoredFile* file : byName[data::baseName(wanted)]) {
            if (file->name == folder + wanted) {
                fitting = {file};
                break;
            }
            if (endsInPath(file->name, wanted) && (!hasFolder || !bare || inPart(*file)))
                fitting.push_back(file);
        }
        if (fitting.empty())
            throw InvalidArgument(annotations.describe() + " lists the picture \"" + wanted +
                                      "\", which is not among the " + std::to_string(files.size()) +
                                      " pictures there" +
                                      (hasFolder && bare ? ", or not in " + part + "/" : "") +
                                      "; copy the missing pictures beside the annotations",
                                  "data_missing");
        if (fitting.size() > 1)
            damaged(annotations.describe(), "the picture \"" + wanted + "\" is there twice, as " +
                                                fitting[0]->name + " and as " + fitting[1]->name +
                                                "; give \"file_name\" with its folder");
        picture.file = *fitting.front();
    };
    std::erase_if(set.pictures, [&](AnnotatedPicture& picture) {
        return !orTell(problem, [&] { attach(picture); });
    });
}

} // namespace scalebench::detection
