// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/problems.h"

#include "engine/bench/embedding_bench.h"
#include "engine/bench/op_bench.h"

namespace scalebench::bench {

void checkProblems(const std::string& benchmark, const Options& options)
{
    if (benchmark == "gemm")
        chooseProblems(options, gemmProblems(options).size(), 1);
    else if (benchmark == "conv")
        chooseProblems(options, convProblems(options).size(), 1);
    else if (benchmark == "rnn")
        chooseProblems(options, rnnProblems(options).size(), 1);
    else if (benchmark == "attention")
        chooseProblems(options, attentionProblems(options).size(), 1);
    else if (benchmark == "embedding")
        embeddingProblems(options);
    else if (!options.sizes.empty()) // memory and the collectives
        parseByteList(options.sizes);
}

} // namespace scalebench::bench
