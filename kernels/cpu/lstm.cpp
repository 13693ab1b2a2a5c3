// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/lstm.h"

#include <algorithm>
#include <cstring>

#include "kernels/check.h"
#include "kernels/cpu/lstm_cell.h"
#include "kernels/cpu/parallel.h"
#include "kernels/cpu/scratch.h"
#include "kernels/elementwise.h"
#include "kernels/matmul.h"

// Only h[t-1] Wh^T has to wait for the step before. x Wx^T is one product per chunk of steps (small
// enough to stay in the cache until the steps use it), and backward, dX, dWx and dWh are one
// product each over all steps. The products of the steps read Wh packed: its traffic bounds them.
//
// Row b of step t is "inside" while t < lengths[b]. Outside, y, gates and their gradients are
// zero, so the products need no mask: zero rows of y[t-1] or dG[t+1] add nothing. Where a sequence
// starts (t = 0, or reversed lengths[b]-1), its initial state is added by hand.

namespace scalebench {

namespace kernels::cpu {
namespace {

// Rows of one input product: in bf16 as many as have 4 MB of sums at H = 1024, which lie in the
// scratch; in fp32, whose gates take their place, more, as each product packs the weights anew.
constexpr std::int64_t kChunkRowsBf16 = 256, kChunkRows = 1024;
constexpr std::int64_t kCellGrain = 4096; // hidden units that one task computes, about

void zero(void* p, std::size_t bytes)
{
    if (bytes > 0)
        std::memset(p, 0, bytes);
}

void addOrCopy(std::int64_t n, const float* x, float* y, bool add)
{
    if (add)
        addInPlace(DType::F32, n, x, y);
    else
        std::copy(x, x + n, y);
}

MatmulParams product(std::int64_t M, std::int64_t N, std::int64_t K, DType in, DType out)
{
    MatmulParams p;
    p.M = M, p.N = N, p.K = K;
    p.inputType = in, p.outputType = out;
    return p;
}

} // namespace

struct LstmPlan::Impl {
    LstmParams p;
    std::int64_t G = 0, chunk = 1; // 4 H; steps per input product
    std::size_t element = 4;       // bytes of p.dtype
    // forward: sums of a chunk, of the last shorter one, h Wh^T; backward: dG Wh; then per
    // `accumulate` (or addToDx) dX, dWx, dWh; and what the initial state adds to dWh
    MatmulPlan input, inputRest, step, stepBack, dx[2], dwx[2], dwh[2], dwhInitial;
    std::size_t productScratch = 0;

    explicit Impl(const LstmParams& q);

    struct ForwardScratch {
        std::byte* product;
        float *bias, *zeros, *sums, *initialSums;
        std::byte* initial;
    };
    struct BackwardScratch {
        std::byte* product;
        float *dh, *dc, *bias, *zeros;
        std::byte* dgFirst;
    };
    ForwardScratch carveForward(Carver& c) const;
    BackwardScratch carveBackward(Carver& c) const;

    // What packInput() makes: in bf16 Wx itself where one of its two products reads that, and it
    // packed for those that read that.
    std::size_t plainInputBytes() const
    {
        const bool plain = !input.params().packedB || !dx[0].params().packedB;
        return plain ? (std::size_t(G * p.I) * element + 63) / 64 * 64 : 0;
    }
    std::size_t packedInputBytes() const { return (input.packedBytes() + 63) / 64 * 64; }
    /// Wx as the forward product and that of the data gradient read it.
    template <class Bytes>
    Bytes* forInput(Bytes* wx) const
    {
        return wx + (input.params().packedB ? plainInputBytes() : 0);
    }
    template <class Bytes>
    Bytes* forData(Bytes* wx) const
    {
        return wx + (dx[0].params().packedB ? plainInputBytes() + packedInputBytes() : 0);
    }
    std::byte* at(void* base, std::int64_t index) const
    {
        return static_cast<std::byte*>(base) + std::size_t(index) * element;
    }
    const std::byte* at(const void* base, std::int64_t index) const
    {
        return static_cast<const std::byte*>(base) + std::size_t(index) * element;
    }
    static std::int64_t length(const std::int32_t* lengths, std::int64_t b, std::int64_t T)
    {
        return lengths ? std::int64_t(lengths[b]) : T;
    }
    std::int64_t firstStep(const std::int32_t* lengths, std::int64_t b) const
    {
        return p.reverse ? length(lengths, b, p.T) - 1 : 0;
    }
    std::int64_t lastStep(const std::int32_t* lengths, std::int64_t b) const
    {
        return p.reverse ? 0 : length(lengths, b, p.T) - 1;
    }
    std::int64_t before(std::int64_t t) const { return p.reverse ? t + 1 : t - 1; }
    std::int64_t after(std::int64_t t) const { return p.reverse ? t - 1 : t + 1; }
    bool exists(std::int64_t t) const { return t >= 0 && t < p.T; }
    std::int64_t rowGrain() const { return std::max<std::int64_t>(1, kCellGrain / p.H); }

