// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/cifar_binary.h"

#include "engine/data/picture_parts.h"
#include "kernels/check.h"

#include <charconv>
#include <set>

namespace scalebench::data {
namespace {

constexpr int kCifarEdge = 32;
constexpr int64_t kCifarPixels = 3 * kCifarEdge * kCifarEdge;
constexpr int64_t kCifarRecord = 1 + kCifarPixels;

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

} // namespace

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

std::string remarkOnGap(const std::vector<StoredFile>& train)
{
    const std::string begin = "data_batch_";
    std::set<int> numbers;
    for (const StoredFile& file : train) {
        const std::string base = baseName(file.name);
        int number = 0;
        if (base.starts_with(begin))
            std::from_chars(base.data() + begin.size(), base.data() + base.size(), number);
        if (number > 0)
            numbers.insert(number);
    }
    int next = 1;
    for (const int number : numbers)
        if (number != next++)
            return begin + std::to_string(next - 1) + ".bin is missing, but " + begin +
                   std::to_string(*numbers.rbegin()) +
                   ".bin is there: its samples are not trained on";
    return {};
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

} // namespace scalebench::data
