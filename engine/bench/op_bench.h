// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Benchmarks of single operations: GEMM, convolution, recurrent layer, attention. All share the
// columns of compute results.

#include "engine/bench/bench.h"
#include "engine/bench/report.h"

namespace scalebench::bench {

/// DeepBench's matrix products; --sizes MxNxK[:AB], A and B each N or T (column-major, as there).
void runGemmBench(const Options& options, Report& report);
/// DeepBench's convolutions, forward and both gradients; --sizes WxHxCxNxKxSxRxPADDINGxSTRIDE
/// (padding counted from 1, so that 1 means none).
void runConvBench(const Options& options, Report& report);
/// DeepBench's recurrent layers; --sizes HIDDENxBATCHxSTEPS.
void runRnnBench(const Options& options, Report& report);
/// Scaled-dot-product attention of the workloads; --sizes BATCHxHEADSxSEQUENCExDEPTH.
void runAttentionBench(const Options& options, Report& report);

/// The problem's own columns followed by those of every compute result.
std::vector<Column> computeColumns(std::vector<Column> problem);

/// The cells of a timed operation. `bytes`: operands and results once each.
void addTiming(std::map<std::string, Json>& row, const Timing& timing, double flops, double bytes,
               double peakFlops);
void addCheck(std::map<std::string, Json>& row, const SampleCheck& check);

} // namespace scalebench::bench