    void initialSums(const LstmForward& a, const ForwardScratch& s) const;
    void forwardStep(const LstmForward& a, const ForwardScratch& s, std::int64_t t,
                     float* sums) const;
    void finalStates(const LstmForward& a) const;
    void backwardStep(const LstmBackward& a, const BackwardScratch& s, std::int64_t t) const;
    void weightGradients(const LstmBackward& a, const BackwardScratch& s) const;
    void initialGradients(const LstmBackward& a, const BackwardScratch& s) const;
};

namespace {

/// With Wx packed where that is our own product in bf16. A row at least, as the weight is packed
/// alike for any T.
MatmulParams packedIfOwn(MatmulParams m, const LstmParams& p)
{
    m.M = std::max(m.M, p.B);
    m.packedB = true;
    m.packedB = m.inputType == DType::BF16 && MatmulPlan::isOwn(m);
    return m;
}

MatmulParams inputProduct(const LstmParams& p, std::int64_t steps)
{
    MatmulParams m = product(steps * p.B, 4 * p.H, p.I, p.dtype, DType::F32);
    m.transB = true;
    m.bias = true;
    return packedIfOwn(m, p);
}

MatmulParams stepProduct(const LstmParams& p)
{
    MatmulParams m = product(p.B, 4 * p.H, p.H, p.dtype, DType::F32);
    m.lda = p.rowY();
    m.transB = true;
    m.packedB = true;
    m.accumulate = true;
    return m;
}

MatmulParams stepBackProduct(const LstmParams& p)
{
    MatmulParams m = product(p.B, p.H, 4 * p.H, p.dtype, DType::F32);
    m.packedB = true;
    return m;
}

MatmulParams dxProduct(const LstmParams& p, bool add)
{
    MatmulParams m = product(p.T * p.B, p.I, 4 * p.H, p.dtype, p.dtype);
    m.accumulate = add;
    return packedIfOwn(m, p);
}

MatmulParams dwxProduct(const LstmParams& p, bool add)
{
    MatmulParams m = product(4 * p.H, p.I, p.T * p.B, p.dtype, DType::F32);
    m.transA = true;
    m.accumulate = add;
    return m;
}

/// `rows` rows of the gradients against rows of y (or, dense, of h0).
MatmulParams dwhProduct(const LstmParams& p, std::int64_t rows, std::int64_t ldb, bool add)
{
    MatmulParams m = product(4 * p.H, p.H, rows, p.dtype, DType::F32);
    m.transA = true;
    m.ldb = ldb;
    m.accumulate = add;
    return m;
}

const LstmParams& checked(const LstmParams& p)
{
    SB_REQUIRE(p.T >= 0 && p.B >= 0 && p.I >= 0 && p.H >= 0, p.describe() + ": negative size");
    SB_REQUIRE(p.dtype == DType::F32 || p.dtype == DType::BF16,
               p.describe() + ": the element type must be f32 or bf16");
    SB_REQUIRE(p.ldy == 0 || p.ldy >= p.H, p.describe() + ": rows of y would overlap");
    return p;
}

/// Steps of a chunk: as many as have the rows above, and chunks as even as T allows, so that the
/// last is not much shorter.
std::int64_t chunkSteps(const LstmParams& p)
{
    const std::int64_t rows = p.dtype == DType::F32 ? kChunkRows : kChunkRowsBf16;
    const std::int64_t T = std::max<std::int64_t>(1, p.T),
                       most = std::clamp<std::int64_t>(rows / std::max<std::int64_t>(1, p.B), 1, T),
                       chunks = (T + most - 1) / most;
    return (T + chunks - 1) / chunks;
}

} // namespace

LstmPlan::Impl::Impl(const LstmParams& q)
    : p(checked(q)),
      G(4 * q.H),
      chunk(chunkSteps(q)),
      element(dtypeBytes(q.dtype)),
      input(inputProduct(q, std::min(chunk, q.T))),
      inputRest(inputProduct(q, q.T % chunk)),
      step(stepProduct(q)),
      stepBack(stepBackProduct(q)),
      dx{MatmulPlan(dxProduct(q, false)), MatmulPlan(dxProduct(q, true))},
      dwx{MatmulPlan(dwxProduct(q, false)), MatmulPlan(dwxProduct(q, true))},
      dwh{MatmulPlan(dwhProduct(q, std::max<std::int64_t>(0, q.T - 1) * q.B, q.rowY(), false)),
          MatmulPlan(dwhProduct(q, std::max<std::int64_t>(0, q.T - 1) * q.B, q.rowY(), true))},
      dwhInitial(dwhProduct(q, q.B, 0, true))
{
    for (const MatmulPlan* m : {&input, &inputRest, &step, &stepBack, &dx[0], &dx[1], &dwx[0],
                                &dwx[1], &dwh[0], &dwh[1], &dwhInitial})
        productScratch = std::max(productScratch, m->workspaceBytes());
}

LstmPlan::Impl::ForwardScratch LstmPlan::Impl::carveForward(Carver& c) const
{
    ForwardScratch s;
    s.product = c.take(std::int64_t(productScratch));
    s.bias = c.take<float>(G);
    s.zeros = c.take<float>(p.H);
    s.sums = p.dtype == DType::F32 ? nullptr : c.take<float>(chunk * p.B * G);
    s.initialSums = c.take<float>(p.B * G);
    s.initial = c.take(p.B * p.rowY() * std::int64_t(element));
    return s;
}

LstmPlan::Impl::BackwardScratch LstmPlan::Impl::carveBackward(Carver& c) const
{
    BackwardScratch s;
    s.product = c.take(std::int64_t(productScratch));
    s.dh = c.take<float>(p.B * p.H);
    s.dc = c.take<float>(p.B * p.H);
    s.bias = c.take<float>(G);
    s.zeros = c.take<float>(p.H);
    s.dgFirst = c.take(p.B * G * std::int64_t(element));
    return s;
}

/// h0 Wh^T, for the row of each sequence's first step.
void LstmPlan::Impl::initialSums(const LstmForward& a, const ForwardScratch& s) const
{
    for (std::int64_t b = 0; b < p.B; ++b) // the step's product reads rows that are rowY() apart
        std::memcpy(at(s.initial, b * p.rowY()), at(a.h0, b * p.H), std::size_t(p.H) * element);
    zero(s.initialSums, std::size_t(p.B * G) * sizeof(float));
    step.run(s.initial, a.wh, nullptr, s.initialSums, s.product);
}

void LstmPlan::Impl::forwardStep(const LstmForward& a, const ForwardScratch& s, std::int64_t t,
                                 float* sums) const
{
    const std::int64_t previous = before(t);
    if (exists(previous))
        step.run(at(a.y, previous * p.B * p.rowY()), a.wh, nullptr, sums, s.product);
    parallelRanges(p.B, rowGrain(), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t b = begin; b < end; ++b) {
            const std::int64_t row = t * p.B + b;
            if (t >= length(a.lengths, b, p.T)) {
                zero(at(a.y, row * p.rowY()), std::size_t(p.H) * element);
                zero(at(a.gates, row * G), std::size_t(G) * element);
                zero(a.c + row * p.H, std::size_t(p.H) * sizeof(float));
                continue;
            }
            const float* cPrev = a.c + (previous * p.B + b) * p.H;
            if (t == firstStep(a.lengths, b)) {
                cPrev = a.c0 ? a.c0 + b * p.H : s.zeros;
                if (a.h0)
                    addInPlace(DType::F32, G, s.initialSums + b * G, sums + b * G);
            }
            lstmCellForward(p.dtype, p.H, sums + b * G, cPrev, at(a.gates, row * G),
                            a.c + row * p.H, at(a.y, row * p.rowY()));
        }
    });
}

