// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/open_dataset.h"

#include "engine/data/parallel.h"
#include "kernels/check.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>

namespace scalebench::data {
namespace {

constexpr int kCifarEdge = 32;
constexpr int64_t kCifarPixels = 3 * kCifarEdge * kCifarEdge;
constexpr int64_t kCifarRecord = 1 + kCifarPixels;

std::string lower(std::string text)
{
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    return text;
}

std::string baseName(const std::string& name)
{
    const size_t slash = name.rfind('/');
    return slash == std::string::npos ? name : name.substr(slash + 1);
}

bool isCifarTrain(const std::string& name)
{
    const std::string base = baseName(name);
    return base.starts_with("data_batch") && base.ends_with(".bin");
}

bool isCifarTest(const std::string& name)
{
    const std::string base = baseName(name);
    return base.starts_with("test_batch") && base.ends_with(".bin");
}

bool isPicture(const std::string& name)
{
    const std::string low = lower(baseName(name));
    return !low.starts_with(".") &&
           (low.ends_with(".jpg") || low.ends_with(".jpeg") || low.ends_with(".png"));
}

// ---- CIFAR-10 binary ---------------------------------------------------------------------------

int64_t countCifar(const std::vector<StoredFile>& files)
{
    int64_t records = 0;
    for (const StoredFile& file : files) {
        if (file.size == 0 || file.size % kCifarRecord != 0)
            throw InvalidArgument(
                file.describe() + " is damaged: " + std::to_string(file.size) +
                    " bytes are not a whole number of 3073-byte records; record " +
                    std::to_string(file.size / kCifarRecord) + " is cut off at byte " +
                    std::to_string(file.size) + ". Download or copy it again.",
                "data_damaged");
        records += file.size / kCifarRecord;
    }
    return records;
}

std::unique_ptr<ImageDataset> readCifar(const std::vector<StoredFile>& files,
                                        const std::vector<std::string>& classNames)
{
    const int64_t records = countCifar(files);
    std::vector<uint8_t> pixels(size_t(records * kCifarPixels));
    std::vector<int> labels;
    labels.reserve(size_t(records));
    uint8_t* out = pixels.data();
    for (const StoredFile& file : files) {
        const std::vector<uint8_t> content = file.read();
        for (int64_t r = 0; r < file.size / kCifarRecord; ++r) {
            const uint8_t* record = content.data() + r * kCifarRecord;
            if (record[0] >= classNames.size())
                throw InvalidArgument(file.describe() + " is damaged: record " + std::to_string(r) +
                                          " at byte " + std::to_string(r * kCifarRecord) +
                                          " has class " + std::to_string(int{record[0]}) + " of " +
                                          std::to_string(classNames.size()),
                                      "data_damaged");
            labels.push_back(record[0]);
            constexpr int kPlane = kCifarEdge * kCifarEdge;
            for (int p = 0; p < kPlane; ++p) {
                out[3 * p] = record[1 + p];
                out[3 * p + 1] = record[1 + kPlane + p];
                out[3 * p + 2] = record[1 + 2 * kPlane + p];
            }
            out += kCifarPixels;
        }
    }
    return std::make_unique<MemoryDataset>(kCifarEdge, std::move(pixels), std::move(labels),
                                           classNames);
}

std::vector<std::string> cifarClassNames(const std::vector<StoredFile>& files)
{
    std::vector<std::string> names;
    for (const StoredFile& file : files) {
        if (baseName(file.name) != "batches.meta.txt")
            continue;
        std::string line;
        for (const uint8_t c : file.read()) {
            if (c == '\n') {
                if (!line.empty())
                    names.push_back(line);
                line.clear();
            } else if (c != '\r') {
                line += char(c);
            }
        }
        if (!line.empty())
            names.push_back(line);
    }
    if (names.size() < 2 || names.size() > 256)
        names = {"airplane", "automobile", "bird",  "cat",  "deer",
                 "dog",      "frog",       "horse", "ship", "truck"};
    return names;
}

/// Read when all are: what a compressed tar unpacked to is in memory already.
int64_t storedBytes(const std::vector<StoredFile>& files)
{
    int64_t bytes = 0;
    for (const StoredFile& file : files)
        bytes += file.bytes ? 0 : file.size;
    return bytes;
}

[[noreturn]] void noEvalPart(const std::string& path, const std::string& lookedFor)
{
    throw InvalidArgument(
        path + " has training data but no evaluation data: looked for " + lookedFor, "data_empty");
}

struct CifarFiles {
    std::vector<StoredFile> train;
    std::vector<StoredFile> test;
};

CifarFiles sortCifar(const std::string& path, const std::vector<StoredFile>& files)
{
    CifarFiles sorted;
    for (const StoredFile& file : files) {
        if (isCifarTrain(file.name))
            sorted.train.push_back(file);
        else if (isCifarTest(file.name))
            sorted.test.push_back(file);
    }
    if (sorted.train.empty())
        throw InvalidArgument(path + " has a test_batch.bin but no data_batch_*.bin to train on",
                              "data_empty");
    if (sorted.test.empty())
        noEvalPart(path, "test_batch.bin");
    return sorted;
}

DatasetPair openCifar(const std::string& path, const std::vector<StoredFile>& files)
{
    const CifarFiles sorted = sortCifar(path, files);
    DatasetPair pair;
    const std::vector<std::string> names = cifarClassNames(files);
    pair.train = readCifar(sorted.train, names);
    pair.eval = readCifar(sorted.test, names);
    pair.bytesRead = storedBytes(files);
    return pair;
}

// ---- Class folders -----------------------------------------------------------------------------

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
        const std::string low = lower(parts[i]);
        if (low == "train" || low == "training")
            return {Part::Train, parts[i + 1]};
        if (low == "val" || low == "valid" || low == "validation")
            return {Part::Validation, parts[i + 1]};
        if (low == "test" || low == "testing")
            return {Part::Test, parts[i + 1]};
    }
    return {};
}

