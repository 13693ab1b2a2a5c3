// SPDX-License-Identifier: GPL-3.0-or-later
// Byte pairs against subword-nmt: what it learned from sentences.txt and how it split them.

#include "text_fixture.h"

#include "engine/core/fingerprint.h"
#include "engine/text/byte_pairs.h"

#include <QTest>

#include <set>

using namespace scalebench;
using namespace scalebench::test;
using namespace scalebench::text;

namespace {

std::string pieces(const BytePairs& pairs, const std::string& line,
                   const BytePairs::Known& known = {})
{
    std::vector<std::string> all;
    for (const std::string& word : splitBlanks(line))
        for (std::string& piece :
             markedPieces(known ? pairs.split(word, known) : pairs.split(word)))
            all.push_back(std::move(piece));
    return joined(all);
}

/// The lines that the fixtures were made of: the last one is of odd words.
std::vector<std::string> lines()
{
    std::vector<std::string> all = fixtureLines("sentences.txt");
    std::string last = fixtureLines("pieces.txt").back();
    for (size_t at = last.find("@@ "); at != std::string::npos; at = last.find("@@ "))
        last.erase(at, 3);
    all.push_back(last);
    return all;
}

} // namespace

class BytePairsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void learnsAsSubwordNmt()
    {
        const auto sentences = fixtureLines("sentences.txt");
        const BytePairs pairs = BytePairs::learn(countWords(sentences, WordMode::Blanks, 2), 400);
        const Folder folder;
        pairs.write(folder.path("codes"));
        QCOMPARE(text::readLines(folder.path("codes")), fixtureLines("codes.txt"));
        QVERIFY(BytePairs::read(folder.path("codes")).merges() == pairs.merges());
        const BytePairs few = BytePairs::learn(countWords(sentences, WordMode::Blanks, 1), 7);
        QCOMPARE(few.merges().size(), size_t(7));
    }

    void splitsAsSubwordNmt()
    {
        const BytePairs pairs = BytePairs::read(fixture("codes.txt"));
        const auto expected = fixtureLines("pieces.txt");
        const auto all = lines();
        QCOMPARE(all.size(), expected.size());
        for (size_t i = 0; i < all.size(); ++i)
            QCOMPARE(pieces(pairs, all[i]), expected[i]);
    }

    void splitsByVocabularyAsSubwordNmt()
    {
        const BytePairs pairs = BytePairs::read(fixture("codes.txt"));
        const auto listed = fixtureLines("known_pieces.txt");
        const std::set<std::string> vocabulary(listed.begin(), listed.end());
        const BytePairs::Known known = [&](std::string_view piece, bool last) {
            return vocabulary.contains(std::string(piece) + (last ? "" : "@@"));
        };
        const auto expected = fixtureLines("pieces_of_known.txt");
        const auto all = lines();
        for (size_t i = 0; i < all.size(); ++i)
            QCOMPARE(pieces(pairs, all[i], known), expected[i]);
    }

    void edges()
    {
        const BytePairs none;
        QCOMPARE(joined(none.split("äb")), std::string("ä b"));
        QVERIFY(none.split("").empty());
        QVERIFY(BytePairs::learn({}, 10).merges().empty());
        QVERIFY(BytePairs::learn({{"a", 5}, {"b c", 9}, {"", 3}}, 10).merges().empty());
        const BytePairs repeated({{"a", "a"}, {"aa", "a</w>"}, {"a", "a"}});
        QCOMPARE(joined(repeated.split("aaa")), std::string("aaa"));
        QCOMPARE(joined(repeated.split("aaaa")), std::string("aa a a"));
        QCOMPARE(joined(repeated.split("aaaaa")), std::string("aa aaa"));
    }

    void refusesOtherFiles_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("where");
        const QByteArray good = "#version: 0.2\na b\n";
        const auto row = [](const char* name, const QByteArray& content, const char* where) {
            QTest::newRow(name) << content << QString::fromLatin1(where);
        };
        row("empty", "", "codes:1 is damaged");
        row("no version", "a b\nab c\n", "codes:1 is damaged: the file does not begin with its");
        row("old version", "#version: 0.1\na b\n", "codes:1 is damaged: the version");
        row("JSON", "{\"model\": 1}\n", "codes:1 ");
        row("one symbol", good + "c\n", "codes:3 is damaged: the line is not two symbols");
        row("three symbols", good + "c d e\n", "codes:3 ");
        row("two blanks", good + "c  d\n", "codes:3 ");
        row("a blank alone", good + " \n", "codes:3 ");
        row("empty line", good + "\nc d\n", "codes:4 is damaged: a line before");
        row("bytes", good + "\xFF\xFE x\n", "codes:3 is damaged: byte 1");
    }
    void refusesOtherFiles()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, where);
        const Folder folder;
        const std::string path = folder.write("codes", content);
        const Caught caught = caughtFrom([&] { BytePairs::read(path); });
        QCOMPARE(caught.code, std::string("data_damaged"));
        QVERIFY2(caught.has(where.toStdString()), caught.message.c_str());
    }

    /// Fingerprints of what subword-nmt 0.3.8 made of the same text.
    void multi30k()
    {
        const std::string set = realSet("multi30k_en_de");
        if (set.empty())
            QSKIP("Multi30k is not on this machine (SB_SHARED_DATA)");
        std::vector<std::string> all = readLines(set + "/train.en.gz");
        for (std::string& line : readLines(set + "/train.de.gz"))
            all.push_back(std::move(line));
        const BytePairs pairs = BytePairs::learn(countWords(all, WordMode::Blanks, 2), 8000);
        std::vector<std::string> codes;
        for (const Merge& merge : pairs.merges())
            codes.push_back(merge.first + ' ' + merge.second);
        QCOMPARE(fingerprintOf(codes), uint64_t{0x272793c8dff9b86aULL});
        for (std::string& line : all)
            line = pieces(pairs, line);
        QCOMPARE(fingerprintOf(all), uint64_t{0x3ad4b9537e24bd7bULL});
    }
};

QTEST_GUILESS_MAIN(BytePairsTest)
#include "byte_pairs_test.moc"
