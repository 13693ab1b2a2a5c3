// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/block_pool.h"

#include <iterator>

#include "kernels/check.h"

namespace scalebench::cuda_backend {

void BlockPool::setFree(Pieces::iterator piece)
{
    free_.emplace(piece->second.bytes, piece->first);
    piece->second.free = true;
    freeBytes_ += piece->second.bytes;
}

void BlockPool::setTaken(Pieces::iterator piece)
{
    free_.erase({piece->second.bytes, piece->first});
    piece->second.free = false;
    freeBytes_ -= piece->second.bytes;
}

void* BlockPool::take(std::size_t bytes)
{
    const auto fits = free_.lower_bound({bytes, nullptr});
    if (fits == free_.end())
        return nullptr;
    const auto piece = pieces_.find(fits->second);
    setTaken(piece);
    const std::size_t rest = piece->second.bytes - bytes;
    if (rest >= smallestPiece_) {
        const auto behind =
            pieces_.emplace(piece->first + bytes, Piece{rest, false, false, piece->second.last})
                .first;
        piece->second.bytes = bytes;
        piece->second.last = false;
        setFree(behind);
    }
    return piece->first;
}

std::size_t BlockPool::sizeOf(void* block) const
{
    const auto piece = pieces_.find(static_cast<char*>(block));
    SB_REQUIRE(piece != pieces_.end() && !piece->second.free, "BlockPool: no block of this pool");
    return piece->second.bytes;
}

void BlockPool::giveBack(void* block)
{
    auto piece = pieces_.find(static_cast<char*>(block));
    SB_REQUIRE(piece != pieces_.end() && !piece->second.free, "BlockPool: no block of this pool");
    if (!piece->second.last)
        if (const auto next = std::next(piece); next->second.free) {
            setTaken(next);
            piece->second.bytes += next->second.bytes;
            piece->second.last = next->second.last;
            pieces_.erase(next);
        }
    if (!piece->second.first)
        if (const auto before = std::prev(piece); before->second.free) {
            setTaken(before);
            before->second.bytes += piece->second.bytes;
            before->second.last = piece->second.last;
            pieces_.erase(piece);
            piece = before;
        }
    setFree(piece);
}

void BlockPool::add(const Segment& segment)
{
    setFree(
        pieces_.emplace(static_cast<char*>(segment.memory), Piece{segment.bytes, false, true, true})
            .first);
}

std::vector<BlockPool::Segment> BlockPool::removeFree()
{
    std::vector<Segment> removed;
    for (auto piece = pieces_.begin(); piece != pieces_.end();) {
        const Piece& p = piece->second;
        if (!p.free || !p.first || !p.last) {
            ++piece;
            continue;
        }
        removed.push_back({piece->first, p.bytes});
        setTaken(piece);
        piece = pieces_.erase(piece);
    }
    return removed;
}

} // namespace scalebench::cuda_backend
