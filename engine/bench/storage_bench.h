// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How fast a folder's storage is: sequential writing and reading of one large file, and reading
// many small files in random order, as a training set of pictures is read. What the page cache
// holds is not measured: files are read around it (O_DIRECT) or dropped from it first, and the rows
// say which.

#include "engine/bench/bench.h"
#include "engine/bench/report.h"

namespace scalebench::bench {

/// Uses options.folder and options.fileBytes; leaves nothing behind. Throws Error (`not_writable`,
/// `disk_full`, `usage`).
void runStorageBench(const Options& options, Report& report);

} // namespace scalebench::bench
