// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A loop over independent items on a few threads, for loading. Not for the training step.

#include <cstdint>
#include <functional>

namespace scalebench::data {

/// Calls body(0) ... body(count-1), each once, on `threads` threads (at least one). `tick` is
/// called from the calling thread about every 100 ms and once at the end; may be empty. The first
/// exception of a body stops the loop and is rethrown here, as is one of `tick` (a stop that was
/// asked for), once the bodies that had begun are through.
void parallelFor(int64_t count, int threads, const std::function<void(int64_t)>& body,
                 const std::function<void()>& tick = {});

} // namespace scalebench::data
