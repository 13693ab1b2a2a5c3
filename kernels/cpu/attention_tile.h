// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The elementwise steps of attention on one tile, and the two kinds of arithmetic its products come
// in (fp32, and bf16).

#include <cstddef>
#include <cstdint>

#include "kernels/cpu/round_rows.h"
#include "kernels/cpu/tile_gemm.h"

namespace scalebench::kernels::cpu {

constexpr std::int64_t kTile = 64; ///< queries and keys of a tile of scores

/// Takes `keys` new scores of each of `queries` rows (row stride kTile) into the running softmax.
/// On entry S holds products, `width` of each row (a multiple of 16, at least `keys`); on exit
/// exp(scale S - new maximum), 0 from `keys` on and, with `causal`, where key > query + offset.
/// `top` and `sum` are the running maximum (of scale S) and sum, `rescale` gets the factor that
/// earlier sums need.
void softmaxStep(float* S, std::int64_t queries, std::int64_t keys, std::int64_t width, float scale,
                 bool causal, std::int64_t offset, float* top, float* sum, float* rescale);
/// rows of O (stride `columns`) times rescale.
void scaleRows(float* O, std::int64_t rows, std::int64_t columns, const float* factors);
/// S *= factors, `width` of each row, both with row stride kTile.
void multiplyTile(float* S, const float* factors, std::int64_t rows, std::int64_t width);

/// S = -S where the factor is 0; both with row stride kTile, `width` of each row.
void signTile(float* S, const float* factors, std::int64_t rows, std::int64_t width);
/// S *= factor, 0 where it is negative.
void passTile(float* S, float factor, std::int64_t rows, std::int64_t width);
/// Rows of S (stride kTile) side by side.
void keepTile(const float* S, std::int64_t rows, std::int64_t width, float* kept);
void keepTile(const float* S, std::int64_t rows, std::int64_t width, bf16_t* kept);

/// A transposed tile, rows of keys with `width` queries (a multiple of 16) and stride kTile.
struct GradientTile {
    float* S;          ///< products, become P = exp(scale S - logSumExp) where the mask lets them
    float* dP;         ///< becomes P (dP dropout - D) scale, and S becomes P dropout
    const float* drop; ///< dropout's factors, rows side by side, or null
    std::int64_t queries, keys, width;
    std::int64_t paddedKeys; ///< rows from `keys` on become zero, up to here
};
/// logSumExp, D: [queries].
void gradientStep(const GradientTile& t, float scale, bool causal, std::int64_t offset,
                  const float* logSumExp, const float* D);
/// The same from what softmaxStep() and signTile() made, transposed, `width` of each row side by
/// side: S needs no products. `top`: of softmaxStep() then, [queries]; `factor`: dropout's where it
/// lets pass.
void gradientStep(const GradientTile& t, const float* kept, const float* top, float factor,
                  float scale, bool causal, std::int64_t offset, const float* logSumExp,
                  const float* D);

/// out[r] = sum over c of a[r,c] b[r,c].
void rowDots(const float* a, std::int64_t lda, const float* b, std::int64_t ldb, std::int64_t rows,
             std::int64_t columns, float* out);
void rowDots(const bf16_t* a, std::int64_t lda, const bf16_t* b, std::int64_t ldb,
             std::int64_t rows, std::int64_t columns, float* out);
/// Rows of fp32 into rows of the operand, times one factor per row (null: as they are).
void storeRows(const float* x, std::int64_t ldx, const float* factors, std::int64_t rows,
               std::int64_t columns, float* out, std::int64_t ldOut);
void storeRows(const float* x, std::int64_t ldx, const float* factors, std::int64_t rows,
               std::int64_t columns, bf16_t* out, std::int64_t ldOut);

/// Rows in A form, `ld` elements apart.
template <class E>
struct Rows {
    const E* at;
    std::int64_t ld;
};

/// What keepTile() left in fp32: as it lies, or in `room` (stride kTile).
inline Rows<float> keptRowsOf(const float* kept, std::int64_t, std::int64_t width, float*)
{
    return {kept, width};
}
Rows<float> keptRowsOf(const bf16_t* kept, std::int64_t rows, std::int64_t width, float* room);

/// Rows of an operand in A form: as they lie where type and sizes fit (an odd number of elements
/// between rows does not: bf16 is read by pairs), else a padded copy in `room`.
template <class E, class T>
Rows<E> rowsOf(const T* x, std::int64_t ld, std::int64_t rows, std::int64_t columns,
               std::int64_t paddedRows, std::int64_t paddedColumns, E* room)
{
    if constexpr (sizeof(E) == sizeof(T))
        if (rows == paddedRows && columns == paddedColumns && ld % 2 == 0)
            return {x, ld};
    tile::packA(x, ld, rows, columns, room, paddedRows, paddedColumns);
    return {room, paddedColumns};
}

/// Products in fp32; operands of type T are widened when packed.
template <class T>
struct FloatTiles {
    using Operand = T;
    using Element = float;
    static constexpr std::int64_t kDimEdge = tile::kEdge;
    static constexpr bool kPairs = false;
    static tile::Edges edges() { return tile::kFloatEdges; }
    /// B form of rows in A form, `depth` of them, zeros beyond `rows`.
    static void toB(Rows<float> a, std::int64_t rows, std::int64_t columns, std::int64_t depth,
                    float* out)
    {
        tile::packA(a.at, a.ld, rows, columns, out, depth, columns);
    }
    /// A form of their transpose, columns x width.
    static void toTransposedA(Rows<float> a, std::int64_t rows, std::int64_t columns,
                              std::int64_t width, float*, float* out)
    {
        tile::transposeToB(a.at, a.ld, rows, columns, width, out);
    }
    /// fp32 results (row stride kTile) as operands of the next product.
    static const float* asA(const float* c, std::int64_t, std::int64_t, float*) { return c; }
    static const float* asB(const float* c, std::int64_t, std::int64_t, float*) { return c; }
};

/// Products in bf16: what they make is rounded to be an operand of the next.
struct PairTiles {
    using Operand = bf16_t;
    using Element = bf16_t;
    static constexpr std::int64_t kDimEdge = tile::kDepth;
    static constexpr bool kPairs = true;
    static tile::Edges edges() { return tile::pairEdges(); }
    static void toB(Rows<bf16_t> a, std::int64_t rows, std::int64_t columns, std::int64_t depth,
                    bf16_t* out)
    {
        tile::pairRows(a.at, a.ld, rows, columns, depth, out);
    }
    static void toTransposedA(Rows<bf16_t> a, std::int64_t rows, std::int64_t columns,
                              std::int64_t width, bf16_t* room, bf16_t* out)
    {
        const std::int64_t even = tile::padded(rows, 2);
        tile::pairRows(a.at, a.ld, rows, columns, even, room);
        tile::transposeToA(room, even, columns, width, out);
    }
    static const bf16_t* asA(const float* c, std::int64_t rows, std::int64_t columns, bf16_t* room)
    {
        roundRows(c, kTile, nullptr, rows, columns, room, kTile);
        return room;
    }
    static const bf16_t* asB(const float* c, std::int64_t rows, std::int64_t columns, bf16_t* room)
    {
        roundPairs(c, kTile, rows, columns, room, kTile);
        return room;
    }
};

} // namespace scalebench::kernels::cpu
