// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/fixtures.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include <archive.h>
#include <archive_entry.h>
#include <jpeglib.h>
#include <png.h>

namespace scalebench::test {
namespace {

uint8_t sample(int x, int y, int c, int tint, int width, int height)
{
    return uint8_t((200 * x / width * (c == 0) + 200 * y / height * (c == 1) + tint * 20 + 30 * c) %
                   256);
}

} // namespace

Bytes makeJpeg(int width, int height, int tint, int channels)
{
    jpeg_compress_struct info{};
    jpeg_error_mgr errors{};
    info.err = jpeg_std_error(&errors);
    jpeg_create_compress(&info);
    unsigned char* memory = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&info, &memory, &size);
    info.image_width = JDIMENSION(width);
    info.image_height = JDIMENSION(height);
    info.input_components = channels;
    info.in_color_space = channels == 1 ? JCS_GRAYSCALE : channels == 4 ? JCS_CMYK : JCS_RGB;
    jpeg_set_defaults(&info);
    jpeg_set_quality(&info, 95, TRUE);
    jpeg_start_compress(&info, TRUE);
    Bytes row(size_t(width * channels));
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x)
            for (int c = 0; c < channels; ++c)
                row[size_t(x * channels + c)] = sample(x, y, c, tint, width, height);
        JSAMPROW pointer = row.data();
        jpeg_write_scanlines(&info, &pointer, 1);
    }
    jpeg_finish_compress(&info);
    jpeg_destroy_compress(&info);
    const Bytes bytes(memory, memory + size);
    std::free(memory);
    return bytes;
}

Bytes makePng(int width, int height, int tint, int bitDepth, int channels)
{
    png_image png{};
    png.version = PNG_IMAGE_VERSION;
    png.width = png_uint_32(width);
    png.height = png_uint_32(height);
    const png_uint_32 kinds[] = {PNG_FORMAT_GRAY, PNG_FORMAT_GA, PNG_FORMAT_RGB, PNG_FORMAT_RGBA};
    png.format = kinds[channels - 1] | (bitDepth == 16 ? PNG_FORMAT_FLAG_LINEAR : 0u);
    const size_t count = size_t(width * height * channels);
    Bytes eight(count);
    std::vector<uint16_t> sixteen(count);
    for (size_t i = 0; i < count; ++i) {
        const int c = int(i) % channels, x = int(i) / channels % width,
                  y = int(i) / channels / width;
        eight[i] = sample(x, y, c, tint, width, height);
        sixteen[i] = uint16_t(eight[i] * 257);
    }
    const void* pixels = bitDepth == 16 ? static_cast<const void*>(sixteen.data()) : eight.data();
    png_alloc_size_t size = 0;
    if (png_image_write_to_memory(&png, nullptr, &size, 0, pixels, 0, nullptr) == 0)
        throw std::runtime_error(png.message);
    Bytes bytes(size);
    png_image_write_to_memory(&png, bytes.data(), &size, 0, pixels, 0, nullptr);
    bytes.resize(size);
    return bytes;
}

Bytes makeCifar(int records, int seed)
{
    Bytes bytes;
    for (int r = 0; r < records; ++r) {
        bytes.push_back(uint8_t(r % 10));
        for (int i = 0; i < 3072; ++i)
            bytes.push_back(uint8_t(i * 7 + r * 13 + seed));
    }
    return bytes;
}

void writeBytes(const std::string& path, const Bytes& bytes)
{
    std::filesystem::create_directories(std::filesystem::path(path).parent_path());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), std::streamsize(bytes.size()));
}

void writeTar(const std::string& path, const std::vector<Member>& members, bool gzip)
{
    archive* a = archive_write_new();
    if (gzip)
        archive_write_add_filter_gzip(a);
    archive_write_set_format_pax_restricted(a);
    if (archive_write_open_filename(a, path.c_str()) != ARCHIVE_OK)
        throw std::runtime_error("cannot write " + path);
    for (const Member& member : members) {
        archive_entry* entry = archive_entry_new();
        archive_entry_set_pathname(entry, member.name.c_str());
        archive_entry_set_size(entry, int64_t(member.bytes.size()));
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        if (!member.hardLinkTo.empty())
            archive_entry_set_hardlink(entry, member.hardLinkTo.c_str());
        if (!member.symLinkTo.empty()) {
            archive_entry_set_filetype(entry, AE_IFLNK);
            archive_entry_set_symlink(entry, member.symLinkTo.c_str());
        }
        archive_write_header(a, entry);
        archive_write_data(a, member.bytes.data(), member.bytes.size());
        archive_entry_free(entry);
    }
    archive_write_close(a);
    archive_write_free(a);
}

bool writePacked(const std::string& path, const Bytes& bytes, const char* with)
{
    archive* a = archive_write_new();
    if (archive_write_add_filter_by_name(a, with) < ARCHIVE_WARN) {
        archive_write_free(a);
        return false;
    }
    archive_write_set_format_raw(a);
    if (archive_write_open_filename(a, path.c_str()) != ARCHIVE_OK)
        throw std::runtime_error("cannot write " + path);
    archive_entry* entry = archive_entry_new();
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_write_header(a, entry);
    archive_write_data(a, bytes.data(), bytes.size());
    archive_entry_free(entry);
    archive_write_close(a);
    archive_write_free(a);
    return true;
}

} // namespace scalebench::test
