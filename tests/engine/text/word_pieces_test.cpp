// SPDX-License-Identifier: GPL-3.0-or-later
// BERT's tokenizer against the reference (tokenizers' BertWordPieceTokenizer), its vocabulary file
// and vocabularies of our own.

#include "text_fixture.h"

#include "engine/core/fingerprint.h"
#include "engine/text/bert_words.h"
#include "engine/text/word_pieces.h"

#include <QTest>

#include <set>

using namespace scalebench;
using namespace scalebench::test;
using namespace scalebench::text;

class WordPiecesTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void piecesAsTheReference_data()
    {
        QTest::addColumn<bool>("uncased");
        QTest::newRow("uncased") << true;
        QTest::newRow("cased") << false;
    }
    void piecesAsTheReference()
    {
        QFETCH(bool, uncased);
        const WordPieceTokenizer tokenizer(WordPieceVocabulary::read(fixture("vocab.txt")),
                                           uncased);
        auto lines = fixtureLines("sentences.txt");
        lines.emplace_back("1,000 3.5 - „so“ U.S. &quot; don't 5-7 $5 ΟΔΟΣ ΑΣ. İzmir € – 😀 (x) 10% "
                           "… 中文。 <skipped> a,b x.1 №5 ½");
        lines.emplace_back(100, 'x');
        lines.emplace_back(101, 'x');
        lines.emplace_back();
        for (int i = 0; i < 101; ++i)
            lines.back() += "é";
        const auto expected =
            fixtureLines(uncased ? "word_pieces_uncased.txt" : "word_pieces_cased.txt");
        QCOMPARE(lines.size(), expected.size());
        for (size_t i = 0; i < lines.size(); ++i) {
            std::vector<std::string> pieces;
            for (const int32_t id : tokenizer.encode(lines[i]))
                pieces.push_back(tokenizer.vocabulary().text(id));
            QCOMPARE(joined(pieces), expected[i]);
        }
    }

    void words()
    {
        const auto text = [](const char* line, bool uncased = true) {
            return joined(bertWords(line, uncased));
        };
        QCOMPARE(text("Hello,world!  It's\tÅ."), std::string("hello , world ! it ' s a ."));
        QCOMPARE(text("Äé", false), std::string("Äé"));
        QCOMPARE(text("深x度"), std::string("深 x 度"));
        QCOMPARE(text("a\x01"
                      "b\xE2\x80\x8B"
                      "c\xEF\xBF\xBD"
                      "d\xC2\xA0"
                      "e"),
                 std::string("abcd e"));
        QCOMPARE(text("$5+3=`8`^~"), std::string("$ 5 + 3 = ` 8 ` ^ ~"));
        QCOMPARE(text("İI"), std::string("ii"));
        QVERIFY(bertWords(" \t\n", true).empty());
    }

    void learns()
    {
        const auto lines = fixtureLines("sentences.txt");
        const auto split = [](std::string_view line) { return bertWords(line, true); };
        const WordCounts words = countWords(lines, split, 1);
        const WordPieceVocabulary vocabulary = WordPieceVocabulary::learn(words, 400);
        QCOMPARE(vocabulary.size(), 400);
        QCOMPARE(vocabulary.pad(), 0);
        QCOMPARE(vocabulary.mask(), 4);
        QVERIFY(vocabulary.isSpecial(3) && !vocabulary.isSpecial(5));
        QVERIFY(vocabulary.find("the") >= 0);
        QVERIFY(vocabulary.find("##ing") >= 0);
        const WordPieceTokenizer tokenizer(vocabulary);
        // All characters are there, so every text is its pieces.
        for (const std::string& line : lines) {
            std::string whole, expected;
            for (const int32_t id : tokenizer.encode(line)) {
                const std::string& piece = vocabulary.text(id);
                QVERIFY(id != vocabulary.unknown());
                whole += piece.size() > 2 && piece.starts_with("##") ? piece.substr(2) : piece;
            }
            for (const std::string& word : bertWords(line, true))
                expected += word;
            QCOMPARE(whole, expected);
        }
        QVERIFY(WordPieceVocabulary::learn(words, 400).fingerprint() == vocabulary.fingerprint());
        QCOMPARE(WordPieceVocabulary::learn(words, 30).size(), 30);
        QVERIFY(WordPieceVocabulary::learn({{"ab", 1}}, 100).size() == 7);
        QVERIFY(caughtFrom([&] { WordPieceVocabulary::learn(words, 5); }).has("no character"));
        const Folder folder;
        vocabulary.write(folder.path("v"));
        QVERIFY(WordPieceVocabulary::read(folder.path("v")).fingerprint() ==
                vocabulary.fingerprint());
        QVERIFY(caughtFrom([&] { (void)vocabulary.text(400); }).has("out of range"));
    }

    void refusesOtherFiles_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("where");
        const QByteArray head = "[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\n";
        const auto row = [](const char* name, const QByteArray& content, const char* where) {
            QTest::newRow(name) << content << QString::fromLatin1(where);
        };
        row("empty", "", "v:1 is damaged: no line is [PAD]");
        row("cut off", "[PAD]\n[UNK]\n[CLS]\n[SEP]\nthe\n", "v:5 is damaged: no line is [MASK]");
        row("double", head + "a\nb\na\n",
            "v:8 is damaged: the word piece 'a' is there twice, first in line 6");
        row("empty line", head + "a\n\nb\n", "v:7 is damaged: the line is empty");
        row("bytes", head + "\xFF\n", "v:6 is damaged: byte 1");
    }
    void refusesOtherFiles()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, where);
        const Folder folder;
        const std::string path = folder.write("v", content);
        const Caught caught = caughtFrom([&] { WordPieceVocabulary::read(path); });
        QCOMPARE(caught.code, std::string("data_damaged"));
        QVERIFY2(caught.has(where.toStdString()), caught.message.c_str());
    }

    /// The fingerprint of what tokenizers 0.23.3 made of the same text.
    void wikipedia()
    {
        const std::string set = realSet("bert_wiki");
        if (set.empty())
            QSKIP("the Wikipedia text is not on this machine (SB_SHARED_DATA)");
        const WordPieceTokenizer tokenizer(WordPieceVocabulary::read(set + "/vocab.txt"));
        std::vector<std::string> all;
        for (const char* part : {"/wiki_00", "/wiki_01", "/wiki_02", "/wiki_03"})
            for (const std::string& line : readLines(set + part)) {
                all.emplace_back();
                for (const int32_t id : tokenizer.encode(line))
                    all.back() += (all.back().empty() ? "" : " ") + std::to_string(id);
            }
        QCOMPARE(fingerprintOf(all), uint64_t{0xf499a5ddd17eab75ULL});
    }
};

QTEST_GUILESS_MAIN(WordPiecesTest)
#include "word_pieces_test.moc"
