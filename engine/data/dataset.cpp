// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/dataset.h"

#include "engine/data/sampler.h"
#include "kernels/check.h"

#include <algorithm>
#include <cmath>

namespace scalebench::data {

MemoryDataset::MemoryDataset(int edge, std::vector<uint8_t> pixels, std::vector<int> labels,
                             std::vector<std::string> classNames)
    : edge_(edge), pixels_(std::move(pixels)), labels_(std::move(labels))
{
    classNames_ = std::move(classNames);
    SB_REQUIRE(pixels_.size() == labels_.size() * size_t(edge) * size_t(edge) * 3,
               "MemoryDataset: pixel and label counts disagree");
}

Image MemoryDataset::decode(int64_t index) const
{
    const std::span<const uint8_t> p = pixels(index);
    return {edge_, edge_, std::vector<uint8_t>(p.begin(), p.end())};
}

std::span<const uint8_t> MemoryDataset::pixels(int64_t index) const
{
    const size_t bytes = size_t(edge_) * size_t(edge_) * 3;
    return {pixels_.data() + size_t(index) * bytes, bytes};
}

StoredDataset::StoredDataset(std::vector<StoredFile> files, std::vector<int> labels,
                             std::vector<std::string> classNames)
    : files_(std::move(files)), labels_(std::move(labels))
{
    classNames_ = std::move(classNames);
    SB_REQUIRE(files_.size() == labels_.size(), "StoredDataset: file and label counts disagree");
}

Image StoredDataset::decode(int64_t index) const
{
    const StoredFile& file = files_[size_t(index)];
    if (file.bytes)
        return decodeImage(*file.bytes, file.describe());
    return decodeImage(file.read(), file.describe());
}

SubsetDataset::SubsetDataset(std::unique_ptr<ImageDataset> whole, int64_t samples)
    : whole_(std::move(whole))
{
    classNames_ = whole_->classNames();
    chosen_ = shuffledOrder(whole_->size(), 0, 0);
    chosen_.resize(size_t(std::min(samples, whole_->size())));
    std::sort(chosen_.begin(), chosen_.end());
}

ChannelStatistics measureChannels(const ImageDataset& dataset)
{
    const bool inMemory = dataset.edge() > 0;
    const int64_t take = inMemory ? dataset.size() : std::min<int64_t>(dataset.size(), 256);
    double sum[3] = {}, squares[3] = {};
    double count = 0;
    for (int64_t i = 0; i < take; ++i) {
        const int64_t index = i * dataset.size() / take;
        Image decoded;
        std::span<const uint8_t> p = dataset.pixels(index);
        if (p.empty()) {
            decoded = dataset.decode(index);
            p = decoded.rgb;
        }
        // Integer sums per picture: exact, so every worker gets the same numbers.
        uint64_t s[3] = {}, q[3] = {};
        for (size_t k = 0; k + 2 < p.size(); k += 3) {
            for (size_t c = 0; c < 3; ++c) {
                s[c] += p[k + c];
                q[c] += uint64_t{p[k + c]} * p[k + c];
            }
        }
        for (int c = 0; c < 3; ++c) {
            sum[c] += double(s[c]);
            squares[c] += double(q[c]);
        }
        count += double(p.size()) / 3;
    }
    ChannelStatistics result;
    for (int c = 0; c < 3 && count > 0; ++c) {
        const double mean = sum[c] / count;
        const double variance = std::max(squares[c] / count - mean * mean, 1.0);
        result.mean[c] = float(mean / 255.0);
        result.deviation[c] = float(std::sqrt(variance) / 255.0);
    }
    return result;
}

} // namespace scalebench::data
