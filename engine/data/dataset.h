// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the training loop sees of a labelled picture set, and the two ways of keeping one: decoded
// in memory (small pictures) or stored and decoded on demand.

#include "engine/data/file_source.h"
#include "engine/data/image.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace scalebench::data {

/// A fixed list of labelled pictures. Const calls are thread-safe.
class ImageDataset
{
public:
    virtual ~ImageDataset() = default;

    virtual int64_t size() const = 0;
    virtual int label(int64_t index) const = 0;
    /// The picture at its stored size. Throws InvalidArgument (`data_damaged`) naming the file.
    virtual Image decode(int64_t index) const = 0;
    /// Pixels [S, S, 3] where the whole set is decoded and square of one size; else empty.
    virtual std::span<const uint8_t> pixels(int64_t) const { return {}; }
    /// Edge of every picture where pixels() works, else 0.
    virtual int edge() const { return 0; }
    /// Bytes fetched from storage for one decode (0 when it is in memory already).
    virtual int64_t storedBytes(int64_t) const { return 0; }

    const std::vector<std::string>& classNames() const { return classNames_; }
    int classes() const { return static_cast<int>(classNames_.size()); }

protected:
    std::vector<std::string> classNames_;
};

/// Square pictures of one size, decoded, [n, edge, edge, 3].
class MemoryDataset final : public ImageDataset
{
public:
    MemoryDataset(int edge, std::vector<uint8_t> pixels, std::vector<int> labels,
                  std::vector<std::string> classNames);

    int64_t size() const override { return int64_t(labels_.size()); }
    int label(int64_t index) const override { return labels_[size_t(index)]; }
    Image decode(int64_t index) const override;
    std::span<const uint8_t> pixels(int64_t index) const override;
    int edge() const override { return edge_; }

private:
    int edge_;
    std::vector<uint8_t> pixels_;
    std::vector<int> labels_;
};

/// JPEG and PNG files that stay compressed where they are.
class StoredDataset final : public ImageDataset
{
public:
    StoredDataset(std::vector<StoredFile> files, std::vector<int> labels,
                  std::vector<std::string> classNames);

    int64_t size() const override { return int64_t(labels_.size()); }
    int label(int64_t index) const override { return labels_[size_t(index)]; }
    Image decode(int64_t index) const override;
    int64_t storedBytes(int64_t index) const override
    {
        return files_[size_t(index)].storedBytes();
    }

private:
    std::vector<StoredFile> files_;
    std::vector<int> labels_;
};

/// A fixed random choice of `samples` pictures of another set, which it owns; the same everywhere.
class SubsetDataset final : public ImageDataset
{
public:
    SubsetDataset(std::unique_ptr<ImageDataset> whole, int64_t samples);

    int64_t size() const override { return int64_t(chosen_.size()); }
    int label(int64_t index) const override { return whole_->label(chosen_[size_t(index)]); }
    Image decode(int64_t index) const override { return whole_->decode(chosen_[size_t(index)]); }
    std::span<const uint8_t> pixels(int64_t index) const override
    {
        return whole_->pixels(chosen_[size_t(index)]);
    }
    int edge() const override { return whole_->edge(); }
    int64_t storedBytes(int64_t index) const override
    {
        return whole_->storedBytes(chosen_[size_t(index)]);
    }

private:
    std::unique_ptr<ImageDataset> whole_;
    std::vector<int64_t> chosen_;
};

/// Mean and standard deviation per channel, of pixel values scaled to 0..1.
struct ChannelStatistics {
    float mean[3] = {0.485f, 0.456f, 0.406f};
    float deviation[3] = {0.229f, 0.224f, 0.225f};
};

/// Over all pictures of a set in memory, over 256 evenly spaced ones of a stored set.
ChannelStatistics measureChannels(const ImageDataset& dataset);

} // namespace scalebench::data
