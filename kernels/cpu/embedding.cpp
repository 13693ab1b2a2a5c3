// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/embedding.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

#include "kernels/cpu/bf16_lanes.h"
#include "kernels/cpu/parallel.h"
#include "kernels/formula/bf16.h"

namespace scalebench::kernels::cpu {
namespace {

using formula::load;
using formula::store;

constexpr std::int64_t kRowGrain = 512;         // looked-up rows or groups of one chunk
constexpr std::int64_t kAhead = 8;              // rows fetched before they are needed
constexpr std::int64_t kTableAhead = 16;        // rows of a table, from memory
constexpr std::int64_t kMinRowsPerThread = 256; // dense gradient: fewer are not worth a thread
constexpr std::int64_t kUncached = 16 << 20;    // bytes of zeros from which caches hold little
constexpr int kDigitBits = 11, kDigits = 1 << kDigitBits;

SB_HOST_DEVICE void prefetchRow(const void* row, std::int64_t bytes)
{
    for (std::int64_t b = 0; b < bytes; b += 64)
        __builtin_prefetch(static_cast<const char*>(row) + b);
}
/// Into the second-level cache, which has room for more that is under way.
SB_HOST_DEVICE void prefetchTableRow(const float* row, std::int64_t bytes)
{
    for (std::int64_t b = 0; b < bytes; b += 64)
        __builtin_prefetch(reinterpret_cast<const char*>(row) + b, 0, 2);
}

/// Rows of y one after the other, and of each all tables: written in the order of memory, and as
/// many rows of tables are under way as a core can wait for. Copies must be short, or the core sees
/// too few rows ahead.
class Lookup
{
public:
    Lookup(std::span<const LookupTable> tables, std::int64_t stride, std::int64_t first,
           std::int64_t last)
        : tables_(tables.data()),
          count_(std::int64_t(tables.size())),
          stride_(stride),
          last_(last),
          id_(first),
          aheadTable_(kTableAhead % count_),
          aheadId_(first + kTableAhead / count_)
    {
    }

    /// What is copied next: `dim` numbers from `row` to element `to` of y. False: all were.
    struct Copy {
        const float* row;
        std::int64_t to, dim;
    };
    SB_HOST_DEVICE bool next(Copy& copy)
    {
        if (id_ >= last_)
            return false;
        fetchAhead();
        const LookupTable& table = tables_[table_];
        copy = {table.table + table.ids[id_] * table.dim, id_ * stride_ + table.column, table.dim};
        step(table_, id_);
        return true;
    }

private:
    SB_HOST_DEVICE void fetchAhead()
    {
        if (aheadId_ >= last_)
            return;
        const LookupTable& table = tables_[aheadTable_];
        prefetchTableRow(table.table + table.ids[aheadId_] * table.dim, table.dim * 4);
        step(aheadTable_, aheadId_);
    }
    SB_HOST_DEVICE void step(std::int64_t& table, std::int64_t& id) const
    {
        if (++table == count_)
            table = 0, ++id;
    }

