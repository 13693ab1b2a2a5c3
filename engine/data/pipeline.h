// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// From sample indices to a network's input: decode, augment, normalise.

#include "engine/data/dataset.h"

#include <cstdint>
#include <new>
#include <span>
#include <vector>

namespace scalebench::data {

struct AugmentOptions {
    int padCrop = 0;                ///< pad by this many pixels, crop at a random place
    bool flip = false;              ///< mirror half of the pictures
    bool randomResizedCrop = false; ///< area 0.05..1, aspect 3/4..4/3, as MLPerf's ResNet-50
};

/// Storage on cache lines, as vector code likes it.
template <typename T>
struct LineAllocator {
    using value_type = T;
    LineAllocator() = default;
    template <typename U>
    LineAllocator(const LineAllocator<U>&)
    {
    }
    T* allocate(size_t n)
    {
        return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{64}));
    }
    void deallocate(T* p, size_t) { ::operator delete (p, std::align_val_t{64}); }
    template <typename U>
    bool operator==(const LineAllocator<U>&) const
    {
        return true;
    }
};

/// One batch as the network takes it.
struct Batch {
    int64_t index = 0;                               ///< number of the batch in its sequence
    int64_t count = 0;                               ///< samples
    std::vector<float, LineAllocator<float>> images; ///< [count, size, size, 3], normalised
    std::vector<int32_t> labels;                     ///< [count]
    std::vector<std::vector<int32_t>> integers;      ///< of tasks without pictures: see there
    int64_t bytesRead = 0;                           ///< fetched from storage for this batch
};

/// Turns samples into batches. What is drawn for a sample depends on (seed, epoch, sample) only,
/// never on the worker or thread. Const calls are thread-safe; the data set must outlive this.
class ImagePipeline
{
public:
    ImagePipeline(const ImageDataset& dataset, int imageSize, const ChannelStatistics& statistics,
                  const AugmentOptions& augment, uint64_t seed);

    void fillTrain(std::span<const int64_t> samples, int64_t epoch, Batch& batch) const;
    /// No augmentation; photo sizes: shorter edge to 256/224 of the size, centre crop.
    void fillEval(std::span<const int64_t> samples, Batch& batch) const;

private:
    void prepare(std::span<const int64_t> samples, Batch& batch) const;
    void square(std::span<const uint8_t> pixels, int dx, int dy, bool mirror, float* out) const;
    void photo(const Image& image, bool train, int64_t epoch, int64_t sample, float* out) const;

    const ImageDataset& dataset_;
    int size_;
    AugmentOptions augment_;
    uint64_t seed_;
    float table_[3][256]; ///< pixel value to normalised value
};

} // namespace scalebench::data
