// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The pictures of a batch while it is filled: normalised floats, or bytes for a device that does
// the rest. What comes out in the end is the same, bit for bit.

#include "engine/tensor/batch.h"

#include <cstdint>
#include <span>

namespace scalebench::data {

class PictureRows
{
public:
    struct Options {
        int height = 0, width = 0; ///< of every row
        bool raw = false;          ///< bytes
    };
    /// `scale` outlives this; memory and batch too. The batch gets its first tensor: images
    /// [count,height,width,3], F32 or U8 with Batch::pictures.
    PictureRows(Batch& batch, std::int64_t count, const Options& options, const PictureScale& scale,
                Allocator& memory);

    /// The next picture: its pixels [height,width,3], sizes and all that is to be done to it in
    /// `change`.
    void add(std::span<const std::uint8_t> rgb, const PictureChange& change);

private:
    Options options_;
    const PictureScale& scale_;
    Tensor images_;
    std::shared_ptr<RawPictures> pictures_; ///< of bytes
    std::int64_t next_ = 0;
};

} // namespace scalebench::data
