// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Batches of pictures of any size: each scaled, maybe mirrored, in the upper left corner of rows of
// one size.

#include "engine/data/sampled_source.h"
#include "engine/models/detector/detector.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace scalebench::workloads {

struct Extent {
    int height = 0, width = 0;
    bool operator==(const Extent&) const = default;
};

/// How large pictures become.
struct PictureSizing {
    int shorter = 800;   ///< pixels of the shorter edge ...
    int longest = 1333;  ///< ... unless the longer one would have more than these
    bool square = false; ///< both edges get `shorter` pixels, whatever the picture's shape
    int multiple = 32;   ///< rows are filled up to a multiple of this

    /// Of a picture, rounded down as torchvision does, 1 at least.
    Extent scaled(int width, int height) const;
    Extent padded(const Extent& largest) const;
};

class PictureBatches
{
public:
    struct Options {
        PictureSizing sizing;
        bool flip = false; ///< every second picture in training
        bool train = true;
        bool decode = true; ///< false: pictures are noise, of synthetic data
        bool raw = false;   ///< images are bytes, for a device that does the rest
        uint64_t seed = 0;
    };
    /// What a network wants beside the images, from the batch's notes: appends tensors.
    using AddTargets = std::function<void(const Extent&, const std::vector<PictureNote>&, Batch&)>;

    /// set and memory outlive this.
    PictureBatches(const detection::AnnotatedSet& set, const Options& options,
                   AddTargets addTargets, Allocator& memory);

    const Options& options() const { return options_; }
    /// Tensors: images [N,extent.height,extent.width,3] as data::PictureRows makes them, then the
    /// targets; notes: std::vector<PictureNote>. list.samples: indices of pictures. Throws
    /// InvalidArgument
    /// (`data_damaged`) naming the picture. Thread-safe.
    void fill(const data::SampleList& list, const Extent& extent, Batch& batch) const;

private:
    PictureNote noteOf(int64_t picture, int64_t epoch) const;
    std::vector<uint8_t> pixelsOf(const PictureNote& note) const;

    const detection::AnnotatedSet& set_;
    Options options_;
    AddTargets addTargets_;
    PictureScale scale_;
    Allocator& memory_;
};

} // namespace scalebench::workloads
