// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the threads that make batches do.

namespace scalebench {

/// Their time, in milliseconds.
struct InputTimes {
    double readMs = 0;    ///< fetching from storage, and unpacking what is packed there
    double decodeMs = 0;  ///< pictures
    double augmentMs = 0; ///< all else: cutting out, changing, normalising, packing, drawing

    void add(const InputTimes& more)
    {
        readMs += more.readMs;
        decodeMs += more.decodeMs;
        augmentMs += more.augmentMs;
    }
};

} // namespace scalebench
