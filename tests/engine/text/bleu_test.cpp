// SPDX-License-Identifier: GPL-3.0-or-later
// BLEU against sacreBLEU: scores of hypotheses.txt against sentences.txt, and its words.

#include "text_fixture.h"

#include "engine/text/bleu.h"

#include <QStringList>
#include <QTest>

#include <array>
#include <cmath>
#include <cstring>

using namespace scalebench;
using namespace scalebench::test;
using namespace scalebench::text;

class BleuTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void scoresAsSacreBleu()
    {
        const auto references = fixtureLines("sentences.txt");
        const auto hypotheses = fixtureLines("hypotheses.txt");
        QCOMPARE(hypotheses.size(), references.size());
        const BleuTokens kinds[] = {BleuTokens::V13a, BleuTokens::International, BleuTokens::None};
        size_t row = 0;
        for (const std::string& line : fixtureLines("bleu.txt")) {
            const QStringList fields = QString::fromStdString(line).split(QLatin1Char('\t'));
            QCOMPARE(fields.size(), 5);
            const BleuCounter counter(kinds[row / 8], row % 8 >= 4);
            ++row;
            QCOMPARE(counter.signature(), fields[0].toStdString());
            BleuCounts counts;
            for (size_t i = fields[1].toULong(); i < fields[2].toULong(); ++i)
                counts.add(counter.count(hypotheses[i], references[i]));
            QVERIFY2(std::abs(counts.bleu() - fields[3].toDouble()) < 1e-9, line.c_str());
            QVERIFY2(std::abs(counts.brevityPenalty() - fields[4].toDouble()) < 1e-12,
                     line.c_str());
        }
        QCOMPARE(row, size_t(24));
    }

    void wordsAsSacreBleu_data()
    {
        QTest::addColumn<int>("tokens");
        QTest::addColumn<QString>("file");
        QTest::newRow("13a") << int(BleuTokens::V13a) << QStringLiteral("words_13a.txt");
        QTest::newRow("intl") << int(BleuTokens::International) << QStringLiteral("words_intl.txt");
    }
    void wordsAsSacreBleu()
    {
        QFETCH(int, tokens);
        QFETCH(QString, file);
        auto lines = fixtureLines("sentences.txt");
        for (std::string& line : fixtureLines("hypotheses.txt"))
            lines.push_back(std::move(line));
        const auto expected = fixtureLines(qPrintable(file));
        QCOMPARE(lines.size(), expected.size());
        const BleuCounter counter(BleuTokens(tokens), false);
        for (size_t i = 0; i < lines.size(); ++i)
            QCOMPARE(joined(counter.words(lines[i])), expected[i]);
    }

    void edges()
    {
        const BleuCounter counter(BleuTokens::V13a, true);
        const auto score = [&](const char* hypothesis, const char* reference) {
            return counter.count(hypothesis, reference).bleu();
        };
        QCOMPARE(score("", "a b c d"), 0.0);
        QCOMPARE(score("a b c d", ""), 0.0);
        QCOMPARE(score("", ""), 0.0);
        QCOMPARE(score("a b c", "a b c"), 0.0); // no 4-gram at all
        QVERIFY(std::abs(score("A b C d e", "a B c D E") - 100) < 1e-9);
        QCOMPARE(BleuCounts().bleu(), 0.0);
        // Repeating a right word is not rewarded: 1 of 7 (Papineni et al.).
        const BleuCounts clipped =
            counter.count("the the the the the the the", "the cat is on a mat");
        QCOMPARE(clipped.correct[0], 1);
        QCOMPARE(clipped.total[0], 7);
        QCOMPARE(joined(counter.words("a-\nb&lt;1\nC")), std::string("ab < 1 c"));
    }

    void sharesOfWorkersMerge()
    {
        const auto references = fixtureLines("sentences.txt");
        const auto hypotheses = fixtureLines("hypotheses.txt");
        const BleuCounter counter(BleuTokens::International, true);
        BleuCounts whole, merged;
        std::array<BleuCounts, 3> workers;
        for (size_t i = 0; i < references.size(); ++i) {
            const BleuCounts counts = counter.count(hypotheses[i], references[i]);
            whole.add(counts);
            workers[i % 3].add(counts);
        }
        for (const BleuCounts& share : workers) {
            std::array<char, sizeof(BleuCounts)> sent;
            std::memcpy(sent.data(), &share, sent.size());
            BleuCounts arrived;
            std::memcpy(&arrived, sent.data(), sent.size());
            merged.add(arrived);
        }
        QVERIFY(merged == whole);
        QCOMPARE(merged.bleu(), whole.bleu());
    }
};

QTEST_GUILESS_MAIN(BleuTest)
#include "bleu_test.moc"
