// SPDX-License-Identifier: GPL-3.0-or-later
// Beam search against looking at every sentence there is, on a made-up language whose next token
// depends on everything written before.
#include <QTest>

#include <cmath>
#include <map>

#include "engine/core/rng.h"
#include "engine/decode/beam_search.h"
#include "kernels/check.h"

using namespace scalebench;

namespace {

constexpr std::int32_t kVocabulary = 6, kBegin = 1, kEnd = 2;
constexpr std::int64_t kSource = 3;

using Tokens = std::vector<std::int32_t>;

/// The same numbers for the same sentence and history.
std::vector<float> drawn(std::uint64_t stream, std::int64_t sentence, const Tokens& history,
                         std::int64_t count)
{
    std::uint64_t seed = 1 + std::uint64_t(sentence);
    for (const std::int32_t token : history)
        seed = seed * 1000003u + std::uint64_t(token) + 17;
    Rng rng(seed, stream);
    std::vector<float> numbers;
    for (std::int64_t i = 0; i < count; ++i)
        numbers.push_back(2.0f * rng.normal());
    return numbers;
}
std::vector<float> logitsOf(std::int64_t sentence, const Tokens& history)
{
    return drawn(7, sentence, history, kVocabulary);
}
std::vector<float> softmaxOf(std::vector<float> x)
{
    double sum = 0;
    for (float& v : x)
        sum += v = std::exp(v);
    for (float& v : x)
        v = float(v / sum);
    return x;
}
/// Attention of the step after `history`.
std::vector<float> attentionOf(std::int64_t sentence, const Tokens& history)
{
    return softmaxOf(drawn(8, sentence, history, kSource));
}

class MadeUpLanguage final : public StepDecoder
{
public:
    MadeUpLanguage(Backend& backend, bool attends) : backend_(backend), attends_(attends) {}

    DecodedStep step(std::span<const std::int32_t> tokens,
                     std::span<const std::int32_t> parents) override
    {
        std::vector<std::pair<std::int64_t, Tokens>> rows;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (rows_.empty()) {
                rows.push_back({parents[i], {}});
                SB_REQUIRE(tokens[i] == kBegin, "the first token");
                continue;
            }
            rows.push_back(rows_.at(std::size_t(parents[i])));
            rows.back().second.push_back(tokens[i]);
        }
        rows_ = rows;
        largest_ = std::max(largest_, rows.size());
        const auto n = std::int64_t(rows.size());
        DecodedStep out{Tensor::empty({n, kVocabulary}, DType::F32, backend_.allocator()), {}};
        auto logit = out.logits.f32().begin();
        for (const auto& [sentence, history] : rows)
            logit = std::ranges::copy(logitsOf(sentence, history), logit).out;
        if (attends_) {
            out.attention = Tensor::empty({n, kSource}, DType::F32, backend_.allocator());
            auto weight = out.attention.f32().begin();
            for (const auto& [sentence, history] : rows)
                weight = std::ranges::copy(attentionOf(sentence, history), weight).out;
        }
        return out;
    }
    std::size_t largestStep() const { return largest_; }

private:
    Backend& backend_;
    bool attends_;
    std::vector<std::pair<std::int64_t, Tokens>> rows_;
    std::size_t largest_ = 0;
};

/// Every ended sentence of at most `limit` tokens with the end, and its score by the formula.
void allSentences(std::int64_t sentence, const Tokens& history, double logP,
                  std::vector<double> covered, std::int32_t limit, const BeamSearchParams& p,
                  std::map<Tokens, double>& scores)
{
    const std::vector<float> next = softmaxOf(logitsOf(sentence, history));
    const std::vector<float> attention = attentionOf(sentence, history);
    for (std::size_t i = 0; i < covered.size(); ++i)
        covered[i] += attention[i];
    double coverage = 0;
    for (const double c : covered)
        coverage += std::log(std::min(c, 1.0));
    const double length = double(history.size() + 1);
    scores[history] = (logP + std::log(next[kEnd])) / std::pow((5 + length) / 6, p.lengthNorm) +
                      p.coverage * coverage;
    if (std::int32_t(history.size()) + 1 == limit)
        return;
    for (std::int32_t token = 0; token < kVocabulary; ++token) {
        if (token == kEnd)
            continue;
        Tokens longer = history;
        longer.push_back(token);
        allSentences(sentence, longer, logP + std::log(next[std::size_t(token)]), covered, limit, p,
                     scores);
    }
}

} // namespace

class BeamSearchTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<Backend> m_backend = makeCpuBackend();

    std::vector<Hypothesis> search(std::size_t sentences, std::int32_t limit,
                                   const BeamSearchParams& params, bool attends = true)
    {
        MadeUpLanguage language(*m_backend, attends);
        const std::vector<SentenceLimits> limits(sentences, {limit, std::int32_t(kSource)});
        return beamSearch(*m_backend, language, limits, params);
    }

private slots:
    /// A beam as wide as the language misses nothing.
    void wideBeamFindsTheBest_data()
    {
        QTest::addColumn<double>("lengthNorm");
        QTest::addColumn<double>("coverage");
        QTest::newRow("log P") << 0.0 << 0.0;
        QTest::newRow("length") << 0.6 << 0.0;
        QTest::newRow("strong length") << 2.0 << 0.0;
        QTest::newRow("coverage") << 0.6 << 0.5;
    }
    void wideBeamFindsTheBest()
    {
        QFETCH(double, lengthNorm);
        QFETCH(double, coverage);
        const BeamSearchParams params{700, lengthNorm, coverage, kBegin, kEnd};
        const auto found = search(6, 5, params);
        for (std::size_t s = 0; s < found.size(); ++s) {
            std::map<Tokens, double> all;
            allSentences(std::int64_t(s), {}, 0, std::vector<double>(kSource, 0), 5, params, all);
            const auto best =
                std::ranges::max_element(all, {}, [](const auto& entry) { return entry.second; });
            QVERIFY(found[s].ended);
            QCOMPARE(found[s].tokens, best->first);
            QVERIFY(std::abs(found[s].score - best->second) < 1e-4);
        }
    }

    void oneBeamIsGreedy()
    {
        const auto found = search(20, 12, {1, 0.6, 0, kBegin, kEnd}, false);
        for (std::size_t s = 0; s < found.size(); ++s) {
            Tokens greedy;
            bool ended = false;
            while (!ended && greedy.size() < 12) {
                const auto logits = logitsOf(std::int64_t(s), greedy);
                const auto token = std::int32_t(std::ranges::max_element(logits) - logits.begin());
                ended = token == kEnd;
                if (!ended)
                    greedy.push_back(token);
            }
            QCOMPARE(found[s].tokens, greedy);
            QCOMPARE(found[s].ended, ended);
        }
    }

    /// Sentences do not see each other, and the ones that are done cost nothing.
    void sentencesAreIndependent()
    {
        const BeamSearchParams params{3, 0.6, 0.2, kBegin, kEnd};
        const auto together = search(12, 9, params);
        MadeUpLanguage language(*m_backend, true);
        const std::vector<SentenceLimits> limits(12, {9, std::int32_t(kSource)});
        QCOMPARE(beamSearch(*m_backend, language, limits, params).size(), std::size_t(12));
        QVERIFY(language.largestStep() <= 36);
        for (std::size_t n = 1; n < 12; ++n) {
            const auto some = search(n, 9, params);
            for (std::size_t s = 0; s < n; ++s) {
                QCOMPARE(some[s].tokens, together[s].tokens);
                QVERIFY(std::abs(some[s].score - together[s].score) < 1e-5);
            }
        }
    }

    /// More beams find at least as much on the whole.
    void widerIsBetter()
    {
        double before = -1e9;
        for (const int beam : {1, 2, 4, 16}) {
            double sum = 0;
            for (const Hypothesis& h : search(40, 10, {beam, 0.6, 0, kBegin, kEnd}, false))
                sum += h.score;
            QVERIFY2(sum >= before - 1e-6, qPrintable(QString::number(beam)));
            before = sum;
        }
    }

    void limitCutsOff()
    {
        for (const Hypothesis& h : search(30, 1, {2, 0.6, 0, kBegin, kEnd}, false))
            QVERIFY(h.ended ? h.tokens.empty() : h.tokens.size() == 1);
    }

    void refusesWhatCannotBe()
    {
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, search(1, 5, {2, 0.6, 0.1, kBegin, kEnd}, false));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, search(1, 5, {0, 0.6, 0, kBegin, kEnd}));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, search(1, 0, {2, 0.6, 0, kBegin, kEnd}));
    }
};

QTEST_GUILESS_MAIN(BeamSearchTest)
#include "beam_search_test.moc"
