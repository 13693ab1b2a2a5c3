// SPDX-License-Identifier: GPL-3.0-or-later
// Masks as run lengths against masks as pixels.

#include "detection_fixture.h"

#include "engine/data/hash_random.h"
#include "engine/detection/run_length_mask.h"

#include <QTest>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace scalebench;
using namespace scalebench::detection;
using namespace scalebench::test;

namespace {

constexpr int kWidth = 17, kHeight = 11;
using Pixels = std::vector<uint8_t>;

/// Patches rather than noise for the even numbers, so that runs are of all lengths.
Pixels drawn(uint64_t number)
{
    data::HashRandom random({9, number});
    Pixels pixels(size_t{kWidth * kHeight}, 0);
    if (number % 2 == 1) {
        for (uint8_t& pixel : pixels)
            pixel = random.chance(0.4) ? 1 : 0;
        return pixels;
    }
    const uint32_t x0 = random.below(kWidth), y0 = random.below(kHeight);
    for (uint32_t y = y0; y < std::min<uint32_t>(kHeight, y0 + 6); ++y)
        for (uint32_t x = x0; x < std::min<uint32_t>(kWidth, x0 + 8); ++x)
            pixels[y * kWidth + x] = 1;
    return pixels;
}

} // namespace

class MasksTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void survivesCodingAndText()
    {
        for (uint64_t n = 0; n < 60; ++n) {
            const Pixels pixels = drawn(n);
            const RunLengthMask mask = encodeMask(pixels, kWidth, kHeight);
            QCOMPARE(decodeMask(mask), pixels);
            QCOMPARE(maskArea(mask), std::accumulate(pixels.begin(), pixels.end(), int64_t{0}));
            QVERIFY(parseRuns(printRuns(mask), kWidth, kHeight) == mask);
        }
    }

    void boxesAndOverlapsAsPixelByPixel()
    {
        for (uint64_t n = 0; n < 60; ++n) {
            const Pixels a = drawn(n), b = drawn(n * 7 + 1);
            const RunLengthMask ma = encodeMask(a, kWidth, kHeight),
                                mb = encodeMask(b, kWidth, kHeight);
            int64_t both = 0, either = 0;
            int left = kWidth, right = -1, top = kHeight, bottom = -1;
            for (int i = 0; i < kWidth * kHeight; ++i) {
                both += a[size_t(i)] && b[size_t(i)];
                either += a[size_t(i)] || b[size_t(i)];
                if (!a[size_t(i)])
                    continue;
                left = std::min(left, i % kWidth);
                right = std::max(right, i % kWidth);
                top = std::min(top, i / kWidth);
                bottom = std::max(bottom, i / kWidth);
            }
            QCOMPARE(maskIntersection(ma, mb), both);
            QCOMPARE(maskArea(maskUnion(ma, mb)), either);
            QCOMPARE(maskIou(ma, mb, false), double(both) / double(either));
            QCOMPARE(maskIou(ma, mb, true), double(both) / double(maskArea(ma)));
            QVERIFY(maskBox(ma) == (MaskBox{left, top, right - left + 1, bottom - top + 1}));
        }
        QVERIFY(maskBox(encodeMask(Pixels(6, 0), 3, 2)) == MaskBox{});
    }

    void fillsARectangleExactly()
    {
        const double outline[] = {2, 3, 9, 3, 9, 8, 2, 8};
        Pixels expected(size_t{kWidth * kHeight}, 0);
        for (size_t y = 3; y < 8; ++y)
            for (size_t x = 2; x < 9; ++x)
                expected[y * kWidth + x] = 1;
        QCOMPARE(decodeMask(fillPolygon(outline, kWidth, kHeight)), expected);
    }

    void survivesOutlinesOutside()
    {
        const double around[] = {-1e7, -1e7, 1e7, -1e7, 1e7, 1e7, -1e7, 1e7};
        QCOMPARE(maskArea(fillPolygon(around, kWidth, kHeight)), int64_t{kWidth * kHeight});
        const double beside[] = {40, 3, 50, 3, 50, 9};
        QCOMPARE(maskArea(fillPolygon(beside, kWidth, kHeight)), 0);
        const double point[] = {4, 4, 4, 4, 4, 4};
        QCOMPARE(maskArea(fillPolygon(point, kWidth, kHeight)), 0);
    }

    void refusesRunsThatAreNone()
    {
        // Too short, a run beyond the mask, an unfinished number, a foreign character, one without
        // end, a negative run.
        for (const char* text : {"", "1", "o]o5", "R", "\x7f", "ooooooooooooo", "O", "1O"})
            QCOMPARE(caughtFrom([&] { parseRuns(text, kWidth, kHeight); }).code,
                     std::string("invalid_argument"));
        QVERIFY(caughtFrom([] { checkedRuns({1, 2}, 4, 4); }).has("cover 3 pixels"));
        QCOMPARE(caughtFrom([] {
                     maskUnion({1, 1, {1}}, {2, 1, {2}});
                 }).code,
                 std::string("invalid_argument"));
    }
};

QTEST_GUILESS_MAIN(MasksTest)
#include "masks_test.moc"
