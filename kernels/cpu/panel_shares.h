// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is fetched with each tile of a product of panels.

#include <algorithm>
#include <cstdint>

#include "kernels/cpu/panel_gemm.h"

namespace scalebench::kernels::cpu::panels {

/// Lines that are fetched while one tile is multiplied.
struct Later {
    const char* at;
    std::int64_t lines, step;
};

/// Hands out what is to be fetched, as much with each of so many tiles.
class Shares
{
public:
    Shares(const Ahead& all, std::int64_t tiles) : left_(all), tiles_(tiles) {}
    Later next()
    {
        std::int64_t all = 0;
        Ahead::Run* first = nullptr;
        for (Ahead::Run& run : left_.runs) {
            all += run.left();
            first = first || run.left() == 0 ? first : &run;
        }
        const std::int64_t tiles = std::max<std::int64_t>(tiles_--, 1);
        if (!first)
            return {nullptr, 0, 0};
        Ahead::Run& run = *first;
        const Later here{run.at + done_ * run.step,
                         std::min((all - done_ + tiles - 1) / tiles, run.lines - done_), run.step};
        done_ += here.lines;
        if (done_ == run.lines) {
            done_ = 0;
            run.at += Ahead::kLineBytes;
            --run.again;
        }
        return here;
    }

private:
    Ahead left_;
    std::int64_t tiles_, done_ = 0; ///< tiles to come, lines of the present row of lines
};

} // namespace scalebench::kernels::cpu::panels
