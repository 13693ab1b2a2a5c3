// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One suite for every implementation of Communicator: run it on all workers of a group.

#include "engine/dist/communicator.h"

#include <string>
#include <vector>

namespace scalebench::test {

/// What this worker found wrong, one line each; empty when all is right. Data are whole numbers
/// whose sums are exact, so that each check has one right answer (as nccl-tests' verifiable data).
class Conformance
{
public:
    explicit Conformance(dist::Communicator& communicator) : comm_(communicator) {}
    /// Everything below.
    std::vector<std::string> run();

    void checkReductions();
    void checkGathers();
    void checkExchanges();
    void checkBroadcasts();
    void checkSparseRows();
    void checkArenas(dist::AllReduceKind kind);
    void checkReducers(dist::AllReduceKind kind);
    void checkCounters();
    const std::vector<std::string>& failures() const { return failures_; }

private:
    void check(bool ok, const std::string& what);
    void checkArena(dist::ReductionArena& arena);
    void checkScatter(dist::ReductionArena& arena);
    void checkCommonMemory(dist::ReductionArena& arena);
    void checkReducer(dist::AllReduceKind kind, bool overlap, bool shard, bool common,
                      double bucketMb);

    dist::Communicator& comm_;
    std::vector<std::string> failures_;
};

} // namespace scalebench::test
