// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Counter-based random numbers: Philox 4x32-10 (Salmon et al., "Parallel random numbers: as easy as
// 1, 2, 3", SC 2011). A number depends only on (seed, stream, index), never on who asks or in which
// order, so every rank and platform can compute the same shuffles, weights and augmentations.

#include <array>
#include <cstdint>
#include <span>

namespace scalebench {

using Philox4x32 = std::array<std::uint32_t, 4>;

/// The block function: four random words for a 128-bit counter and a 64-bit key.
Philox4x32 philox4x32_10(Philox4x32 counter, std::array<std::uint32_t, 2> key);

/// A sequence of numbers for one (seed, stream). Satisfies UniformRandomBitGenerator, but use the
/// members below: the distributions of the standard library differ between platforms.
class Rng
{
public:
    using result_type = std::uint32_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return 0xffffffffu; }

    explicit Rng(std::uint64_t seed, std::uint64_t stream = 0, std::uint64_t index = 0);

    /// Next 32 random bits.
    result_type operator()();
    /// Uniform in [0, 1), 24 random bits.
    float uniform();
    /// Uniform in [0, bound), without bias; bound > 0.
    std::uint32_t below(std::uint32_t bound);
    /// Standard normal (Box-Muller in double, rounded to float).
    float normal();
    /// Jumps to the words of counter block `index`.
    void seek(std::uint64_t index);

private:
    std::array<std::uint32_t, 2> key_;
    std::uint64_t stream_;
    std::uint64_t index_;
    Philox4x32 block_{};
    int used_ = 4;
    bool haveSpare_ = false;
    float spare_ = 0;
};

/// Fisher-Yates shuffle of `items` in place; the same for the same (seed, stream) everywhere.
void shuffle(std::span<std::uint32_t> items, std::uint64_t seed, std::uint64_t stream);

} // namespace scalebench
