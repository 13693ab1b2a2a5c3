// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/decode/beam_search.h"

#include "engine/autograd/functions/attention.h"
#include "engine/autograd/functions/elementwise.h"
#include "engine/autograd/tape.h"
#include "kernels/check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>
#include <utility>

namespace scalebench {
namespace {

struct Open {
    std::vector<std::int32_t> tokens;
    double logP = 0;
    std::vector<float> attention; ///< of each source token so far; empty without a penalty
    std::int32_t row = 0;         ///< of the last step
};

struct Sentence {
    SentenceLimits limits;
    std::size_t number = 0;
    std::vector<Open> open;        ///< best first
    std::vector<Hypothesis> ended; ///< best first, at most the beam
};

/// What each row may go on with.
struct Continuations {
    std::int64_t perRow = 0;
    Tensor probability, token; ///< host, [rows, perRow]
    Tensor attention;          ///< host, [rows, S], or undefined
};

class Search
{
public:
    Search(Backend& backend, StepDecoder& decoder, const BeamSearchParams& params)
        : backend_(backend), decoder_(decoder), params_(params)
    {
    }

    std::vector<Hypothesis> run(std::span<const SentenceLimits> limits);

private:
    Continuations step();
    void grow(Sentence& sentence, const Continuations& next);
    void end(Sentence& sentence, Hypothesis hypothesis) const;
    bool done(const Sentence& sentence) const;
    double score(const Open& hypothesis, std::size_t tokens, const SentenceLimits& limits) const;
    double lengthPenalty(std::size_t tokens) const
    {
        return std::pow((5.0 + double(tokens)) / 6.0, params_.lengthNorm);
    }