    const LookupTable* tables_;
    std::int64_t count_, stride_, last_;
    std::int64_t table_ = 0, id_, aheadTable_, aheadId_;
};

template <class T>
SB_HOST_DEVICE void lookUp(Lookup lookup, T* y)
{
    for (Lookup::Copy copy; lookup.next(copy);)
#pragma GCC ivdep
        for (std::int64_t c = 0; c < copy.dim; ++c)
            store(y + copy.to + c, copy.row[c]);
}
SB_TARGET_CLONES void lookUpF32(const Lookup& lookup, float* y)
{
    lookUp(lookup, y);
}
SB_TARGET_CLONES void lookUpBf16(const Lookup& lookup, bf16_t* y)
{
    lookUp(lookup, y);
}
#ifdef SB_AVX512_BF16
SB_BF16_TARGET void lookUpLanes(Lookup lookup, bf16_t* y)
{
    for (Lookup::Copy copy; lookup.next(copy);)
        everyColumn(copy.dim, [&](std::int64_t c, auto there) SB_BF16_STEP {
            store(y + copy.to + c, load(copy.row + c, there), there);
        });
}
#endif

template <class T>
SB_HOST_DEVICE void addRow(const T* from, float factor, std::int64_t dim, float* to)
{
#pragma GCC ivdep
    for (std::int64_t c = 0; c < dim; ++c)
        to[c] += factor * load(from + c);
}

/// The rows [firstRow, lastRow) of the dense gradient, ids in order.
template <class T>
SB_HOST_DEVICE void scatter(const EmbeddingParams& p, std::int64_t firstRow, std::int64_t lastRow,
                            const std::int32_t* ids, const T* dy, const std::int32_t* source,
                            const float* weight, float* dtable)
{
    for (std::int64_t i = 0; i < p.n; ++i) {
        if (i + kAhead < p.n && ids[i + kAhead] >= firstRow && ids[i + kAhead] < lastRow)
            prefetchRow(dtable + ids[i + kAhead] * p.dim, p.dim * 4);
        const std::int64_t row = ids[i];
        if (row < firstRow || row >= lastRow || row == p.padding)
            continue;
        const std::int64_t from = source ? source[i] : i;
        addRow(dy + from * p.rowStride(), weight ? weight[from] : 1.0f, p.dim,
               dtable + row * p.dim);
    }
}
SB_TARGET_CLONES void scatterF32(const EmbeddingParams& p, std::int64_t first, std::int64_t last,
                                 const std::int32_t* ids, const float* dy,
                                 const std::int32_t* source, const float* weight, float* dtable)
{
    scatter(p, first, last, ids, dy, source, weight, dtable);
}
SB_TARGET_CLONES void scatterBf16(const EmbeddingParams& p, std::int64_t first, std::int64_t last,
                                  const std::int32_t* ids, const bf16_t* dy,
                                  const std::int32_t* source, const float* weight, float* dtable)
{
    scatter(p, first, last, ids, dy, source, weight, dtable);
}

/// Sums of the groups [first, last).
template <class T>
SB_HOST_DEVICE void sumGroups(std::int64_t dim, std::int64_t stride, const EmbeddingGroups& g,
                              std::int64_t first, std::int64_t last, const T* dy,
                              const std::int32_t* source, const float* weight, float* values)
{
    const std::int64_t end = g.begin[last];
    for (std::int64_t i = first; i < last; ++i) {
        float* to = values + i * dim;
        for (std::int64_t e = g.begin[i]; e < g.begin[i + 1]; ++e) {
            const std::int64_t ahead = g.entry[std::min(e + kAhead, end - 1)];
            prefetchRow(dy + (source ? source[ahead] : ahead) * stride,
                        dim * std::int64_t(sizeof(T)));
            const std::int64_t from = source ? source[g.entry[e]] : g.entry[e];
            const T* row = dy + from * stride;
            const float factor = weight ? weight[from] : 1.0f;
            if (e == g.begin[i]) {
#pragma GCC ivdep
                for (std::int64_t c = 0; c < dim; ++c)
                    to[c] = factor * load(row + c);
            } else {
                addRow(row, factor, dim, to);
            }
        }
    }
}
SB_TARGET_CLONES void sumGroupsF32(std::int64_t dim, std::int64_t stride, const EmbeddingGroups& g,
                                   std::int64_t first, std::int64_t last, const float* dy,
                                   const std::int32_t* source, const float* weight, float* values)
{
    sumGroups(dim, stride, g, first, last, dy, source, weight, values);
}
SB_TARGET_CLONES void sumGroupsBf16(std::int64_t dim, std::int64_t stride, const EmbeddingGroups& g,
                                    std::int64_t first, std::int64_t last, const bf16_t* dy,
                                    const std::int32_t* source, const float* weight, float* values)
{
    sumGroups(dim, stride, g, first, last, dy, source, weight, values);
}

} // namespace

std::int64_t embeddingFirstOutside(std::int64_t n, std::int64_t rows, const std::int32_t* ids)
{
    std::int32_t low = 0, high = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        low = std::min(low, ids[i]);
        high = std::max(high, ids[i]);
    }
    if (n == 0 || (low >= 0 && high < rows))
        return -1;
    return std::find_if(ids, ids + n, [&](std::int32_t id) { return id < 0 || id >= rows; }) - ids;
}

void embeddingForward(std::int64_t n, std::span<const LookupTable> tables, DType dtype,
                      std::int64_t stride, void* y)
{
    const auto grain = kRowGrain / std::max<std::int64_t>(1, std::int64_t(tables.size()));
    parallelRanges(tables.empty() ? 0 : n, std::max<std::int64_t>(1, grain),
                   [&](std::int64_t first, std::int64_t last) {
                       const Lookup lookup(tables, stride, first, last);
                       if (dtype == DType::F32)
                           return lookUpF32(lookup, static_cast<float*>(y));
#ifdef SB_AVX512_BF16
                       if (bf16LanesAvailable())
                           return lookUpLanes(lookup, static_cast<bf16_t*>(y));
#endif
                       lookUpBf16(lookup, static_cast<bf16_t*>(y));
                   });
}

