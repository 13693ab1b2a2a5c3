// SPDX-License-Identifier: GPL-3.0-or-later
// Words and factors of dropout, many at a time, against the formula of a single element: every
// part of a group, and counters beyond 32 bits.
#include <QTest>

#include <cmath>
#include <vector>

#include "kernels/cpu/dropout_words.h"
#include "kernels/dropout.h"
#include "kernels/formula/dropout.h"

using namespace scalebench;
namespace cpu = scalebench::kernels::cpu;

class DropoutWordsTest : public QObject
{
    Q_OBJECT
private slots:
    void words_data()
    {
        QTest::addColumn<quint64>("seed");
        QTest::addColumn<quint64>("stream");
        QTest::addColumn<quint64>("first");
        QTest::newRow("zero") << quint64(0) << quint64(0) << quint64(0);
        QTest::newRow("long keys")
            << quint64(0xfedcba9876543210u) << quint64(0x0123456789abcdefu) << quint64(5);
        // Four groups before the counter's low word ends, and four after.
        QTest::newRow("long counters")
            << quint64(1) << quint64(0xffffffffu) << quint64((1u << 28) - 4);
        QTest::newRow("all ones") << ~quint64(0) << ~quint64(0) << quint64(0x03fffffffffffff0u);
    }
    void words()
    {
        QFETCH(quint64, seed);
        QFETCH(quint64, stream);
        QFETCH(quint64, first);
        constexpr quint64 kGroups = 8;
        std::vector<std::uint32_t> words(kGroups * formula::kDropoutGroup);
        cpu::dropoutWords(seed, stream, first, kGroups, words.data());
        for (quint64 i = 0; i < words.size(); ++i)
            QCOMPARE(words[i],
                     formula::dropoutWord(seed, stream, first * formula::kDropoutGroup + i));
    }

    void anyPart()
    {
        constexpr float kProbability = 0.3f;
        const std::uint32_t threshold = formula::dropoutThreshold(kProbability);
        for (const std::int64_t n : {1, 15, 64, 65, 1024, 1500, 40000})
            for (const std::uint64_t offset : {0, 1, 63, 64, 100}) {
                std::vector<float> factors(std::size_t(n), -1.0f);
                cpu::dropoutFactors({n, kProbability, 7, 9, offset, DType::F32}, factors.data());
                for (std::size_t i = 0; i < factors.size(); ++i)
                    QCOMPARE(factors[i], formula::dropoutFactor(
                                             formula::dropoutWord(7, 9, offset + i), threshold,
                                             formula::dropoutScale(kProbability)));
            }
    }
};

QTEST_GUILESS_MAIN(DropoutWordsTest)
#include "dropout_words_test.moc"
