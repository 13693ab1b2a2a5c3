// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/png_writer.h"

#include "kernels/check.h"

#include <png.h>

#include <cstring>

namespace scalebench::data {

std::vector<uint8_t> encodePng(const Image& image)
{
    png_image png;
    std::memset(&png, 0, sizeof png);
    png.version = PNG_IMAGE_VERSION;
    png.width = png_uint_32(image.width);
    png.height = png_uint_32(image.height);
    png.format = PNG_FORMAT_RGB;
    png.flags = PNG_IMAGE_FLAG_FAST;
    std::vector<uint8_t> bytes(PNG_IMAGE_PNG_SIZE_MAX(png));
    png_alloc_size_t size = bytes.size();
    if (!png_image_write_to_memory(&png, bytes.data(), &size, 0, image.rgb.data(), 0, nullptr))
        throw Error("internal", std::string("libpng cannot write a picture: ") + png.message);
    bytes.resize(size);
    return bytes;
}

} // namespace scalebench::data
