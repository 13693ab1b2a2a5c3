// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Owned tables (ParameterSet) and what the optimizer keeps for them, on their way into a checkpoint
// and out of it: arrays "table/NAME" and "optimizer/table_STATE/NAME", each of a whole table, on
// however many workers its rows lie. They pass through the worker that writes piece by piece, so
// that no worker needs memory for the tables of another.

#include "engine/train/checkpoint.h"
#include "engine/train/replica.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace scalebench::train {

/// Does nothing in runs without owned tables. Worker 0 writes and reads.
class TableParts
{
public:
    /// Collective.
    TableParts(Replica& replica, dist::Communicator& communicator);

    /// On worker 0: adds the arrays to those to be written, which brings them as they are.
    void append(std::vector<CheckpointArray>& arrays);
    /// On worker 0, after a failure: takes what the others give and has not been brought.
    void drain();
    /// On the others, while worker 0 writes.
    void give();
    /// Collective; `checkpoint` on worker 0 only. InvalidArgument (`checkpoint`).
    void restore(const Checkpoint* checkpoint);

private:
    /// Rows that follow each other and lie on one worker.
    struct Block {
        int owner = 0;
        size_t begin = 0, count = 0; ///< elements of the part
        std::span<float> values;     ///< on the owner
    };
    struct Part {
        std::string name;
        size_t count = 0;
        std::vector<Block> blocks; ///< in order
    };
    void addBlock(const std::string& name, const Block& block);
    void checksum();
    /// [begin, begin + piece.size()) of a part between its owners and worker 0.
    void move(const Part& part, size_t begin, std::span<float> piece, bool toOwner);
    void moveOfBlock(const Block& block, size_t begin, std::span<float> piece, bool toOwner);

    Replica& replica_;
    dist::Communicator& comm_;
    std::vector<Part> parts_;
    std::vector<uint32_t> checksums_; ///< worker 0: of each part
    size_t part_ = 0, begin_ = 0;     ///< worker 0: what is brought next
};

} // namespace scalebench::train
