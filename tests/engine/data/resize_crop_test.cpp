// SPDX-License-Identifier: GPL-3.0-or-later
// Resizing beside the formula, in double precision and pixel by pixel.
#include "engine/data/hash_random.h"
#include "engine/data/image.h"

#include <QtTest>

#include <algorithm>
#include <cmath>

using namespace scalebench::data;

namespace {

Image noise(int width, int height, uint64_t seed)
{
    HashRandom random({seed});
    Image image{width, height, std::vector<uint8_t>(3 * size_t(width) * size_t(height))};
    for (uint8_t& value : image.rgb)
        value = uint8_t(random.bits());
    return image;
}

/// Of pixel `out` along an axis: the weight of each pixel of the source.
std::vector<double> triangle(double start, double length, int source, int size, int out)
{
    const double scale = length / size, support = std::max(1.0, scale);
    const double centre = start + (out + 0.5) * scale;
    std::vector<double> weights(size_t(source), 0.0);
    double sum = 0;
    for (int s = 0; s < source; ++s) {
        weights[size_t(s)] = std::max(0.0, 1 - std::abs((s + 0.5 - centre) / support));
        sum += weights[size_t(s)];
    }
    for (double& w : weights)
        w /= sum;
    return weights;
}

/// Largest distance of `made` from the formula, which no rounding of halves is part of.
double distance(const Image& source, const CropBox& box, int width, int height,
                const std::vector<uint8_t>& made)
{
    double most = 0;
    for (int y = 0; y < height; ++y) {
        const auto down = triangle(box.y, box.height, source.height, height, y);
        for (int x = 0; x < width; ++x) {
            const auto along = triangle(box.x, box.width, source.width, width, x);
            for (int c = 0; c < 3; ++c) {
                double sum = 0;
                for (int sy = 0; sy < source.height; ++sy)
                    for (int sx = 0; down[size_t(sy)] > 0 && sx < source.width; ++sx)
                        sum += down[size_t(sy)] * along[size_t(sx)] *
                               source.rgb[size_t(3 * (sy * source.width + sx) + c)];
                most = std::max(most, std::abs(sum - made[size_t(3 * (y * width + x) + c)]));
            }
        }
    }
    return most;
}

} // namespace

class ResizeCropTest : public QObject
{
    Q_OBJECT
private slots:
    void asTheFormulaSays_data()
    {
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("height");
        QTest::addColumn<QList<double>>("box"); // x, y, width, height
        QTest::addColumn<int>("outWidth");
        QTest::addColumn<int>("outHeight");
        using Box = QList<double>;
        QTest::newRow("larger") << 13 << 9 << Box{0, 0, 13, 9} << 37 << 31;
        QTest::newRow("smaller") << 41 << 29 << Box{0, 0, 41, 29} << 10 << 11;
        QTest::newRow("many in one") << 90 << 75 << Box{0, 0, 90, 75} << 5 << 3;
        QTest::newRow("fractions") << 30 << 30 << Box{3.7, 8.2, 19.45, 14.01} << 23 << 17;
        QTest::newRow("right and bottom edge")
            << 20 << 20 << Box{12.5, 14.25, 7.5, 5.75} << 16 << 9;
        QTest::newRow("less than a pixel") << 20 << 20 << Box{6.3, 4.9, 0.4, 0.2} << 6 << 5;
        QTest::newRow("from one pixel") << 1 << 1 << Box{0, 0, 1, 1} << 5 << 6;
        QTest::newRow("to one pixel") << 19 << 23 << Box{0, 0, 19, 23} << 1 << 1;
        QTest::newRow("one axis each way") << 50 << 7 << Box{1, 0.5, 48, 6} << 9 << 40;
    }
    void asTheFormulaSays()
    {
        QFETCH(int, width);
        QFETCH(int, height);
        QFETCH(QList<double>, box);
        QFETCH(int, outWidth);
        QFETCH(int, outHeight);
        const Image source = noise(width, height, 5);
        const CropBox crop{box[0], box[1], box[2], box[3]};
        const size_t numbers = 3 * size_t(outWidth) * size_t(outHeight);
        std::vector<uint8_t> out(numbers + 64, 211);
        resizeCrop(source, crop, outWidth, outHeight, out.data());
        const double most = distance(source, crop, outWidth, outHeight, out);
        QVERIFY2(most <= 0.501, std::to_string(most).c_str());
        QVERIFY(std::all_of(out.begin() + std::ptrdiff_t(numbers), out.end(),
                            [](uint8_t v) { return v == 211; }));
    }
    void flatColourStaysAndAverages()
    {
        Image flat{40, 30, std::vector<uint8_t>(40 * 30 * 3, 77)};
        std::vector<uint8_t> out(7 * 5 * 3);
        resizeCrop(flat, {0, 0, 40, 30}, 7, 5, out.data());
        for (const uint8_t v : out)
            QCOMPARE(v, uint8_t{77});
        // Antialiasing: a fine checkerboard shrinks to grey, not to black or white.
        Image board{64, 64, std::vector<uint8_t>(64 * 64 * 3)};
        for (size_t i = 0; i < 64 * 64; ++i)
            for (size_t c = 0; c < 3; ++c)
                board.rgb[3 * i + c] = (i % 64 + i / 64) % 2 == 0 ? 255 : 0;
        std::vector<uint8_t> small(8 * 8 * 3);
        resizeCrop(board, {0, 0, 64, 64}, 8, 8, small.data());
        for (const uint8_t v : small)
            QVERIFY(v > 115 && v < 140);
        // The same size is the identity.
        std::vector<uint8_t> same(64 * 64 * 3);
        resizeCrop(board, {0, 0, 64, 64}, 64, 64, same.data());
        QVERIFY(same == board.rgb);
    }
};

QTEST_APPLESS_MAIN(ResizeCropTest)
#include "resize_crop_test.moc"
