// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which elements dropout keeps (Srivastava et al. 2014, JMLR 15, "Dropout"; inverted scaling).
// Element i of a tensor owns one 32-bit random word that depends on (seed, stream, i) only, so that
// backward, another thread, another rank or another device finds the same mask without storing it.
//
// The words of 16 successive Philox counters lie side by side: element i of a group of 64 takes
// word i/16 of counter i%16. A vector of 16 neighbours is then one word of 16 counters.

#include <cstdint>

#include "kernels/formula/philox.h"

namespace scalebench::formula {

constexpr std::uint64_t kDropoutLanes = 16, kDropoutGroup = 4 * kDropoutLanes;

/// The seed of the mask that is drawn as number `draw`, from 1, in a step with this seed.
/// SplitMix64 (Steele, Lea and Flood 2014): neighbouring inputs give unrelated ones.
SB_HOST_DEVICE std::uint64_t drawnSeed(std::uint64_t step, std::uint64_t draw)
{
    std::uint64_t z = step + draw * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/// Words below this are dropped. probability in [0, 1); the resolution is 2^-32.
SB_HOST_DEVICE std::uint32_t dropoutThreshold(float probability)
{
    return std::uint32_t(double(probability) * 4294967296.0);
}

/// Factor of the elements kept, which keeps the expectation.
SB_HOST_DEVICE float dropoutScale(float probability)
{
    return 1.0f / (1.0f - probability);
}

/// The counter whose words the elements `group` * 64 + `lane` + 16 i have; lane < 16.
SB_HOST_DEVICE PhiloxWords dropoutCounter(std::uint64_t stream, std::uint64_t group,
                                          std::uint64_t lane)
{
    const std::uint64_t counter = group * kDropoutLanes + lane;
    return {{std::uint32_t(counter), std::uint32_t(counter >> 32), std::uint32_t(stream),
             std::uint32_t(stream >> 32)}};
}

/// The words of the four elements `group` * 64 + `lane` + 16 i; lane < 16.
SB_HOST_DEVICE PhiloxWords dropoutWords(std::uint64_t seed, std::uint64_t stream,
                                        std::uint64_t group, std::uint64_t lane)
{
    return philox4x32(dropoutCounter(stream, group, lane), std::uint32_t(seed),
                      std::uint32_t(seed >> 32));
}

/// The random word of one element.
SB_HOST_DEVICE std::uint32_t dropoutWord(std::uint64_t seed, std::uint64_t stream,
                                         std::uint64_t element)
{
    const PhiloxWords words =
        dropoutWords(seed, stream, element / kDropoutGroup, element % kDropoutLanes);
    // Chosen, not indexed: an array that is indexed leaves a GPU's registers.
    const std::uint64_t i = element % kDropoutGroup / kDropoutLanes;
    const std::uint32_t low = i == 0 ? words.w[0] : words.w[1];
    const std::uint32_t high = i == 2 ? words.w[2] : words.w[3];
    return i < 2 ? low : high;
}

/// 0 or `scale`: what the element is multiplied by, forward and backward.
SB_HOST_DEVICE float dropoutFactor(std::uint32_t word, std::uint32_t threshold, float scale)
{
    return word < threshold ? 0.0f : scale;
}

} // namespace scalebench::formula
