// SPDX-License-Identifier: GPL-3.0-or-later
// The loops of max pooling in bf16 with AVX512_BF16.
#include "kernels/cpu/bf16_lanes.h"
#include "kernels/cpu/max_pool_taps.h"

namespace scalebench::kernels::cpu::pool {

#ifdef SB_AVX512_BF16

namespace {

/// v where it is larger than what is there, or NaN.
SB_BF16_INLINE __mmask16 taken(__m512 v, __m512 best)
{
    return __mmask16(_mm512_cmp_ps_mask(v, best, _CMP_GT_OQ) |
                     _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q));
}

SB_BF16_TARGET void largest(const Tap<bf16_t>* taps, int n, std::int64_t C, bf16_t* y,
                            std::uint8_t* index, float* /*room*/)
{
    everyColumn(C, [&](std::int64_t c, auto there) SB_BF16_STEP {
        // Words are chosen, not rounded: what is denormal stays so.
        __m512i words = loadWords(taps[0].at + c, there);
        Lanes32 best = load(taps[0].at + c, there);
        __m256i number = _mm256_set1_epi8(char(taps[0].number));
        for (int i = 1; i < n; ++i) {
            const Lanes32 v = load(taps[i].at + c, there);
            const LaneMask take{taken(v.low, best.low), taken(v.high, best.high)};
            const __mmask32 both = take.both();
            best = {_mm512_mask_mov_ps(best.low, take.low, v.low),
                    _mm512_mask_mov_ps(best.high, take.high, v.high)};
            words = _mm512_mask_mov_epi16(words, both, loadWords(taps[i].at + c, there));
            number = _mm256_mask_mov_epi8(number, both, _mm256_set1_epi8(char(taps[i].number)));
        }
        storeWords(y + c, words, there);
        storeBytes(index + c, number, there);
    });
}

SB_BF16_TARGET void gradient(const Tap<bf16_t>* taps, int n, std::int64_t C, bf16_t* dx,
                             float* /*room*/)
{
    everyColumn(C, [&](std::int64_t c, auto there) SB_BF16_STEP {
        Lanes32 sum = zeros();
        for (int i = 0; i < n; ++i) {
            const __mmask32 won = _mm256_cmpeq_epi8_mask(loadBytes(taps[i].won + c, there),
                                                         _mm256_set1_epi8(char(taps[i].number)));
            sum = sum + where(LaneMask::of(won), load(taps[i].at + c, there));
        }
        store(dx + c, sum, there);
    });
}

} // namespace

const Loops<bf16_t>* bf16Loops()
{
    static constexpr Loops<bf16_t> loops{largest, gradient};
    return bf16LanesAvailable() ? &loops : nullptr;
}

#else

const Loops<bf16_t>* bf16Loops()
{
    return nullptr;
}

#endif

} // namespace scalebench::kernels::cpu::pool
