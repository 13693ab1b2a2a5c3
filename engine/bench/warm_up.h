// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is done before training steps are timed.

#include "engine/bench/bench.h"

#include <cstdint>
#include <functional>

namespace scalebench::bench {

/// Makes plans and packed weights, and takes memory: batches of other shapes ask the system for
/// more, whose pages are zeroed when they are first used, which the steps of a long training do not
/// pay. Steps until three in a row took no more; two at least, 40 at most, none begun after
/// options.maxSeconds. `requests`: how often the system was asked for memory so far. Throws
/// Stopped.
void warmUp(const Options& options, const std::function<void()>& step,
            const std::function<std::uint64_t()>& requests);

} // namespace scalebench::bench
