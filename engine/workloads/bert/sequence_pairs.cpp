// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/bert/sequence_pairs.h"

#include "engine/data/hash_random.h"
#include "kernels/check.h"

namespace scalebench::workloads {
namespace {

using data::HashRandom;

/// Apart from the other uses of a seed.
constexpr uint64_t kPairStream = 0x62657274; // "bert"

/// lo ... hi, both included.
int64_t between(HashRandom& random, int64_t lo, int64_t hi)
{
    return lo + int64_t(random.below(uint32_t(hi - lo + 1)));
}

/// The longer one loses tokens at its beginning or end, by chance, until both fit.
void truncate(SequencePair& pair, int64_t tokens, HashRandom& random)
{
    while (pair.firstCount + pair.secondCount > tokens) {
        const bool first = pair.firstCount > pair.secondCount;
        --(first ? pair.firstCount : pair.secondCount);
        if (random.chance(0.5))
            ++(first ? pair.firstBegin : pair.secondBegin);
    }
}

class PairMaker
{
public:
    using Take = std::function<void(const SequencePair&)>;

    PairMaker(const Corpus& corpus, const PairSettings& settings, const Take& take)
        : corpus_(corpus), settings_(settings), take_(take)
    {
    }

    /// Hands over the sequences of one document.
    void addDocument(int64_t document, HashRandom& random) const
    {
        const int64_t room = settings_.maxLength - 3;
        int64_t wanted = room;
        if (random.chance(settings_.shortShare))
            wanted = between(random, 2, room);
        const int64_t last = corpus_.documents[size_t(document) + 1];
        for (int64_t begin = corpus_.documents[size_t(document)]; begin < last;) {
            int64_t end = begin + 1;
            while (end < last && tokensIn(begin, end) < wanted)
                ++end;
            begin = addChunk(document, begin, end, wanted, random);
        }
    }

private:
    int64_t tokensIn(int64_t firstSentence, int64_t lastSentence) const
    {
        return corpus_.sentences[size_t(lastSentence)] - corpus_.sentences[size_t(firstSentence)];
    }

    /// One sequence of the sentences begin ... end; returns the first one it did not use.
    int64_t addChunk(int64_t document, int64_t begin, int64_t end, int64_t wanted,
                     HashRandom& random) const
    {
        SequencePair pair;
        int64_t middle = begin + 1;
        if (end - begin >= 2)
            middle = begin + between(random, 1, end - begin - 1);
        setFirst(pair, begin, middle);
        pair.random = end - begin == 1 || random.chance(0.5);
        if (pair.random) {
            drawSecond(pair, document, wanted, random);
            end = middle; // the rest is used again
        } else {
            setSecond(pair, middle, end);
        }
        truncate(pair, settings_.maxLength - 3, random);
        take_(pair);
        return end;
    }

    void drawSecond(SequencePair& pair, int64_t document, int64_t wanted, HashRandom& random) const
    {
        int64_t other = document;
        while (other == document)
            other = between(random, 0, corpus_.documentCount() - 1);
        const int64_t last = corpus_.documents[size_t(other) + 1];
        const int64_t begin = between(random, corpus_.documents[size_t(other)], last - 1);
        int64_t end = begin + 1;
        while (end < last && tokensIn(begin, end) < wanted - pair.firstCount)
            ++end;
        setSecond(pair, begin, end);
    }

    void setFirst(SequencePair& pair, int64_t begin, int64_t end) const
    {
        pair.firstBegin = corpus_.sentences[size_t(begin)];
        pair.firstCount = int32_t(tokensIn(begin, end));
    }
    void setSecond(SequencePair& pair, int64_t begin, int64_t end) const
    {
        pair.secondBegin = corpus_.sentences[size_t(begin)];
        pair.secondCount = int32_t(tokensIn(begin, end));
    }

    const Corpus& corpus_;
    const PairSettings& settings_;
    const Take& take_;
};

} // namespace

bool SequencePairs::fit(int64_t tokens, int64_t maxLength) const
{
    if (numbers_.size() % 3 != 0)
        return false;
    const auto inside = [tokens](int64_t begin, int64_t count) {
        return count > 0 && begin >= 0 && begin <= tokens - count;
    };
    for (std::size_t i = 0; i < size(); ++i) {
        const SequencePair pair = (*this)[i];
        if (!inside(pair.firstBegin, pair.firstCount) ||
            !inside(pair.secondBegin, pair.secondCount) || pair.length() > maxLength)
            return false;
    }
    return true;
}

void makePairs(const Corpus& corpus, const PairSettings& settings,
               const std::function<void(const SequencePair&)>& take)
{
    SB_REQUIRE(corpus.documentCount() >= 2 && settings.maxLength >= 5,
               "sequence pairs need two documents and room for two tokens");
    const PairMaker maker(corpus, settings, take);
    for (int pass = 0; pass < settings.duplicates; ++pass)
        for (int64_t document = 0; document < corpus.documentCount(); ++document) {
            HashRandom random({settings.seed, kPairStream, uint64_t(pass), uint64_t(document)});
            maker.addDocument(document, random);
        }
}

SequencePairs makePairs(const Corpus& corpus, const PairSettings& settings)
{
    SequencePairs pairs;
    makePairs(corpus, settings, [&](const SequencePair& pair) { pairs.push_back(pair); });
    return pairs;
}

} // namespace scalebench::workloads
