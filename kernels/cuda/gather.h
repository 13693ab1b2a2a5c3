// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Entries of one axis picked by number on a GPU, and the gradient: as kernels/gather.h. Device
// memory, queued on `stream`; results repeat bit for bit.

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "kernels/cuda/bad_index.h"
#include "kernels/gather.h"

namespace scalebench::kernels::cuda {

/// x [outer,axis,inner] -> y [outer,n,inner]; ids [n] I32. Any element type. An id outside [0,
/// axis) is noted in `bad` and gives zeros.
void gatherForward(const GatherParams& p, const void* x, const std::int32_t* ids, void* y,
                   BadIndex bad, cudaStream_t stream);

/// Bytes of scratch for gatherBackward().
std::size_t gatherBackwardScratchBytes(const GatherParams& p);
/// dy as y -> dx as x, overwritten: entries picked several times get the sum (in fp32, in the order
/// of the ids), others 0. F32, BF16 or F16; p.n < 2^31. Ids outside are noted and left out. Fast
/// where few ids are equal or equal ones are near each other: time goes up to n^2 otherwise.
/// scratch: 4-byte aligned.
void gatherBackward(const GatherParams& p, const std::int32_t* ids, const void* dy, void* dx,
                    BadIndex bad, void* scratch, cudaStream_t stream);

} // namespace scalebench::kernels::cuda
