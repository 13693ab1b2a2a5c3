// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/attention.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/cpu/attention_kept.h"
#include "kernels/cpu/attention_tile.h"
#include "kernels/cpu/parallel.h"
#include "kernels/dropout.h"
#include "kernels/formula/dropout.h"

// One unit of work is one head of one segment: its keys (forward) or queries (backward) are packed
// once and every tile of scores runs through products that stay in the second-level cache. Units
// write different rows and columns, so the result does not depend on the number of threads.

namespace scalebench {

namespace kernels::cpu {
namespace {

using tile::padded;

/// Cuts arrays from one block of scratch, each on a 64-byte boundary; without a block it counts.
class Carver
{
public:
    explicit Carver(std::byte* block) : block_(block) {}
    template <class T>
    T* take(std::int64_t n)
    {
        T* at = block_ ? reinterpret_cast<T*>(block_ + used_) : nullptr;
        used_ += std::size_t(padded(n * std::int64_t(sizeof(T)), 64));
        return at;
    }
    std::size_t used() const { return used_; }

private:
    std::byte* block_;
    std::size_t used_ = 0;
};

std::size_t threadCount()
{
    return std::size_t(std::max(1, omp_get_max_threads()));
}

bool inPairs(const AttentionParams& p)
{
    return p.dtype == DType::BF16 && tile::bf16Available();
}

/// The factors of one tile of probabilities, [queries][kTile].
void tileFactors(const AttentionParams& p, std::int64_t head, std::int64_t query,
                 std::int64_t queries, std::int64_t key, float* factors)
{
    const std::int64_t pitch = padded(p.keyRows, kTile);
    for (std::int64_t i = 0; i < queries; ++i) {
        const auto element = std::uint64_t((head * p.queryRows + query + i) * pitch + key);
        dropoutFactors({kTile, p.dropout, p.seed, p.stream, p.dropoutOffset + element, DType::F32},
                       factors + i * kTile);
    }
}

/// Zeroes the heads of all rows of an operand.
void clearRows(const AttentionParams& p, void* x, std::int64_t rows, std::int64_t stride)
{
    const std::size_t size = dtypeBytes(p.dtype);
    for (std::int64_t r = 0; r < rows; ++r)
        std::memset(static_cast<char*>(x) + std::size_t(r * stride) * size, 0,
                    std::size_t(p.heads * p.headDim) * size);
}

template <class T>
T* rowOf(const void* x, std::int64_t row, std::int64_t stride, std::int64_t head,
         const AttentionParams& p)
{
    return const_cast<T*>(static_cast<const T*>(x)) + row * stride + head * p.headDim;
}

struct Unit {
    std::size_t number; ///< of the segment
    const AttentionSegment& segment;
    std::int64_t head;
};

// --- forward ---

template <class Tiles>
struct ForwardScratch {
    using E = typename Tiles::Element;
    E *keys, *values, *query, *room, *probabilities;
    float *scores, *output, *factors, *top, *sum, *rescale;

