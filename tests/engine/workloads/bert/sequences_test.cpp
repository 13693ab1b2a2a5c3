// SPDX-License-Identifier: GPL-3.0-or-later
// Sequence pairs, masks and batches: the statistics that were published, and nothing from
// elsewhere.

#include "engine/workloads/bert/bert_batches.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace scalebench;
using namespace scalebench::workloads;

namespace {

constexpr PieceIds kIds{0, 1, 2, 3, 1000};

/// 200 documents of 3 to 30 sentences of 4 to 40 tokens; every token tells its document.
Corpus corpus()
{
    Corpus c;
    data::HashRandom random({5});
    for (int32_t d = 0; d < 200; ++d) {
        for (uint32_t s = 3 + random.below(28); s > 0; --s) {
            for (uint32_t n = 4 + random.below(37); n > 0; --n)
                c.tokens.push_back(10 + d);
            c.endSentence();
        }
        c.endDocument();
    }
    return c;
}

SequenceSet sequences(int64_t maxLength, int duplicates = 1)
{
    SequenceSet set;
    set.corpus = corpus();
    set.ids = kIds;
    set.masks.most = 20;
    set.pairs = makePairs(set.corpus, {maxLength, 0.1, duplicates, 1});
    return set;
}

int64_t documentAt(const Corpus& c, int64_t token)
{
    return c.tokens[size_t(token)] - 10;
}

} // namespace

class BertSequencesTest : public QObject
{
    Q_OBJECT
private slots:
    void pairsAreRunsOfDocuments()
    {
        const SequenceSet set = sequences(128);
        int64_t random = 0, full = 0;
        for (size_t i = 0; i < set.pairs.size(); ++i) {
            const SequencePair p = set.pairs[i];
            QVERIFY(p.firstCount > 0 && p.secondCount > 0 && p.length() <= 128);
            const Corpus& c = set.corpus;
            const int64_t a = documentAt(c, p.firstBegin), b = documentAt(c, p.secondBegin);
            // Each part lies in one document; the second in the same one if and only if it follows.
            QCOMPARE(documentAt(c, p.firstBegin + p.firstCount - 1), a);
            QCOMPARE(documentAt(c, p.secondBegin + p.secondCount - 1), b);
            QCOMPARE(a != b, p.random);
            if (!p.random)
                QVERIFY(p.secondBegin >= p.firstBegin + p.firstCount);
            random += p.random;
            full += p.length() >= 100;
        }
        const auto n = double(set.pairs.size());
        QVERIFY(n > 400);
        // Half, and those whose sentences leave no choice.
        QVERIFY2(std::abs(double(random) / n - 0.55) < 0.07,
                 std::to_string(double(random) / n).c_str());
        QVERIFY2(double(full) / n > 0.6, std::to_string(double(full) / n).c_str());
    }

    void pairsCoverTheText()
    {
        const SequenceSet set = sequences(128);
        std::vector<bool> used(set.corpus.tokens.size(), false);
        for (size_t i = 0; i < set.pairs.size(); ++i) {
            const SequencePair p = set.pairs[i];
            std::fill_n(used.begin() + p.firstBegin, p.firstCount, true);
            std::fill_n(used.begin() + p.secondBegin, p.secondCount, true);
        }
        QVERIFY(std::ranges::count(used, true) > int64_t(used.size() * 9 / 10));
    }

    /// Three numbers each; what was read from a file may say anything.
    void pairsArePacked()
    {
        SequencePairs pairs;
        const SequencePair odd{int64_t{1} << 40, 7, 509, 1, true}, even{0, 3, 1, 2, false};
        pairs.push_back(odd);
        pairs.push_back(even);
        QCOMPARE(pairs.size(), size_t{2});
        QCOMPARE(pairs[0].firstBegin, odd.firstBegin);
        QCOMPARE(pairs[0].secondBegin, 7);
        QCOMPARE(pairs[0].firstCount, 509);
        QCOMPARE(pairs[0].secondCount, 1);
        QVERIFY(pairs[0].random && !pairs[1].random);
        QCOMPARE(pairs[1].secondCount, 2);
        QVERIFY(pairs.fit((int64_t{1} << 40) + 509, 513));
        QVERIFY(!pairs.fit((int64_t{1} << 40) + 508, 513)); // behind the text
        QVERIFY(!pairs.fit((int64_t{1} << 40) + 509, 512)); // too long
        for (const int64_t wrong : {int64_t{-1}, int64_t{0}, INT64_MAX, INT64_MIN}) {
            QVERIFY(!SequencePairs(data::Column<int64_t>{wrong, 3, int64_t{5} << 33}).fit(10, 512));
            QVERIFY(!SequencePairs(data::Column<int64_t>{0, 3, wrong}).fit(10, 512));
        }
        QVERIFY(!SequencePairs(data::Column<int64_t>{0, 3}).fit(10, 512));
    }

