// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Random numbers that are a pure function of a key (seed, epoch, sample ...), so that what is drawn
// for a sample does not depend on which worker or thread draws it. splitmix64 (Steele, Lea, Flood,
// "Fast splittable pseudorandom number generators", OOPSLA 2014).

#include <cmath>
#include <cstdint>
#include <initializer_list>

namespace scalebench::data {

/// A small stream of numbers started from a list of keys.
class HashRandom
{
public:
    explicit HashRandom(std::initializer_list<uint64_t> keys)
    {
        for (const uint64_t key : keys)
            add(key);
    }
    /// The stream of this one's keys and one more, where nothing was drawn from this one.
    HashRandom with(uint64_t key) const
    {
        HashRandom longer = *this;
        longer.add(key);
        return longer;
    }

    uint64_t bits() { return mix(state_ += 0x9e3779b97f4a7c15ull); }
    /// [0, 1)
    double uniform() { return double(bits() >> 11) * 0x1.0p-53; }
    double uniform(double lo, double hi) { return lo + (hi - lo) * uniform(); }
    /// 0 ... n-1, n > 0 (multiply-shift; the bias is below n / 2^32)
    uint32_t below(uint32_t n) { return uint32_t((uint64_t{uint32_t(bits() >> 32)} * n) >> 32); }
    bool chance(double p) { return uniform() < p; }
    /// Sum of four uniforms, scaled to unit variance: near enough to normal for pixel noise.
    double roughNormal()
    {
        const uint64_t b = bits();
        const double sum = double(b & 0xffff) + double(b >> 16 & 0xffff) +
                           double(b >> 32 & 0xffff) + double(b >> 48);
        return (sum / 65536.0 - 2.0) * 1.7320508;
    }

private:
    void add(uint64_t key) { state_ = mix(state_ + 0x9e3779b97f4a7c15ull + mix(key)); }
    static uint64_t mix(uint64_t z)
    {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    uint64_t state_ = 0;
};

} // namespace scalebench::data