void LstmPlan::Impl::finalStates(const LstmForward& a) const
{
    const std::size_t bytes = std::size_t(p.H) * element, cellBytes = std::size_t(p.H) * 4;
    for (std::int64_t b = 0; b < p.B; ++b) {
        const bool empty = length(a.lengths, b, p.T) == 0;
        const std::int64_t row = lastStep(a.lengths, b) * p.B + b;
        const void* h = empty ? (a.h0 ? at(a.h0, b * p.H) : nullptr) : at(a.y, row * p.rowY());
        const float* c = empty ? (a.c0 ? a.c0 + b * p.H : nullptr) : a.c + row * p.H;
        if (a.hN && h)
            std::memcpy(at(a.hN, b * p.H), h, bytes);
        else if (a.hN)
            zero(at(a.hN, b * p.H), bytes);
        if (a.cN && c)
            std::memcpy(a.cN + b * p.H, c, cellBytes);
        else if (a.cN)
            zero(a.cN + b * p.H, cellBytes);
    }
}

void LstmPlan::Impl::backwardStep(const LstmBackward& a, const BackwardScratch& s,
                                  std::int64_t t) const
{
    const std::int64_t next = after(t), previous = before(t);
    if (exists(next))
        stepBack.run(at(a.gates, next * p.B * G), a.wh, nullptr, s.dh, s.product);
    parallelRanges(p.B, rowGrain(), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t b = begin; b < end; ++b) {
            const std::int64_t row = t * p.B + b;
            std::byte* gates = at(a.gates, row * G);
            if (t >= length(a.lengths, b, p.T)) {
                zero(gates, std::size_t(G) * element);
                continue;
            }
            float *dh = s.dh + b * p.H, *dc = s.dc + b * p.H;
            if (t == lastStep(a.lengths, b)) {
                if (a.dhN && p.dtype == DType::BF16)
                    castBf16ToF32(p.H, static_cast<const bf16_t*>(a.dhN) + b * p.H, dh);
                else if (a.dhN)
                    std::copy_n(static_cast<const float*>(a.dhN) + b * p.H, p.H, dh);
                if (a.dcN)
                    std::copy_n(a.dcN + b * p.H, p.H, dc);
            }
            const bool first = t == firstStep(a.lengths, b);
            const float* cPrev = !first ? a.c + (previous * p.B + b) * p.H
                                 : a.c0 ? a.c0 + b * p.H
                                        : s.zeros;
            lstmCellBackward(p.dtype, p.H, gates, cPrev, a.c + row * p.H,
                             a.dy ? at(a.dy, row * p.rowY()) : nullptr, dh, dc);
            if (first)
                std::memcpy(at(s.dgFirst, b * G), gates, std::size_t(G) * element);
        }
    });
}

