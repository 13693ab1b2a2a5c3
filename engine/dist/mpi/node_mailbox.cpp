// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/mpi/node_mailbox.h"

#include "engine/dist/comm_error.h"

#include <algorithm>
#include <cstring>

namespace scalebench::dist {
namespace {

constexpr size_t kLine = 64;
constexpr size_t kFirstSlot = 4096;
/// Of all slots of a worker together: what is written is still in the caches when it is read.
/// Two workers, 16 MiB and 64 MiB each: 2.2 and 10.1 ms with 16 MiB here, 1.4 and 6.8 with 1 or
/// half of it.
constexpr size_t kMostSlots = 1 << 20;

size_t roundUp(size_t bytes, size_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

/// Calls body(worker of the node, first byte, bytes) for each worker of the node, where those of
/// all workers lie one after the other.
template <typename Body>
void eachLocal(const Topology& topology, std::span<const size_t> sizes, const Body& body)
{
    size_t at = 0;
    for (size_t r = 0; r < sizes.size(); at += sizes[r], ++r)
        if (topology.nodeOf[r] == topology.node)
            body(size_t(topology.localRankOf[r]), at, sizes[r]);
}

} // namespace

NodeMailbox::NodeMailbox(const Topology& topology) : topology_(topology), slotBytes_(kFirstSlot)
{
    block_ = std::make_unique<SharedBlock>(topology.local.get(),
                                           2 * (headBytes() + slotBytes_ * localSize()));
}

/// The lengths of a worker's messages to those of the node.
size_t NodeMailbox::headBytes() const
{
    return roundUp(localSize() * sizeof(size_t), kLine);
}

std::byte* NodeMailbox::half(size_t localRank) const
{
    return block_->part(int(localRank)) + turn_ % 2 * (headBytes() + slotBytes_ * localSize());
}

std::byte* NodeMailbox::slot(size_t from, size_t to) const
{
    return half(from) + headBytes() + to * slotBytes_;
}

/// Slices from `begin` on.
void NodeMailbox::write(std::span<const std::byte> send, std::span<const size_t> sizes,
                        size_t begin) const
{
    const auto me = size_t(topology_.localRank);
    eachLocal(topology_, sizes, [&](size_t to, size_t at, size_t bytes) {
        std::memcpy(half(me) + to * sizeof(size_t), &bytes, sizeof bytes);
        if (to != me && begin < bytes)
            std::memcpy(slot(me, to), send.data() + at + begin,
                        std::min(slotBytes_, bytes - begin));
    });
}

void NodeMailbox::read(std::span<std::byte> receive, std::span<const size_t> sizes,
                       size_t begin) const
{
    const auto me = size_t(topology_.localRank);
    eachLocal(topology_, sizes, [&](size_t from, size_t at, size_t bytes) {
        if (from != me && begin < bytes)
            std::memcpy(receive.data() + at + begin, slot(from, me),
                        std::min(slotBytes_, bytes - begin));
    });
}

/// Message between two workers of the node.
size_t NodeMailbox::longest() const
{
    size_t longest = 0;
    for (size_t from = 0; from < localSize(); ++from)
        for (size_t to = 0; to < localSize(); ++to) {
            size_t bytes = 0;
            std::memcpy(&bytes, half(from) + to * sizeof bytes, sizeof bytes);
            longest = from == to ? longest : std::max(longest, bytes);
        }
    return longest;
}

/// Collective over the node, which agrees on `bytes`. False where there is no memory: then
/// messages go on in more slices.
bool NodeMailbox::grow(size_t bytes)
{
    const size_t most = std::max(kMostSlots / localSize() / kLine * kLine, kFirstSlot);
    const size_t wanted = std::min(roundUp(bytes + bytes / 4, kLine), most);
    if (!mayGrow_ || wanted <= slotBytes_)
        return false;
    try {
        block_ = std::make_unique<SharedBlock>(topology_.local.get(),
                                               2 * (headBytes() + wanted * localSize()));
    } catch (const CommError&) { // on every worker of the node alike
        mayGrow_ = false;
        return false;
    }
    slotBytes_ = wanted;
    return true;
}

void NodeMailbox::post(std::span<const std::byte> send, std::span<const size_t> sizes)
{
    write(send, sizes, 0);
}

void NodeMailbox::exchange(ArrivalGate::Visit& visit, std::span<const std::byte> send,
                           std::span<const size_t> sendSizes, std::span<std::byte> receive,
                           std::span<const size_t> receiveSizes)
{
    const size_t longest = this->longest();
    bool posted = longest <= slotBytes_ || !grow(longest);
    for (size_t begin = 0; begin == 0 || begin < longest; begin += slotBytes_) {
        if (!posted) {
            write(send, sendSizes, begin);
            visit.waitForNode();
        }
        read(receive, receiveSizes, begin);
        ++turn_;
        posted = false;
    }
}

} // namespace scalebench::dist
