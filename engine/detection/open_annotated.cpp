// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/detection/open_annotated.h"

#include "engine/core/lower_case.h"
#include "engine/data/class_folders.h"
#include "engine/data/picture_parts.h"
#include "engine/detection/coco_json.h"
#include "engine/detection/index_masks.h"
#include "engine/detection/object_checks.h"
#include "engine/detection/voc_xml.h"
#include "kernels/check.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

namespace scalebench::detection {
namespace {

bool isWanted(const std::string& name)
{
    return data::isPicture(name) || name.ends_with(".json") || name.ends_with(".xml") ||
           name.ends_with(".txt");
}

/// Whether a file name says that it is of a part: "instances_train2017.json" of "train".
bool namesPart(const std::string& name, const std::string& part)
{
    const std::string base = lowerCase(data::baseName(name));
    const size_t at = base.rfind(lowerCase(part));
    if (at == std::string::npos)
        return false;
    const size_t end = at + part.size();
    const auto isLetter = [&](size_t i) { return std::isalpha(uint8_t(base[i])) != 0; };
    return (at == 0 || !isLetter(at - 1)) && !isLetter(end);
}

/// The annotations of a part, if there are any. Two that could be it: `data_damaged`, as training
/// on the wrong one would look like training.
const data::StoredFile* jsonOf(const std::vector<data::StoredFile>& files, const std::string& part)
{
    const data::StoredFile* found = nullptr;
    const data::StoredFile* other = nullptr;
    const auto isInstances = [](const data::StoredFile& file) {
        return data::baseName(file.name).starts_with("instances");
    };
    for (const data::StoredFile& file : files) {
        const std::string base = data::baseName(file.name);
        // COCO's archives bring captions and keypoints along.
        if (!base.ends_with(".json") || !namesPart(base, part) || base.starts_with("captions") ||
            base.starts_with("person_keypoints"))
            continue;
        if (!found || isInstances(file) > isInstances(*found)) {
            found = &file;
            other = nullptr;
        } else if (isInstances(file) == isInstances(*found)) {
            other = &file;
        }
    }
    if (other)
        damaged(found->describe(), "these could be the annotations of the part \"" + part +
                                       "\", and so could those in " + other->describe() +
                                       "; move away the file that is not meant");
    return found;
}

void requireSameCategories(const AnnotatedParts& parts, const std::string& trainName,
                           const std::string& evalName)
{
    const auto same = [](const Category& a, const Category& b) {
        return a.id == b.id && a.name == b.name;
    };
    if (!std::ranges::equal(parts.train.categories, parts.eval.categories, same))
        throw InvalidArgument(trainName + " and " + evalName +
                                  " do not have the same categories; they are not parts of one set",
                              "data_damaged");
}

using FileName = std::pair<std::string, std::string>; ///< container and name

FileName nameOf(const AnnotatedPicture& picture)
{
    return {picture.file.container, picture.file.name};
}

/// Files that no annotation lists are no mistake, but worth knowing.
void remarkOnUnlisted(AnnotatedParts& parts, const std::vector<data::StoredFile>& pictures)
{
    std::set<FileName> listed;
    for (const AnnotatedSet* set : {&parts.train, &parts.eval})
        for (const AnnotatedPicture& picture : set->pictures)
            listed.insert(nameOf(picture));
    const auto unlisted = [&](const data::StoredFile& file) {
        return !listed.contains({file.container, file.name});
    };
    if (const auto count = std::ranges::count_if(pictures, unlisted); count > 0)
        parts.train.remarks.push_back(
            countedRemark(count, "picture files that the annotations do not list",
                          std::ranges::find_if(pictures, unlisted)->describe()));
}

/// Pictures in both parts: the result says less than it seems to.
void remarkOnShared(AnnotatedParts& parts)
{
    std::set<FileName> trained;
    for (const AnnotatedPicture& picture : parts.train.pictures)
        trained.insert(nameOf(picture));
    const auto shared = [&](const AnnotatedPicture& picture) {
        return trained.contains(nameOf(picture));
    };
    const std::vector<AnnotatedPicture>& evaluated = parts.eval.pictures;
    if (const auto count = std::ranges::count_if(evaluated, shared); count > 0)
        parts.eval.remarks.push_back(std::to_string(count) + " of the " +
                                     std::to_string(evaluated.size()) +
                                     " pictures to evaluate with are trained on too, the first: " +
                                     std::ranges::find_if(evaluated, shared)->file.describe() +
                                     ". The result will look better than it is.");
}

AnnotatedParts openCoco(const std::vector<data::StoredFile>& files, const data::StoredFile& train,
                        const data::StoredFile& eval, const OpenAnnotatedOptions& options)
{
    std::vector<data::StoredFile> pictures;
    std::ranges::copy_if(files, std::back_inserter(pictures),
                         [](const data::StoredFile& file) { return data::isPicture(file.name); });
    const auto part = [&](const data::StoredFile& file) {
        AnnotatedSet set = parseCoco(file.read(), file.describe(), options.masks, options.problem);
        attachPictures(set, pictures, file, options.problem);
        return set;
    };
    AnnotatedParts parts{part(train), part(eval), "COCO JSON"};
    requireSameCategories(parts, train.describe(), eval.describe());
    if (options.problem)
        remarkOnUnlisted(parts, pictures);
    return parts;
}

/// The training part and the first of `evalNames` that is there.
AnnotatedParts chosen(std::map<std::string, AnnotatedSet> sets,
                      const std::vector<std::string>& evalNames, const std::string& path)
{
    for (const std::string& name : evalNames)
        if (sets.contains("train") && sets.contains(name))
            return {std::move(sets["train"]), std::move(sets[name]), "index masks"};
    if (!sets.contains("train"))
        throw InvalidArgument(path + " has no pictures with masks in a part \"train\"",
                              "data_empty");
    data::noEvalPart(path, "a folder \"" + evalNames.front() + "\" of pictures and masks");
}

AnnotatedParts openVoc(const std::vector<data::StoredFile>& files,
                       const std::vector<std::string>& listed,
                       const std::vector<std::string>& evalNames, const std::string& path,
                       const OpenAnnotatedOptions& options)
{
    for (const std::string& name : evalNames)
        if (std::ranges::find(listed, name) != listed.end()) {
            auto sets =
                readVocParts(files, {"train", name}, path, {options.masks, options.problem});
            return {std::move(sets["train"]), std::move(sets[name]), "Pascal VOC XML"};
        }
    data::noEvalPart(path, (options.masks ? "ImageSets/Segmentation/" : "ImageSets/Main/") +
                               evalNames.front() + ".txt");
}

AnnotatedParts openListed(const std::string& path, const std::vector<data::StoredFile>& files,
                          const OpenAnnotatedOptions& options)
{
    std::vector<std::string> evalNames = {"val", "test"};
    if (!options.evalPart.empty())
        evalNames = {options.evalPart};
    if (const data::StoredFile* train = jsonOf(files, "train")) {
        for (const std::string& name : evalNames)
            if (const data::StoredFile* eval = jsonOf(files, name))
                return openCoco(files, *train, *eval, options);
        data::noEvalPart(path, "a JSON file named \"" + evalNames.front() + "\"");
    }
    const auto hasTrain = [](const std::vector<std::string>& parts) {
        return std::ranges::find(parts, "train") != parts.end();
    };
    if (const std::vector<std::string> listed = vocParts(files, options.masks); hasTrain(listed))
        return openVoc(files, listed, evalNames, path, options);
    if (hasTrain(vocParts(files)))
        throw InvalidArgument(path + " is a Pascal VOC tree without masks: looked for "
                                     "ImageSets/Segmentation/train.txt and SegmentationObject/",
                              "data_missing");
    if (hasIndexMasks(files))
        return chosen(readIndexMasks(files, options.masks, options.problem), evalNames, path);
    throw InvalidArgument(path +
                              " holds no annotations: looked for COCO's instances_train*.json, for "
                              "a Pascal VOC tree with ImageSets/Main/train.txt, and for folders "
                              "\"images\" and \"masks\"",
                          "data_missing");
}

} // namespace

data::FileListing annotatedFiles(const std::string& path,
                                 const std::function<bool(const std::string&)>& wanted)
{
    data::FileListing listing = data::listFiles(path, wanted);
    std::error_code failed;
    if (!fs::is_directory(path, failed))
        return listing;
    std::vector<std::string> tars;
    for (const fs::directory_entry& entry : fs::directory_iterator(path))
        if (entry.is_regular_file(failed) && data::isTarName(entry.path().string()))
            tars.push_back(entry.path().string());
    std::ranges::sort(tars);
    if (std::ranges::any_of(listing.files, &data::StoredFile::inArchive))
        return listing;
    for (const std::string& tar : tars) {
        data::FileListing more = data::listFiles(tar, wanted);
        std::ranges::move(more.files, std::back_inserter(listing.files));
        std::ranges::move(more.remarks, std::back_inserter(listing.remarks));
    }
    return listing;
}

AnnotatedParts openAnnotated(const std::string& path, const OpenAnnotatedOptions& options)
{
    data::FileListing listing = annotatedFiles(path, isWanted);
    AnnotatedParts parts = openListed(path, listing.files, options);
    remarkOnShared(parts);
    std::ranges::move(listing.remarks, std::back_inserter(parts.train.remarks));
    return parts;
}

data::Image decodePicture(const AnnotatedPicture& picture)
{
    data::Image image = data::decodeImage(picture.file.read(), picture.file.describe());
    if (image.width != picture.width || image.height != picture.height)
        damaged(picture.file.describe(),
                "the picture has " + std::to_string(image.width) + "x" +
                    std::to_string(image.height) + " pixels, but its annotations say " +
                    std::to_string(picture.width) + "x" + std::to_string(picture.height) +
                    "; the boxes would not fit");
    return image;
}

} // namespace scalebench::detection
