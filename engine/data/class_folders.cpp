// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/class_folders.h"

#include "engine/core/lower_case.h"
#include "engine/data/parallel.h"
#include "engine/data/picture_parts.h"
#include "kernels/check.h"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_map>

namespace scalebench::data {
namespace {

enum class Part { None, Train, Validation, Test };

struct Place {
    Part part = Part::None;
    std::string className;
};

/// The class is the folder right below the part's folder.
Place placeOf(const std::string& name)
{
    std::vector<std::string> parts;
    size_t from = 0;
    for (size_t slash; (slash = name.find('/', from)) != std::string::npos; from = slash + 1)
        parts.push_back(name.substr(from, slash - from));
    for (size_t i = 0; i + 1 < parts.size(); ++i) {
        const std::string low = lowerCase(parts[i]);
        if (low == "train" || low == "training")
            return {Part::Train, parts[i + 1]};
        if (low == "val" || low == "valid" || low == "validation")
            return {Part::Validation, parts[i + 1]};
        if (low == "test" || low == "testing")
            return {Part::Test, parts[i + 1]};
    }
    return {};
}

bool allSmall(const LabelledFiles& set)
{
    // A sample decides first, so that a big photo set is not read through for nothing.
    const size_t n = set.files.size();
    const size_t stride = std::max<size_t>(1, n / 8);
    for (size_t i = 0; i < n; i += stride) {
        const ImageSize size =
            peekImageSize(set.files[i].bytes ? *set.files[i].bytes : set.files[i].read());
        if (size.width > kSmallImageEdge || size.height > kSmallImageEdge)
            return false;
    }
    return true;
}

/// Progress and threads of a decoding pass; shared by both parts of the set.
struct DecodePass {
    const OpenOptions& options;
    int64_t total;
    std::atomic<int64_t> done{0};
};

/// Decodes everything into memory; null when a picture turns out to be larger than small, or of
/// another size where the run cuts pieces out of pictures.
std::unique_ptr<ImageDataset> decodeAll(const LabelledFiles& set, std::vector<std::string> names,
                                        DecodePass& pass)
{
    const int edge = pass.options.imageSize;
    const size_t bytes = size_t(edge) * size_t(edge) * 3;
    std::vector<uint8_t> pixels(set.files.size() * bytes);
    std::atomic<bool> tooLarge{false};
    const auto one = [&](int64_t i) {
        if (tooLarge)
            return;
        const StoredFile& file = set.files[size_t(i)];
        const Image image = decodeImage(file.bytes ? *file.bytes : file.read(), file.describe());
        const bool same = image.width == edge && image.height == edge;
        if (image.width > kSmallImageEdge || image.height > kSmallImageEdge ||
            (pass.options.photoCrops && !same))
            tooLarge = true;
        uint8_t* out = pixels.data() + size_t(i) * bytes;
        if (same)
            std::copy(image.rgb.begin(), image.rgb.end(), out);
        else
            resizeCrop(image, centreSquare(image), edge, edge, out);
        ++pass.done;
    };
    parallelFor(int64_t(set.files.size()), pass.options.decodeThreads, one, [&] {
        if (pass.options.progress)
            pass.options.progress(pass.done, pass.total);
    });
    if (tooLarge)
        return nullptr;
    return std::make_unique<MemoryDataset>(edge, std::move(pixels), set.labels, std::move(names));
}

constexpr size_t kCompared = 16; ///< so few are read while looking at a set

bool sameBytes(const StoredFile& a, const StoredFile& b)
{
    try {
        return a.read() == b.read();
    } catch (const InvalidArgument&) {
        return false; // who decodes it tells
    }
}

} // namespace

bool isPicture(const std::string& name)
{
    const std::string low = lowerCase(baseName(name));
    return !low.starts_with(".") &&
           (low.ends_with(".jpg") || low.ends_with(".jpeg") || low.ends_with(".png"));
}

std::string endingNotRead(const std::string& name)
{
    static const std::set<std::string> kEndings = {".avif", ".bmp",  ".gif", ".heic", ".jfif",
                                                   ".jp2",  ".jpe",  ".pgm", ".ppm",  ".tga",
                                                   ".tif",  ".tiff", ".webp"};
    const size_t dot = name.rfind('.');
    const std::string ending = dot == std::string::npos ? "" : lowerCase(name.substr(dot));
    return kEndings.contains(ending) ? ending : std::string();
}

void refuseMissingClasses(const std::vector<DeadLink>& deadLinks)
{
    for (const DeadLink& link : deadLinks) {
        // By its name a part, a class, or a folder in one; a file of another kind is not missed.
        const Place place = placeOf(link.name + "/any/");
        const bool isClass =
            placeOf(link.name).part == Part::None || baseName(link.name) == place.className;
        if (place.part != Part::None &&
            (isClass || !std::filesystem::path(link.name).has_extension()))
            throw InvalidArgument(link.message +
                                      ": the pictures of a class are missing. Bring back what it "
                                      "leads to, or remove the link",
                                  "data_damaged");
    }
}

std::vector<std::string> remarksOnLeftAside(const std::vector<StoredFile>& files,
                                            const std::map<std::string, int64_t>& notRead)
{
    std::vector<std::string> remarks;
    const auto loose = [](const StoredFile& file) {
        return isPicture(file.name) && !isInClassFolder(file.name);
    };
    if (const auto count = std::ranges::count_if(files, loose); count > 0)
        remarks.push_back(std::to_string(count) + (count == 1 ? " picture lies" : " pictures lie") +
                          " in no class folder below train/, val/ or test/, the first: " +
                          std::ranges::find_if(files, loose)->describe() +
                          ". Only what lies in class folders is read.");
    int64_t others = 0;
    std::string endings;
    for (const auto& [ending, count] : notRead) {
        others += count;
        endings += (endings.empty() ? "" : ", ") + ending;
    }
    if (others > 0)
        remarks.push_back(
            std::to_string(others) +
            (others == 1 ? " file of another format (" : " files of other formats (") + endings +
            ") in class folders " + (others == 1 ? "is" : "are") +
            " not read; convert to JPEG or PNG what belongs to the data.");
    return remarks;
}

std::string remarkOnShared(const FolderLayout& layout)
{
    const auto keyOf = [](const LabelledFiles& set, size_t i) {
        const StoredFile& file = set.files[i];
        return std::to_string(set.labels[i]) + "/" + std::to_string(file.size) + "/" +
               baseName(file.name);
    };
    std::unordered_map<std::string, size_t> evaluated;
    for (size_t i = 0; i < layout.eval.files.size(); ++i)
        evaluated.emplace(keyOf(layout.eval, i), i);
    std::vector<std::pair<size_t, size_t>> alike; // training picture, evaluation picture
    for (size_t i = 0; i < layout.train.files.size(); ++i)
        if (const auto found = evaluated.find(keyOf(layout.train, i)); found != evaluated.end())
            alike.emplace_back(i, found->second);
    const size_t compared = std::min(alike.size(), kCompared);
    size_t same = 0;
    std::string first;
    for (size_t i = 0; i < compared; ++i) {
        const auto [train, eval] = alike[i * alike.size() / compared];
        if (sameBytes(layout.train.files[train], layout.eval.files[eval]) && same++ == 0)
            first = layout.eval.files[eval].describe();
    }
    if (same == 0)
        return {};
    return std::to_string(alike.size()) + " of the " + std::to_string(layout.eval.files.size()) +
           " pictures to evaluate with have class, name and size of one to train on, and of " +
           std::to_string(compared) + " that were compared " + std::to_string(same) +
           " are the same bytes, the first: " + first + ". The result will look better than it is.";
}

bool isInClassFolder(const std::string& name)
{
    return placeOf(name).part != Part::None;
}

FolderLayout sortFolders(const std::string& path, const std::vector<StoredFile>& files)
{
    std::map<Part, std::vector<std::pair<const StoredFile*, std::string>>> parts;
    std::set<std::string> classes;
    for (const StoredFile& file : files) {
        if (!isPicture(file.name))
            continue;
        const Place place = placeOf(file.name);
        parts[place.part].emplace_back(&file, place.className);
        if (place.part == Part::Train)
            classes.insert(place.className);
    }
    if (parts[Part::Train].empty())
        throw InvalidArgument(
            path + " holds " + std::to_string(parts[Part::None].size()) +
                " pictures, but none in class folders below train/: looked for "
                "train/<class>/*.jpg|jpeg|png and val|validation|test/<class>/..., and for "
                "data_batch_*.bin",
            "data_empty");
    const Part evalPart = parts[Part::Validation].empty() ? Part::Test : Part::Validation;
    if (parts[evalPart].empty())
        noEvalPart(path, "val/, validation/ or test/ with one folder per class beside train/");
    const std::vector<std::string> names(classes.begin(), classes.end());
    const auto collect = [&](Part part) {
        LabelledFiles set;
        for (const auto& [file, className] : parts[part]) {
            const auto at = std::lower_bound(names.begin(), names.end(), className);
            if (at == names.end() || *at != className)
                throw InvalidArgument(file->describe() + " is in class " + className +
                                          ", which has no folder below train/",
                                      "data_damaged");
            set.files.push_back(*file);
            set.labels.push_back(int(at - names.begin()));
        }
        return set;
    };
    return {names, collect(Part::Train), collect(evalPart)};
}

DatasetPair openFolders(const std::string& path, const std::vector<StoredFile>& files,
                        const OpenOptions& options)
{
    const FolderLayout layout = sortFolders(path, files);
    const std::vector<std::string>& names = layout.classNames;
    const LabelledFiles& train = layout.train;
    const LabelledFiles& eval = layout.eval;
    DatasetPair pair;
    if (options.imageSize <= kSmallImageEdge && allSmall(train) && allSmall(eval)) {
        DecodePass pass{options, int64_t(train.files.size() + eval.files.size()), {}};
        pair.train = decodeAll(train, names, pass);
        if (pair.train)
            pair.eval = decodeAll(eval, names, pass);
        pair.bytesRead = storedBytes(files);
    }
    if (!pair.train || !pair.eval) {
        pair.train = std::make_unique<StoredDataset>(train.files, train.labels, names);
        pair.eval = std::make_unique<StoredDataset>(eval.files, eval.labels, names);
    }
    return pair;
}

std::vector<std::string> emptyClassFolders(const std::string& path,
                                           const std::vector<std::string>& classNames)
{
    namespace fs = std::filesystem;
    std::vector<std::string> empty;
    std::error_code failed;
    for (const char* part : {"train", "training"})
        for (fs::directory_iterator it(fs::path(path) / part, failed), end; it != end;
             it.increment(failed)) {
            const std::string name = it->path().filename().string();
            if (it->is_directory(failed) && !name.starts_with(".") &&
                !std::ranges::binary_search(classNames, name))
                empty.push_back(name);
        }
    std::ranges::sort(empty);
    return empty;
}

} // namespace scalebench::data
