// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs take turns on a host, whoever launched them and from where: two that share processors or a
// network would both be measured wrong. The lock is an flock on a file in the host's shared memory,
// which the kernel gives back however a process ends.

#include "engine/dist/communicator.h"

#include <functional>
#include <string>

namespace scalebench::train {

/// The exclusive use of this host, from tryTake() to destruction.
class HostTurn
{
public:
    /// `who`: what others are told of this run, one line. `file`: the lock's (tests have their
    /// own).
    explicit HostTurn(std::string who, std::string file = pathOfHost());
    ~HostTurn() { giveBack(); }
    HostTurn(const HostTurn&) = delete;
    HostTurn& operator=(const HostTurn&) = delete;

    /// False: `holder` has it. True as well where no lock can be made (no shared memory, no right):
    /// two at once are better than none.
    bool tryTake(std::string& holder);
    void giveBack();
    /// Whether there is a lock that others see.
    bool isHeld() const { return fd_ >= 0; }
    /// Why no lock could be made, for a person; empty: it could.
    const std::string& trouble() const { return trouble_; }

    /// Of this host: /dev/shm/scalebench-turn-NAME.
    static std::string pathOfHost();

private:
    std::string who_, file_, trouble_;
    int fd_ = -1;
};

/// Collective: waits until all hosts of the run are free and takes them together, so that two runs
/// on crossing sets of hosts never wait for each other for ever. `waiting` is told on rank 0, at
/// each try, who is waited for. False when `stopRequested` was true on some rank meanwhile.
bool takeTurns(dist::Communicator& communicator, HostTurn& turn,
               const std::function<void(const std::string&)>& waiting,
               const std::function<bool()>& stopRequested);

/// Collective, after takeTurns(): what a person should know of hosts on which runs take no turns;
/// empty: they do on all.
std::string turnTrouble(dist::Communicator& communicator, const HostTurn& turn);

} // namespace scalebench::train
