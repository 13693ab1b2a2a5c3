// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences into words and back, counts of words, and the properties of characters behind them.

#include "text_fixture.h"

#include "engine/text/unicode.h"
#include "engine/text/word_counts.h"
#include "engine/text/words.h"

#include <QTest>

#include <algorithm>
#include <random>
#include <span>

using namespace scalebench;
using namespace scalebench::test;
using namespace scalebench::text;

namespace {

using Words = std::vector<std::string>;

/// Text of characters that are hard on a tokenizer, the same for a seed.
std::string oddText(unsigned seed)
{
    static const Words kParts{"a",
                              "Z",
                              "7",
                              "ß",
                              "數",
                              "é",
                              "e\xCC\x81",
                              " ",
                              " ",
                              "  ",
                              ".",
                              ",",
                              "-",
                              "\\",
                              "\\u",
                              "\\\\",
                              "@@",
                              "@",
                              "▁",
                              "</w>",
                              "\t",
                              "\r",
                              "\n",
                              "\xC2\xA0",
                              "😀",
                              "½",
                              "\xE2\x80\x8D",
                              "_",
                              "\xE3\x80\x80",
                              "\xE2\x96",
                              "n",
                              "r"};
    std::mt19937 random(seed);
    std::string line;
    for (unsigned n = random() % 12; n > 0; --n)
        line += kParts[random() % (kParts.size() - (random() % 50 ? 3 : 0))];
    return line;
}

} // namespace

class WordsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void splits()
    {
        QCOMPARE(splitWords("Hello, old world!"), (Words{"Hello", ", ", "old", "world", "!"}));
        QCOMPARE(splitWords("I can't; 3.5 %"),
                 (Words{"I", "can", "'", "t", "; ", "3", ".", "5", " %"}));
        QCOMPARE(splitWords(" Größe 中文 "), (Words{" ", "Größe", "中文", " "}));
        QCOMPARE(splitWords("a  b"), (Words{"a", "  ", "b"}));
        QCOMPARE(splitWords(" "), Words{" "});
        QCOMPARE(splitWords(""), Words{});
        QCOMPARE(splitBlanks("  a  b.\xC2\xA0"
                             "c \r\n"),
                 (Words{"a", "b.\xC2\xA0"
                             "c"}));
        QCOMPARE(splitBlanks("   "), Words{});
        QCOMPARE(joinBlanks({"a", "b"}), std::string("a b"));
    }

    void joinUndoesSplit()
    {
        Words lines = fixtureLines("sentences.txt");
        for (unsigned seed = 0; seed < 20000; ++seed)
            lines.push_back(oddText(seed));
        for (const std::string& line : lines) {
            if (firstInvalidUtf8(line) != std::string_view::npos)
                continue;
            const Words words = splitWords(line);
            for (const std::string& word : words)
                QVERIFY(!word.empty());
            QVERIFY2(joinWords(words) == line, line.c_str());
            const Words escaped = wordsOf(line, WordMode::Reversible);
            for (const std::string& word : escaped)
                QVERIFY(word.find_first_of(" \r\n") == std::string::npos);
            QVERIFY2(sentenceOf(escaped, WordMode::Reversible) == line, line.c_str());
            QVERIFY(unescapeWord(escapeWord(line)) == line);
        }
    }

    void countsAreTheSameForAnyThreads()
    {
        Words lines = fixtureLines("sentences.txt");
        while (lines.size() < 10000)
            lines.push_back(oddText(unsigned(lines.size())));
        const WordCounts one = countWords(lines, WordMode::Blanks, 1);
        QVERIFY(std::ranges::is_sorted(one, {}, &WordCount::word));
        for (const int threads : {2, 3, 8})
            QVERIFY(countWords(lines, WordMode::Blanks, threads) == one);
        const auto half = std::span(lines).first(5000), rest = std::span(lines).subspan(5000);
        WordCounter pieces;
        for (size_t i = 0; i < lines.size(); i += 700)
            pieces.add(std::span(lines).subspan(i, std::min<size_t>(700, lines.size() - i)),
                       WordMode::Blanks, 2);
        QVERIFY(pieces.counts() == one);
        QVERIFY(addCounts(countWords(half, WordMode::Blanks, 1),
                          countWords(rest, WordMode::Blanks, 1)) == one);
        QVERIFY(addCounts(one, {}) == one);
    }

    void failuresOfThreadsArrive()
    {
        const Words lines(5000, "x");
        const LineSplitter fails = [](std::string_view) -> Words {
            throw InvalidArgument("no", "odd");
        };
        QCOMPARE(caughtFrom([&] { countWords(lines, fails, 4); }).code, std::string("odd"));
    }

    void smallLetters()
    {
        QCOMPARE(lowerCase("ÄÖÜẞ É ÑandÅ"), std::string("äöüß é ñandå"));
        QCOMPARE(lowerCase("ΟΔΟΣ ΣΑΣ'Σ. Σ ΑΣ."), std::string("οδος σασ'ς. σ ας."));
        QCOMPARE(lowerCaseEach("ΟΔΟΣ"), std::string("οδοσ"));
        QCOMPARE(lowerCase("İ"), std::string("i\xCC\x87"));
        QCOMPARE(decomposed("éÅ"), std::string("e\xCC\x81"
                                               "A\xCC\x8A"));
        QCOMPARE(decomposed("a\xFF"), "a" + std::string(kReplacementText));
    }

    void whatIsNoUtf8()
    {
        const std::string bad = "a\xFF\xE2\x82z";
        QCOMPARE(firstInvalidUtf8(bad), size_t(1));
        QCOMPARE(countCharacters(bad), size_t(5));
        size_t at = 1;
        QCOMPARE(nextCharacter(bad, at), kReplacementCharacter);
        QCOMPARE(at, size_t(2));
        QCOMPARE(firstInvalidUtf8("añ数😀"), std::string_view::npos);
        for (unsigned seed = 0; seed < 2000; ++seed) {
            const std::string line = oddText(seed);
            QVERIFY(joinWords(splitWords(line)) == line); // bytes are kept all the same
            QVERIFY(firstInvalidUtf8(lowerCase(line)) == std::string_view::npos);
            QVERIFY(firstInvalidUtf8(decomposed(line)) == std::string_view::npos);
        }
        QVERIFY(isBlank(" \t\xE3\x80\x80\xC2\xA0") && !isBlank(" x") && isBlank(""));
    }
};

QTEST_GUILESS_MAIN(WordsTest)
#include "words_test.moc"
