// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How many threads compute with. Set it explicitly and before the first op: what OpenMP guesses
// depends on how mpirun bound the process.

namespace scalebench {

/// Threads for kernels and oneDNN called from this thread (OpenMP's setting); at least 1.
void setComputeThreads(int threads);
int computeThreads();

} // namespace scalebench
