// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Benchmarks of single operations: GEMM, convolution, recurrent layer, attention. All share the
// columns of compute results.

#include "engine/bench/bench.h"
#include "engine/bench/deepbench.h"
#include "engine/bench/report.h"
#include "kernels/conv2d.h"

#include <map>
#include <string>
#include <vector>

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

struct AttentionProblem {
    std::string name;
    std::int64_t batch, heads, sequence, depth;
    bool causal = false;
    /// Two matrix products over all pairs of tokens; half of the pairs when causal.
    double forwardFlops() const
    {
        return 4.0 * double(batch * heads) * double(sequence) * double(sequence) * double(depth) *
               (causal ? 0.5 : 1.0);
    }
    /// dP, dV, dQ and dK, and the scores again unless forward left the probabilities (arXiv
    /// 2307.08691, section 4.1).
    double backwardFlops(bool scoresAgain = true) const
    {
        return (scoresAgain ? 2.5 : 2.0) * forwardFlops();
    }
};

/// The problems of a run: a list, or --sizes.
std::vector<GemmProblem> gemmProblems(const Options& options);
std::vector<ConvProblem> convProblems(const Options& options);
std::vector<RnnProblem> rnnProblems(const Options& options);
std::vector<AttentionProblem> attentionProblems(const Options& options);
Conv2dParams convParams(const ConvProblem& problem, DType dtype);
/// The same; throws Unsupported where no layer may be so: DeepBench's list has windows of one pixel
/// with a padding of three.
Conv2dParams layerParams(const ConvProblem& problem, DType dtype);

/// The problem's own columns followed by those of every compute result.
std::vector<Column> computeColumns(std::vector<Column> problem);

/// "fp32", "bf16"; "bf16 in fp32" of bf16 numbers that this processor computes with as fp32.
std::string computedPrecision(DType dtype);

/// fp32 products that AMX makes of six bf16 products (kernels/cpu/split_gemm.h), which it does at
/// 16 times the rate of fp32.
constexpr double kSplitFewer = 16.0 / 6;
inline bool isSplit(const std::string& implementation)
{
    return implementation.find("split") != std::string::npos;
}

/// The cells of a timed operation. `bytes`: operands and results once each. `fewer`: how many times
/// fewer operations of fp32 are done than `flops`, which count the definition's; a rate above the
/// peak is doubtful beyond that only.
void addTiming(std::map<std::string, Json>& row, const Timing& timing, double flops, double bytes,
               double peakFlops, double fewer = 1);
void addCheck(std::map<std::string, Json>& row, const SampleCheck& check);

} // namespace scalebench::bench
