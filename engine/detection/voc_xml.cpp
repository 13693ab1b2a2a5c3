// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/detection/voc_xml.h"

#include "engine/data/picture_parts.h"
#include "engine/detection/index_masks.h"
#include "engine/detection/object_checks.h"
#include "engine/detection/xml_document.h"
#include "kernels/check.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>
#include <sstream>
#include <unordered_map>
#include <utility>

namespace scalebench::detection {
namespace {

constexpr std::string_view kLists = "ImageSets/Main/", kMaskLists = "ImageSets/Segmentation/",
                           kAnnotations = "Annotations/", kPictures = "JPEGImages/",
                           kMasks = "SegmentationObject/";
constexpr int kNobody = 255; ///< pixels along the edges of objects

const XmlElement& need(const XmlElement& parent, const char* child, const std::string& name)
{
    const XmlElement* found = parent.child(child);
    if (!found)
        damaged(name + ":" + std::to_string(parent.line),
                "<" + parent.name + "> has no <" + child + ">");
    return *found;
}

double pixels(const XmlElement& parent, const char* child, const std::string& name)
{
    const XmlElement& element = need(parent, child, name);
    double value = 0;
    const char* end = element.text.data() + element.text.size();
    const auto [stop, error] = std::from_chars(element.text.data(), end, value);
    if (error != std::errc{} || stop != end || !(std::abs(value) < 1e7))
        damaged(name + ":" + std::to_string(parent.line),
                std::string("<") + child + "> is not a number of pixels");
    return value;
}

bool flag(const XmlElement& parent, const char* child)
{
    const XmlElement* found = parent.child(child);
    return found && found->text == "1";
}

/// "NAME" of ".../<folder>NAME<ending>", or empty.
std::string stemIn(const std::string& path, std::string_view folder, std::string_view ending)
{
    const size_t at = path.rfind(folder);
    if (at == std::string::npos || (at > 0 && path[at - 1] != '/') || !path.ends_with(ending))
        return {};
    const size_t from = at + folder.size();
    if (from + ending.size() > path.size() || path.find('/', from) != std::string::npos)
        return {};
    return path.substr(from, path.size() - ending.size() - from);
}

using FilesByStem = std::unordered_map<std::string, const data::StoredFile*>;

FilesByStem filesIn(const std::vector<data::StoredFile>& files, std::string_view folder,
                    std::initializer_list<std::string_view> endings)
{
    FilesByStem found;
    for (const data::StoredFile& file : files)
        for (const std::string_view ending : endings)
            if (std::string stem = stemIn(file.name, folder, ending); !stem.empty())
                found.emplace(std::move(stem), &file);
    return found;
}

std::string textOf(const data::StoredFile& file)
{
    const std::vector<uint8_t> bytes = file.read();
    return {bytes.begin(), bytes.end()};
}

const data::StoredFile& fileOf(const FilesByStem& files, const std::string& stem,
                               const std::string& list, const char* what)
{
    const auto found = files.find(stem);
    if (found == files.end())
        throw InvalidArgument(list + " lists \"" + stem + "\", which has no " + what,
                              "data_missing");
    return *found->second;
}

/// Categories by name; turns each object's own index into that of the whole set.
void nameCategories(std::map<std::string, AnnotatedSet>& parts,
                    std::map<std::string, std::vector<std::vector<std::string>>>& namesOf)
{
    std::set<std::string> all;
    for (const auto& [part, pictures] : namesOf)
        for (const std::vector<std::string>& names : pictures)
            all.insert(names.begin(), names.end());
    std::vector<Category> categories;
    for (const std::string& name : all)
        categories.push_back({int64_t(categories.size()) + 1, name});
    for (auto& [part, set] : parts) {
        set.categories = categories;
        for (size_t p = 0; p < set.pictures.size(); ++p)
            for (AnnotatedObject& object : set.pictures[p].objects)
                object.category = int32_t(std::distance(
                    all.begin(), all.find(namesOf[part][p][size_t(object.category)])));
    }
}

struct VocFiles {
    FilesByStem annotations, pictures, masks;
};

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kBlanks = " \t\r";

std::string trimmed(std::string_view text)
{
    const size_t first = text.find_first_not_of(kBlanks);
    if (first == std::string_view::npos)
        return {};
    return std::string(text.substr(first, text.find_last_not_of(kBlanks) + 1 - first));
}

/// The picture that a line names. A name may hold blanks; VOC's lists of one category have a second
/// column, which says -1, 0 or 1.
std::string stemOf(const std::string& line, const FilesByStem& annotations)
{
    const size_t blank = line.find_last_of(kBlanks);
    if (blank == std::string::npos || annotations.contains(line))
        return line;
    const std::string_view column = std::string_view(line).substr(blank + 1);
    const bool second = column == "-1" || column == "0" || column == "1";
    return second ? trimmed(std::string_view(line).substr(0, blank)) : line;
}

/// Calls `take` with each picture of a list; blank lines are skipped. A picture that is listed
/// twice would be trained on or counted twice: `data_damaged`, to `problem` where that is set.
void forEachListed(const data::StoredFile& list, const FilesByStem& annotations,
                   const ProblemSink& problem, const std::function<void(const std::string&)>& take)
{
    const std::string text = textOf(list);
    std::istringstream lines(text.starts_with(kByteOrderMark) ? text.substr(kByteOrderMark.size())
                                                              : text);
    std::unordered_map<std::string, int> lineOf;
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
        ++number;
        line = trimmed(line);
        if (line.empty())
            continue;
        orTell(problem, [&] {
            const std::string stem = stemOf(line, annotations);
            if (const auto [first, isNew] = lineOf.emplace(stem, number); !isNew)
                damaged(list.describe() + ":" + std::to_string(number),
                        "\"" + stem + "\" is listed already, on line " +
                            std::to_string(first->second) + "; take one of the lines out");
            take(stem);
        });
    }
}

/// Gives each object what the file has under its number.
void addMasks(VocPicture& voc, const data::StoredFile& file)
{
    const data::IndexImage ids = data::decodeIndices(file.read(), file.describe());
    AnnotatedPicture& picture = voc.picture;
    if (ids.width != picture.width || ids.height != picture.height)
        damaged(file.describe(),
                "the mask has " + std::to_string(ids.width) + "x" + std::to_string(ids.height) +
                    " pixels, but the annotations of its picture say " +
                    std::to_string(picture.width) + "x" + std::to_string(picture.height));
    for (IndexMask& one : masksOf(ids)) {
        if (one.id == kNobody)
            continue;
        const auto number = std::ranges::find(voc.numbers, one.id);
        if (number == voc.numbers.end())
            damaged(file.describe(), "the mask has an object " + std::to_string(one.id) +
                                         ", which its annotations do not list");
        AnnotatedObject& object = picture.objects[size_t(number - voc.numbers.begin())];
        object.area = double(maskArea(one.mask));
        object.mask = std::move(one.mask);
    }
    for (size_t i = 0; i < picture.objects.size(); ++i)
        if (picture.objects[i].mask.empty())
            damaged(file.describe(), "the mask has no pixel of object " +
                                         std::to_string(voc.numbers[i]) + " of its annotations");
}

/// A picture of a list, with its file and, where asked for, its masks.
VocPicture readListed(const VocFiles& tree, const std::string& stem, const std::string& list,
                      bool masks, AnnotatedSet& set)
{
    const data::StoredFile& file = fileOf(tree.annotations, stem, list, "XML in Annotations");
    VocPicture voc = parseVoc(textOf(file), file.describe());
    set.bytesRead += file.size;
    voc.picture.id = int64_t(set.pictures.size()) + 1;
    voc.picture.file = fileOf(tree.pictures, stem, list, "picture in JPEGImages");
    if (masks) {
        const data::StoredFile& mask = fileOf(tree.masks, stem, list, "PNG in SegmentationObject");
        set.bytesRead += mask.size;
        addMasks(voc, mask);
    }
    return voc;
}

} // namespace

