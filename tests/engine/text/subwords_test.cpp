// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences into token ids and back, and vocabularies that are not as they should be.

#include "text_fixture.h"

#include "engine/text/subword_tokenizer.h"

#include <QTest>

#include <algorithm>

using namespace scalebench;
using namespace scalebench::test;
using namespace scalebench::text;

namespace {

SubwordTokenizer learned(WordMode mode, int merges, int64_t minimumCharacterCount = 1)
{
    const WordCounts words = countWords(fixtureLines("sentences.txt"), mode, 1);
    BytePairs pairs = BytePairs::learn(words, merges);
    SubwordVocabulary vocabulary = SubwordVocabulary::build(words, pairs, minimumCharacterCount);
    return {mode, std::move(pairs), std::move(vocabulary)};
}

} // namespace

class SubwordsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void decodeUndoesEncode()
    {
        for (const int merges : {0, 20, 1000}) {
            const SubwordTokenizer reversible = learned(WordMode::Reversible, merges);
            const SubwordTokenizer blanks = learned(WordMode::Blanks, merges);
            auto lines = fixtureLines("sentences.txt");
            for (const char* line : {"@@", "@@@", "a@@ b@@", "low@@est", "<pad>", "</s> <s>low",
                                     "</w>", "new</w>est", "\\low\\", "", " ", "  low"})
                lines.emplace_back(line);
            for (const std::string& line : lines) {
                const auto ids = reversible.encode(line);
                QVERIFY(std::ranges::find(ids, SubwordVocabulary::kUnknown) == ids.end());
                QCOMPARE(reversible.decode(ids), line);
                QCOMPARE(blanks.decode(blanks.encode(line)), joinBlanks(splitBlanks(line)));
            }
        }
    }

    void mergesMakeSentencesShorter()
    {
        const SubwordTokenizer letters = learned(WordMode::Reversible, 0);
        const SubwordTokenizer merged = learned(WordMode::Reversible, 1000);
        const std::string line = "The workers of the ring are waiting.";
        QVERIFY(merged.encode(line).size() * 2 < letters.encode(line).size());
    }

    void vocabularyHasItsOrder()
    {
        const SubwordVocabulary v = SubwordVocabulary::build(
            {{"ab", 2}, {"b@@", 1}, {"é", 1}}, BytePairs({{"a", "b</w>"}, {"b", "@"}}));
        const std::vector<std::string> expected{"<pad>", "<s>", "</s>", "<unk>", "@@@",
                                                "@",     "a@@", "a",    "b@@",   "b",
                                                "é@@",   "é",   "ab",   "b@@@"};
        QCOMPARE(v.size(), int(expected.size()));
        for (int id = 0; id < v.size(); ++id)
            QCOMPARE(v.text(id), expected[size_t(id)]);
        QCOMPARE(v.id("ab", true), 12);
        QCOMPARE(v.id("ab", false), SubwordVocabulary::kUnknown);
        QCOMPARE(v.id("<pad>", true), SubwordVocabulary::kUnknown);
    }

    void filesKeepVocabularies()
    {
        const Folder folder;
        const SubwordVocabulary vocabulary = learned(WordMode::Reversible, 100).vocabulary();
        vocabulary.write(folder.path("v"));
        const SubwordVocabulary again = SubwordVocabulary::read(folder.path("v"));
        QCOMPARE(again.size(), vocabulary.size());
        QCOMPARE(again.fingerprint(), vocabulary.fingerprint());
        for (int id = 0; id < again.size(); ++id)
            QCOMPARE(again.text(id), vocabulary.text(id));
        QVERIFY(learned(WordMode::Reversible, 99).vocabulary().fingerprint() !=
                vocabulary.fingerprint());
    }

    void unknownCharacters()
    {
        const SubwordTokenizer tokenizer = learned(WordMode::Blanks, 50, 20);
        const auto ids = tokenizer.encode("low 數 low");
        QVERIFY(std::ranges::count(ids, SubwordVocabulary::kUnknown) == 1);
        QCOMPARE(tokenizer.decode(ids), std::string("low \xEF\xBF\xBD low"));
        const std::vector<int32_t> special{1, ids.front(), 0, 2, 0};
        QVERIFY(!tokenizer.decode(special).empty());
        for (const int32_t bad : {-1, tokenizer.vocabulary().size()}) {
            const Caught caught =
                caughtFrom([&] { (void)tokenizer.decode(std::vector<int32_t>{bad}); });
            QCOMPARE(caught.code, std::string("invalid_argument"));
            QVERIFY(caught.has("token id " + std::to_string(bad)) && caught.has("out of range"));
        }
    }

    void refusesOtherFiles_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("where");
        const QByteArray head = "<pad>\n<s>\n</s>\n<unk>\n";
        const auto row = [](const char* name, const QByteArray& content, const char* where) {
            QTest::newRow(name) << content << QString::fromLatin1(where);
        };
        row("empty", "", "v:1 is damaged: the file ends before");
        row("cut off", "<pad>\n<s>\n", "v:3 is damaged: the file ends before");
        row("BERT's", "[PAD]\n[UNK]\n", "v:1 is damaged: expected <pad>");
        row("codes", "#version: 0.2\na b\n", "v:1 is damaged: expected <pad>");
        row("double", head + "a\nb\na\n", "v:7 is damaged: the piece 'a' is there twice");
        row("empty piece", head + "a\n\nb\n", "v:6 is damaged: a piece is empty");
        row("blank", head + "a b\n", "v:5 is damaged: a piece holds a blank");
        row("special again", head + "<unk>\n", "v:5 is damaged: '<unk>' stands");
        row("nothing goes on", head + "@@\n", "v:5 is damaged: a piece is nothing but @@");
    }
    void refusesOtherFiles()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, where);
        const Folder folder;
        const std::string path = folder.write("v", content);
        const Caught caught = caughtFrom([&] { SubwordVocabulary::read(path); });
        QCOMPARE(caught.code, std::string("data_damaged"));
        QVERIFY2(caught.has(where.toStdString()), caught.message.c_str());
    }
};

QTEST_GUILESS_MAIN(SubwordsTest)
#include "subwords_test.moc"