    Backend& backend_;
    StepDecoder& decoder_;
    const BeamSearchParams& params_;
    std::vector<Sentence> sentences_; ///< not done
};

/// One step for all open hypotheses; `row` of each becomes its row in it.
Continuations Search::step()
{
    std::vector<std::int32_t> tokens, parents;
    for (Sentence& sentence : sentences_)
        for (Open& open : sentence.open) {
            tokens.push_back(open.tokens.empty() ? params_.beginToken : open.tokens.back());
            parents.push_back(open.row);
            open.row = std::int32_t(parents.size() - 1);
        }
    const DecodedStep step = decoder_.step(tokens, parents);
    SB_REQUIRE(params_.coverage == 0 || step.attention.defined(),
               "beam search: a coverage penalty needs a network with one attention");
    // Twice the beam: at most as many of them end the sentence as there are hypotheses. Greedy
    // decoding is over when the best token is the end.
    Continuations next;
    const std::int64_t wanted = params_.beam == 1 ? 1 : 2 * params_.beam;
    next.perRow = std::min<std::int64_t>(wanted, step.logits.dim(1));
    Tape tape(backend_, Tape::Mode::Inference);
    const Variable logits = step.logits.dtype() == DType::F32
                                ? Variable(step.logits)
                                : autograd::cast(tape, Variable(step.logits), DType::F32);
    const TopK best =
        backend_.elementwise().topK(autograd::softmax(tape, logits).value(), next.perRow);
    next.probability = backend_.download(best.values);
    next.token = backend_.download(best.indices);
    if (params_.coverage != 0)
        next.attention = backend_.download(step.attention);
    return next;
}

double Search::score(const Open& hypothesis, std::size_t tokens, const SentenceLimits& limits) const
{
    double covered = 0;
    if (params_.coverage != 0)
        for (std::int32_t i = 0; i < limits.sourceTokens; ++i)
            covered +=
                std::log(std::clamp(double(hypothesis.attention[std::size_t(i)]), 1e-30, 1.0));
    return hypothesis.logP / lengthPenalty(tokens) + params_.coverage * covered;
}

void Search::end(Sentence& sentence, Hypothesis hypothesis) const
{
    auto& ended = sentence.ended;
    const auto place = std::ranges::upper_bound(ended, hypothesis.score, std::greater<>{},
                                                [](const Hypothesis& h) { return h.score; });
    ended.insert(place, std::move(hypothesis));
    if (ended.size() > std::size_t(params_.beam))
        ended.pop_back();
}

void Search::grow(Sentence& sentence, const Continuations& next)
{
    struct Candidate {
        double logP;
        std::size_t from;
        std::int32_t token;
    };
    const auto probability = next.probability.f32();
    const auto token = next.token.i32();
    std::vector<Candidate> candidates;
    for (std::size_t i = 0; i < sentence.open.size(); ++i) {
        Open& open = sentence.open[i];
        for (std::int64_t k = 0; k < next.perRow; ++k) {
            const auto at = std::size_t(open.row * next.perRow + k);
            if (probability[at] > 0)
                candidates.push_back({open.logP + std::log(double(probability[at])), i, token[at]});
        }
        if (next.attention.defined()) {
            const std::int64_t width = next.attention.dim(1);
            const auto seen = next.attention.f32().subspan(std::size_t(open.row * width));
            open.attention.resize(std::size_t(width), 0.0f);
            for (std::size_t s = 0; s < std::size_t(width); ++s)
                open.attention[s] += seen[s];
        }
    }
    const auto best = std::min(candidates.size(), std::size_t(2 * params_.beam));
    std::ranges::partial_sort(candidates, candidates.begin() + std::ptrdiff_t(best),
                              [](const Candidate& a, const Candidate& b) {
                                  return std::tuple(-a.logP, a.from, a.token) <
                                         std::tuple(-b.logP, b.from, b.token);
                              });
    std::vector<Open> grown;
    for (const Candidate& c : std::span(candidates).first(best)) {
        const Open& from = sentence.open[c.from];
        Open longer = from;
        longer.logP = c.logP;
        if (c.token == params_.endToken) {
            const double scored = score(longer, from.tokens.size() + 1, sentence.limits);
            end(sentence, {std::move(longer.tokens), scored, true});
        } else if (grown.size() < std::size_t(params_.beam)) {
            longer.tokens.push_back(c.token);
            grown.push_back(std::move(longer));
        }
    }
    sentence.open = std::move(grown);
}

bool Search::done(const Sentence& sentence) const
{
    if (sentence.open.empty())
        return true;
    if (std::int64_t(sentence.open.front().tokens.size()) >= sentence.limits.maxTokens)
        return true;
    if (sentence.ended.size() < std::size_t(params_.beam))
        return false;
    const double bestPossible =
        sentence.open.front().logP / lengthPenalty(std::size_t(sentence.limits.maxTokens));
    return sentence.ended.back().score >= bestPossible;
}

std::vector<Hypothesis> Search::run(std::span<const SentenceLimits> limits)
{
    std::vector<Hypothesis> results(limits.size());
    for (std::size_t i = 0; i < limits.size(); ++i) {
        SB_REQUIRE(limits[i].maxTokens > 0, "beam search: a sentence may have no token at all");
        Open start;
        start.row = std::int32_t(i);
        sentences_.push_back({limits[i], i, {std::move(start)}, {}});
    }
    while (!sentences_.empty()) {
        const Continuations next = step();
        for (Sentence& sentence : sentences_) {
            grow(sentence, next);
            if (!done(sentence))
                continue;
            if (sentence.ended.empty() && !sentence.open.empty()) {
                Open& cut = sentence.open.front();
                const double scored = score(cut, cut.tokens.size(), sentence.limits);
                results[sentence.number] = {std::move(cut.tokens), scored, false};
            } else if (!sentence.ended.empty()) {
                results[sentence.number] = std::move(sentence.ended.front());
            }
            sentence.open.clear();
        }
        std::erase_if(sentences_, [](const Sentence& s) { return s.open.empty(); });
    }
    return results;
}

} // namespace

std::vector<Hypothesis> beamSearch(Backend& backend, StepDecoder& decoder,
                                   std::span<const SentenceLimits> sentences,
                                   const BeamSearchParams& params)
{
    SB_REQUIRE(params.beam >= 1 && params.lengthNorm >= 0 && params.coverage >= 0,
               "beam search needs at least one beam and penalties that are not negative");
    return Search(backend, decoder, params).run(sentences);
}

} // namespace scalebench
