// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/table_parts.h"

#include "engine/backend/host_copy.h"
#include "engine/dist/exchange.h"

#include <algorithm>

namespace scalebench::train {

TableParts::TableParts(Replica& replica, dist::Communicator& communicator)
    : replica_(replica), comm_(communicator)
{
    const ParameterSet& parameters = replica.parameters();
    for (size_t i = 0; i < parameters.parameters().size(); ++i) {
        const ParameterInfo& p = parameters.parameters()[i];
        if (p.owner < 0)
            continue;
        const size_t begin = size_t(p.firstRow) * size_t(p.shape.at(1));
        const auto count = size_t(elementCount(p.shape));
        addBlock("table/" + p.table,
                 {p.owner, begin, count,
                  p.here ? parameters.values().subspan(p.offset, count) : std::span<float>()});
        for (const StateSpan& span : replica.optimizer().state())
            if (span.name.starts_with("table_"))
                addBlock(
                    "optimizer/" + span.name + "/" + p.table,
                    {p.owner, begin, count,
                     p.here ? replica.optimizer().tableState(span, int(i)) : std::span<float>()});
    }
    for (Part& part : parts_)
        std::ranges::sort(part.blocks, {}, &Block::begin);
    if (!parts_.empty())
        checksum();
}

void TableParts::addBlock(const std::string& name, const Block& block)
{
    auto part = std::ranges::find(parts_, name, &Part::name);
    if (part == parts_.end())
        part = parts_.insert(part, {name, 0, {}});
    part->blocks.push_back(block);
    part->count += block.count;
}

/// Of each part, from those of its blocks.
void TableParts::checksum()
{
    std::vector<uint32_t> mine;
    for (const Part& part : parts_)
        for (const Block& block : part.blocks) {
            if (block.owner != comm_.rank())
                continue;
            uint32_t crc = 0;
            for (size_t begin = 0; begin < block.count; begin += kCheckpointPiece)
                crc = checkpointChecksum(
                    toHost(replica_.backend(),
                           block.values.subspan(begin,
                                                std::min(kCheckpointPiece, block.count - begin))),
                    crc);
            mine.push_back(crc);
        }
    const auto all = dist::gatherAll<uint32_t>(comm_, mine);
    // Every worker's come in the order of the blocks.
    std::vector<size_t> next(all.sizes.size(), 0);
    for (size_t r = 1; r < next.size(); ++r)
        next[r] = next[r - 1] + all.sizes[r - 1];
    for (const Part& part : parts_) {
        uint32_t crc = 0;
        for (const Block& block : part.blocks)
            crc =
                checkpointChecksumOf(crc, all.values.at(next[size_t(block.owner)]++), block.count);
        checksums_.push_back(crc);
    }
}

/// Collective.
void TableParts::move(const Part& part, size_t begin, std::span<float> piece, bool toOwner)
{
    for (const Block& block : part.blocks) {
        const size_t from = std::max(begin, block.begin);
        const size_t to = std::min(begin + piece.size(), block.begin + block.count);
        if (from < to)
            moveOfBlock(block, from - block.begin, piece.subspan(from - begin, to - from), toOwner);
    }
}

void TableParts::moveOfBlock(const Block& block, size_t begin, std::span<float> piece, bool toOwner)
{
    const bool mine = block.owner == comm_.rank();
    const std::span<float> place =
        mine ? block.values.subspan(begin, piece.size()) : std::span<float>();
    std::vector<float> host;
    if (mine && !toOwner)
        host = toHost(replica_.backend(), place);
    else if (mine)
        host.resize(piece.size());
    if (block.owner == 0) {
        if (mine && toOwner)
            std::ranges::copy(piece, host.begin());
        else if (mine)
            std::ranges::copy(host, piece.begin());
    } else {
        const int from = toOwner ? 0 : block.owner, to = toOwner ? block.owner : 0;
        std::vector<size_t> send(size_t(comm_.size()), 0), receive = send;
        if (comm_.rank() == from)
            send[size_t(to)] = piece.size_bytes();
        if (comm_.rank() == to)
            receive[size_t(from)] = piece.size_bytes();
        const std::span<float> out = toOwner ? piece : std::span<float>(host);
        const std::span<float> in = toOwner ? std::span<float>(host) : piece;
        comm_.allToAll(
            comm_.rank() == from ? std::as_bytes(out) : std::span<const std::byte>(), send,
            comm_.rank() == to ? std::as_writable_bytes(in) : std::span<std::byte>(), receive);
    }
    if (mine && toOwner)
        fromHost(replica_.backend(), host, place);
}

void TableParts::append(std::vector<CheckpointArray>& arrays)
{
    for (size_t i = 0; i < parts_.size(); ++i) {
        CheckpointArray array{parts_[i].name, {}};
        array.count = parts_[i].count;
        array.crc32 = checksums_[i];
        array.bring = [this](std::span<float> piece) {
            const Part& part = parts_.at(part_);
            move(part, begin_, piece, false);
            begin_ += piece.size();
            if (begin_ == part.count) {
                begin_ = 0;
                ++part_;
            }
        };
        arrays.push_back(std::move(array));
    }
}

void TableParts::give()
{
    std::vector<float> none;
    for (const Part& part : parts_)
        for (size_t begin = 0; begin < part.count; begin += kCheckpointPiece) {
            none.resize(std::min(kCheckpointPiece, part.count - begin));
            move(part, begin, none, false);
        }
}

void TableParts::drain()
{
    std::vector<float> piece;
    for (; part_ < parts_.size(); ++part_, begin_ = 0)
        for (; begin_ < parts_[part_].count; begin_ += piece.size()) {
            piece.resize(std::min(kCheckpointPiece, parts_[part_].count - begin_));
            move(parts_[part_], begin_, piece, false);
        }
}

void TableParts::restore(const Checkpoint* checkpoint)
{
    for (const Part& part : parts_) {
        std::span<const float> saved;
        doTogether(comm_, [&] {
            if (checkpoint != nullptr)
                saved = checkpoint->array(part.name, part.count);
        });
        std::vector<float> piece;
        for (size_t begin = 0; begin < part.count; begin += kCheckpointPiece) {
            piece.resize(std::min(kCheckpointPiece, part.count - begin));
            if (checkpoint != nullptr)
                std::ranges::copy(saved.subspan(begin, piece.size()), piece.begin());
            move(part, begin, piece, true);
        }
    }
}

} // namespace scalebench::train
