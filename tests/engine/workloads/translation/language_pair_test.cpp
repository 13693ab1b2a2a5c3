// SPDX-License-Identifier: GPL-3.0-or-later
// The generated language pair and documents: the rules of the languages hold, the same bytes
// everywhere, nothing of the evaluation is in the training, and no cheap way to a good BLEU.

#include "reference_translator.h"

#include "engine/workloads/translation/language_pair.h"
#include "kernels/check.h"
#include "support/file_content.h"

#include <QCryptographicHash>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

using namespace scalebench;
using namespace scalebench::test;
using namespace scalebench::workloads;

namespace {

QByteArray digestOf(const QString& folder, const QStringList& names)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const QString& name : names)
        hash.addData(contentOf(folder + QLatin1Char('/') + name));
    return hash.result().toHex();
}

/// Punctuation as words of its own.
std::vector<std::string> wordsOf(const std::string& text)
{
    std::string spaced;
    for (const char c : text)
        spaced += c == '.' || c == ',' || c == '?' ? std::string{' ', c} : std::string(1, c);
    std::istringstream in(spaced);
    std::vector<std::string> words;
    for (std::string word; in >> word;)
        words.push_back(word);
    return words;
}

/// Corpus BLEU by its definition (Papineni et al. 2002), without smoothing.
double bleu(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references)
{
    std::array<double, 4> correct{}, total{};
    double length = 0, referenceLength = 0;
    for (size_t i = 0; i < hypotheses.size(); ++i) {
        const auto h = wordsOf(hypotheses[i]), r = wordsOf(references[i]);
        length += double(h.size());
        referenceLength += double(r.size());
        for (size_t n = 1; n <= 4; ++n) {
            std::map<std::vector<std::string>, int> known;
            for (size_t k = 0; k + n <= r.size(); ++k)
                ++known[{r.begin() + std::ptrdiff_t(k), r.begin() + std::ptrdiff_t(k + n)}];
            for (size_t k = 0; k + n <= h.size(); ++k) {
                total[n - 1] += 1;
                const auto at =
                    known.find({h.begin() + std::ptrdiff_t(k), h.begin() + std::ptrdiff_t(k + n)});
                correct[n - 1] += at != known.end() && at->second-- > 0;
            }
        }
    }
    double sum = 0;
    for (size_t n = 0; n < 4; ++n)
        sum += std::log(correct[n] / total[n]) / 4;
    return 100 * std::exp(sum + std::min(0.0, 1 - referenceLength / length));
}

std::set<std::string> setOf(const std::string& text)
{
    const auto words = wordsOf(text);
    return {words.begin(), words.end()};
}

} // namespace