VocPicture parseVoc(std::string_view text, const std::string& name)
{
    const XmlElement root = parseXml(text, name);
    if (root.name != "annotation")
        damaged(name, "the first element is <" + root.name + ">, not <annotation>");
    VocPicture result;
    const XmlElement& size = need(root, "size", name);
    const double width = pixels(size, "width", name), height = pixels(size, "height", name);
    requirePictureSize(int64_t(width), int64_t(height), name);
    result.picture.width = int(width);
    result.picture.height = int(height);
    int number = 0;
    for (const XmlElement& element : root.children) {
        if (element.name != "object")
            continue;
        ++number;
        const std::string where = name + ":" + std::to_string(element.line);
        const XmlElement& box = need(element, "bndbox", name);
        AnnotatedObject object;
        const double x = pixels(box, "xmin", name), y = pixels(box, "ymin", name);
        object.box = {x, y, pixels(box, "xmax", name) - x, pixels(box, "ymax", name) - y};
        object.area = object.box.area();
        object.difficult = flag(element, "difficult");
        const std::string& category = need(element, "name", name).text;
        if (category.empty())
            damaged(where, "an object has no name");
        if (!checkBox(object.box, result.picture.width, result.picture.height, where)) {
            result.emptyBoxes.push_back(where);
            continue;
        }
        object.category = int32_t(result.names.size());
        result.names.push_back(category);
        result.numbers.push_back(number);
        result.picture.objects.push_back(std::move(object));
    }
    return result;
}

std::vector<std::string> vocParts(const std::vector<data::StoredFile>& files, bool masks)
{
    std::vector<std::string> parts;
    for (const data::StoredFile& file : files)
        if (std::string part = stemIn(file.name, masks ? kMaskLists : kLists, ".txt");
            !part.empty())
            parts.push_back(std::move(part));
    return parts;
}

std::map<std::string, AnnotatedSet> readVocParts(const std::vector<data::StoredFile>& files,
                                                 const std::vector<std::string>& parts,
                                                 const std::string& root, const VocOptions& options)
{
    const FilesByStem lists = filesIn(files, options.masks ? kMaskLists : kLists, {".txt"});
    const VocFiles tree{
        filesIn(files, kAnnotations, {".xml"}),
        filesIn(files, kPictures, {".jpg", ".jpeg", ".png", ".JPG", ".JPEG", ".PNG"}),
        filesIn(files, kMasks, {".png"})};
    std::map<std::string, AnnotatedSet> sets;
    std::map<std::string, std::vector<std::vector<std::string>>> namesOf;
    for (const std::string& part : parts) {
        const data::StoredFile& list =
            fileOf(lists, part, root,
                   options.masks ? "list in ImageSets/Segmentation" : "list in ImageSets/Main");
        AnnotatedSet& set = sets[part];
        LeftOut leftOut;
        forEachListed(list, tree.annotations, options.problem, [&](const std::string& stem) {
            VocPicture voc = readListed(tree, stem, list.describe(), options.masks, set);
            for (const std::string& where : voc.emptyBoxes)
                leftOut.add(where);
            set.pictures.push_back(std::move(voc.picture));
            namesOf[part].push_back(std::move(voc.names));
        });
        if (set.pictures.empty())
            throw InvalidArgument(list.describe() + " lists no picture", "data_empty");
        leftOut.report(set);
    }
    nameCategories(sets, namesOf);
    return sets;
}

} // namespace scalebench::detection
