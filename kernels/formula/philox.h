// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Counter-based random numbers: the block function Philox 4x32-10 (Salmon et al., "Parallel random
// numbers: as easy as 1, 2, 3", SC 2011, section 3.3). Integer arithmetic only, so every device
// computes the same words; what to count and which key to take is the caller's choice.

#include <cstdint>

#include "kernels/formula/host_device.h"

namespace scalebench::formula {

/// The 128-bit counter going in, the four random words coming out.
struct PhiloxWords {
    std::uint32_t w[4];
};

constexpr std::uint32_t kPhiloxMultiplier0 = 0xD2511F53u, kPhiloxMultiplier1 = 0xCD9E8D57u;
constexpr std::uint32_t kPhiloxKeyStep0 = 0x9E3779B9u, kPhiloxKeyStep1 = 0xBB67AE85u;
constexpr int kPhiloxRounds = 10;

/// One round, without the step of the key.
SB_HOST_DEVICE void philoxRound(std::uint32_t& c0, std::uint32_t& c1, std::uint32_t& c2,
                                std::uint32_t& c3, std::uint32_t key0, std::uint32_t key1)
{
    const std::uint64_t p0 = std::uint64_t(kPhiloxMultiplier0) * c0;
    const std::uint64_t p1 = std::uint64_t(kPhiloxMultiplier1) * c2;
    c0 = std::uint32_t(p1 >> 32) ^ c1 ^ key0;
    c2 = std::uint32_t(p0 >> 32) ^ c3 ^ key1;
    c1 = std::uint32_t(p1);
    c3 = std::uint32_t(p0);
}

/// N counters, which become their words. The key is stepped once for all: on a GPU, where its units
/// for integers are the limit, that is a quarter of the work of four.
template <int N>
SB_HOST_DEVICE void philox4x32(PhiloxWords (&counters)[N], std::uint32_t key0, std::uint32_t key1)
{
    for (int round = 0; round < kPhiloxRounds; ++round) {
        for (PhiloxWords& c : counters)
            philoxRound(c.w[0], c.w[1], c.w[2], c.w[3], key0, key1);
        key0 += kPhiloxKeyStep0;
        key1 += kPhiloxKeyStep1;
    }
}

SB_HOST_DEVICE PhiloxWords philox4x32(PhiloxWords counter, std::uint32_t key0, std::uint32_t key1)
{
    PhiloxWords one[1] = {counter};
    philox4x32(one, key0, key1);
    return one[0];
}

} // namespace scalebench::formula