void LstmPlan::Impl::weightGradients(const LstmBackward& a, const BackwardScratch& s) const
{
    const bool add = a.accumulate;
    dwx[add].run(a.gates, a.x, nullptr, a.dwx, s.product);
    // dG of a step belongs to y of the step before it.
    const std::int64_t row = p.T > 1 ? p.B : 0;
    const std::byte* g = at(a.gates, p.reverse ? 0 : row * G);
    const std::byte* y = at(a.y, p.reverse ? row * p.rowY() : 0);
    dwh[add].run(g, y, nullptr, a.dwh, s.product);
    if (a.h0)
        dwhInitial.run(s.dgFirst, a.h0, nullptr, a.dwh, s.product);
    if (!a.dbx && !a.dbh)
        return;
    zero(s.bias, std::size_t(G) * sizeof(float));
    columnSums(p.dtype, p.T * p.B, G, a.gates, s.bias, true);
    for (float* db : {a.dbx, a.dbh})
        if (db)
            addOrCopy(G, s.bias, db, add);
}

void LstmPlan::Impl::initialGradients(const LstmBackward& a, const BackwardScratch& s) const
{
    if (a.dh0) {
        stepBack.run(s.dgFirst, a.wh, nullptr, s.dh, s.product);
        if (p.dtype == DType::BF16)
            castF32ToBf16(p.B * p.H, s.dh, static_cast<bf16_t*>(a.dh0));
        else
            std::copy_n(s.dh, p.B * p.H, static_cast<float*>(a.dh0));
    }
    if (a.dc0)
        std::copy_n(s.dc, p.B * p.H, a.dc0);
    for (std::int64_t b = 0; b < p.B; ++b) { // nothing happened to the state of an empty sequence
        if (length(a.lengths, b, p.T) > 0)
            continue;
        if (a.dh0 && a.dhN)
            std::memcpy(at(a.dh0, b * p.H), at(a.dhN, b * p.H), std::size_t(p.H) * element);
        if (a.dc0 && a.dcN)
            std::copy_n(a.dcN + b * p.H, p.H, a.dc0 + b * p.H);
    }
}

LstmPlan::LstmPlan(const LstmParams& p) : impl_(new Impl(p)) {}
LstmPlan::~LstmPlan() = default;
LstmPlan::LstmPlan(LstmPlan&&) noexcept = default;

const LstmParams& LstmPlan::params() const noexcept
{
    return impl_->p;
}