class LanguagePairTest : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    /// Word order, agreement, government, compounds, and that one source has one translation.
    void rulesHold_data()
    {
        QTest::addColumn<quint64>("seed");
        for (const quint64 seed : {1, 2, 77})
            QTest::addRow("seed %d", int(seed)) << seed;
    }
    void rulesHold()
    {
        QFETCH(quint64, seed);
        const LanguagePair pair(seed);
        ReferenceTranslator reader(pair.lexicon());
        for (int64_t i = 0; i < 5000; ++i) {
            const TranslatedSentence s = pair.sentence(Part(i % 2), i);
            std::string translated;
            try {
                translated = reader.translate(s.source);
            } catch (const std::exception& e) {
                translated = e.what();
            }
            if (translated != s.target)
                qWarning("%s", s.source.c_str());
            QCOMPARE(translated, s.target);
        }
    }
    void formsAreDistinct()
    {
        const LanguagePair pair(3);
        std::set<std::string> targets;
        const auto& lexicon = pair.lexicon();
        for (const auto& noun : lexicon.nouns)
            QVERIFY(targets.insert(noun.target).second);
        for (const auto& name : lexicon.names)
            QVERIFY(name[0] >= 'A' && name[0] <= 'Z');
        QVERIFY(lexicon.nouns.size() + lexicon.transitiveVerbs.size() +
                    lexicon.intransitiveVerbs.size() + lexicon.adjectives.size() +
                    lexicon.adverbs.size() + lexicon.names.size() >=
                1500);
    }
    void noSentenceInBothParts()
    {
        const LanguagePair pair(1);
        std::set<std::string> train;
        for (int64_t i = 0; i < 30000; ++i)
            train.insert(pair.sentence(Part::Training, i).source);
        for (int64_t i = 0; i < 5000; ++i) {
            const std::string source = pair.sentence(Part::Evaluation, i).source;
            QVERIFY(!train.contains(source));
            QCOMPARE(partOf(source), Part::Evaluation);
        }
    }
    void statistics()
    {
        const LanguagePair pair(1);
        constexpr int64_t kSentences = 20000;
        size_t words = 0, shortest = 99, longest = 0;
        std::set<std::string> sources, targets, seen;
        for (int64_t i = 0; i < kSentences; ++i) {
            const TranslatedSentence s = pair.sentence(Part::Training, i);
            const size_t n = size_t(std::ranges::count(s.source, ' ')) + 1;
            words += n;
            shortest = std::min(shortest, n);
            longest = std::max(longest, n);
            sources.merge(setOf(s.source));
            targets.merge(setOf(s.target));
            seen.insert(s.source);
        }
        const double mean = double(words) / double(kSentences);
        qInfo("words: %.2f a sentence, %zu to %zu; forms %zu and %zu; %zu different sentences",
              mean, shortest, longest, sources.size(), targets.size(), seen.size());
        QVERIFY(mean > 8 && mean < 10);
        QVERIFY(shortest == 3 && longest < 40);
        // More forms than there are stems: sub-words are needed.
        QVERIFY(sources.size() > 3000 && targets.size() > 10000);
        QVERIFY(seen.size() > kSentences * 98 / 100);
    }
    /// Neither a dictionary nor the most similar sentence that is known.
    void cheapWaysScoreLow()
    {
        const LanguagePair pair(1);
        const ReferenceTranslator dictionary(pair.lexicon());
        std::vector<std::string> references, glosses, neighbours;
        std::vector<std::string> train;
        std::map<std::string, std::vector<size_t>> sentencesWith; // of the training part, by word
        for (size_t i = 0; i < 8000; ++i) {
            const TranslatedSentence s = pair.sentence(Part::Training, int64_t(i));
            train.push_back(s.target);
            for (const std::string& word : setOf(s.source))
                sentencesWith[word].push_back(i);
        }
        for (int64_t i = 0; i < 150; ++i) {
            const TranslatedSentence s = pair.sentence(Part::Evaluation, i);
            references.push_back(s.target);
            glosses.push_back(dictionary.wordForWord(s.source));
            std::vector<int> shared(train.size(), 0);
            for (const std::string& word : setOf(s.source))
                for (const size_t known : sentencesWith[word])
                    ++shared[known];
            neighbours.push_back(train[size_t(std::ranges::max_element(shared) - shared.begin())]);
        }
        const double gloss = bleu(glosses, references), neighbour = bleu(neighbours, references);
        qInfo("BLEU of a dictionary %.1f, of the nearest training sentence %.1f", gloss, neighbour);
        QCOMPARE(bleu(references, references), 100.0);
        QVERIFY(gloss < 15);
        QVERIFY(neighbour < 15);
    }
    void sameBytesEverywhere()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("p")).toStdString();
        const QString q = QString::fromStdString(path);
        const QStringList names = {QStringLiteral("train.xa"), QStringLiteral("train.xb"),
                                   QStringLiteral("eval.xa"), QStringLiteral("eval.xb")};
        ensureLanguagePair(path, {200, 50, 1});
        const QByteArray first = digestOf(q, names);
        QCOMPARE(first,
                 QByteArray("ab41a974422b4a4333b139f82ec82369b4cef5855f2fb87372652fc7d610863d"));
        QCOMPARE(contentOf(q + QStringLiteral("/train.xa")).count('\n'), 200);
        QCOMPARE(contentOf(q + QStringLiteral("/train.xb")).count('\n'), 200);
        QCOMPARE(contentOf(q + QStringLiteral("/eval.xb")).count('\n'), 50);
        QVERIFY(
            contentOf(q + QStringLiteral("/GENERATED.txt")).contains("GENERATED by Scalebench"));
        ensureLanguagePair(path, {200, 50, 2});
        QVERIFY(digestOf(q, names) != first);
        ensureLanguagePair(path, {200, 50, 1});
        QCOMPARE(digestOf(q, names), first);
    }
    void aSmallerLexicon()
    {
        std::set<std::string> words;
        const LanguagePair small(1, 80);
        ReferenceTranslator reference(small.lexicon());
        for (int64_t i = 0; i < 5000; ++i) {
            const TranslatedSentence s = small.sentence(Part::Training, i);
            words.merge(setOf(s.source));
            QCOMPARE(reference.translate(s.source), s.target);
        }
        QCOMPARE(small.lexicon().nouns.size(), size_t{80});
        qInfo("%zu forms with 80 nouns", words.size());
        QVERIFY(words.size() > 300 && words.size() < 1000); // thousands with all
        QVERIFY_EXCEPTION_THROWN(LanguagePair(1, 29), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(LanguagePair(1, 901), InvalidArgument);
    }
    void refusals()
    {
        const QTemporaryDir folder;
        const std::string path = folder.filePath(QStringLiteral("q")).toStdString();
        for (const LanguagePairSpec& spec : {LanguagePairSpec{0, 1, 1}, LanguagePairSpec{1, 0, 1},
                                             LanguagePairSpec{int64_t{1} << 40, 1, 1}})
            QVERIFY_EXCEPTION_THROWN(ensureLanguagePair(path, spec), InvalidArgument);
        QVERIFY(!QFile::exists(QString::fromStdString(path)));
    }
};

QTEST_GUILESS_MAIN(LanguagePairTest)
#include "language_pair_test.moc"
