// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pieces of large segments of memory: the best fit is split, free neighbours become one again, so
// that tensors whose shapes change share what is there. Only addresses are handled here, nothing is
// read or written; not thread-safe.

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace scalebench::cuda_backend {

class BlockPool
{
public:
    struct Segment {
        void* memory = nullptr;
        std::size_t bytes = 0;
    };

    /// A rest of less than `smallestPiece` bytes stays with the block that leaves it.
    explicit BlockPool(std::size_t smallestPiece) : smallestPiece_(smallestPiece) {}

    /// The smallest free piece of at least `bytes`, the lowest of several, cut to size; null where
    /// there is none.
    void* take(std::size_t bytes);
    /// Whole bytes of a block that was taken.
    std::size_t sizeOf(void* block) const;
    void giveBack(void* block);
    /// A further segment, all of it free.
    void add(const Segment& segment);
    /// Takes those out of which nothing is in use.
    std::vector<Segment> removeFree();

    std::size_t freeBytes() const { return freeBytes_; }
    std::size_t largestFree() const { return free_.empty() ? 0 : free_.rbegin()->first; }

private:
    struct Piece {
        std::size_t bytes = 0;
        bool free = false;
        bool first = false; ///< of its segment
        bool last = false;
    };
    using Pieces = std::map<char*, Piece>;

    void setFree(Pieces::iterator piece);
    void setTaken(Pieces::iterator piece);

    std::size_t smallestPiece_;
    Pieces pieces_;                                ///< by address
    std::set<std::pair<std::size_t, char*>> free_; ///< by size
    std::size_t freeBytes_ = 0;
};

} // namespace scalebench::cuda_backend