std::size_t LstmPlan::inputWeightBytes() const
{
    const Impl& m = *impl_;
    return m.p.dtype == DType::F32
               ? 0
               : m.plainInputBytes() + m.packedInputBytes() + m.dx[0].packedBytes();
}
std::size_t LstmPlan::recurrentWeightBytes() const
{
    return impl_->step.packedBytes();
}
std::size_t LstmPlan::recurrentBackwardWeightBytes() const
{
    return impl_->stepBack.packedBytes();
}

void LstmPlan::packInput(const float* wx, void* packed) const
{
    const Impl& m = *impl_;
    if (m.p.dtype == DType::F32)
        return;
    if (m.plainInputBytes() > 0)
        castF32ToBf16(m.G * m.p.I, wx, static_cast<bf16_t*>(packed));
    auto* const bytes = static_cast<std::byte*>(packed);
    m.input.packB(wx, m.forInput(bytes), nullptr);
    m.dx[0].packB(wx, m.forData(bytes), nullptr);
}
void LstmPlan::packRecurrent(const float* wh, void* packed, void* workspace) const
{
    impl_->step.packB(wh, packed, workspace);
}
void LstmPlan::packRecurrentBackward(const float* wh, void* packed, void* workspace) const
{
    impl_->stepBack.packB(wh, packed, workspace);
}

std::size_t LstmPlan::workspaceBytes() const
{
    Carver forward(nullptr), backward(nullptr);
    impl_->carveForward(forward);
    impl_->carveBackward(backward);
    return std::max(forward.used(), backward.used());
}

void LstmPlan::forward(const LstmForward& a, void* workspace) const
{
    const Impl& m = *impl_;
    const LstmParams& p = m.p;
    if (p.B == 0 || p.H == 0)
        return;
    Carver carver(workspace);
    const Impl::ForwardScratch s = m.carveForward(carver);
    zero(s.zeros, std::size_t(p.H) * sizeof(float));
    zero(s.bias, std::size_t(m.G) * sizeof(float));
    for (const float* b : {a.bx, a.bh})
        if (b)
            addInPlace(DType::F32, m.G, b, s.bias);
    if (a.h0 && p.T > 0)
        m.initialSums(a, s);
    const std::int64_t chunks = (p.T + m.chunk - 1) / m.chunk;
    for (std::int64_t k = 0; k < chunks; ++k) {
        const std::int64_t begin = (p.reverse ? chunks - 1 - k : k) * m.chunk;
        const std::int64_t steps = std::min(m.chunk, p.T - begin);
        // fp32 gates take the place of their sums
        float* sums = s.sums ? s.sums : static_cast<float*>(a.gates) + begin * p.B * m.G;
        (steps == m.chunk ? m.input : m.inputRest)
            .run(m.at(a.x, begin * p.B * p.I), m.forInput(static_cast<const std::byte*>(a.wx)),
                 s.bias, sums, s.product);
        for (std::int64_t i = 0; i < steps; ++i) {
            const std::int64_t j = p.reverse ? steps - 1 - i : i;
            m.forwardStep(a, s, begin + j, sums + j * p.B * m.G);
        }
    }
    m.finalStates(a);
}

void LstmPlan::backward(const LstmBackward& a, void* workspace) const
{
    const Impl& m = *impl_;
    const LstmParams& p = m.p;
    Carver carver(workspace);
    const Impl::BackwardScratch s = m.carveBackward(carver);
    zero(s.zeros, std::size_t(p.H) * sizeof(float));
    zero(s.dh, std::size_t(p.B * p.H) * sizeof(float));
    zero(s.dc, std::size_t(p.B * p.H) * sizeof(float));
    zero(s.dgFirst, std::size_t(p.B * m.G) * m.element);
    if (p.B > 0 && p.H > 0)
        for (std::int64_t k = 0; k < p.T; ++k)
            m.backwardStep(a, s, p.reverse ? k : p.T - 1 - k);
    m.weightGradients(a, s);
    if (a.dx && p.T > 0)
        m.dx[a.addToDx].run(a.gates, m.forData(static_cast<const std::byte*>(a.wx)), nullptr, a.dx,
                            s.product);
    m.initialGradients(a, s);
}

std::string LstmPlan::implementations() const
{
    const Impl& m = *impl_;
    return "input=" + m.input.implementation() + ", step=" + m.step.implementation() +
           ", step backward=" + m.stepBack.implementation() + ", data=" + m.dx[0].implementation() +
           ", weight=" + m.dwx[0].implementation();
}

} // namespace kernels::cpu
} // namespace scalebench
