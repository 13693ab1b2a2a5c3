// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// From sample indices to a network's input: decode, augment, normalise.

#include "engine/data/dataset.h"
#include "engine/data/hash_random.h"
#include "engine/data/picture_rows.h"

#include <cstdint>
#include <span>

namespace scalebench::data {

struct AugmentOptions {
    int padCrop = 0;                ///< pad by this many pixels, crop at a random place
    bool flip = false;              ///< mirror half of the pictures
    bool randomResizedCrop = false; ///< area 0.05..1, aspect 3/4..4/3, as MLPerf's ResNet-50: the
                                    ///< recipe for photos
    int cutout = 0; ///< edge of a square that is blanked (DeVries and Taylor, arXiv 1708.04552)
};

/// Turns samples into batches of two tensors from `memory`: images [count, size, size, 3] as
/// PictureRows makes them, and labels I32 [count]. What is drawn for a sample depends on (seed,
/// epoch, sample) only, never on the worker or thread. Const calls are thread-safe; data set and
/// memory must outlive this.
class ImagePipeline
{
public:
    ImagePipeline(const ImageDataset& dataset, int imageSize, const ChannelStatistics& statistics,
                  const AugmentOptions& augment, uint64_t seed, Allocator& memory);

    /// `raw`, here and below: images are bytes, for a device that does the rest.
    void fillTrain(std::span<const int64_t> samples, int64_t epoch, Batch& batch,
                   bool raw = false) const;
    /// No chance: the middle square of each picture; with randomResizedCrop what is left of it when
    /// the shorter edge is made 256/224 of the size. Pictures of every size take this path. Labels
    /// behind the first `real` ones are -1.
    void fillEval(std::span<const int64_t> samples, int64_t real, Batch& batch,
                  bool raw = false) const;

private:
    PictureRows prepare(std::span<const int64_t> samples, bool raw, Batch& batch) const;
    void addLabels(std::span<const int64_t> samples, Batch& batch) const;
    bool direct() const { return dataset_.edge() == size_ && !augment_.randomResizedCrop; }
    HashRandom randomOf(int64_t epoch, int64_t sample) const;
    PictureChange draw(HashRandom& random) const;
    Image resized(const Image& image, bool train, HashRandom& random) const;

    const ImageDataset& dataset_;
    int size_;
    AugmentOptions augment_;
    uint64_t seed_;
    Allocator& memory_;
    PictureScale scale_;
};

} // namespace scalebench::data