    ForwardScratch(Carver& c, std::int64_t dim, std::int64_t maxKeys)
    {
        const std::int64_t n = padded(maxKeys, kTile);
        keys = c.take<E>(n * dim), values = c.take<E>(n * dim);
        query = c.take<E>(kTile * dim), room = c.take<E>(kTile * dim);
        probabilities = c.take<E>(kTile * kTile);
        scores = c.take<float>(kTile * kTile), factors = c.take<float>(kTile * kTile);
        output = c.take<float>(kTile * dim);
        top = c.take<float>(kTile), sum = c.take<float>(kTile), rescale = c.take<float>(kTile);
    }
};

template <class Tiles>
void forwardUnit(const AttentionParams& p, const Unit& unit, const AttentionForward& f,
                 const KeptTiles<typename Tiles::Element>& kept, ForwardScratch<Tiles> w)
{
    using T = typename Tiles::Operand;
    const AttentionSegment& s = unit.segment;
    const std::int64_t head = unit.head;
    const std::int64_t dim = padded(p.headDim, Tiles::kDimEdge);
    const tile::Edges edges = Tiles::edges();
    const auto keysOf = [&](std::int64_t k) { return std::min(kTile, s.keyCount - k); };
    for (std::int64_t k = 0; k < s.keyCount; k += kTile) {
        const std::int64_t n = keysOf(k);
        const auto key = rowsOf(rowOf<const T>(f.k, s.keyBegin + k, p.strideK, head, p), p.strideK,
                                n, p.headDim, n, dim, w.room);
        tile::transposeToB(key.at, key.ld, n, dim, padded(n, edges.columns), w.keys + k * dim);
        Tiles::toB(rowsOf(rowOf<const T>(f.v, s.keyBegin + k, p.strideV, head, p), p.strideV, n,
                          p.headDim, n, dim, w.room),
                   n, dim, padded(n, edges.depth), w.values + k * dim);
    }
    for (std::int64_t q = 0; q < s.queryCount; q += kTile) {
        const std::int64_t n = std::min(kTile, s.queryCount - q), rows = padded(n, edges.rows);
        const auto query = rowsOf(rowOf<const T>(f.q, s.queryBegin + q, p.strideQ, head, p),
                                  p.strideQ, n, p.headDim, rows, dim, w.query);
        std::fill(w.top, w.top + n, -std::numeric_limits<float>::infinity());
        std::fill(w.sum, w.sum + n, 0.0f);
        const std::int64_t end = p.causal ? std::min(s.keyCount, q + n) : s.keyCount;
        if (end == 0)
            std::fill(w.output, w.output + rows * dim, 0.0f);
        for (std::int64_t k = 0; k < end; k += kTile) {
            const std::int64_t keys = keysOf(k), width = padded(keys, edges.columns);
            tile::multiply(rows, width, dim, query.at, query.ld, w.keys + k * dim, width, w.scores,
                           kTile, false);
            softmaxStep(w.scores, n, keys, width, p.scale, p.causal, q - k, w.top, w.sum,
                        w.rescale);
            if (k > 0)
                scaleRows(w.output, n, dim, w.rescale);
            if (p.dropout > 0.0f)
                tileFactors(p, head, s.queryBegin + q, n, k, w.factors);
            if (kept.available()) {
                const auto left = kept.at(unit.number, head, q, k);
                if (p.dropout > 0.0f)
                    signTile(w.scores, w.factors, n, width);
                keepTile(w.scores, n, width, left.exponentials);
                std::copy(w.top, w.top + n, left.top);
                if (p.dropout > 0.0f)
                    passTile(w.scores, formula::dropoutScale(p.dropout), n, width);
            } else if (p.dropout > 0.0f) {
                multiplyTile(w.scores, w.factors, n, width);
            }
            tile::multiply(rows, dim, padded(keys, edges.depth),
                           Tiles::asA(w.scores, rows, width, w.probabilities), kTile,
                           w.values + k * dim, dim, w.output, dim, k > 0);
        }
        for (std::int64_t i = 0; i < n; ++i) {
            if (f.logSumExp)
                f.logSumExp[head * p.queryRows + s.queryBegin + q + i] =
                    w.top[i] + std::log(w.sum[i]);
            w.sum[i] = w.sum[i] == 0.0f ? 0.0f : 1.0f / w.sum[i];
        }
        storeRows(w.output, dim, w.sum, n, p.headDim,
                  rowOf<T>(f.o, s.queryBegin + q, p.strideO, head, p), p.strideO);
    }
}

// --- backward: scores are transposed, [keys][queries], so that every product finds its operands in
// --- the form it wants ---

template <class Tiles>
struct BackwardScratch {
    using E = typename Tiles::Element;
    E *queryT, *query, *gradOutT, *gradOut; ///< B forms, all tiles of queries
    float *gradQueryT, *D;                  ///< all tiles of queries
    E *key, *keyT, *value, *room, *more, *left, *right;
    float *scores, *gradScores, *gradKey, *gradValue, *factors, *factorsT;

