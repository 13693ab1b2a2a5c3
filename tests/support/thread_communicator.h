// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Workers as threads of one process: the Communicator without mpirun, for tests of what is built on
// it. Slow, simple, with the same results on every run.

#include "engine/dist/communicator.h"

#include <functional>
#include <memory>

namespace scalebench::test {

/// Runs `body` once per worker, each in a thread of its own, and waits for all. An exception of a
/// worker ends the others' collectives; the one that came first is thrown here in the end.
void runThreads(int workers, const std::function<void(dist::Communicator&)>& body);

} // namespace scalebench::test
