// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A shuffle that is computed instead of kept: MovieLens-20M has 10^8 training samples an epoch,
// and their order as a list would take 800 MB on every worker.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scalebench::data {

/// A permutation of 0 ... n - 1, a pure function of (n, seed, epoch); const calls are thread-safe.
/// A Feistel network over a grid of a x b >= n cells (Black and Rogaway, "Ciphers with arbitrary
/// finite domains", 2002); what falls on a cell beyond n goes through it again. On a few cells its
/// orders would not be equally likely: there it keeps a list.
class EpochShuffle
{
public:
    /// n: 1 ... 2^48
    EpochShuffle(int64_t n, uint64_t seed, int64_t epoch);

    int64_t size() const { return n_; }
    int64_t epoch() const { return epoch_; }
    /// Which of 0 ... n - 1 comes at `position`.
    int64_t operator()(int64_t position) const;
    /// The same for positions first, first + 1, ...: several times as fast as one at a time.
    void fill(int64_t first, std::span<int64_t> samples) const;

private:
    /// Once through the network; the rounds of several cells go side by side.
    template <size_t N>
    void once(std::array<uint64_t, N>& cells) const;

    static constexpr int64_t kListed = 4096; ///< up to so many samples
    static constexpr int kRounds = 8;
    int64_t n_;
    int64_t epoch_;
    uint64_t rows_, columns_;
    std::array<uint64_t, kRounds> keys_;
    std::vector<int64_t> list_;
};

} // namespace scalebench::data
