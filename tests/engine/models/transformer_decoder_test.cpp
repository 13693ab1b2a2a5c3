// SPDX-License-Identifier: GPL-3.0-or-later
// Step by step, with kept keys and values, a Transformer says what it says of the whole sentence;
// also when hypotheses are doubled, reordered and dropped on the way.
#include <QTest>

#include <cmath>

#include "engine/core/rng.h"
#include "engine/core/thread_count.h"
#include "engine/decode/beam_search.h"
#include "engine/models/transformer/transformer.h"
#include "kernels/check.h"

using namespace scalebench;

namespace {

constexpr std::int64_t kVocabulary = 29;
constexpr std::int32_t kBegin = 1;
using Tokens = std::vector<std::int32_t>;

const std::vector<Tokens>& sources()
{
    static const std::vector<Tokens> all = {
        {5, 9, 4, 20, 7, 7, 13}, {8, 3}, {11, 12, 13, 14, 28}, {6}, {27, 3, 9, 9}};
    return all;
}

TransformerConfig config(bool shared)
{
    TransformerConfig c;
    c.vocabulary = kVocabulary, c.hidden = 24, c.heads = 3, c.feedForward = 40;
    c.encoderLayers = 2, c.decoderLayers = 3;
    c.dropout = 0.3f; // must not act
    c.sharedEmbedding = shared;
    return c;
}

/// Padded rows of the sources, with any target.
Batch batchOf(Allocator& memory, const std::vector<Tokens>& source,
              const std::vector<Tokens>& target)
{
    const auto tensor = [&](const std::vector<Tokens>& rows, std::int32_t fill) {
        std::size_t width = 0;
        for (const Tokens& row : rows)
            width = std::max(width, row.size());
        Tensor t =
            Tensor::empty({std::int64_t(rows.size()), std::int64_t(width)}, DType::I32, memory);
        std::ranges::fill(t.i32(), fill);
        for (std::size_t i = 0; i < rows.size(); ++i)
            std::ranges::copy(rows[i], t.i32().begin() + std::ptrdiff_t(i * width));
        return t;
    };
    Batch batch;
    Tensor lengths = Tensor::empty({std::int64_t(source.size())}, DType::I32, memory);
    for (std::size_t i = 0; i < source.size(); ++i)
        lengths.i32()[i] = std::int32_t(source[i].size());
    batch.tensors = {tensor(source, 0), tensor(target, 0), tensor(target, -1), lengths};
    batch.samples = std::int64_t(source.size());
    return batch;
}

} // namespace

class TransformerDecoderTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<Backend> m_backend = makeCpuBackend();
    CachingAllocator m_memory;

    /// Logits behind the last token of each history, each sentence on its own.
    std::vector<float> whole(Transformer& network, const Tokens& source, const Tokens& history)
    {
        Tokens target = {kBegin};
        target.insert(target.end(), history.begin(), history.end());
        Tape tape(*m_backend, Tape::Mode::Inference);
        const Tensor logits =
            network.forward(tape, batchOf(m_memory, {source}, {target}), false).value();
        const auto last = logits.f32().last(std::size_t(kVocabulary));
        return {last.begin(), last.end()};
    }

private slots:
    void initTestCase() { setComputeThreads(1); }

    void stepsEqualTheWhole_data()
    {
        QTest::addColumn<bool>("shared");
        QTest::newRow("one table") << true;
        QTest::newRow("three tables") << false;
    }
    void stepsEqualTheWhole()
    {
        QFETCH(bool, shared);
        Transformer network(config(shared), *m_backend, Precision::Fp32, 3);
        const auto decoder =
            network.decoder(*m_backend, batchOf(m_memory, sources(), {{kBegin}, {}, {}, {}, {}}));
        struct Row {
            std::size_t sentence;
            Tokens history;
        };
        std::vector<Row> rows;
        for (std::size_t s = 0; s < sources().size(); ++s)
            rows.push_back({s, {}});
        Tokens parents = {0, 1, 2, 3, 4}, tokens(5, kBegin);
        Rng rng(5);
        for (int step = 0; step < 9; ++step) {
            const Tensor logits = decoder->step(tokens, parents).logits;
            QCOMPARE(logits.dim(0), std::int64_t(rows.size()));
            for (std::size_t i = 0; i < rows.size(); ++i) {
                const auto expected = whole(network, sources()[rows[i].sentence], rows[i].history);
                for (std::size_t v = 0; v < expected.size(); ++v)
                    QVERIFY2(std::abs(logits.f32()[i * kVocabulary + v] - expected[v]) < 2e-5,
                             qPrintable(QString("step %1 row %2").arg(step).arg(i)));
            }
            // Each sentence goes on with up to three rows, of whatever parents; one has enough.
            std::vector<Row> next;
            parents.clear(), tokens.clear();
            for (std::size_t s = 0; s < sources().size(); ++s) {
                std::vector<std::size_t> from;
                for (std::size_t i = 0; i < rows.size(); ++i)
                    if (rows[i].sentence == s)
                        from.push_back(i);
                if (from.empty() || (step == 4 && s == 2))
                    continue;
                const std::uint32_t count = 1 + rng.below(3);
                for (std::uint32_t k = 0; k < count; ++k) {
                    const std::size_t parent = from[rng.below(std::uint32_t(from.size()))];
                    const auto token = std::int32_t(2 + rng.below(kVocabulary - 2));
                    next.push_back(rows[parent]);
                    next.back().history.push_back(token);
                    parents.push_back(std::int32_t(parent));
                    tokens.push_back(token);
                }
            }
            rows = next;
        }
    }

    /// The score of what the search finds is the probability that the whole pass gives it.
    void searchScoresAreProbabilities()
    {
        Transformer network(config(true), *m_backend, Precision::Fp32, 4);
        std::vector<SentenceLimits> limits;
        for (const Tokens& source : sources())
            limits.push_back({8, std::int32_t(source.size())});
        const auto decoder =
            network.decoder(*m_backend, batchOf(m_memory, sources(), {{kBegin}, {}, {}, {}, {}}));
        const auto found = beamSearch(*m_backend, *decoder, limits, {4, 0.6, 0, kBegin, 2});
        for (std::size_t s = 0; s < found.size(); ++s) {
            Tokens written = found[s].tokens, history;
            const std::size_t counted = written.size() + (found[s].ended ? 1 : 0);
            if (found[s].ended)
                written.push_back(2);
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
    }

    void refusesWhatCannotBe()
    {
        Transformer network(config(true), *m_backend, Precision::Fp32, 3);
        const Batch batch = batchOf(m_memory, sources(), {{kBegin}, {}, {}, {}, {}});
        const auto decoder = network.decoder(*m_backend, batch);
        const Tokens two = {kBegin, kBegin}, wrongOrder = {1, 0}, outside = {0, 5};
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, decoder->step(two, wrongOrder));
        QVERIFY_THROWS_EXCEPTION(InvalidArgument,
                                 network.decoder(*m_backend, batch)->step(two, outside));
        Batch unpadded = batch;
        unpadded.tensors.pop_back();
        QVERIFY_THROWS_EXCEPTION(InvalidArgument, network.decoder(*m_backend, unpadded));
    }
};

QTEST_GUILESS_MAIN(TransformerDecoderTest)
#include "transformer_decoder_test.moc"
