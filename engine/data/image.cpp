// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/image.h"

#include "engine/data/stage_timer.h"
#include "kernels/check.h"

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstring>

#include <jpeglib.h>
#include <png.h>
#include <zlib.h>

namespace scalebench::data {
namespace {

constexpr uint8_t kPngSignature[8] = {0x89, 'P', 'N', 'G', 0x0d, 0x0a, 0x1a, 0x0a};
constexpr int64_t kMaxPixels = int64_t{1} << 28;

bool isJpeg(std::span<const uint8_t> b)
{
    return b.size() > 3 && b[0] == 0xff && b[1] == 0xd8;
}

bool isPng(std::span<const uint8_t> b)
{
    return b.size() > 24 && std::memcmp(b.data(), kPngSignature, 8) == 0;
}

uint32_t bigEndian32(const uint8_t* p)
{
    return uint32_t{p[0]} << 24 | uint32_t{p[1]} << 16 | uint32_t{p[2]} << 8 | p[3];
}

[[noreturn]] void damaged(const std::string& name, size_t position, const std::string& why)
{
    throw InvalidArgument(name + " is damaged at byte " + std::to_string(position) + ": " + why +
                              ". Replace the file, or remove it from the data set.",
                          "data_damaged");
}

struct JpegErrors {
    jpeg_error_mgr base;
    std::jmp_buf jump;
    char text[JMSG_LENGTH_MAX];
};

void onJpegError(j_common_ptr info)
{
    auto* errors = reinterpret_cast<JpegErrors*>(info->err);
    info->err->format_message(info, errors->text);
    std::longjmp(errors->jump, 1);
}

void onJpegMessage(j_common_ptr info, int level)
{
    if (level < 0) // a warning: corrupt data that libjpeg would paper over
        onJpegError(info);
}

/// Plain C inside (longjmp passes through here): returns false with text and position on damage.
/// `pixels` is grown by the caller between header and scan lines through two calls.
struct JpegReader {
    jpeg_decompress_struct info{};
    JpegErrors errors{};
    size_t size = 0;

    bool header(const uint8_t* bytes, size_t n)
    {
        size = n;
        info.err = jpeg_std_error(&errors.base);
        errors.base.error_exit = onJpegError;
        errors.base.emit_message = onJpegMessage;
        if (setjmp(errors.jump) != 0)
            return false;
        jpeg_create_decompress(&info);
        jpeg_mem_src(&info, bytes, static_cast<unsigned long>(n));
        jpeg_read_header(&info, TRUE);
        const bool fourInks =
            info.jpeg_color_space == JCS_CMYK || info.jpeg_color_space == JCS_YCCK;
        info.out_color_space = fourInks ? JCS_CMYK : JCS_RGB;
        return true;
    }

    bool pixels(uint8_t* out, size_t stride)
    {
        if (setjmp(errors.jump) != 0)
            return false;
        jpeg_start_decompress(&info);
        while (info.output_scanline < info.output_height) {
            JSAMPROW row = out + info.output_scanline * stride;
            jpeg_read_scanlines(&info, &row, 1);
        }
        jpeg_finish_decompress(&info);
        return true;
    }

