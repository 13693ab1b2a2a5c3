// SPDX-License-Identifier: GPL-3.0-or-later
// The innermost loops of max pooling in bf16, number by number, for every width that a vector may
// leave over; what lies behind the row stays as it was.
#include <QTest>
#include <algorithm>
#include <random>
#include <vector>

#include "kernels/cpu/max_pool_taps.h"
#include "kernels/formula/bf16.h"

using namespace scalebench;
namespace pool = scalebench::kernels::cpu::pool;

namespace {

constexpr std::size_t kGuard = 64;
constexpr int kTaps = 9;

/// Few different numbers, so that many are equal; zeros of both signs, denormal ones, infinities,
/// NaN of both signs.
constexpr bf16_t kValues[] = {0x0000, 0x8000, 0x0001, 0x8001, 0x3f80, 0xbf80, 0x4000,
                              0xc000, 0x7f80, 0xff80, 0x3f81, 0x7fc0, 0xffc0};
constexpr std::size_t kNumbers = std::size(kValues) - 2; // that are no NaN

std::vector<bf16_t> pixels(std::size_t n, std::size_t kinds)
{
    std::mt19937 random(3);
    std::vector<bf16_t> out(n);
    for (bf16_t& v : out)
        v = kValues[random() % kinds];
    return out;
}

} // namespace

class MaxPoolTapsTest : public QObject
{
    Q_OBJECT
private slots:
    void initTestCase()
    {
        if (!pool::bf16Loops())
            QSKIP("this processor has no AVX512_BF16: the loops are the compiler's");
    }
    void everyWidth_data()
    {
        QTest::addColumn<std::size_t>("width");
        for (const std::size_t width : {1, 7, 16, 31, 32, 33, 48, 64, 65, 100})
            QTest::addRow("%d", int(width)) << width;
    }
    void everyWidth()
    {
        QFETCH(std::size_t, width);
        for (const std::size_t kinds : {kNumbers, std::size(kValues)})
            for (int n = 1; n <= kTaps; ++n)
                largest(width, n, kinds);
        for (int n = 0; n <= 4; ++n)
            gradient(width, n);
    }

private:
    static void largest(std::size_t width, int n, std::size_t kinds)
    {
        const std::vector<bf16_t> x = pixels(kTaps * width, kinds);
        std::vector<pool::Tap<bf16_t>> taps;
        for (int i = 0; i < n; ++i)
            taps.push_back({x.data() + std::size_t(i) * width, nullptr, std::uint8_t(3 * i + 1)});
        std::vector<bf16_t> y(width + kGuard, 0x1234);
        std::vector<std::uint8_t> index(width + kGuard, 77);
        pool::bf16Loops()->largest(taps.data(), n, std::int64_t(width), y.data(), index.data(),
                                   nullptr);
        for (std::size_t c = 0; c < width; ++c) {
            int won = 0;
            for (int i = 1; i < n; ++i) {
                const float v = formula::bf16ToF32(taps[std::size_t(i)].at[c]),
                            best = formula::bf16ToF32(taps[std::size_t(won)].at[c]);
                won = v > best || v != v ? i : won;
            }
            QCOMPARE(y[c], taps[std::size_t(won)].at[c]);
            QCOMPARE(int(index[c]), 3 * won + 1);
        }
        QCOMPARE(std::count(y.begin() + long(width), y.end(), 0x1234), long(kGuard));
        QCOMPARE(std::count(index.begin() + long(width), index.end(), 77), long(kGuard));
    }
    static void gradient(std::size_t width, int n)
    {
        std::mt19937 random(5);
        std::vector<bf16_t> dy(4 * width);
        std::vector<std::uint8_t> won(4 * width);
        for (std::size_t i = 0; i < dy.size(); ++i) {
            dy[i] = formula::f32ToBf16(float(int(random() % 64)) - 31.5f); // sums are exact
            won[i] = std::uint8_t(random() % 4);
        }
        std::vector<pool::Tap<bf16_t>> taps;
        for (int i = 0; i < n; ++i)
            taps.push_back({dy.data() + std::size_t(i) * width, won.data() + std::size_t(i) * width,
                            std::uint8_t(i % 3)});
        std::vector<bf16_t> dx(width + kGuard, 0x1234);
        pool::bf16Loops()->gradient(taps.data(), n, std::int64_t(width), dx.data(), nullptr);
        for (std::size_t c = 0; c < width; ++c) {
            float sum = 0.0f;
            for (const pool::Tap<bf16_t>& tap : taps)
                sum += tap.won[c] == tap.number ? formula::bf16ToF32(tap.at[c]) : 0.0f;
            QCOMPARE(formula::bf16ToF32(dx[c]), sum);
        }
        QCOMPARE(std::count(dx.begin() + long(width), dx.end(), 0x1234), long(kGuard));
    }
};

QTEST_APPLESS_MAIN(MaxPoolTapsTest)
#include "max_pool_taps_test.moc"