struct LabelledFiles {
    std::vector<StoredFile> files;
    std::vector<int> labels;
};

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

struct FolderLayout {
    std::vector<std::string> classNames;
    LabelledFiles train;
    LabelledFiles eval;
};

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

/// A single data_batch file stands for itself and the test batch beside it.
std::vector<StoredFile> addSiblings(const std::string& path, std::vector<StoredFile> files)
{
    namespace fs = std::filesystem;
    if (files.size() != 1 || !isCifarTrain(files.front().name) || files.front().inArchive)
        return files;
    if (!fs::is_regular_file(path))
        return files;
    for (const char* sibling : {"test_batch.bin", "batches.meta.txt"}) {
        const fs::path beside = fs::path(path).parent_path() / sibling;
        std::error_code failed;
        if (!fs::is_regular_file(beside, failed))
            continue;
        StoredFile file;
        file.name = sibling;
        file.container = beside.string();
        file.size = int64_t(fs::file_size(beside, failed));
        files.push_back(std::move(file));
    }
    return files;
}

bool isCifar(const StoredFile& file)
{
    return isCifarTrain(file.name) || isCifarTest(file.name);
}

bool isMeta(const StoredFile& file)
{
    return baseName(file.name) == "batches.meta.txt";
}

bool isWanted(const std::string& name)
{
    return isPicture(name) || isCifarTrain(name) || isCifarTest(name) ||
           baseName(name) == "batches.meta.txt";
}

/// Folders right below a training folder without a picture; only of loose trees.
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

} // namespace

struct PictureFiles::Found {
    std::string path;
    std::vector<StoredFile> files;
    bool cifar = false;
};

PictureFiles::PictureFiles(const std::string& path, const BytesProgress& progress)
    : found_(std::make_unique<Found>())
{
    std::vector<StoredFile>& files = found_->files;
    found_->path = path;
    files = addSiblings(path, listFiles(path, isWanted, progress));
    found_->cifar = std::any_of(files.begin(), files.end(), isCifar);
    if (found_->cifar)
        std::erase_if(files,
                      [](const StoredFile& file) { return !isCifar(file) && !isMeta(file); });
    else if (std::none_of(files.begin(), files.end(),
                          [](const StoredFile& file) { return isPicture(file.name); }))
        throw InvalidArgument(
            path + " holds no training data: looked for data_batch_*.bin (CIFAR-10 binary), "
                   "train/<class>/*.jpg|jpeg|png, or one tar of either; found none of them",
            "data_empty");
}

PictureFiles::~PictureFiles() = default;
PictureFiles::PictureFiles(PictureFiles&&) noexcept = default;

DatasetSummary PictureFiles::summary() const
{
    DatasetSummary summary;
    if (found_->cifar) {
        const CifarFiles sorted = sortCifar(found_->path, found_->files);
        summary = {"CIFAR-10 binary",
                   countCifar(sorted.train),
                   countCifar(sorted.test),
                   int(cifarClassNames(found_->files).size()),
                   {}};
    } else {
        const FolderLayout layout = sortFolders(found_->path, found_->files);
        summary = {"class folders", int64_t(layout.train.files.size()),
                   int64_t(layout.eval.files.size()), int(layout.classNames.size()),
                   emptyClassFolders(found_->path, layout.classNames)};
    }
    if (summary.classes < 2)
        throw InvalidArgument(found_->path + " has pictures of one class only: there is nothing to "
                                             "tell apart. Give every class a folder of its own "
                                             "below train/.",
                              "data_empty");
    return summary;
}

DatasetPair PictureFiles::open(const OpenOptions& options) const
{
    return found_->cifar ? openCifar(found_->path, found_->files)
                         : openFolders(found_->path, found_->files, options);
}

int64_t PictureFiles::bytesRead() const
{
    // A compressed tar is read whole to find its members.
    const auto kept = std::ranges::find_if(
        found_->files, [](const StoredFile& file) { return file.bytes != nullptr; });
    if (kept == found_->files.end())
        return 0;
    std::error_code failed;
    return int64_t(std::filesystem::file_size(kept->container, failed));
}

int64_t PictureFiles::examine(int threads,
                              const std::function<void(const std::string&)>& damaged) const
{
    std::mutex mutex;
    const auto telling = [&](const auto& body) {
        try {
            body();
        } catch (const InvalidArgument& e) {
            const std::lock_guard lock(mutex);
            damaged(e.what());
        }
    };
    const std::vector<StoredFile>& files = found_->files;
    if (found_->cifar) {
        telling([&] { openCifar(found_->path, files); });
        return storedBytes(files);
    }
    parallelFor(int64_t(files.size()), threads, [&](int64_t i) {
        const StoredFile& file = files[size_t(i)];
        if (placeOf(file.name).part != Part::None)
            telling([&] { decodeImage(file.bytes ? *file.bytes : file.read(), file.describe()); });
    });
    return storedBytes(files);
}

DatasetPair openImageDatasets(const std::string& path, const OpenOptions& options)
{
    return PictureFiles(path, options.progress).open(options);
}

} // namespace scalebench::data