    BackwardScratch(Carver& c, std::int64_t dim, std::int64_t maxQueries)
    {
        const std::int64_t n = padded(maxQueries, kTile);
        queryT = c.take<E>(n * dim), query = c.take<E>(n * dim);
        gradOutT = c.take<E>(n * dim), gradOut = c.take<E>(n * dim);
        gradQueryT = c.take<float>(n * dim), D = c.take<float>(n);
        key = c.take<E>(kTile * dim), keyT = c.take<E>(kTile * dim);
        value = c.take<E>(kTile * dim), room = c.take<E>(kTile * dim);
        more = c.take<E>(kTile * dim);
        left = c.take<E>(kTile * kTile), right = c.take<E>(kTile * kTile);
        scores = c.take<float>(kTile * kTile), gradScores = c.take<float>(kTile * kTile);
        factors = c.take<float>(kTile * kTile), factorsT = c.take<float>(kTile * kTile);
        gradKey = c.take<float>(kTile * dim), gradValue = c.take<float>(kTile * dim);
    }
};

template <class Tiles>
void packQueries(const AttentionParams& p, const AttentionSegment& s, std::int64_t head,
                 const AttentionBackward& b, BackwardScratch<Tiles>& w, std::int64_t dim)
{
    using T = typename Tiles::Operand;
    const tile::Edges edges = Tiles::edges();
    for (std::int64_t q = 0; q < s.queryCount; q += kTile) {
        const std::int64_t n = std::min(kTile, s.queryCount - q), width = padded(n, edges.columns),
                           depth = padded(n, edges.depth);
        const auto query = rowsOf(rowOf<const T>(b.q, s.queryBegin + q, p.strideQ, head, p),
                                  p.strideQ, n, p.headDim, n, dim, w.room);
        if (!b.kept)
            tile::transposeToB(query.at, query.ld, n, dim, width, w.queryT + q * dim);
        Tiles::toB(query, n, dim, depth, w.query + q * dim);
        const auto gradOut = rowsOf(rowOf<const T>(b.dO, s.queryBegin + q, p.strideO, head, p),
                                    p.strideO, n, p.headDim, n, dim, w.room);
        const auto output = rowsOf(rowOf<const T>(b.o, s.queryBegin + q, p.strideO, head, p),
                                   p.strideO, n, p.headDim, n, dim, w.more);
        rowDots(gradOut.at, gradOut.ld, output.at, output.ld, n, dim, w.D + q);
        tile::transposeToB(gradOut.at, gradOut.ld, n, dim, width, w.gradOutT + q * dim);
        Tiles::toB(gradOut, n, dim, depth, w.gradOut + q * dim);
    }
    if (s.keyCount == 0)
        std::memset(w.gradQueryT, 0,
                    std::size_t(padded(s.queryCount, kTile) * dim) * sizeof(float));
}

/// A tile of keys, in A form: rows (their number padded) and columns; `transposed` has `width`.
template <class E>
struct KeyTile {
    std::int64_t first, count, rows, width;
    Rows<E> key, value;
    const E* transposed;
};

/// Probabilities (after dropout) in place of w.scores, gradients of scores in place of
/// w.gradScores, which holds those of the probabilities.
template <class Tiles>
void gradientsOfScores(const AttentionParams& p, const Unit& unit, const AttentionBackward& b,
                       const KeptTiles<typename Tiles::Element>& kept, BackwardScratch<Tiles>& w,
                       std::int64_t dim, const KeyTile<typename Tiles::Element>& t, std::int64_t q)
{
    const AttentionSegment& s = unit.segment;
    const std::int64_t queries = std::min(kTile, s.queryCount - q),
                       width = padded(queries, Tiles::edges().columns),
                       row = unit.head * p.queryRows + s.queryBegin + q;
    GradientTile scores{w.scores,
                        w.gradScores,
                        nullptr,
                        queries,
                        t.count,
                        width,
                        padded(t.count, Tiles::edges().depth)};
    if (kept.available()) {
        const auto left = kept.at(unit.number, unit.head, q, t.first);
        const std::int64_t keys = padded(t.count, Tiles::edges().columns);
        const Rows<float> rows = keptRowsOf(left.exponentials, queries, keys, w.factors);
        tile::transposeToB(rows.at, rows.ld, queries, keys, width, w.factorsT);
        return gradientStep(scores, w.factorsT, left.top, formula::dropoutScale(p.dropout), p.scale,
                            p.causal, q - t.first, b.logSumExp + row, w.D + q);
    }
    tile::multiply(t.rows, width, dim, t.key.at, t.key.ld, w.queryT + q * dim, width, w.scores,
                   kTile, false);
    if (p.dropout > 0.0f) {
        tileFactors(p, unit.head, s.queryBegin + q, queries, t.first, w.factors);
        tile::transposeToB(w.factors, kTile, queries, kTile, width, w.factorsT);
        scores.drop = w.factorsT;
    }
    gradientStep(scores, p.scale, p.causal, q - t.first, b.logSumExp + row, w.D + q);
}

/// One tile of keys against one of queries.
template <class Tiles>
void backwardTile(const AttentionParams& p, const Unit& unit, const AttentionBackward& b,
                  const KeptTiles<typename Tiles::Element>& kept, BackwardScratch<Tiles>& w,
                  std::int64_t dim, const KeyTile<typename Tiles::Element>& t, std::int64_t q,
                  bool first)
{
    const tile::Edges edges = Tiles::edges();
    const std::int64_t queries = std::min(kTile, unit.segment.queryCount - q),
                       width = padded(queries, edges.columns), depth = padded(queries, edges.depth),
                       keyDepth = padded(t.count, edges.depth);
    tile::multiply(t.rows, width, dim, t.value.at, t.value.ld, w.gradOutT + q * dim, width,
                   w.gradScores, kTile, false);
    gradientsOfScores(p, unit, b, kept, w, dim, t, q);
    tile::multiply(t.rows, dim, depth, Tiles::asA(w.scores, t.rows, width, w.left), kTile,
                   w.gradOut + q * dim, dim, w.gradValue, dim, !first);
    tile::multiply(t.rows, dim, depth, Tiles::asA(w.gradScores, t.rows, width, w.left), kTile,
                   w.query + q * dim, dim, w.gradKey, dim, !first);
    tile::multiply(dim, width, keyDepth, t.transposed, t.width,
                   Tiles::asB(w.gradScores, keyDepth, width, w.right), kTile,
                   w.gradQueryT + q * dim, kTile, t.first > 0);
}

template <class Tiles>
void backwardUnit(const AttentionParams& p, const Unit& unit, const AttentionBackward& b,
                  const KeptTiles<typename Tiles::Element>& kept, BackwardScratch<Tiles> w)
{
    using T = typename Tiles::Operand;
    const AttentionSegment& s = unit.segment;
    const std::int64_t head = unit.head;
    const std::int64_t dim = padded(p.headDim, Tiles::kDimEdge);
    packQueries(p, s, head, b, w, dim);
    for (std::int64_t k = 0; k < s.keyCount; k += kTile) {
        const std::int64_t n = std::min(kTile, s.keyCount - k),
                           rows = padded(n, Tiles::edges().rows);
        const KeyTile<typename Tiles::Element> t{
            k,
            n,
            rows,
            padded(n, Tiles::kDimEdge),
            rowsOf(rowOf<const T>(b.k, s.keyBegin + k, p.strideK, head, p), p.strideK, n, p.headDim,
                   rows, dim, w.key),
            rowsOf(rowOf<const T>(b.v, s.keyBegin + k, p.strideV, head, p), p.strideV, n, p.headDim,
                   rows, dim, w.value),
            w.keyT};
        Tiles::toTransposedA(t.key, n, dim, t.width, w.more, w.keyT);
        // Causal: the first tile of queries that sees one of these keys.
        const std::int64_t start = p.causal ? k : 0;
        if (start >= s.queryCount) {
            std::fill(w.gradKey, w.gradKey + kTile * dim, 0.0f);
            std::fill(w.gradValue, w.gradValue + kTile * dim, 0.0f);
        }
        for (std::int64_t q = start; q < s.queryCount; q += kTile)
            backwardTile(p, unit, b, kept, w, dim, t, q, q == start);
        storeRows(w.gradKey, dim, nullptr, n, p.headDim,
                  rowOf<T>(b.dk, s.keyBegin + k, p.strideK, head, p), p.strideK);
        storeRows(w.gradValue, dim, nullptr, n, p.headDim,
                  rowOf<T>(b.dv, s.keyBegin + k, p.strideV, head, p), p.strideV);
    }
    float* turned = w.scores; // a tile of at most kTile columns at a time
    for (std::int64_t q = 0; q < s.queryCount; q += kTile)
        for (std::int64_t c = 0; c < dim; c += kTile) {
            const std::int64_t n = std::min(kTile, dim - c),
                               queries = std::min(kTile, s.queryCount - q);
            tile::transposeToB(w.gradQueryT + q * dim + c * kTile, kTile, n,
                               padded(queries, tile::kEdge), n, turned);
            storeRows(turned, n, nullptr, queries, std::min(n, p.headDim - c),
                      rowOf<T>(b.dq, s.queryBegin + q, p.strideQ, head, p) + c, p.strideQ);
        }
}

// --- dispatch ---

/// Asks for the lines of the next unit's tokens while this one computes: a head's columns lie in
/// rows far apart, which the processor does not foresee.
void prefetchRows(const void* x, std::int64_t row, std::int64_t rows, std::int64_t stride,
                  std::int64_t head, const AttentionParams& p)
{
    constexpr std::int64_t kLine = 64, kMostRows = 128;
    const auto size = std::int64_t(dtypeBytes(p.dtype)), bytes = p.headDim * size;
    const char* at = static_cast<const char*>(x) + (row * stride + head * p.headDim) * size;
    for (std::int64_t r = 0; r < std::min(rows, kMostRows); ++r, at += stride * size)
        for (std::int64_t b = 0; b < bytes; b += kLine)
            __builtin_prefetch(at + b);
}

/// Calls body(unit, the one after it, scratch of the thread) for every unit; the last comes after
/// itself.
template <class Body>
void forUnits(const AttentionParams& p, std::span<const AttentionSegment> segments,
              std::size_t scratchBytes, void* workspace, bool pairs, Body&& body)
{
    const auto units = std::int64_t(segments.size()) * p.heads;
    const auto unit = [&](std::int64_t i) {
        const auto number = std::size_t(i / p.heads);
        return Unit{number, segments[number], i % p.heads};
    };
    parallelWorkers(int(threadCount()), units, [&](std::int64_t i, int worker) {
        const tile::AmxScope scope(pairs);
        body(unit(i), unit(std::min(i + 1, units - 1)),
             static_cast<std::byte*>(workspace) + std::size_t(worker) * scratchBytes);
    });
}

struct Extent {
    std::int64_t queries = 0, keys = 0;       // of all segments
    std::int64_t maxQueries = 0, maxKeys = 0; // of one
};

Extent extentOf(std::span<const AttentionSegment> segments)
{
    Extent e;
    for (const AttentionSegment& s : segments) {
        e.queries += s.queryCount, e.keys += s.keyCount;
        e.maxQueries = std::max(e.maxQueries, s.queryCount);
        e.maxKeys = std::max(e.maxKeys, s.keyCount);
    }
    return e;
}

template <class Tiles>
std::size_t forwardBytes(const AttentionParams& p, std::int64_t maxKeys)
{
    Carver count(nullptr);
    ForwardScratch<Tiles>(count, padded(p.headDim, Tiles::kDimEdge), maxKeys);
    return count.used();
}

template <class Tiles>
std::size_t backwardBytes(const AttentionParams& p, std::int64_t maxQueries)
{
    Carver count(nullptr);
    BackwardScratch<Tiles>(count, padded(p.headDim, Tiles::kDimEdge), maxQueries);
    return count.used();
}

template <class Tiles>
void runForward(const AttentionParams& p, std::span<const AttentionSegment> segments,
                const AttentionForward& f, void* workspace)
{
    const std::int64_t maxKeys = extentOf(segments).maxKeys;
    const KeptTiles<typename Tiles::Element> kept(p, segments, f.kept);
    forUnits(p, segments, forwardBytes<Tiles>(p, maxKeys), workspace, Tiles::kPairs,
             [&](const Unit& unit, const Unit& next, std::byte* block) {
                 const auto& [number, n, head] = next;
                 prefetchRows(f.q, n.queryBegin, n.queryCount, p.strideQ, head, p);
                 prefetchRows(f.k, n.keyBegin, n.keyCount, p.strideK, head, p);
                 prefetchRows(f.v, n.keyBegin, n.keyCount, p.strideV, head, p);
                 Carver carver(block);
                 forwardUnit<Tiles>(p, unit, f, kept,
                                    {carver, padded(p.headDim, Tiles::kDimEdge), maxKeys});
             });
}

template <class Tiles>
void runBackward(const AttentionParams& p, std::span<const AttentionSegment> segments,
                 const AttentionBackward& b, void* workspace)
{
    const std::int64_t maxQueries = extentOf(segments).maxQueries;
    const KeptTiles<typename Tiles::Element> kept(p, segments, const_cast<void*>(b.kept));
    forUnits(p, segments, backwardBytes<Tiles>(p, maxQueries), workspace, Tiles::kPairs,
             [&](const Unit& unit, const Unit& next, std::byte* block) {
                 const auto& [number, n, head] = next;
                 prefetchRows(b.q, n.queryBegin, n.queryCount, p.strideQ, head, p);
                 prefetchRows(b.k, n.keyBegin, n.keyCount, p.strideK, head, p);
                 prefetchRows(b.v, n.keyBegin, n.keyCount, p.strideV, head, p);
                 prefetchRows(b.o, n.queryBegin, n.queryCount, p.strideO, head, p);
                 prefetchRows(b.dO, n.queryBegin, n.queryCount, p.strideO, head, p);
                 if (kept.available())
                     kept.prefetch(number, head);
                 Carver carver(block);
                 backwardUnit<Tiles>(p, unit, b, kept,
                                     {carver, padded(p.headDim, Tiles::kDimEdge), maxQueries});
             });
}

} // namespace

std::size_t attentionForwardWorkspace(const AttentionParams& p, std::int64_t, std::int64_t maxKeys)
{
    return threadCount() * std::max(forwardBytes<FloatTiles<float>>(p, maxKeys),
                                    forwardBytes<PairTiles>(p, maxKeys));
}

std::size_t attentionBackwardWorkspace(const AttentionParams& p, std::int64_t maxQueries,
                                       std::int64_t)
{
    return threadCount() * std::max(backwardBytes<FloatTiles<float>>(p, maxQueries),
                                    backwardBytes<PairTiles>(p, maxQueries));
}

std::size_t attentionKeptBytes(const AttentionParams& p, std::span<const AttentionSegment> segments)
{
    const Extent e = extentOf(segments);
    const std::size_t operands =
        std::size_t(2 * (e.queries + e.keys) * p.heads * p.headDim) * dtypeBytes(p.dtype);
    const auto unlessLarger = [&](const auto& kept) {
        return kept.exponentialBytes() <= operands ? kept.bytes() : 0;
    };
    return inPairs(p) ? unlessLarger(KeptTiles<bf16_t>(p, segments, nullptr))
                      : unlessLarger(KeptTiles<float>(p, segments, nullptr));
}

void attentionForward(const AttentionParams& p, std::span<const AttentionSegment> segments,
                      const AttentionForward& f, void* workspace)
{
    if (extentOf(segments).queries < p.queryRows) {
        clearRows(p, f.o, p.queryRows, p.strideO);
        if (f.logSumExp)
            std::fill_n(f.logSumExp, p.heads * p.queryRows,
                        -std::numeric_limits<float>::infinity());
    }
    if (p.dtype == DType::F32)
        runForward<FloatTiles<float>>(p, segments, f, workspace);
    else if (inPairs(p))
        runForward<PairTiles>(p, segments, f, workspace);
    else
        runForward<FloatTiles<bf16_t>>(p, segments, f, workspace);
}

void attentionBackward(const AttentionParams& p, std::span<const AttentionSegment> segments,
                       const AttentionBackward& b, void* workspace)
{
    const Extent e = extentOf(segments);
    if (e.queries < p.queryRows)
        clearRows(p, b.dq, p.queryRows, p.strideQ);
    if (e.keys < p.keyRows) {
        clearRows(p, b.dk, p.keyRows, p.strideK);
        clearRows(p, b.dv, p.keyRows, p.strideV);
    }
    if (p.dtype == DType::F32)
        runBackward<FloatTiles<float>>(p, segments, b, workspace);
    else if (inPairs(p))
        runBackward<PairTiles>(p, segments, b, workspace);
    else
        runBackward<FloatTiles<bf16_t>>(p, segments, b, workspace);
}

} // namespace kernels::cpu
} // namespace scalebench
