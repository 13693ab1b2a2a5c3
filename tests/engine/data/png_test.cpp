// SPDX-License-Identifier: GPL-3.0-or-later
// PNG of every kind beside the numbers that were put into it.
#include "engine/data/hash_random.h"
#include "engine/data/image.h"
#include "engine/data/png_writer.h"
#include "kernels/check.h"

#include <QtTest>

#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <functional>

using namespace scalebench;
using namespace scalebench::data;

namespace {

constexpr int kWidth = 19, kHeight = 11; // rows end within a byte
using Bytes = std::vector<uint8_t>;

struct Kind {
    int colour, depth, interlace;
    int channels() const
    {
        const bool colours =
            (colour & PNG_COLOR_MASK_COLOR) != 0 && colour != PNG_COLOR_TYPE_PALETTE;
        return (colours ? 3 : 1) + (colour & PNG_COLOR_MASK_ALPHA ? 1 : 0);
    }
};

std::vector<unsigned> samplesOf(const Kind& kind)
{
    HashRandom random({uint64_t(kind.colour), uint64_t(kind.depth)});
    std::vector<unsigned> samples(size_t(kWidth * kHeight * kind.channels()));
    for (unsigned& s : samples)
        s = unsigned(random.below(1u << kind.depth));
    return samples;
}

std::vector<png_color> paletteOf(int depth)
{
    HashRandom random({77});
    std::vector<png_color> colours(size_t{1} << depth);
    for (png_color& c : colours)
        c = {png_byte(random.bits()), png_byte(random.bits()), png_byte(random.bits())};
    return colours;
}

/// A file of these samples, most significant bits first, as the format has them.
Bytes fileOf(const Kind& kind, const std::vector<unsigned>& samples)
{
    Bytes file;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(
        png, &file,
        [](png_structp p, png_bytep bytes, size_t n) {
            auto* out = static_cast<Bytes*>(png_get_io_ptr(p));
            out->insert(out->end(), bytes, bytes + n);
        },
        nullptr);
    png_set_IHDR(png, info, kWidth, kHeight, kind.depth, kind.colour, kind.interlace,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_gAMA(png, info, 0.6); // is not applied
    const std::vector<png_color> palette = paletteOf(kind.depth > 8 ? 1 : kind.depth);
    if (kind.colour == PNG_COLOR_TYPE_PALETTE) {
        png_set_PLTE(png, info, palette.data(), int(palette.size()));
        const Bytes clear(palette.size(), 90);
        png_set_tRNS(png, info, clear.data(), int(clear.size()), nullptr);
    }
    png_write_info(png, info);
    const size_t each = size_t(kWidth * kind.channels()),
                 stride = (each * size_t(kind.depth) + 7) / 8;
    std::vector<Bytes> rows(kHeight, Bytes(stride));
    std::vector<png_bytep> pointers;
    for (size_t y = 0; y < kHeight; ++y) {
        for (size_t i = 0; i < each; ++i)
            for (int bit = 0; bit < kind.depth; ++bit) {
                const size_t at = i * size_t(kind.depth) + size_t(bit);
                if (samples[y * each + i] >> (kind.depth - 1 - bit) & 1)
                    rows[y][at / 8] = uint8_t(rows[y][at / 8] | 0x80 >> at % 8);
            }
        pointers.push_back(rows[y].data());
    }
    png_write_image(png, pointers.data());
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return file;
}

/// To 8 bit, rounded.
uint8_t scaled(unsigned sample, int depth)
{
    const unsigned most = (1u << depth) - 1;
    return uint8_t((sample * 255u + most / 2) / most);
}

Bytes coloursOf(const Kind& kind, const std::vector<unsigned>& samples)
{
    Bytes rgb;
    const auto channels = size_t(kind.channels());
    for (size_t at = 0; at < samples.size(); at += channels) {
        if (kind.colour == PNG_COLOR_TYPE_PALETTE) {
            const png_color c = paletteOf(kind.depth)[samples[at]];
            rgb.insert(rgb.end(), {c.red, c.green, c.blue});
        } else {
            for (size_t c = 0; c < 3; ++c)
                rgb.push_back(scaled(samples[at + (channels > 2 ? c : 0)], kind.depth));
        }
    }
    return rgb;
}

std::string codeOf(const std::function<void()>& body)
{
    try {
        body();
    } catch (const InvalidArgument& e) {
        return e.code();
    }
    return {};
}

} // namespace

class PngTest : public QObject
{
    Q_OBJECT
private slots:
    void numbersAreTakenAsTheyAre_data()
    {
        QTest::addColumn<int>("colour");
        QTest::addColumn<int>("depth");
        QTest::addColumn<int>("interlace");
        const std::pair<int, std::vector<int>> kinds[] = {{PNG_COLOR_TYPE_GRAY, {1, 2, 4, 8, 16}},
                                                          {PNG_COLOR_TYPE_RGB, {8, 16}},
                                                          {PNG_COLOR_TYPE_PALETTE, {1, 2, 4, 8}},
                                                          {PNG_COLOR_TYPE_GRAY_ALPHA, {8, 16}},
                                                          {PNG_COLOR_TYPE_RGB_ALPHA, {8, 16}}};
        for (const auto& [colour, depths] : kinds)
            for (const int depth : depths)
                for (const int interlace : {PNG_INTERLACE_NONE, PNG_INTERLACE_ADAM7})
                    QTest::addRow("colour type %d, %d bit%s", colour, depth,
                                  interlace != 0 ? ", interlaced" : "")
                        << colour << depth << interlace;
    }
    void numbersAreTakenAsTheyAre()
    {
        QFETCH(int, colour);
        QFETCH(int, depth);
        QFETCH(int, interlace);
        const Kind kind{colour, depth, interlace};
        const std::vector<unsigned> samples = samplesOf(kind);
        const Bytes file = fileOf(kind, samples);
        const Image image = decodeImage(file, "x");
        QCOMPARE(image.width, kWidth);
        QCOMPARE(image.height, kHeight);
        QVERIFY(image.rgb == coloursOf(kind, samples));
        if (kind.channels() > 1) {
            QCOMPARE(codeOf([&] { decodeIndices(file, "x"); }), std::string("data_damaged"));
            return;
        }
        const IndexImage ids = decodeIndices(file, "x");
        QVERIFY(std::ranges::equal(ids.ids, samples));
    }

