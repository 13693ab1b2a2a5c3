// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How a kernel tells of an id that lies outside its table without stopping: the first one found is
// noted in device memory, and the host asks later.

#include "kernels/cuda/language.h"

#include <cstdint>

namespace scalebench::kernels::cuda {

/// op (0: none yet), position of the id, the id, the bound.
struct BadIndexNote {
    unsigned long long op;
    long long position, id, bound;
};

/// Handed to kernels by value.
struct BadIndex {
    BadIndexNote* note = nullptr; ///< device memory
    unsigned long long op = 0;    ///< not 0

#if defined(SB_DEVICE_CODE)
    /// True when 0 <= id < bound; else false, and noted.
    __device__ bool check(long long position, long long id, long long bound) const
    {
        if (id >= 0 && id < bound)
            return true;
        if (atomicCAS(&note->op, 0ull, op) == 0ull) {
            note->position = position;
            note->id = id;
            note->bound = bound;
        }
        return false;
    }
#endif
};

} // namespace scalebench::kernels::cuda
