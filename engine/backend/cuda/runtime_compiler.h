// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// NVRTC, the compiler that cuDNN writes some of its kernels with while it runs
// (docs.nvidia.com/cuda/nvrtc).

namespace scalebench::cuda_backend {

/// Opens it and its built-in functions, once, and keeps them. NVRTC opens the latter by a name that
/// only the system's search path has, and a toolkit in a folder of its own is not on it: cuDNN then
/// has no kernels for attention in 16 bits, without a word. We find both where we find cuDNN. Kept
/// open because cuDNN opens and closes NVRTC for every engine it asks about. Where there is none,
/// nothing happens: cuDNN does without.
void holdRuntimeCompiler();

} // namespace scalebench::cuda_backend
