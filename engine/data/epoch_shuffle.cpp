// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/epoch_shuffle.h"

#include "engine/data/hash_random.h"
#include "engine/data/sampler.h"
#include "kernels/check.h"

namespace scalebench::data {
namespace {

constexpr uint64_t kShuffleStream = 51;

/// Smallest whole number whose square is at least n; no floating point, the same everywhere.
uint64_t ceilRoot(uint64_t n)
{
    uint64_t low = 1, high = uint64_t{1} << 24;
    while (low < high) {
        const uint64_t middle = (low + high) / 2;
        if (middle * middle >= n)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/// A hash of (key, value) spread over 0 ... limit - 1; limit up to 2^24.
uint64_t spread(uint64_t key, uint64_t value, uint64_t limit)
{
    uint64_t z = key + value * 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return ((z ^ (z >> 31)) >> 32) * limit >> 32;
}

void twoRounds(const uint64_t* keys, uint64_t rows, uint64_t columns, uint64_t& row,
               uint64_t& column)
{
    row += spread(keys[0], column, rows);
    row -= row >= rows ? rows : 0;
    column += spread(keys[1], row, columns);
    column -= column >= columns ? columns : 0;
}

} // namespace

EpochShuffle::EpochShuffle(int64_t n, uint64_t seed, int64_t epoch) : n_(n), epoch_(epoch)
{
    SB_REQUIRE(n >= 1 && n <= int64_t{1} << 48, "a shuffle takes 1 to 2^48 samples");
    rows_ = ceilRoot(uint64_t(n));
    columns_ = (uint64_t(n) + rows_ - 1) / rows_;
    HashRandom random({seed, kShuffleStream, uint64_t(epoch)});
    for (uint64_t& key : keys_)
        key = random.bits();
    if (n <= kListed)
        list_ = shuffledOrder(n, seed, epoch);
}

template <size_t N>
void EpochShuffle::once(std::array<uint64_t, N>& cells) const
{
    std::array<uint64_t, N> rows, columns;
    for (size_t i = 0; i < N; ++i) {
        rows[i] = cells[i] / columns_;
        columns[i] = cells[i] % columns_;
    }
    for (size_t round = 0; round < kRounds; round += 2)
        for (size_t i = 0; i < N; ++i)
            twoRounds(&keys_[round], rows_, columns_, rows[i], columns[i]);
    for (size_t i = 0; i < N; ++i)
        cells[i] = rows[i] * columns_ + columns[i];
}

int64_t EpochShuffle::operator()(int64_t position) const
{
    if (!list_.empty())
        return list_[size_t(position)];
    std::array cell{uint64_t(position)};
    do
        once(cell);
    while (cell[0] >= uint64_t(n_));
    return int64_t(cell[0]);
}

void EpochShuffle::fill(int64_t first, std::span<int64_t> samples) const
{
    size_t done = 0;
    for (std::array<uint64_t, 8> cells; list_.empty() && done + cells.size() <= samples.size();
         done += cells.size()) {
        for (size_t i = 0; i < cells.size(); ++i)
            cells[i] = uint64_t(first) + done + i;
        once(cells);
        for (size_t i = 0; i < cells.size(); ++i) // one beyond the end goes on by itself
            samples[done + i] =
                cells[i] < uint64_t(n_) ? int64_t(cells[i]) : (*this)(int64_t(cells[i]));
    }
    for (; done < samples.size(); ++done)
        samples[done] = (*this)(first + int64_t(done));
}

} // namespace scalebench::data
