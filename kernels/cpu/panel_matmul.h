// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A single product in bf16 by those of panel_gemm.h, its operands stored either way round. A row of
// the result is summed in one order, whatever lies beside it and however many threads there are.

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/panel_gemm.h"
#include "kernels/matmul.h"

namespace scalebench::kernels::cpu {

class PanelMatmul
{
public:
    /// Whether it can be computed so. With a packed B alike for any number of rows.
    static bool suits(const MatmulParams& p);

    explicit PanelMatmul(const MatmulParams& p);
    std::size_t packedBytes() const; ///< 0 without p.packedB
    std::size_t workspaceBytes() const;
    void packB(const float* b, void* packed) const;
    void run(const void* a, const void* b, const float* bias, void* c, void* workspace) const;

private:
    struct Piece;
    struct Block;
    struct Share;
    PanelMatmul(const MatmulParams& p, int threads, std::int64_t depth);
    Share shareOf(std::int64_t i) const;
    std::size_t roomOfOne() const;
    /// `depth`: of the piece, which is deeper where zeros fill it up.
    void packBlock(const Piece& piece, const bf16_t* b, const Block& block,
                   std::int64_t depth) const;
    panels::Ahead laterOf(const bf16_t* a, const bf16_t* b, std::int64_t k) const;
    void multiply(const Piece& piece, const Block& block) const;

    MatmulParams p_;
    int threads_;
    std::int64_t depth_;      ///< of one sum
    std::int64_t columns_;    ///< of B that are packed at once
    bool floatSums_;          ///< sums of several pieces for a result in bf16
    std::int64_t shares_ = 0; ///< of C, each made by one thread by itself; 0: all work together
};

} // namespace scalebench::kernels::cpu
