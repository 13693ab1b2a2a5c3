// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/detection/object_checks.h"

#include "engine/data/class_folders.h"
#include "engine/data/picture_parts.h"
#include "kernels/check.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
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

/// As Windows and paths from elsewhere give it, in the way of this system: "a/b.jpg" of "a\\b.jpg"
/// and of "./c/../a/b.jpg".
std::string tidied(std::string name)
{
    std::ranges::replace(name, '\\', '/');
    return std::filesystem::path(name).lexically_normal().generic_string();
}

/// Finds the files that annotations list.
class PictureFinder
{
public:
    PictureFinder(const std::vector<data::StoredFile>& files, const data::StoredFile& annotations)
        : files_(int64_t(files.size())),
          annotations_(annotations),
          folder_(annotations.name.substr(0, annotations.name.rfind('/') + 1)),
          part_(partOf(annotations.name)),
          hasFolder_(std::ranges::any_of(
              files, [this](const data::StoredFile& file) { return inPart(file); }))
    {
        for (const data::StoredFile& file : files)
            byName_[data::baseName(file.name)].push_back(&file);
    }

    const data::StoredFile& find(const std::string& wanted) const
    {
        std::vector<const data::StoredFile*> found = fitting(wanted);
        const std::string tidy = tidied(wanted);
        if (found.empty() && tidy != wanted)
            found = fitting(tidy);
        if (found.empty())
            notThere(wanted, isBare(tidy));
        if (found.size() > 1)
            damaged(annotations_.describe(), "the picture \"" + wanted + "\" is there twice, as " +
                                                 found[0]->name + " and as " + found[1]->name +
                                                 "; give \"file_name\" with its folder");
        return *found.front();
    }

private:
    static bool isBare(const std::string& name) { return name.find('/') == std::string::npos; }
    bool inPart(const data::StoredFile& file) const
    {
        return ("/" + file.name).find("/" + part_ + "/") != std::string::npos;
    }

    /// The one beside the annotations, else all that it could be.
    std::vector<const data::StoredFile*> fitting(const std::string& wanted) const
    {
        const std::string beside =
            std::filesystem::path(folder_ + wanted).lexically_normal().generic_string();
        std::string end = wanted;
        while (end.starts_with("../"))
            end.erase(0, 3);
        std::vector<const data::StoredFile*> fitting;
        const auto named = byName_.find(data::baseName(end));
        if (named == byName_.end())
            return fitting;
        for (const data::StoredFile* file : named->second) {
            if (file->name == beside)
                return {file};
            if (endsInPath(file->name, end) && (!hasFolder_ || !isBare(end) || inPart(*file)))
                fitting.push_back(file);
        }
        return fitting;
    }

    [[noreturn]] void notThere(const std::string& wanted, bool bare) const
    {
        const std::string lists = annotations_.describe() + " lists the picture \"" + wanted + "\"";
        if (std::string ending = data::endingNotRead(wanted); !ending.empty()) {
            std::ranges::transform(ending, ending.begin(),
                                   [](char c) { return char(std::toupper(uint8_t(c))); });
            throw InvalidArgument(lists + ", but " + ending.substr(1) +
                                      " is not read; convert the pictures to JPEG or PNG and give "
                                      "\"file_name\" their new ending",
                                  "data_missing");
        }
        throw InvalidArgument(lists + ", which is not among the " + std::to_string(files_) +
                                  " pictures there" +
                                  (hasFolder_ && bare ? ", or not in " + part_ + "/" : "") +
                                  "; copy the missing pictures beside the annotations",
                              "data_missing");
    }

    int64_t files_;
    const data::StoredFile& annotations_;
    std::string folder_, part_;
    bool hasFolder_; ///< of the part, by its name
    std::unordered_map<std::string, std::vector<const data::StoredFile*>> byName_;
};

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
    const PictureFinder finder(files, annotations);
    std::erase_if(set.pictures, [&](AnnotatedPicture& picture) {
        return !orTell(problem, [&] { picture.file = finder.find(picture.file.name); });
    });
}

} // namespace scalebench::detection