    void whatIsDrawnIsRead()
    {
        HashRandom random({3});
        Image image{301, 203, Bytes(size_t{3} * 301 * 203)};
        for (size_t i = 0; i < image.rgb.size(); ++i)
            image.rgb[i] = uint8_t(i % 40 == 0 ? random.bits() : i / 40);
        const Bytes stored = encodePng(image, PngPixels::Stored), small = encodePng(image);
        QVERIFY(decodeImage(stored, "x").rgb == image.rgb);
        QVERIFY(decodeImage(small, "x").rgb == image.rgb);
        QVERIFY(stored.size() > image.rgb.size());
        QVERIFY(small.size() < image.rgb.size() / 2);
    }

    /// Wherever it is cut, whatever byte is another.
    void damageIsFound()
    {
        const Kind kind{PNG_COLOR_TYPE_RGB, 8, PNG_INTERLACE_NONE};
        const Bytes file = fileOf(kind, samplesOf(kind));
        for (size_t i = 0; i < file.size(); ++i) {
            const Bytes cut(file.begin(), file.begin() + std::ptrdiff_t(i));
            QCOMPARE(codeOf([&] { decodeImage(cut, "x"); }), std::string("data_damaged"));
            Bytes other = file;
            other[i] = uint8_t(other[i] ^ 0x41);
            QCOMPARE(codeOf([&] { decodeImage(other, "x"); }), std::string("data_damaged"));
        }
    }
    /// Chunks that are whole, of pixels that are not.
    void tooFewPixelsAreDamage()
    {
        const Kind kind{PNG_COLOR_TYPE_GRAY, 8, PNG_INTERLACE_NONE};
        Bytes file = fileOf(kind, samplesOf(kind));
        file[23] = kHeight + 2; // of the height
        const auto crc = uint32_t(crc32(0, file.data() + 12, 17));
        for (size_t i = 0; i < 4; ++i)
            file[29 + i] = uint8_t(crc >> (24 - 8 * i));
        QCOMPARE(codeOf([&] { decodeImage(file, "x"); }), std::string("data_damaged"));
        QCOMPARE(codeOf([&] { decodeIndices(file, "x"); }), std::string("data_damaged"));
    }
};

QTEST_APPLESS_MAIN(PngTest)
#include "png_test.moc"
