// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The instruction sets that our own loops are written for.

namespace scalebench::kernels::cpu {

/// The x86-64 levels v2, v3 and v4; all else is Sse.
enum class CpuLevel { Sse, Avx2, Avx512 };

/// The best this processor has, unless the environment variable SCALEBENCH_MAX_CPU_ISA (sse, avx2)
/// caps it at the program's start, for tests and measurements; oneDNN is then capped too.
CpuLevel cpuLevel();

} // namespace scalebench::kernels::cpu