    size_t position() const
    {
        return info.src != nullptr && info.src->bytes_in_buffer <= size
                   ? size - info.src->bytes_in_buffer
                   : size;
    }
    ~JpegReader() { jpeg_destroy_decompress(&info); }
};

Image decodeJpeg(std::span<const uint8_t> bytes, const std::string& name)
{
    JpegReader reader;
    if (!reader.header(bytes.data(), bytes.size()))
        damaged(name, reader.position(), reader.errors.text);
    Image image;
    image.width = static_cast<int>(reader.info.image_width);
    image.height = static_cast<int>(reader.info.image_height);
    if (int64_t{image.width} * image.height > kMaxPixels)
        damaged(name, reader.position(), "the header claims more than 268 million pixels");
    const bool fourInks = reader.info.out_color_space == JCS_CMYK;
    const size_t pixels = size_t(image.width) * size_t(image.height);
    std::vector<uint8_t> raw(pixels * (fourInks ? 4 : 3));
    if (!reader.pixels(raw.data(), size_t(image.width) * (fourInks ? 4 : 3)))
        damaged(name, reader.position(), reader.errors.text);
    if (!fourInks) {
        image.rgb = std::move(raw);
        return image;
    }
    // Adobe writes inverted inks: 255 is no ink. Others (rare) write 0 as no ink.
    const bool inverted = reader.info.saw_Adobe_marker;
    image.rgb.resize(pixels * 3);
    for (size_t i = 0; i < pixels; ++i) {
        const unsigned k = inverted ? raw[4 * i + 3] : 255u - raw[4 * i + 3];
        for (size_t c = 0; c < 3; ++c) {
            const unsigned ink = inverted ? raw[4 * i + c] : 255u - raw[4 * i + c];
            image.rgb[3 * i + c] = static_cast<uint8_t>(ink * k / 255u);
        }
    }
    return image;
}

/// Offset of the first chunk that is cut off or fails its checksum; size when all are whole.
size_t firstBadPngChunk(std::span<const uint8_t> b)
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
    std::vector<uint8_t> kept(bytes.begin(), bytes.begin() + 8);
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

/// From four bytes a pixel to three.
void dropAlpha(Image& image)
{
    const size_t pixels = image.rgb.size() / 4;
    for (size_t i = 0; i < pixels; ++i)
        std::copy_n(image.rgb.begin() + std::ptrdiff_t(4 * i), 3,
                    image.rgb.begin() + std::ptrdiff_t(3 * i));
    image.rgb.resize(3 * pixels);
}

Image decodePng(std::span<const uint8_t> bytes, const std::string& name)
{
    if (const size_t bad = firstBadPngChunk(bytes); bad != bytes.size())
        damaged(name, bad, "a PNG chunk is cut off or its checksum is wrong");
    const std::vector<uint8_t> pixelsOnly = withoutRemarks(bytes);
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    Image image;
    if (png_image_begin_read_from_memory(&png, pixelsOnly.data(), pixelsOnly.size()) == 0)
        damaged(name, 8, png.message);
    png.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
    const bool alpha = (png.format & PNG_FORMAT_FLAG_ALPHA) != 0;
    png.format = alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
    image.width = static_cast<int>(png.width);
    image.height = static_cast<int>(png.height);
    if (int64_t{image.width} * image.height > kMaxPixels) {
        png_image_free(&png);
        damaged(name, 16, "the header claims more than 268 million pixels");
    }
    image.rgb.resize(PNG_IMAGE_SIZE(png));
    if (png_image_finish_read(&png, nullptr, image.rgb.data(), 0, nullptr) == 0)
        damaged(name, 8, png.message);
    if (alpha)
        dropAlpha(image);
    return image;
}

/// Plain C inside (longjmp passes through here): false with a text on damage.
struct IndexReader {
    png_structp png = nullptr;
    png_infop info = nullptr;
    const uint8_t* at = nullptr;
    size_t left = 0;
    char text[128] = "";