/// Zeros past the caches where they are many: a store into memory that no cache holds first reads
/// it.
static void clear(float* to, std::int64_t bytes)
{
    constexpr std::int64_t kLine = 64;
    auto* at = reinterpret_cast<char*>(to);
#ifdef __SSE2__
    if (bytes >= kUncached) {
        const std::int64_t head = -std::intptr_t(at) & (kLine - 1);
        std::memset(at, 0, std::size_t(head));
        at += head;
        bytes -= head;
        for (; bytes >= kLine; bytes -= kLine, at += kLine)
            for (std::int64_t b = 0; b < kLine; b += 16)
                _mm_stream_ps(reinterpret_cast<float*>(at + b), _mm_setzero_ps());
        _mm_sfence(); // before others are told that they are there
    }
#endif
    std::memset(at, 0, std::size_t(bytes));
}

void embeddingBackwardDense(const EmbeddingParams& p, const std::int32_t* ids, const void* dy,
                            const std::int32_t* source, const float* weight, float* dtable,
                            bool accumulate)
{
    // Every thread reads all ids and adds those of its own rows: no two write one row, and a row
    // gets its terms in the order of the ids for any number of threads.
    const std::int64_t threads = omp_in_parallel() ? 1 : omp_get_max_threads();
    const std::int64_t parts =
        std::clamp<std::int64_t>(p.rows / kMinRowsPerThread, 1, std::max<std::int64_t>(threads, 1));
    parallelFor(parts, [&](std::int64_t i) {
        const std::int64_t first = p.rows * i / parts, last = p.rows * (i + 1) / parts;
        if (!accumulate)
            clear(dtable + first * p.dim, (last - first) * p.dim * 4);
        if (p.dtype == DType::F32)
            scatterF32(p, first, last, ids, static_cast<const float*>(dy), source, weight, dtable);
        else
            scatterBf16(p, first, last, ids, static_cast<const bf16_t*>(dy), source, weight,
                        dtable);
    });
}

std::size_t embeddingGroupScratchBytes(std::int64_t n)
{
    return std::size_t(n) * 2 * sizeof(std::uint64_t);
}

void embeddingGroup(const EmbeddingParams& p, const std::int32_t* ids, EmbeddingGroups& groups,
                    void* scratch)
{
    // Keys (id, position) sorted by the digits of the id only: stable, so positions stay in order.
    auto* from = static_cast<std::uint64_t*>(scratch);
    auto* to = from + p.n;
    std::int64_t n = 0;
    for (std::int64_t i = 0; i < p.n; ++i)
        if (ids[i] != p.padding)
            from[n++] = std::uint64_t(std::uint32_t(ids[i])) << 32 | std::uint64_t(i);
    std::array<std::int64_t, kDigits> place;
    for (int shift = 32; (p.rows - 1) >> (shift - 32) > 0; shift += kDigitBits) {
        place.fill(0);
        for (std::int64_t i = 0; i < n; ++i)
            ++place[from[i] >> shift & (kDigits - 1)];
        std::int64_t sum = 0;
        for (std::int64_t& count : place)
            sum += std::exchange(count, sum);
        for (std::int64_t i = 0; i < n; ++i)
            to[place[from[i] >> shift & (kDigits - 1)]++] = from[i];
        std::swap(from, to);
    }
    groups.count = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        const auto id = std::int32_t(from[i] >> 32);
        groups.entry[i] = std::int32_t(from[i]);
        if (groups.count == 0 || groups.rows[groups.count - 1] != id) {
            groups.begin[groups.count] = std::int32_t(i);
            groups.rows[groups.count++] = id;
        }
    }
    groups.begin[groups.count] = std::int32_t(n);
}

void embeddingBackwardSparse(const EmbeddingParams& p, const EmbeddingGroups& groups,
                             const void* dy, const std::int32_t* source, const float* weight,
                             float* values)
{
    parallelRanges(groups.count, kRowGrain, [&](std::int64_t b, std::int64_t e) {
        if (p.dtype == DType::F32)
            sumGroupsF32(p.dim, p.rowStride(), groups, b, e, static_cast<const float*>(dy), source,
                         weight, values);
        else
            sumGroupsBf16(p.dim, p.rowStride(), groups, b, e, static_cast<const bf16_t*>(dy),
                          source, weight, values);
    });
}

} // namespace scalebench::kernels::cpu
