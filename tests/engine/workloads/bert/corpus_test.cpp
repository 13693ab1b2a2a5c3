// SPDX-License-Identifier: GPL-3.0-or-later
// Text files into documents: both formats, sentence ends, what is held out, what is refused; the
// generated language.

#include "engine/workloads/bert/corpus_files.h"
#include "engine/workloads/bert/prose_generator.h"
#include "engine/workloads/bert/sentence_splitter.h"
#include "kernels/check.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <set>

using namespace scalebench;
using namespace scalebench::workloads;
using namespace Qt::StringLiterals;

namespace {

text::WordPieceTokenizer letters()
{
    std::vector<std::string> pieces = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "."};
    for (char c = 'a'; c <= 'z'; ++c) {
        pieces.emplace_back(1, c);
        pieces.push_back("##" + std::string(1, c));
    }
    return text::WordPieceTokenizer(text::WordPieceVocabulary(pieces));
}

/// Documents as text: pieces without marks, "|" between sentences.
std::vector<std::string> shown(const Corpus& corpus, const text::WordPieceTokenizer& tokenizer)
{
    std::vector<std::string> documents;
    for (int64_t d = 0; d < corpus.documentCount(); ++d) {
        std::string text;
        for (int64_t s = corpus.documents[size_t(d)]; s < corpus.documents[size_t(d) + 1]; ++s) {
            text += s > corpus.documents[size_t(d)] ? "|" : "";
            for (int64_t i = corpus.sentences[size_t(s)]; i < corpus.sentences[size_t(s) + 1];
                 ++i) {
                const std::string piece = tokenizer.vocabulary().text(corpus.tokens[size_t(i)]);
                text += piece.starts_with("##") ? piece.substr(2) : piece;
            }
        }
        documents.push_back(text);
    }
    return documents;
}

} // namespace

class BertCorpusTest : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

    std::string write(const char* name, const QByteArray& bytes) const
    {
        const QString path = m_folder.filePath(QString::fromLatin1(name));
        QDir().mkpath(QFileInfo(path).path());
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
            qFatal("cannot write");
        return path.toStdString();
    }
    std::string folder(const char* name) const
    {
        return m_folder.filePath(QString::fromLatin1(name)).toStdString();
    }
    Corpus read(const char* name, const QByteArray& bytes) const
    {
        Corpus corpus;
        int64_t bytesRead = 0;
        readDocuments(write(name, bytes), letters(), corpus, bytesRead);
        return corpus;
    }
    template <typename Call>
    static std::string refusal(const Call& call)
    {
        try {
            call();
        } catch (const InvalidArgument& e) {
            return e.what();
        }
        return {};
    }

