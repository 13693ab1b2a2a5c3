// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batches of pictures of one size with the targets of SSD's default boxes.

#include "engine/data/picture_rows.h"
#include "engine/data/sampled_source.h"
#include "engine/detection/picture_augment.h"
#include "engine/models/detector/detector.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scalebench::workloads {

/// Tensors: images [N,E,E,3] as data::PictureRows makes them, normalised as ImageNet's; labels I32
/// [N,A] and targets F32 [N,A,4] (detection::assignBoxes). Notes: std::vector<PictureNote> without
/// objects, and of the whole picture, whatever part was drawn. What is drawn for a picture depends
/// on (seed, epoch, picture) only.
class DetectionBatches
{
public:
    struct Options {
        int edge = 300;
        detection::AugmentOptions augment;
        bool train = true;
        bool decode = true; ///< false: pictures are noise, of synthetic data
        bool raw = false;   ///< images are bytes, for a device that does the rest
        uint64_t seed = 0;
    };
    /// `chosen`: pictures of the set by the number of the sample; set, default boxes and memory
    /// outlive this.
    DetectionBatches(const detection::AnnotatedSet& set, std::vector<int64_t> chosen,
                     std::span<const float> defaultBoxes, const Options& options,
                     Allocator& memory);

    /// Throws InvalidArgument (`data_damaged`) naming the picture. Thread-safe.
    void fill(const data::SampleList& list, Batch& batch) const;

private:
    PictureNote noteOf(int64_t picture, bool real) const;
    void fillPicture(int64_t picture, int64_t epoch, data::PictureRows& rows,
                     std::span<int32_t> labels, std::span<float> targets) const;

    const detection::AnnotatedSet& set_;
    std::vector<int64_t> chosen_;
    std::span<const float> defaults_;
    Options options_;
    PictureScale scale_;
    Allocator& memory_;
};

} // namespace scalebench::workloads
