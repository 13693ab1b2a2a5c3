// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/png_reader.h"

#include "engine/data/picture_error.h"

#include <csetjmp>
#include <cstdio>
#include <cstring>

#include <png.h>
#include <zlib.h>

namespace scalebench::data {
namespace {

constexpr uint8_t kSignature[8] = {0x89, 'P', 'N', 'G', 0x0d, 0x0a, 0x1a, 0x0a};

uint32_t bigEndian32(const uint8_t* p)
{
    return uint32_t{p[0]} << 24 | uint32_t{p[1]} << 16 | uint32_t{p[2]} << 8 | p[3];
}

/// Offset of the first chunk that is cut off or fails its checksum; size when all are whole.
size_t firstBadChunk(std::span<const uint8_t> b)
{
    size_t at = 8;
    while (at + 12 <= b.size()) {
        const size_t length = bigEndian32(b.data() + at);
        if (length > b.size() - at - 12)
            return at;
        const uLong crc = crc32(0, b.data() + at + 4, static_cast<uInt>(length + 4));
        if (crc != bigEndian32(b.data() + at + 8 + length))
            return at;
        if (std::memcmp(b.data() + at + 4, "IEND", 4) == 0)
            return b.size();
        at += length + 12;
    }
    return at;
}

/// Only the chunks that hold pixels: no gamma, profile or transparency is applied, as Pillow and
/// torchvision do not. `bytes` has whole chunks.
std::vector<uint8_t> withoutRemarks(std::span<const uint8_t> bytes)
{
    std::vector<uint8_t> kept;
    kept.reserve(bytes.size());
    kept.assign(bytes.begin(), bytes.begin() + 8);
    for (size_t at = 8; at < bytes.size();) {
        const auto chunk = bytes.subspan(at, size_t{bigEndian32(bytes.data() + at)} + 12);
        for (const char* kind : {"IHDR", "PLTE", "IDAT", "IEND"})
            if (std::memcmp(chunk.data() + 4, kind, 4) == 0)
                kept.insert(kept.end(), chunk.begin(), chunk.end());
        at += chunk.size();
        if (std::memcmp(chunk.data() + 4, "IEND", 4) == 0)
            break;
    }
    return kept;
}

/// Plain C inside (longjmp passes through here): false with a text on damage.
struct PngReader {
    enum class Wanted { Colours, Ids };

    png_structp png = nullptr;
    png_infop info = nullptr;
    const uint8_t* at = nullptr;
    size_t left = 0;
    char text[128] = "";

    static void onError(png_structp p, png_const_charp message)
    {
        auto* self = static_cast<PngReader*>(png_get_error_ptr(p));
        std::snprintf(self->text, sizeof self->text, "%s", message);
        png_longjmp(p, 1);
    }
    static void onRead(png_structp p, png_bytep out, size_t count)
    {
        auto* self = static_cast<PngReader*>(png_get_io_ptr(p));
        if (count > self->left)
            png_error(p, "the file ends early");
        std::memcpy(out, self->at, count);
        self->at += count;
        self->left -= count;
    }
    void transform(Wanted wanted) const
    {
        if (wanted == Wanted::Ids) {
            png_set_packing(png);
            png_set_swap(png); // 16 bit to this processor's order
            return;
        }
        png_set_expand(png); // palettes, and grey of less than 8 bit
        png_set_scale_16(png);
        png_set_strip_alpha(png);
        png_set_gray_to_rgb(png);
    }
    /// Rows of `stride` bytes: RGB, or one or two bytes a pixel.
    bool read(uint8_t* pixels, size_t stride, int height, Wanted wanted)
    {
        png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, onError,
                                     [](png_structp, png_const_charp) {});
        info = png ? png_create_info_struct(png) : nullptr;
        if (!info || setjmp(png_jmpbuf(png)) != 0)
            return false;
        png_set_read_fn(png, this, onRead);
        png_set_crc_action(png, PNG_CRC_QUIET_USE,
                           PNG_CRC_QUIET_USE); // firstBadChunk() has checked
        png_read_info(png, info);
        transform(wanted);
        const int passes = png_set_interlace_handling(png);
        png_read_update_info(png, info);
        if (png_get_rowbytes(png, info) != stride)
            return false;
        for (int pass = 0; pass < passes; ++pass)
            for (int y = 0; y < height; ++y)
                png_read_row(png, pixels + size_t(y) * stride, nullptr);
        png_read_end(png, nullptr); // whole to the end
        return true;
    }
    ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
};

/// out: [height, stride]
void read(std::span<const uint8_t> bytes, const std::string& name, PngReader::Wanted wanted,
          int height, size_t stride, std::vector<uint8_t>& out)
{
    const std::vector<uint8_t> pixelsOnly = withoutRemarks(bytes);
    PngReader reader;
    reader.at = pixelsOnly.data();
    reader.left = pixelsOnly.size();
    out.resize(size_t(height) * stride);
    if (!reader.read(out.data(), stride, height, wanted))
        damagedPicture(name, 8, reader.text);
}

void checkWhole(std::span<const uint8_t> bytes, const std::string& name)
{
    if (const size_t bad = firstBadChunk(bytes); bad != bytes.size())
        damagedPicture(name, bad, "a PNG chunk is cut off or its checksum is wrong");
    const ImageSize size = pngSize(bytes);
    if (size.width <= 0 || size.height <= 0 || int64_t{size.width} * size.height > kMaxPixels)
        damagedPicture(name, 16, "the header claims no or more than 268 million pixels");
}

} // namespace

bool isPng(std::span<const uint8_t> bytes)
{
    return bytes.size() > 24 && std::memcmp(bytes.data(), kSignature, sizeof kSignature) == 0;
}

ImageSize pngSize(std::span<const uint8_t> bytes)
{
    return {int(bigEndian32(bytes.data() + 16)), int(bigEndian32(bytes.data() + 20))};
}

Image decodePng(std::span<const uint8_t> bytes, const std::string& name)
{
    checkWhole(bytes, name);
    const ImageSize size = pngSize(bytes);
    Image image{size.width, size.height, {}};
    read(bytes, name, PngReader::Wanted::Colours, size.height, size_t(size.width) * 3, image.rgb);
    return image;
}

IndexImage decodeIndices(std::span<const uint8_t> bytes, const std::string& name)
{
    if (!isPng(bytes))
        damagedPicture(name, 0, "it does not start like a PNG file");
    checkWhole(bytes, name);
    const uint8_t depth = bytes[24], kind = bytes[25];
    if (kind != PNG_COLOR_TYPE_GRAY && kind != PNG_COLOR_TYPE_PALETTE)
        throw InvalidArgument(name + " has colours where a mask has one id per pixel; store it in "
                                     "grey or with a palette",
                              "data_damaged");
    const ImageSize size = pngSize(bytes);
    const bool wide = depth == 16;
    IndexImage image{size.width, size.height,
                     std::vector<uint16_t>(size_t(size.width) * size_t(size.height))};
    std::vector<uint8_t> pixels;
    read(bytes, name, PngReader::Wanted::Ids, size.height, size_t(size.width) * (wide ? 2 : 1),
         pixels);
    if (wide)
        std::memcpy(image.ids.data(), pixels.data(), pixels.size());
    else
        std::copy(pixels.begin(), pixels.end(), image.ids.begin());
    return image;
}

} // namespace scalebench::data
