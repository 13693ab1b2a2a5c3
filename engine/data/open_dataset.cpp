// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/open_dataset.h"

#include "engine/data/cifar_binary.h"
#include "engine/data/class_folders.h"
#include "engine/data/parallel.h"
#include "engine/data/picture_parts.h"
#include "kernels/check.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>

namespace scalebench::data {
namespace {

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

} // namespace

struct PictureFiles::Found {
    std::string path;
    std::vector<StoredFile> files;
    bool cifar = false;
    std::vector<std::string> remarks;
};

PictureFiles::PictureFiles(const std::string& path, const BytesProgress& progress)
    : found_(std::make_unique<Found>())
{
    std::vector<StoredFile>& files = found_->files;
    found_->path = path;
    std::map<std::string, int64_t> notRead; // in class folders, by ending
    const auto wanted = [&](const std::string& name) {
        if (isWanted(name))
            return true;
        if (const std::string ending = endingNotRead(name);
            !ending.empty() && isInClassFolder(name))
            ++notRead[ending];
        return false;
    };
    FileListing listing = listFiles(path, wanted, progress);
    files = addSiblings(path, std::move(listing.files));
    found_->remarks = std::move(listing.remarks);
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
    if (found_->cifar)
        return;
    refuseMissingClasses(listing.deadLinks);
    std::ranges::move(remarksOnLeftAside(files, notRead), std::back_inserter(found_->remarks));
}

PictureFiles::~PictureFiles() = default;
PictureFiles::PictureFiles(PictureFiles&&) noexcept = default;

DatasetSummary PictureFiles::summary() const
{
    DatasetSummary summary;
    std::string further;
    if (found_->cifar) {
        const CifarFiles sorted = sortCifar(found_->path, found_->files);
        summary = {"CIFAR-10 binary",
                   countCifar(sorted.train),
                   countCifar(sorted.test),
                   int(cifarClassNames(found_->files).size()),
                   {},
                   {}};
        further = remarkOnGap(sorted.train);
    } else {
        const FolderLayout layout = sortFolders(found_->path, found_->files);
        summary = {"class folders",
                   int64_t(layout.train.files.size()),
                   int64_t(layout.eval.files.size()),
                   int(layout.classNames.size()),
                   emptyClassFolders(found_->path, layout.classNames),
                   {}};
        further = remarkOnShared(layout);
    }
    summary.remarks = found_->remarks;
    if (!further.empty())
        summary.remarks.push_back(further);
    if (summary.classes < 2)
        throw InvalidArgument(found_->path + " has pictures of one class only: there is nothing to "
                                             "tell apart. Give every class a folder of its own "
                                             "below train/.",
                              "data_empty");
    return summary;
}

Fingerprint PictureFiles::fingerprint() const
{
    Fingerprint print;
    for (const StoredFile& file : found_->files) {
        print.add(file.name);
        print.add(uint64_t(file.size));
    }
    if (const auto first = std::ranges::find_if(found_->files, isCifar);
        first != found_->files.end()) {
        const std::vector<uint8_t> content = first->bytes ? *first->bytes : first->read();
        print.add(std::span(content));
    }
    return print;
}

DatasetPair PictureFiles::open(const OpenOptions& options) const
{
    return found_->cifar ? openCifar(found_->path, found_->files)
                         : openFolders(found_->path, found_->files, options);
}

int64_t PictureFiles::bytesRead() const
{
    // A compressed tar is read whole to find its members.
    if (const auto packed = found_->files.front().packed)
        return packed->bytesFetched();
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
        if (isInClassFolder(file.name))
            telling([&] { decodeImage(file.bytes ? *file.bytes : file.read(), file.describe()); });
    });
    return storedBytes(files);
}

DatasetPair openImageDatasets(const std::string& path, const OpenOptions& options)
{
    return PictureFiles(path, options.progress).open(options);
}

} // namespace scalebench::data
