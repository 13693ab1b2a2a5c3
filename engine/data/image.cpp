// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/image.h"

#include "engine/data/picture_error.h"
#include "engine/data/png_reader.h"
#include "engine/data/stage_timer.h"

#include <csetjmp>
#include <cstdio>

#include <jpeglib.h>

namespace scalebench::data {
namespace {

bool isJpeg(std::span<const uint8_t> b)
{
    return b.size() > 3 && b[0] == 0xff && b[1] == 0xd8;
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
        damagedPicture(name, reader.position(), reader.errors.text);
    Image image;
    image.width = static_cast<int>(reader.info.image_width);
    image.height = static_cast<int>(reader.info.image_height);
    if (int64_t{image.width} * image.height > kMaxPixels)
        damagedPicture(name, reader.position(), "the header claims more than 268 million pixels");
    const bool fourInks = reader.info.out_color_space == JCS_CMYK;
    const size_t pixels = size_t(image.width) * size_t(image.height);
    std::vector<uint8_t> raw(pixels * (fourInks ? 4 : 3));
    if (!reader.pixels(raw.data(), size_t(image.width) * (fourInks ? 4 : 3)))
        damagedPicture(name, reader.position(), reader.errors.text);
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

} // namespace

ImageSize peekImageSize(std::span<const uint8_t> bytes)
{
    if (isPng(bytes))
        return pngSize(bytes);
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
    damagedPicture(name, 0,
                   bytes.empty() ? "the file is empty"
                                 : "it starts like neither a JPEG nor a PNG file");
}

} // namespace scalebench::data