    void pairsFollowTheSeed()
    {
        const auto begins = [](const SequenceSet& set) {
            std::vector<int64_t> all;
            for (size_t i = 0; i < set.pairs.size(); ++i) {
                const SequencePair p = set.pairs[i];
                all.insert(all.end(), {p.firstBegin, p.secondBegin, p.firstCount, p.secondCount});
            }
            return all;
        };
        const std::vector<int64_t> once = begins(sequences(64));
        QCOMPARE(begins(sequences(64)), once);
        const std::vector<int64_t> twice = begins(sequences(64, 2));
        QVERIFY(twice.size() > once.size() * 19 / 10);
        QVERIFY(std::equal(once.begin(), once.end(), twice.begin()));
        QVERIFY(!std::equal(once.begin(), once.begin() + 40,
                            twice.begin() + std::ptrdiff_t(once.size())));
    }

    void counts()
    {
        const MaskSettings masks{0.15, 76};
        QCOMPARE(maskedCount(512, masks), 76); // 76.8 and at most 76
        QCOMPARE(maskedCount(128, masks), 19);
        QCOMPARE(maskedCount(20, masks), 3);
        QCOMPARE(maskedCount(5, masks), 1);
        QCOMPARE(maskedCount(3, masks), 0);
    }

    void maskingIsAsPublished()
    {
        const MaskSettings masks{0.15, 20};
        int64_t masked = 0, kept = 0, other = 0, all = 0, tokensSeen = 0;
        std::vector<int64_t> at(130, 0);
        for (uint64_t round = 0; round < 3000; ++round) {
            std::vector<int32_t> tokens(128, 500);
            tokens[0] = kIds.classification, tokens[60] = tokens[127] = kIds.separator;
            const auto words = maskWords(tokens, kIds, masks, data::HashRandom({round}));
            QCOMPARE(int64_t(words.size()), maskedCount(128, masks));
            std::set<int32_t> places;
            for (const MaskedWord& word : words) {
                QCOMPARE(word.label, 500);
                QVERIFY(places.insert(word.position).second);
                const int32_t now = tokens[size_t(word.position)];
                ++(now == kIds.mask ? masked : now == 500 ? kept : other);
                ++at[size_t(word.position)];
            }
            for (int32_t i = 0; i < 128; ++i) // nothing else changes
                if (!places.contains(i))
                    QCOMPARE(tokens[size_t(i)], i == 0                ? kIds.classification
                                                : i == 60 || i == 127 ? kIds.separator
                                                                      : 500);
            all += int64_t(words.size());
            tokensSeen += 128;
        }
        const auto share = [&](int64_t n) { return double(n) / double(all); };
        QVERIFY(std::abs(double(all) / double(tokensSeen) - 0.15) < 0.003);
        QVERIFY(std::abs(share(masked) - 0.8) < 0.006);
        QVERIFY(std::abs(share(kept) - 0.1) < 0.005); // 1 in 1000 of the others by chance too
        QVERIFY(std::abs(share(other) - 0.1) < 0.005);
        QVERIFY(at[0] == 0 && at[60] == 0 && at[127] == 0);
        for (const size_t i : {size_t(1), size_t(61), size_t(126)}) // everywhere alike
            QVERIFY(std::abs(double(at[i]) - 3000.0 * 19 / 125) < 100);
    }

    void atMostSoMany()
    {
        std::vector<int32_t> tokens(128, 500);
        QCOMPARE(maskWords(tokens, kIds, {0.15, 7}, data::HashRandom({1})).size(), size_t(7));
    }

