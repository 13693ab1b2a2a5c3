// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tile instructions with room between them. While another thread keeps the same core busy, a row of
// nothing but tile instructions runs at less than half their speed; with a few others between them,
// even such as do nothing, it loses a third only. Measured on an Emerald Rapids, one step of a
// split product (24 products, 14 loads): 627 ns without, 440 ns with this, 427 ns with twice as
// much; on a quiet core 171 and 172 ns. (No document of Intel's that we know says why.)

#if defined(__x86_64__) && defined(__linux__) && defined(__GNUC__)
#include <immintrin.h>

/// Of functions that use tiles, and vectors beside them.
#define SB_AMX_TARGET                                                                              \
    __attribute__((target("amx-tile,amx-bf16,avx512f,avx512bw,avx512dq,avx512vl,avx512bf16")))

#define SB_TILE_ROOM(count) asm volatile(".rept " #count "\n\tnop\n\t.endr")
#define SB_TILE_LOAD(tile, at, rowBytes)                                                           \
    do {                                                                                           \
        _tile_loadd(tile, at, rowBytes);                                                           \
        SB_TILE_ROOM(4);                                                                           \
    } while (false)
#define SB_TILE_PRODUCT(sums, rows, columns)                                                       \
    do {                                                                                           \
        _tile_dpbf16ps(sums, rows, columns);                                                       \
        SB_TILE_ROOM(8);                                                                           \
    } while (false)
#endif
