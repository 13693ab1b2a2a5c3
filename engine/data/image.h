// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pictures in memory: 8-bit RGB, decoding of JPEG and PNG, antialiased resizing.
// Knows nothing of data sets; whoever calls names the file in the error.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scalebench::data {

/// 8-bit RGB picture, rows top to bottom, [height, width, 3].
struct Image {
    int width = 0;
    int height = 0;
    std::vector<uint8_t> rgb;
};

/// Size of a picture without decoding it; zeros when `bytes` is neither JPEG nor PNG.
struct ImageSize {
    int width = 0;
    int height = 0;
};
ImageSize peekImageSize(std::span<const uint8_t> bytes);

/// Decodes a JPEG (grey, YCbCr, RGB, CMYK and YCCK) or PNG (any kind) to RGB. The numbers of a PNG
/// are taken as they are, as Pillow's and torchvision's are: 16 bit is rounded to 8, alpha and
/// transparency are dropped, gamma and colour profiles are not applied. `name` is only for the
/// message. Throws InvalidArgument (`data_damaged`) with name and byte position; a premature end or
/// any other warning of libjpeg counts as damage. Thread-safe.
Image decodeImage(std::span<const uint8_t> bytes, const std::string& name);

/// The numbers of a picture that holds an id per pixel, rows top to bottom, [height, width].
struct IndexImage {
    int width = 0;
    int height = 0;
    std::vector<uint16_t> ids;
};

/// Decodes a PNG with a palette (the ids are its indices) or in grey (1 to 16 bit, as they are
/// stored). Throws InvalidArgument (`data_damaged`) as decodeImage() does, and for anything that
/// has colours in place of ids. Thread-safe.
IndexImage decodeIndices(std::span<const uint8_t> bytes, const std::string& name);

/// Part of a picture, in pixels; fractions allowed.
struct CropBox {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

/// The largest square in the middle of a picture.
CropBox centreSquare(const Image& image);

/// Resizes `box` of `source` to outWidth x outHeight with a triangle filter that widens when
/// shrinking (antialiased bilinear, as Pillow's BILINEAR). `out`: [outHeight, outWidth, 3],
/// overwritten. Thread-safe.
void resizeCrop(const Image& source, const CropBox& box, int outWidth, int outHeight, uint8_t* out);

} // namespace scalebench::data