    static void onError(png_structp p, png_const_charp message)
    {
        auto* self = static_cast<IndexReader*>(png_get_error_ptr(p));
        std::snprintf(self->text, sizeof self->text, "%s", message);
        png_longjmp(p, 1);
    }
    static void onRead(png_structp p, png_bytep out, size_t count)
    {
        auto* self = static_cast<IndexReader*>(png_get_io_ptr(p));
        if (count > self->left)
            png_error(p, "the file ends early");
        std::memcpy(out, self->at, count);
        self->at += count;
        self->left -= count;
    }
    /// rows: of `height` rows, one or two bytes a pixel.
    bool read(uint8_t* pixels, size_t stride, int height, bool wide)
    {
        png = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, onError,
                                     [](png_structp, png_const_charp) {});
        info = png ? png_create_info_struct(png) : nullptr;
        if (!info || setjmp(png_jmpbuf(png)) != 0)
            return false;
        png_set_read_fn(png, this, onRead);
        png_read_info(png, info);
        png_set_packing(png);
        if (wide)
            png_set_swap(png); // to this processor's order
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
    ~IndexReader() { png_destroy_read_struct(&png, &info, nullptr); }
};

/// Weights of one output row or column: first source index and one weight per source pixel.
struct Taps {
    int first = 0;
    std::vector<float> weights;
};

std::vector<Taps> makeTaps(double start, double length, int sourceSize, int outSize)
{
    const double scale = length / outSize;
    const double support = std::max(1.0, scale);
    std::vector<Taps> taps(static_cast<size_t>(outSize));
    for (int o = 0; o < outSize; ++o) {
        const double center = start + (o + 0.5) * scale;
        const int lo = std::clamp(int(std::floor(center - support)), 0, sourceSize - 1);
        const int hi = std::clamp(int(std::ceil(center + support)), lo + 1, sourceSize);
        Taps& t = taps[size_t(o)];
        t.first = lo;
        double sum = 0;
        for (int s = lo; s < hi; ++s) {
            const double w = std::max(0.0, 1.0 - std::abs((s + 0.5 - center) / support));
            t.weights.push_back(float(w));
            sum += w;
        }
        if (sum <= 0) { // the box lies at the very edge
            t.weights.assign(t.weights.size(), 0.0f);
            t.weights[0] = 1.0f;
            sum = 1;
        }
        for (float& w : t.weights)
            w = float(w / sum);
    }
    return taps;
}

} // namespace

ImageSize peekImageSize(std::span<const uint8_t> bytes)
{
    if (isPng(bytes))
        return {int(bigEndian32(bytes.data() + 16)), int(bigEndian32(bytes.data() + 20))};
    if (!isJpeg(bytes))
        return {};
    size_t at = 2;
    while (at + 9 < bytes.size() && bytes[at] == 0xff) {
        const uint8_t marker = bytes[at + 1];
        if (marker == 0xff) {
            ++at;
            continue;
        }
        const bool startOfFrame =
            marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
        if (startOfFrame)
            return {bytes[at + 7] << 8 | bytes[at + 8], bytes[at + 5] << 8 | bytes[at + 6]};
        at += 2u + (size_t{bytes[at + 2]} << 8 | bytes[at + 3]);
    }
    return {};
}

Image decodeImage(std::span<const uint8_t> bytes, const std::string& name)
{
    const StageTimer timer(&InputTimes::decodeMs);
    if (isJpeg(bytes))
        return decodeJpeg(bytes, name);
    if (isPng(bytes))
        return decodePng(bytes, name);
    damaged(name, 0,
            bytes.empty() ? "the file is empty" : "it starts like neither a JPEG nor a PNG file");
}

IndexImage decodeIndices(std::span<const uint8_t> bytes, const std::string& name)
{
    if (!isPng(bytes))
        damaged(name, 0, "it does not start like a PNG file");
    if (const size_t bad = firstBadPngChunk(bytes); bad != bytes.size())
        damaged(name, bad, "a PNG chunk is cut off or its checksum is wrong");
    const uint8_t depth = bytes[24], kind = bytes[25];
    if (kind != PNG_COLOR_TYPE_GRAY && kind != PNG_COLOR_TYPE_PALETTE)
        throw InvalidArgument(name + " has colours where a mask has one id per pixel; store it in "
                                     "grey or with a palette",
                              "data_damaged");
    const uint32_t width = bigEndian32(bytes.data() + 16), height = bigEndian32(bytes.data() + 20);
    if (width == 0 || height == 0 || int64_t{width} * height > kMaxPixels)
        damaged(name, 16, "the header claims no or more than 268 million pixels");
    const std::vector<uint8_t> pixelsOnly = withoutRemarks(bytes);
    const bool wide = depth == 16;
    IndexImage image{int(width), int(height), std::vector<uint16_t>(size_t{width} * height)};
    std::vector<uint8_t> pixels(image.ids.size() * (wide ? 2 : 1));
    IndexReader reader;
    reader.at = pixelsOnly.data();
    reader.left = pixelsOnly.size();
    if (!reader.read(pixels.data(), size_t{width} * (wide ? 2 : 1), image.height, wide))
        damaged(name, 8, reader.text);
    if (wide)
        std::memcpy(image.ids.data(), pixels.data(), pixels.size());
    else
        std::copy(pixels.begin(), pixels.end(), image.ids.begin());
    return image;
}

CropBox centreSquare(const Image& image)
{
    const double edge = std::min(image.width, image.height);
    return {(image.width - edge) / 2, (image.height - edge) / 2, edge, edge};
}

void resizeCrop(const Image& source, const CropBox& box, int outWidth, int outHeight, uint8_t* out)
{
    const std::vector<Taps> columns = makeTaps(box.x, box.width, source.width, outWidth);
    const std::vector<Taps> rows = makeTaps(box.y, box.height, source.height, outHeight);
    const int firstRow = rows.front().first;
    const int lastRow = rows.back().first + int(rows.back().weights.size());
    const size_t outStride = size_t(outWidth) * 3;
    std::vector<float> narrow(size_t(lastRow - firstRow) * outStride);
    for (int y = firstRow; y < lastRow; ++y) {
        const uint8_t* line = source.rgb.data() + size_t(y) * size_t(source.width) * 3;
        float* target = narrow.data() + size_t(y - firstRow) * outStride;
        for (int x = 0; x < outWidth; ++x) {
            const Taps& t = columns[size_t(x)];
            float r = 0, g = 0, b = 0;
            const uint8_t* p = line + size_t(t.first) * 3;
            for (const float w : t.weights) {
                r += w * p[0];
                g += w * p[1];
                b += w * p[2];
                p += 3;
            }
            target[3 * x] = r;
            target[3 * x + 1] = g;
            target[3 * x + 2] = b;
        }
    }
    std::vector<float> sum(outStride);
    for (int y = 0; y < outHeight; ++y) {
        std::fill(sum.begin(), sum.end(), 0.5f);
        const Taps& t = rows[size_t(y)];
        const float* line = narrow.data() + size_t(t.first - firstRow) * outStride;
        for (const float w : t.weights) {
            for (size_t i = 0; i < outStride; ++i)
                sum[i] += w * line[i];
            line += outStride;
        }
        for (size_t i = 0; i < outStride; ++i)
            out[size_t(y) * outStride + i] = uint8_t(std::clamp(sum[i], 0.0f, 255.0f));
    }
}

} // namespace scalebench::data
