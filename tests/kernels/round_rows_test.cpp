// SPDX-License-Identifier: GPL-3.0-or-later
// Rows rounded to bf16, on every instruction set, against the formula number by number: ties, NaN
// and infinities among them, widths with a rest, and what lies beyond a row left alone.
#include <QTest>

#include <array>
#include <cmath>
#include <limits>

#include "kernels/cpu/round_rows.h"
#include "kernels/formula/bf16.h"
#include "op_test.h"

using namespace scalebench;
using namespace scalebench::test;
namespace cpu = scalebench::kernels::cpu;

namespace {

constexpr bf16_t kUntouched = 0x1234;

std::vector<float> numbers(std::size_t n)
{
    const Values random = randomValues(n, 5);
    std::vector<float> x(random.begin(), random.end());
    const std::array special{std::numeric_limits<float>::quiet_NaN(),
                             std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity(),
                             0.0f,
                             -0.0f,
                             1.00390625f,    // a tie, down to even
                             1.01171875f,    // a tie, up to even
                             -1.01171876f,   // just beyond one
                             3.3961775e38f}; // rounds to infinity
    for (std::size_t i = 0; i < special.size(); ++i)
        x[i * 11 % n] = special[i];
    return x;
}

bool same(bf16_t a, bf16_t b)
{
    const float x = formula::bf16ToF32(a), y = formula::bf16ToF32(b);
    return a == b || (std::isnan(x) && std::isnan(y));
}

} // namespace

class RoundRowsTest : public QObject
{
    Q_OBJECT
private slots:
    void rows_data()
    {
        QTest::addColumn<int>("columns");
        QTest::addColumn<bool>("scaled");
        for (const int columns : {1, 15, 16, 31, 32, 33, 80, 100})
            for (const bool scaled : {false, true})
                QTest::addRow("%d columns%s", columns, scaled ? ", with factors" : "")
                    << columns << scaled;
    }
    void rows()
    {
        QFETCH(int, columns);
        QFETCH(bool, scaled);
        constexpr int kRows = 5;
        const int ld = columns + 3, ldOut = columns + 7;
        const std::vector<float> x = numbers(std::size_t(kRows * ld));
        const std::array factors{0.5f, -3.0f, 1.0f, 0.37f, 100.0f};
        std::vector<bf16_t> out(std::size_t(kRows * ldOut), kUntouched);
        cpu::roundRows(x.data(), ld, scaled ? factors.data() : nullptr, kRows, columns, out.data(),
                       ldOut);
        for (int r = 0; r < kRows; ++r)
            for (int c = 0; c < ldOut; ++c) {
                const float v = c < columns ? x[std::size_t(r * ld + c)] *
                                                  (scaled ? factors[std::size_t(r)] : 1.0f)
                                            : 0.0f;
                const bf16_t expected = c < columns ? formula::f32ToBf16(v) : kUntouched;
                QVERIFY2(same(out[std::size_t(r * ldOut + c)], expected),
                         qPrintable(QStringLiteral("row %1, column %2").arg(r).arg(c)));
            }
    }
    void pairs()
    {
        constexpr int kRows = 6, kColumns = 48, kLd = 50, kLdOut = 64;
        const std::vector<float> x = numbers(kRows * kLd);
        std::vector<bf16_t> out(kRows * kLdOut, kUntouched);
        cpu::roundPairs(x.data(), kLd, kRows, kColumns, out.data(), kLdOut);
        for (int r = 0; r < kRows; r += 2)
            for (int c = 0; c < 2 * kLdOut; ++c) {
                const bf16_t expected =
                    c < 2 * kColumns ? formula::f32ToBf16(x[std::size_t((r + c % 2) * kLd + c / 2)])
                                     : kUntouched;
                QVERIFY2(same(out[std::size_t(r * kLdOut + c)], expected),
                         qPrintable(QStringLiteral("pair %1, place %2").arg(r / 2).arg(c)));
            }
    }
};

QTEST_APPLESS_MAIN(RoundRowsTest)
#include "round_rows_test.moc"
