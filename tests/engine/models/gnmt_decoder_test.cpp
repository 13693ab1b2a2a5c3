// SPDX-License-Identifier: GPL-3.0-or-later
// Step by step GNMT says what it says of the whole sentence, also when hypotheses are doubled,
// reordered and dropped on the way; and what it attends to are shares of its own source.
#include <QTest>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>

#include "engine/core/rng.h"
#include "engine/core/thread_count.h"
#include "engine/decode/beam_search.h"
#include "engine/models/gnmt/gnmt.h"
#include "kernels/check.h"

using namespace scalebench;

namespace {

constexpr std::int64_t kVocabulary = 29;
constexpr std::int32_t kBegin = 1, kEnd = 2;
using Tokens = std::vector<std::int32_t>;

const std::vector<Tokens>& sources()
{
    static const std::vector<Tokens> all = {
        {5, 9, 4, 20, 7, 7, 13}, {8, 3}, {11, 12, 13, 14, 28}, {6}, {27, 3, 9, 9}};
    return all;
}

GnmtConfig config(int layers)
{
    GnmtConfig c;
    c.vocabulary = kVocabulary, c.hidden = 24, c.layers = layers;
    c.dropout = 0.3f;   // must not act
    c.initRange = 0.4f; // steep enough that histories differ
    return c;
}

/// Columns of the sources, one behind the other in time.
Batch batchOf(Allocator& memory, const std::vector<Tokens>& source, std::int64_t padding = 0)
{
    std::size_t longest = 0;
    for (const Tokens& s : source)
        longest = std::max(longest, s.size());
    const auto B = source.size(), S = longest + std::size_t(padding);
    Batch batch;
    Tensor tokens = Tensor::empty({std::int64_t(S), std::int64_t(B)}, DType::I32, memory);
    Tensor lengths = Tensor::empty({std::int64_t(B)}, DType::I32, memory);
    std::ranges::fill(tokens.i32(), 0);
    for (std::size_t b = 0; b < B; ++b) {
        for (std::size_t t = 0; t < source[b].size(); ++t)
            tokens.i32()[t * B + b] = source[b][t];
        lengths.i32()[b] = std::int32_t(source[b].size());
    }
    batch.tensors = {tokens, lengths, tokens, tokens};
    batch.samples = std::int64_t(B);
    return batch;
}

struct Row {
    std::size_t sentence;
    Tokens history;
};

/// One step of a search that has no aim: rows go on from any row of their sentence; sentences
/// drop out.
struct Walk {
    std::vector<Row> rows;
    Tokens parents, tokens;
    Rng rng{5};

    Walk()
    {
        for (std::size_t s = 0; s < sources().size(); ++s) {
            rows.push_back({s, {}});
            parents.push_back(std::int32_t(s));
            tokens.push_back(kBegin);
        }
    }
    void advance(int step)
    {
        std::vector<Row> next;
        parents.clear(), tokens.clear();
        for (std::size_t s = 0; s < sources().size(); ++s) {
            std::vector<std::size_t> from;
            for (std::size_t i = 0; i < rows.size(); ++i)
                if (rows[i].sentence == s)
                    from.push_back(i);
            if (from.empty() || (step == 4 && s == 2) || (step == 6 && s == 0))
                continue;
            const std::uint32_t count = 1 + rng.below(3);
            for (std::uint32_t k = 0; k < count; ++k) {
                const std::size_t parent = from[rng.below(std::uint32_t(from.size()))];
                const auto token = std::int32_t(3 + rng.below(kVocabulary - 3));
                next.push_back(rows[parent]);
                next.back().history.push_back(token);
                parents.push_back(std::int32_t(parent));
                tokens.push_back(token);
            }
        }
        rows = next;
    }
};

} // namespace

class GnmtDecoderTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<Backend> m_backend = makeCpuBackend();
    CachingAllocator m_memory;

    /// Logits behind the last token of the history, of the sentence on its own.
    std::vector<float> whole(const Gnmt& network, const Tokens& source, const Tokens& history)
    {
        Tensor target = Tensor::empty({std::int64_t(history.size()) + 1, 1}, DType::I32, m_memory);
        target.i32()[0] = kBegin;
        std::ranges::copy(history, target.i32().begin() + 1);
        const Batch batch = batchOf(m_memory, {source});
        Tape tape(*m_backend, Tape::Mode::Inference);
        const Variable encoded = network.encode(tape, batch.tensors[0], batch.tensors[1], false);
        const Tensor logits =
            network.decode(tape, target, encoded, batch.tensors[1], false).value();
        const auto last = logits.f32().last(std::size_t(kVocabulary));
        return {last.begin(), last.end()};
    }

private slots:
    void initTestCase() { setComputeThreads(1); }

    void stepsEqualTheWhole_data()
    {
        QTest::addColumn<int>("layers");
        QTest::newRow("2 layers") << 2;
        QTest::newRow("4 layers") << 4;
    }
    void stepsEqualTheWhole()
    {
        QFETCH(int, layers);
        Gnmt network(config(layers), *m_backend, Precision::Fp32, 3);
        const auto decoder = network.decoder(*m_backend, batchOf(m_memory, sources(), 2));
        Walk walk;
        for (int step = 0; step < 9; ++step) {
            const DecodedStep said = decoder->step(walk.tokens, walk.parents);
            const std::int64_t width = said.attention.dim(1);
            QCOMPARE(said.logits.dim(0), std::int64_t(walk.rows.size()));
            QCOMPARE(said.attention.dim(0), std::int64_t(walk.rows.size()));
            for (std::size_t i = 0; i < walk.rows.size(); ++i) {
                const Tokens& source = sources()[walk.rows[i].sentence];
                const auto expected = whole(network, source, walk.rows[i].history);
                for (std::size_t v = 0; v < expected.size(); ++v)
                    QVERIFY2(std::abs(said.logits.f32()[i * kVocabulary + v] - expected[v]) < 1e-5f,
                             qPrintable(QStringLiteral("step %1 row %2").arg(step).arg(i)));
                const auto looks = said.attention.f32().subspan(i * std::size_t(width));
                float sum = 0;
                for (std::size_t s = 0; s < std::size_t(width); ++s) {
                    QVERIFY(s < source.size() ? looks[s] > 0 : looks[s] == 0);
                    sum += looks[s];
                }
                QVERIFY(std::abs(sum - 1) < 1e-5f);
            }
            walk.advance(step);
        }
    }

    /// Rows of several lengths in a batch: what stands in padding changes nothing.
    void paddingIsHarmless()
    {
        Gnmt network(config(3), *m_backend, Precision::Fp32, 3);
        std::vector<float> losses;
        for (const std::int32_t padding : {0, 7}) {
            Batch batch = batchOf(m_memory, sources(), 3);
            const auto source = batch.tensors[0].i32();
            const auto B = sources().size();
            for (std::size_t b = 0; b < B; ++b)
                for (std::size_t t = sources()[b].size(); t < source.size() / B; ++t)
                    source[t * B + b] = padding;
            Tensor labels = Tensor::empty(batch.tensors[0].shape(), DType::I32, m_memory);
            Tensor target = Tensor::empty(batch.tensors[0].shape(), DType::I32, m_memory);
            for (std::size_t i = 0; i < source.size(); ++i) {
                const bool real = i / B < sources()[i % B].size();
                labels.i32()[i] = real ? sources()[i % B][i / B] : -1;
                target.i32()[i] = real ? labels.i32()[i] : padding;
            }
            batch.tensors[2] = target, batch.tensors[3] = labels;
            Tape tape(*m_backend);
            const LossResult r = network.loss(tape, batch, LossParams{}, false);
            tape.backward(r.loss);
            losses.push_back(float(r.sums.get().lossSum));
            const auto g = network.parameters().gradients();
            losses.push_back(std::accumulate(g.begin(), g.end(), 0.0f,
                                             [](float a, float b) { return a + std::abs(b); }));
        }
        QCOMPARE(losses[0], losses[2]);
        QVERIFY(std::abs(losses[1] - losses[3]) < 1e-4f * losses[1]);
    }

    /// The score of what the search finds is the probability that the whole pass gives it.
    void searchScoresAreProbabilities()
    {
        Gnmt network(config(3), *m_backend, Precision::Fp32, 4);
        std::vector<SentenceLimits> limits;
        for (const Tokens& source : sources())
            limits.push_back({8, std::int32_t(source.size())});
        const auto decoder = network.decoder(*m_backend, batchOf(m_memory, sources()));
        const auto found = beamSearch(*m_backend, *decoder, limits, {5, 0.6, 0, kBegin, kEnd});
        for (std::size_t s = 0; s < found.size(); ++s) {
            Tokens written = found[s].tokens, history;
            const std::size_t counted = written.size() + (found[s].ended ? 1 : 0);
            if (found[s].ended)
                written.push_back(kEnd);
            double logP = 0;
            for (const std::int32_t token : written) {
                const auto logits = whole(network, sources()[s], history);
                double sum = 0;
                for (const float l : logits)
                    sum += std::exp(double(l));
                logP += double(logits[std::size_t(token)]) - std::log(sum);
                history.push_back(token);
            }
            const double score = logP / std::pow((5.0 + double(counted)) / 6.0, 0.6);
            QVERIFY(std::abs(score - found[s].score) < 1e-4);
        }
        // With a coverage penalty, which asks for the attention, scores are lower.
        const auto again = network.decoder(*m_backend, batchOf(m_memory, sources()));
        const auto covered = beamSearch(*m_backend, *again, limits, {5, 0.6, 0.1, kBegin, kEnd});
        for (std::size_t s = 0; s < found.size(); ++s)
            QVERIFY(std::isfinite(covered[s].score) && covered[s].score <= found[s].score + 1e-9);
    }

    void worksInBf16()
    {
        Gnmt network(config(3), *m_backend, Precision::Bf16, 3);
        const auto decoder = network.decoder(*m_backend, batchOf(m_memory, sources()));
        Walk walk;
        for (int step = 0; step < 6; ++step) {
            const DecodedStep said = decoder->step(walk.tokens, walk.parents);
            QCOMPARE(said.attention.dtype(), DType::F32);
            for (const float a : said.attention.f32())
                QVERIFY(a >= 0 && a <= 1.01f);
            walk.advance(step);
        }
    }

    void namedSizes()
    {
        QCOMPARE(GnmtConfig::byName("gnmt").hidden, std::int64_t(1024));
        QCOMPARE(GnmtConfig::byName("gnmt").layers, 4);
        QCOMPARE(GnmtConfig::byName("gnmt").initRange, 0.1f);
        QVERIFY(GnmtConfig::byName("gnmt_tiny").initRange > 0.2f);
        QCOMPARE(GnmtConfig::byName("gnmt").vocabulary, std::int64_t(32320));
        QCOMPARE(GnmtConfig::byName("gnmt_small", 8000).vocabulary, std::int64_t(8000));
        QVERIFY(GnmtConfig::byName("gnmt_tiny").hidden < GnmtConfig::byName("gnmt_small").hidden);
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, GnmtConfig::byName("transformer_tiny"));
    }

    void refusesWhatCannotBe()
    {
        Gnmt network(config(2), *m_backend, Precision::Fp32, 3);
        const Batch batch = batchOf(m_memory, sources());
        const auto decoder = network.decoder(*m_backend, batch);
        const Tokens two = {kBegin, kBegin}, wrongOrder = {1, 0}, outside = {0, 5};
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, decoder->step(two, wrongOrder));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 network.decoder(*m_backend, batch)->step(two, outside));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 network.decoder(*m_backend, batch)->step(two, Tokens{0}));
        Batch wrong = batch;
        wrong.tensors[1] = wrong.tensors[0];
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, network.decoder(*m_backend, wrong));
        wrong.tensors.pop_back();
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, network.decoder(*m_backend, wrong));
    }
};

QTEST_GUILESS_MAIN(GnmtDecoderTest)
#include "gnmt_decoder_test.moc"