    /// Padded and packed batches hold the same; epochs draw other masks, and the evaluation's are
    /// the same each time.
    void batches()
    {
        const SequenceSet set = sequences(64);
        CachingAllocator memory;
        const std::vector<int64_t> samples = {4, 9, 1, 4};
        const auto fill = [&](bool packed, int64_t epoch, int64_t real = 3) {
            Batch batch;
            fillSequences(set, {packed, 64, 7}, {samples, real, epoch}, 0.5f, memory, batch);
            return batch;
        };
        const auto list = [](const Tensor& t) {
            return std::vector<int32_t>(t.i32().begin(), t.i32().end());
        };
        const Batch padded = fill(false, 0), packed = fill(true, 0);
        const int64_t width = padded.tensors[0].dim(1);
        QCOMPARE(padded.tensors[0].dim(0), 4);
        QCOMPARE(padded.samples, 4);
        QCOMPARE(packed.tensors[5].count(), 5);
        QCOMPARE(padded.tensors[6].f32()[0], 0.5f);
        QCOMPARE(list(padded.tensors[3]), list(packed.tensors[3]));
        QCOMPARE(list(padded.tensors[4]), list(packed.tensors[4]));
        QCOMPARE(padded.tensors[4].i32()[3], -1); // only fills up
        int64_t labels = 0;
        for (int64_t n = 0; n < 4; ++n) {
            const int32_t length = padded.tensors[5].i32()[size_t(n)];
            const int32_t begin = packed.tensors[5].i32()[size_t(n)];
            QCOMPARE(int64_t(length), set.pairs[size_t(samples[size_t(n)])].length());
            QCOMPARE(packed.tensors[5].i32()[size_t(n) + 1] - begin, length);
            for (const size_t column : {size_t(0), size_t(1)})
                QVERIFY(std::equal(padded.tensors[column].i32().begin() + n * width,
                                   padded.tensors[column].i32().begin() + n * width + length,
                                   packed.tensors[column].i32().begin() + begin));
            labels += n < 3 ? maskedCount(length, set.masks) : 0;
        }
        QCOMPARE(std::ranges::count_if(padded.tensors[3].i32(), [](int32_t l) { return l >= 0; }),
                 labels);
        // What was masked was there.
        for (int64_t i = 0; i < labels; ++i) {
            const int32_t row = padded.tensors[2].i32()[size_t(i)];
            const std::vector<int32_t> whole = set.tokens(samples[size_t(row / width)]);
            QCOMPARE(padded.tensors[3].i32()[size_t(i)], whole[size_t(row % width)]);
        }
        QVERIFY(list(fill(false, 1).tensors[2]) != list(padded.tensors[2]));
        QCOMPARE(list(fill(false, 0).tensors[0]), list(padded.tensors[0]));
    }

    /// The factor is the same on all workers and belongs to the global batch.
    void factorOfAStep()
    {
        const SequenceSet set = sequences(64);
        CachingAllocator memory;
        const BatchForm form{false, 64, 7};
        for (const int accumulate : {1, 2}) {
            int64_t words = 0, sequencesSeen = 0;
            std::set<float> factors;
            for (int rank = 0; rank < 3; ++rank) {
                const TrainSequences source(set, form, 24, accumulate, {rank, 3}, memory);
                QCOMPARE(source.batches(0), set.size() / 24 * accumulate);
                for (int micro = 0; micro < accumulate; ++micro) {
                    Batch batch;
                    source.fill(2, 5 * accumulate + micro, batch);
                    factors.insert(batch.tensors[6].f32()[0]);
                    sequencesSeen += batch.samples;
                    words += std::ranges::count_if(batch.tensors[3].i32(),
                                                   [](int32_t l) { return l >= 0; });
                }
            }
            QCOMPARE(sequencesSeen, 24);
            QCOMPARE(factors.size(), size_t(1));
            QVERIFY(std::abs(double(*factors.begin()) - 24.0 / double(words)) < 1e-6);
        }
    }
};

QTEST_GUILESS_MAIN(BertSequencesTest)
#include "sequences_test.moc"