private slots:
    void sentenceEnds_data()
    {
        QTest::addColumn<QString>("paragraph");
        QTest::addColumn<QString>("sentences");
        const auto row = [](const char* name, const char* text, const char* parts) {
            QTest::newRow(name) << QString::fromUtf8(text) << QString::fromUtf8(parts);
        };
        row("plain", "It rains. We stay! Why not?", "It rains.|We stay!|Why not?");
        row("initial", "He met J. Smith there. Then he left.",
            "He met J. Smith there.|Then he left.");
        row("abbreviation", "Fruit, e.g. Apples, of Dr. No. It grows.",
            "Fruit, e.g. Apples, of Dr. No. It grows."); // "No." is an abbreviation too
        row("number", "It is 3.5 m long. 12 of them.", "It is 3.5 m long.|12 of them.");
        row("small letter", "The U.N. decided. ok then", "The U.N. decided. ok then");
        row("quotes", "He said \"no.\" Then (he left.) The end...  Yes.",
            "He said \"no.\"|Then (he left.)|The end...|Yes.");
        row("blank", "  \t ", "");
        row("no end", " one line ", "one line");
        row("only signs", "...", "...");
    }
    void sentenceEnds()
    {
        QFETCH(QString, paragraph);
        QFETCH(QString, sentences);
        const std::string text = paragraph.toStdString();
        std::string joined;
        for (const std::string_view part : splitSentences(text))
            joined.append(joined.empty() ? "" : "|").append(part);
        QCOMPARE(QString::fromStdString(joined), sentences);
    }

    void linesAndBlankLines()
    {
        const Corpus corpus = read("a.txt", "\n\nab c.\nd.\n\n\n  \ne f.\n\n");
        QCOMPARE(shown(corpus, letters()), (std::vector<std::string>{"abc.|d.", "ef."}));
        QCOMPARE(shown(read("b.txt", "one.\r\ntwo."), letters()),
                 (std::vector<std::string>{"one.|two."}));
        QCOMPARE(read("c.txt", "").documentCount(), 0);
    }

    void wikiExtractor()
    {
        const Corpus corpus = read("wiki_00", "<doc id=\"1\" title=\"Title\">\nTitle\n\n"
                                              "Ab cd. De f.\n\nGh.\n\n</doc>\n"
                                              "<doc id=\"2\" title=\"X\">\nX\n\nIj.\n</doc>\n"
                                              "<doc id=\"3\" title=\"E\">\nE\n\n</doc>\n");
        QCOMPARE(shown(corpus, letters()), (std::vector<std::string>{"abcd.|def.|gh.", "ij."}));
        const std::string why = refusal([&] { read("wiki_01", "<doc id=\"1\">\nT\n\nAb.\n"); });
        QVERIFY2(why.find("wiki_01:1") != std::string::npos &&
                     why.find("</doc>") != std::string::npos,
                 why.c_str());
    }

    void whatIsNotUtf8IsNamed()
    {
        const std::string why = refusal([&] {
            read("bad.txt", "good.\nb\xff"
                            "d.\n");
        });
        QVERIFY2(why.find("bad.txt:2") != std::string::npos &&
                     why.find("UTF-8") != std::string::npos,
                 why.c_str());
    }

    void filesOfAFolder()
    {
        for (const char* name : {"set/vocab.txt", "set/b.txt", "set/a", "set/eval.txt",
                                 "set/README.md", "set/.hidden", "set/LICENSE", "set/SHA256SUMS"})
            write(name, "x\n");
        const CorpusFiles files = findCorpus(folder("set"));
        QCOMPARE(files.vocabulary, folder("set/vocab.txt"));
        QCOMPARE(files.training, (std::vector{folder("set/a"), folder("set/b.txt")}));
        QCOMPARE(files.evaluation, std::vector{folder("set/eval.txt")});
        QVERIFY(refusal([&] { findCorpus(folder("none")); }).find("no folder") !=
                std::string::npos);
        write("bare/a.txt", "x\n");
        QVERIFY(refusal([&] { findCorpus(folder("bare")); }).find("vocab.txt") !=
                std::string::npos);
        write("empty/vocab.txt", "x\n");
        QVERIFY(refusal([&] { findCorpus(folder("empty")); }).find("no text") != std::string::npos);
    }

    void foldersInAFolder()
    {
        for (const char* name : {"deep/vocab.txt", "deep/AB/wiki_01", "deep/AA/wiki_00",
                                 "deep/notes.txt", "deep/AA/README", "deep/AA/vocab.txt",
                                 "deep/.git/config", "deep/eval/AA/wiki_00", "deep/AB/eval_1"})
            write(name, "x\n");
        QVERIFY(QFile::link(QString::fromStdString(folder("deep")),
                            m_folder.filePath(u"deep/AA/up"_s)));
        const CorpusFiles files = findCorpus(folder("deep"));
        QCOMPARE(files.vocabulary, folder("deep/vocab.txt"));
        QCOMPARE(files.training, (std::vector{folder("deep/AA/wiki_00"), folder("deep/AB/wiki_01"),
                                              folder("deep/notes.txt")}));
        QCOMPARE(files.evaluation,
                 (std::vector{folder("deep/AB/eval_1"), folder("deep/eval/AA/wiki_00")}));
        QVERIFY(QFile::link(u"/nowhere/LICENSE"_s, m_folder.filePath(u"deep/LICENSE"_s)));
        QCOMPARE(findCorpus(folder("deep")).training, files.training);
        QVERIFY(QFile::link(u"/nowhere/AC"_s, m_folder.filePath(u"deep/AC"_s)));
        const std::string why = refusal([&] { findCorpus(folder("deep")); });
        QVERIFY2(why.find("deep/AC is a link to /nowhere/AC") != std::string::npos, why.c_str());
    }

    void threadsChangeNothing()
    {
        std::vector<std::string> files;
        for (int i = 0; i < 5; ++i)
            files.push_back(write(("part" + std::to_string(i)).c_str(),
                                  QByteArray("a b.\nc.\n\nd") + char('e' + i) + ".\n"));
        int64_t one = 0, three = 0;
        const Corpus a = readAll(files, letters(), 1, one), b = readAll(files, letters(), 3, three);
        QVERIFY(a.tokens == b.tokens && a.sentences == b.sentences && a.documents == b.documents);
        QCOMPARE(a.documentCount(), 10);
        QVERIFY(one == three && one > 0);
    }

    void heldOutDocumentsAreNotTrainedOn()
    {
        QByteArray text;
        for (char c = 'a'; c < 'a' + 20; ++c)
            text += QByteArray(3, c) + ".\n" + QByteArray(2, c) + ".\n\n";
        text += "aaa.\naa.\n\nbbb.\nbb.\n\n"; // the first two once more
        const Corpus all = read("split.txt", text);
        const SplitCorpus split = holdOut(all, 0.5);
        const std::vector<std::string> train = shown(split.training, letters());
        const std::vector<std::string> held = shown(split.evaluation, letters());
        QCOMPARE(held.size(), size_t(11));
        QCOMPARE(int64_t(train.size()) + int64_t(held.size()) + split.repeated, 22);
        for (const std::string& document : held)
            QVERIFY(std::ranges::find(train, document) == train.end());
        QCOMPARE(shown(holdOut(all, 0.5).evaluation, letters()), held); // the same each time
        QCOMPARE(shown(holdOut(all, 0.001).evaluation, letters()).size(), size_t(2));
        const Corpus few = read("few.txt", "a.\n\nb.\n\nc.\n");
        QVERIFY(refusal([&] { holdOut(few, 0.1); }).find("3 documents") != std::string::npos);
        QVERIFY(refusal([&] { keepApart(few, few); }).find("train on") != std::string::npos);
    }

    void generatedLanguage()
    {
        const std::vector<std::string> pieces = prosePieces();
        QCOMPARE(std::set(pieces.begin(), pieces.end()).size(), pieces.size());
        const text::WordPieceTokenizer tokenizer{text::WordPieceVocabulary(pieces)};
        std::set<std::vector<std::string>> documents;
        std::set<int32_t> seen;
        for (int64_t i = 0; i < 400; ++i) {
            const std::vector<std::string> sentences = proseDocument(1, i);
            QVERIFY(sentences.size() >= 8 && sentences.size() <= 24);
            QCOMPARE(proseDocument(1, i), sentences);
            documents.insert(sentences);
            for (const std::string& sentence : sentences)
                for (const int32_t id : tokenizer.encode(sentence)) {
                    QVERIFY(id != tokenizer.vocabulary().unknown());
                    seen.insert(id);
                }
        }
        QCOMPARE(documents.size(), size_t(400));
        QCOMPARE(seen.size(), pieces.size() - 5); // all but the special ones
        QVERIFY(proseDocument(2, 0) != proseDocument(1, 0));

        const std::string path = folder("prose");
        ensureProse(path, {20, 4, 1});
        int64_t bytes = 0;
        QCOMPARE(readAll({path + "/train.txt"}, tokenizer, 1, bytes).documentCount(), 20);
        QCOMPARE(readAll({path + "/eval.txt"}, tokenizer, 1, bytes).documentCount(), 4);
        QCOMPARE(int64_t(text::WordPieceVocabulary::read(path + "/vocab.txt").size()),
                 int64_t(pieces.size()));
        QVERIFY_EXCEPTION_THROWN(ensureProse(folder("p2"), {1, 4, 1}), InvalidArgument);
    }
};

QTEST_GUILESS_MAIN(BertCorpusTest)
#include "corpus_test.moc"
