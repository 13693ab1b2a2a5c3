// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/png_writer.h"

#include "kernels/check.h"

#include <png.h>

#include <csetjmp>
#include <cstdio>
#include <new>
#include <string>

namespace scalebench::data {
namespace {

constexpr int kLightly = 3; ///< of zlib's levels; 0: stored

/// Plain C inside (longjmp passes through here): false with a text.
struct PngEncoder {
    png_structp png = nullptr;
    png_infop info = nullptr;
    std::vector<uint8_t>& out;
    char text[128] = "";

    explicit PngEncoder(std::vector<uint8_t>& bytes) : out(bytes) {}
    PngEncoder(const PngEncoder&) = delete;
    PngEncoder& operator=(const PngEncoder&) = delete;
    ~PngEncoder() { png_destroy_write_struct(&png, &info); }

    static void onError(png_structp p, png_const_charp message)
    {
        auto* self = static_cast<PngEncoder*>(png_get_error_ptr(p));
        std::snprintf(self->text, sizeof self->text, "%s", message);
        png_longjmp(p, 1);
    }
    static void onWrite(png_structp p, png_bytep bytes, size_t count)
    {
        auto* self = static_cast<PngEncoder*>(png_get_io_ptr(p));
        bool room = true;
        try {
            self->out.insert(self->out.end(), bytes, bytes + count);
        } catch (const std::bad_alloc&) { // must not pass through C
            room = false;
        }
        if (!room)
            png_error(p, "out of memory");
    }
    bool write(const Image& image, int level)
    {
        png = png_create_write_struct(PNG_LIBPNG_VER_STRING, this, onError,
                                      [](png_structp, png_const_charp) {});
        info = png ? png_create_info_struct(png) : nullptr;
        if (!info || setjmp(png_jmpbuf(png)) != 0)
            return false;
        png_set_write_fn(png, this, onWrite, nullptr);
        png_set_IHDR(png, info, png_uint_32(image.width), png_uint_32(image.height), 8,
                     PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                     PNG_FILTER_TYPE_DEFAULT);
        png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
        png_set_compression_level(png, level);
        png_write_info(png, info);
        for (int y = 0; y < image.height; ++y)
            png_write_row(png, image.rgb.data() + 3 * size_t(image.width) * size_t(y));
        png_write_end(png, nullptr);
        return true;
    }
};

} // namespace

std::vector<uint8_t> encodePng(const Image& image, PngPixels pixels)
{
    std::vector<uint8_t> bytes;
    PngEncoder encoder(bytes);
    if (!encoder.write(image, pixels == PngPixels::Stored ? 0 : kLightly))
        throw Error("internal", std::string("libpng cannot write a picture: ") + encoder.text);
    return bytes;
}

} // namespace scalebench::data
