// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/picture_rows.h"

#include "kernels/check.h"

#include <cstring>

namespace scalebench::data {

PictureRows::PictureRows(Batch& batch, std::int64_t count, const Options& options,
                         const PictureScale& scale, Allocator& memory)
    : options_(options), scale_(scale)
{
    batch.tensors.clear(); // their memory is used again
    batch.pictures.reset();
    images_ = Tensor::empty({count, options.height, options.width, 3},
                            options.raw ? DType::U8 : DType::F32, memory);
    batch.tensors = {images_};
    if (!options.raw)
        return;
    pictures_ = std::make_shared<RawPictures>(RawPictures{scale, {}});
    pictures_->changes.reserve(std::size_t(count));
    batch.pictures = pictures_;
}

void PictureRows::add(std::span<const std::uint8_t> rgb, const PictureChange& change)
{
    const int width = change.width > 0 ? change.width : options_.width;
    const int height = change.height > 0 ? change.height : options_.height;
    SB_REQUIRE(next_ < images_.dim(0) && width <= options_.width && height <= options_.height &&
                   rgb.size() == std::size_t(width) * std::size_t(height) * 3,
               "a picture that its batch has no room for");
    const std::int64_t at = next_++ * options_.height * options_.width * 3;
    if (!options_.raw) {
        kernels::cpu::normalisePicture(options_.height, options_.width, rgb.data(), width, change,
                                       scale_, images_.f32().data() + at);
        return;
    }
    const auto line = std::size_t(width) * 3;
    for (int y = 0; y < height; ++y) // what lies beside is blank, whatever it holds
        std::memcpy(images_.u8().data() + at + std::int64_t{y} * options_.width * 3,
                    rgb.data() + std::size_t(y) * line, line);
    pictures_->changes.push_back(change);
}

} // namespace scalebench::data
