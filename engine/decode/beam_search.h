// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Beam search over a step decoder, many sentences at a time; with one beam it is greedy decoding.
// Scores are those of Wu et al. 2016 (arXiv 1609.08144, equation 14):
//   score(Y) = log P(Y) / lp(Y) + cp(Y)
//   lp(Y) = ((5 + |Y|) / 6)^lengthNorm,  |Y| counted with the end token
//   cp(Y) = coverage * sum over source tokens of log(min(its attention over all steps, 1))
// Open hypotheses are compared by log P, ended ones by score. A sentence is done when no open
// hypothesis can still beat its worst kept ended one, as tensor2tensor decides it: even at the
// longest length its log P, which only falls, would score less.

#include "engine/backend/backend.h"
#include "engine/nn/step_decoder.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scalebench {

struct BeamSearchParams {
    int beam = 4;
    double lengthNorm = 0.6;
    double coverage = 0;
    std::int32_t beginToken = 1, endToken = 2;
};

struct SentenceLimits {
    std::int32_t maxTokens = 0;    ///< of the output, with the end token; at least 1
    std::int32_t sourceTokens = 0; ///< real ones; for the coverage penalty
};

struct Hypothesis {
    std::vector<std::int32_t> tokens; ///< without begin and end
    double score = 0;
    bool ended = false; ///< false: cut off at the limit, because none ended before
};

/// The best hypothesis of each sentence. InvalidArgument where a coverage penalty is asked of a
/// decoder without attention, or a number is out of range.
std::vector<Hypothesis> beamSearch(Backend& backend, StepDecoder& decoder,
                                   std::span<const SentenceLimits> sentences,
                                   const BeamSearchParams& params);

} // namespace scalebench
