// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/core/rng.h"

#include <cmath>
#include <numbers>
#include <utility>

#include "kernels/formula/philox.h"

namespace scalebench {

Philox4x32 philox4x32_10(Philox4x32 c, std::array<std::uint32_t, 2> k)
{
    const formula::PhiloxWords out = formula::philox4x32({{c[0], c[1], c[2], c[3]}}, k[0], k[1]);
    return {out.w[0], out.w[1], out.w[2], out.w[3]};
}

Rng::Rng(std::uint64_t seed, std::uint64_t stream, std::uint64_t index)
    : key_{std::uint32_t(seed), std::uint32_t(seed >> 32)}, stream_(stream), index_(index)
{
}

Rng::result_type Rng::operator()()
{
    if (used_ == 4) {
        block_ = philox4x32_10({std::uint32_t(index_), std::uint32_t(index_ >> 32),
                                std::uint32_t(stream_), std::uint32_t(stream_ >> 32)},
                               key_);
        ++index_;
        used_ = 0;
    }
    return block_[std::size_t(used_++)];
}

float Rng::uniform()
{
    return float((*this)() >> 8) * 0x1p-24f;
}

// Lemire 2019, "Fast random integer generation in an interval": multiply, reject the uneven rest.
std::uint32_t Rng::below(std::uint32_t bound)
{
    std::uint64_t m = std::uint64_t((*this)()) * bound;
    if (std::uint32_t(m) < bound) {
        const std::uint32_t threshold = std::uint32_t(-bound) % bound;
        while (std::uint32_t(m) < threshold)
            m = std::uint64_t((*this)()) * bound;
    }
    return std::uint32_t(m >> 32);
}

float Rng::normal()
{
    if (std::exchange(haveSpare_, false))
        return spare_;
    // (0, 1]: the logarithm of zero never happens
    const double u = (double((*this)()) + 1.0) * 0x1p-32;
    const double angle = 2.0 * std::numbers::pi * double((*this)()) * 0x1p-32;
    const double radius = std::sqrt(-2.0 * std::log(u));
    spare_ = float(radius * std::sin(angle));
    haveSpare_ = true;
    return float(radius * std::cos(angle));
}

void Rng::seek(std::uint64_t index)
{
    index_ = index;
    used_ = 4;
    haveSpare_ = false;
}

void shuffle(std::span<std::uint32_t> items, std::uint64_t seed, std::uint64_t stream)
{
    Rng rng(seed, stream);
    for (std::size_t i = items.size(); i > 1; --i)
        std::swap(items[i - 1], items[rng.below(std::uint32_t(i))]);
}

} // namespace scalebench
