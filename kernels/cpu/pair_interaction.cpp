// SPDX-License-Identifier: GPL-3.0-or-later
// DLRM's interaction in bf16, sample by sample, while its vectors are in the cache that is nearest.
#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels/cpu/panel_gemm.h"
#include "kernels/cpu/parallel.h"
#include "kernels/dot_interaction.h"
#include "kernels/formula/bf16.h"

namespace scalebench::kernels::cpu {
namespace {

constexpr std::int64_t kSamples = 64; // of one task

/// Room for a sample's operands, of each thread.
struct SampleRoom {
    std::vector<std::uint32_t> panels;
    std::vector<bf16_t> square; ///< rows of inPanels(F)
};

SampleRoom& sampleRoom(const DotInteractionParams& p, std::int64_t words)
{
    thread_local SampleRoom room;
    room.panels.resize(std::size_t(words));
    room.square.resize(std::size_t(p.F * panels::inPanels(p.F)));
    return room;
}

void fetchSample(const bf16_t* x, std::int64_t n)
{
    for (std::int64_t i = 0; i < n; i += 32)
        __builtin_prefetch(x + i, 0, 2);
}

/// The products of every vector with those before it and some more.
void productsOfSample(const DotInteractionParams& p, const bf16_t* x, SampleRoom& room)
{
    const std::int64_t ld = panels::inPanels(p.F), deep = panels::wordsOf<bf16_t>(p.D);
    for (std::int64_t f = 0; f < p.F; f += panels::kPanel) {
        const bf16_t* const from = x + f * p.D;
        const std::int64_t columns = std::min(panels::kPanel, p.F - f);
        panels::packTransposed(from, p.D, columns, p.D, room.panels.data(), panels::kPanel);
        panels::multiply(p.F - f, columns, p.D, panels::Rows<bf16_t>{from, p.D},
                         panels::Panels<bf16_t>{room.panels.data(), deep}, {},
                         room.square.data() + f * ld + f, ld);
    }
}

/// S of a sample, its rows inPanels(F) apart.
void symmetricOfSample(const DotInteractionParams& p, const bf16_t* pairs, bf16_t* s)
{
    const std::int64_t ld = panels::inPanels(p.F);
    for (std::int64_t i = 0; i < p.F; pairs += i, ++i) {
        s[i * ld + i] = bf16_t(0);
        for (std::int64_t j = 0; j < i; ++j)
            s[i * ld + j] = s[j * ld + i] = pairs[j];
    }
}

void addToVector(const bf16_t* from, bf16_t* to, std::int64_t n)
{
    for (std::int64_t i = 0; i < n; ++i)
        formula::store(to + i, formula::load(to + i) + formula::load(from + i));
}

} // namespace

bool dotInteractionOfPairs()
{
    return panels::available(DType::BF16);
}

void dotInteractionForward(const DotInteractionParams& p, const bf16_t* x, bf16_t* y)
{
    const std::int64_t size = p.F * p.D, ld = panels::inPanels(p.F);
    parallelRanges(p.B, kSamples, [&](std::int64_t first, std::int64_t last) {
        SampleRoom& room = sampleRoom(p, panels::wordsOf<bf16_t>(p.D) * panels::kPanel);
        for (std::int64_t n = first; n < last; ++n) {
            if (n + 1 < last)
                fetchSample(x + (n + 1) * size, size);
            productsOfSample(p, x + n * size, room);
            bf16_t* to = y + n * p.width();
            std::memcpy(to, x + n * size, std::size_t(p.D) * sizeof(bf16_t));
            to += p.D;
            for (std::int64_t i = 1; i < p.F; to += i, ++i)
                std::memcpy(to, room.square.data() + i * ld, std::size_t(i) * sizeof(bf16_t));
        }
    });
}

void dotInteractionBackward(const DotInteractionParams& p, const bf16_t* x, const bf16_t* dy,
                            bf16_t* dx)
{
    const std::int64_t size = p.F * p.D, ld = panels::inPanels(p.F),
                       deep = panels::wordsOf<bf16_t>(p.F);
    parallelRanges(p.B, kSamples, [&](std::int64_t first, std::int64_t last) {
        SampleRoom& room = sampleRoom(p, deep * panels::inPanels(p.D));
        for (std::int64_t n = first; n < last; ++n) {
            if (n + 1 < last)
                fetchSample(x + (n + 1) * size, size);
            const bf16_t* const from = dy + n * p.width();
            symmetricOfSample(p, from + p.D, room.square.data());
            panels::packPanels(x + n * size, p.D, p.F, p.D, room.panels.data(), 0, deep);
            panels::multiply(p.F, p.D, p.F, panels::Rows<bf16_t>{room.square.data(), ld},
                             panels::Panels<bf16_t>{room.panels.data(), deep}, {}, dx + n * size,
                             p.D);
            addToVector(from, dx + n * size, p.D);
        }
    });
}

} // namespace scalebench::kernels::cpu
