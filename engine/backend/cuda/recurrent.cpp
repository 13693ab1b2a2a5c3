// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/cublaslt.h"
#include "engine/backend/cuda/families.h"
#include "engine/backend/recurrent_arguments.h"

#include <algorithm>

#include "kernels/cuda/bias_activation.h"
#include "kernels/cuda/column_sums.h"
#include "kernels/cuda/lstm_cell.h"

// Only h[t-1] Wh^T has to wait for the step before: it is added to the sums of x Wx^T, which are
// one product over many steps, and one kernel computes the cells. Backward, dX, dWx and dWh are one
// product each over all steps. cuDNN's recurrent layers are not used: they want the lengths on the
// host, weights in a buffer of their own layout and cell states in the type of the input.
//
// The state that runs through the steps lies in the final state. Where a sequence has no step its
// gates' gradients are zero, so the products need no mask.

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;

constexpr std::int64_t kChunkSums = std::int64_t(1) << 24; // 64 MB of fp32 sums at a time

class CudaRecurrent final : public RecurrentOps
{
public:
    explicit CudaRecurrent(CudaContext& context) : context_(context), library_(context) {}

    /// A length out of range is told later: see CudaContext::badIndex().
    LstmOutput lstmForward(const Tensor& input, std::span<const LstmWeights> directions,
                           const Tensor& lengths, const LstmState& initial,
                           LstmSaved& saved) override
    {
        const CudaContext::Timer timer(context_, "lstm forward");
        requireActivation("lstm", input, 3);
        LstmParams p = lstmParams(input, directions, lengths, initial);
        const std::size_t D = directions.size();
        const auto d = std::int64_t(D);
        LstmOutput r;
        r.output = context_.make({p.T, p.B, d * p.H}, p.dtype);
        r.final.hidden = startOr(initial.hidden, {d, p.B, p.H}, p.dtype);
        r.final.cell = startOr(initial.cell, {d, p.B, p.H}, DType::F32);
        saved = {context_.make({d, p.T, p.B, p.H}, DType::F32),
                 context_.make({d, p.T, p.B, 4 * p.H}, p.dtype)};
        if (lengths.defined())
            cuda::lstmCheckLengths(p, lengths.i32().data(), context_.badIndex("lstm lengths"),
                                   context_.stream());
        for (std::size_t i = 0; i < D; ++i) {
            p.reverse = i == 1;
            Forward f;
            f.x = static_cast<const std::byte*>(input.data());
            f.wx = inType(directions[i].input, p.dtype);
            f.wh = inType(directions[i].recurrent, p.dtype);
            f.lengths = lengthsOrNull(lengths);
            f.cell.bx = floatsOrNull(directions[i].inputBias);
            f.cell.bh = floatsOrNull(directions[i].recurrentBias);
            f.cell.gates = directionOf(saved.gates, i, D);
            f.cell.c = static_cast<float*>(directionOf(saved.cell, i, D));
            f.cell.y = directionColumn(r.output, p, i);
            f.cell.hidden = directionOf(r.final.hidden, i, D);
            f.cell.cell = static_cast<float*>(directionOf(r.final.cell, i, D));
            f.startsFromZero = !initial.hidden.defined();
            forward(p, f);
        }
        return r;
    }

    LstmGradients lstmBackward(const Tensor& input, const Tensor& output,
                               std::span<const LstmWeights> directions, const Tensor& lengths,
                               const LstmState& initial, const LstmSaved& saved,
                               const LstmOutput& gradOutput,
                               std::span<const LstmWeightGradients> gradWeights,
                               bool needInputGradient) override
    {
        const CudaContext::Timer timer(context_, "lstm backward");
        requireActivation("lstm", input, 3);
        LstmParams p = lstmParams(input, directions, lengths, initial);
        requireLstmGradients(p, output, saved, gradOutput, directions.size(), gradWeights);
        const std::size_t D = directions.size();
        const Shape states{std::int64_t(D), p.B, p.H};
        LstmGradients r;
        if (needInputGradient)
            r.input = context_.make(input.shape(), p.dtype);
        if (initial.hidden.defined())
            r.initial.hidden = context_.make(states, p.dtype);
        const Tensor gradCell = startOr(gradOutput.final.cell, states, DType::F32);
        if (initial.cell.defined())
            r.initial.cell = gradCell;
        for (std::size_t i = 0; i < D; ++i) {
            p.reverse = i == 1;
            Backward b;
            b.wh = inType(directions[i].recurrent, p.dtype);
            b.lengths = lengthsOrNull(lengths);
            b.h0 = directionOf(initial.hidden, i, D);
            b.y = directionColumn(output, p, i);
            b.dh0 = directionOf(r.initial.hidden, i, D);
            b.cell.gates = directionOf(saved.gates, i, D);
            b.cell.c = static_cast<const float*>(directionOf(saved.cell, i, D));
            b.cell.c0 = static_cast<const float*>(directionOf(initial.cell, i, D));
            if (gradOutput.output.defined())
                b.cell.dy = directionColumn(gradOutput.output, p, i);
            b.cell.dhN = directionOf(gradOutput.final.hidden, i, D);
            b.cell.dc = static_cast<float*>(directionOf(gradCell, i, D));
            backwardSteps(p, b);
            weightGradients(p, b, input.data(), gradWeights[i]);
            if (needInputGradient)
                product({p.T * p.B, p.I, 4 * p.H}, p, p.dtype, i > 0, b.cell.gates,
                        inType(directions[i].input, p.dtype), r.input.data());
        }
        return r;
    }

private:
    /// One direction of a forward pass; cell: pointers of the first step in memory.
    struct Forward {
        const std::byte* x = nullptr;
        const void *wx = nullptr, *wh = nullptr; ///< in p.dtype
        const std::int32_t* lengths = nullptr;
        cuda::LstmCellForward cell;
        bool startsFromZero = false; ///< the hidden state
    };
    struct Backward {
        const void *wh = nullptr, *h0 = nullptr, *y = nullptr;
        const std::int32_t* lengths = nullptr;
        void* dh0 = nullptr; ///< may be null
        cuda::LstmCellBackward cell;
    };
    struct Sizes {
        std::int64_t M, N, K;
        bool transA = false, transB = false;
    };

    static const float* floatsOrNull(const Tensor& t)
    {
        return t.defined() ? t.f32().data() : nullptr;
    }
    static const std::int32_t* lengthsOrNull(const Tensor& t)
    {
        return t.defined() ? t.i32().data() : nullptr;
    }
    /// Element `index` of an array of p.dtype; null stays null.
    template <class P>
    static P* at(P* base, std::int64_t index, DType dtype)
    {
        using Byte = std::conditional_t<std::is_const_v<P>, const std::byte, std::byte>;
        return base ? static_cast<Byte*>(base) + index * std::int64_t(dtypeBytes(dtype)) : nullptr;
    }

    /// A copy of `start`, or zeros.
    Tensor startOr(const Tensor& start, const Shape& shape, DType dtype)
    {
        Tensor t = context_.make(shape, dtype);
        if (start.defined())
            context_.copy(start.data(), t.data(), t.bytes());
        else
            context_.clear(t.data(), t.bytes());
        return t;
    }

    /// The weight in the compute type, once per version.
    const void* inType(const WeightRef& weight, DType dtype)
    {
        if (dtype == DType::F32)
            return weight.value.data();
        const std::int64_t n = weight.value.count();
        return context_.packedWeight(weight, dtype == DType::BF16 ? &bf16Layout_ : &f16Layout_,
                                     std::size_t(n) * dtypeBytes(dtype),
                                     [&](const float* w, void* packed) {
                                         cuda::castFromF32(dtype, n, w, packed, context_.stream());
                                     });
    }

    /// C = A B, or added to it; inputs in p.dtype. Without K the sum is zero.
    void product(const Sizes& s, const LstmParams& p, DType outputType, bool accumulate,
                 const void* a, const void* b, void* c)
    {
        if (s.M == 0 || s.N == 0 || (s.K == 0 && accumulate))
            return;
        if (s.K == 0) {
            context_.clear(c, std::size_t(s.M * s.N) * dtypeBytes(outputType));
            return;
        }
        Gemm g;
        g.M = s.M, g.N = s.N, g.K = s.K;
        g.transA = s.transA, g.transB = s.transB;
        g.inputType = p.dtype, g.outputType = outputType;
        g.accumulate = accumulate;
        GemmOperands o;
        o.a = a, o.b = b, o.c = c;
        library_.run(g, o, context_.workspace(library_.workspaceBytes()));
    }

    void forward(const LstmParams& p, const Forward& f)
    {
        if (p.T == 0 || p.B == 0 || p.H == 0)
            return;
        const std::int64_t G = 4 * p.H;
        // fp32 gates take the place of their sums.
        const bool inPlace = p.dtype == DType::F32;
        const std::int64_t chunk =
            inPlace ? p.T : std::clamp<std::int64_t>(kChunkSums / (p.B * G), 1, p.T);
        const Tensor scratch = inPlace ? Tensor() : context_.make({chunk * p.B * G}, DType::F32);
        const std::int64_t chunks = (p.T + chunk - 1) / chunk;
        for (std::int64_t k = 0; k < chunks; ++k) {
            const std::int64_t begin = (p.reverse ? chunks - 1 - k : k) * chunk;
            const std::int64_t steps = std::min(chunk, p.T - begin);
            float* const sums = inPlace ? static_cast<float*>(f.cell.gates) : scratch.f32().data();
            product({steps * p.B, G, p.I, false, true}, p, DType::F32, false,
                    at(f.x, begin * p.B * p.I, p.dtype), f.wx, sums);
            for (std::int64_t i = 0; i < steps; ++i) {
                const std::int64_t step = p.reverse ? steps - 1 - i : i;
                forwardStep(p, f, begin + step, sums + step * p.B * G, k == 0 && i == 0);
            }
        }
    }

    void forwardStep(const LstmParams& p, const Forward& f, std::int64_t t, float* sums, bool first)
    {
        if (!first || !f.startsFromZero)
            product({p.B, 4 * p.H, p.H, false, true}, p, DType::F32, true, f.cell.hidden, f.wh,
                    sums);
        cuda::LstmCellForward cell = f.cell;
        cell.sums = sums;
        cell.gates = at(cell.gates, t * p.B * 4 * p.H, p.dtype);
        cell.c += t * p.B * p.H;
        cell.y = at(cell.y, t * p.B * p.rowY(), p.dtype);
        cuda::lstmCellForward(p, t, f.lengths, cell, context_.stream());
    }

    /// Leaves the gradients of all sums in the gates, those of the states where they are wanted.
    void backwardSteps(const LstmParams& p, const Backward& b)
    {
        const std::int64_t G = 4 * p.H, state = p.B * p.H;
        const Tensor dh = context_.make({state}, DType::F32);
        Tensor first;
        if (b.dh0) {
            first = context_.make({p.B * G}, p.dtype);
            context_.clear(first.data(), first.bytes());
        }
        for (std::int64_t k = 0; k < p.T; ++k) {
            const std::int64_t t = p.reverse ? k : p.T - 1 - k;
            const std::int64_t after = p.reverse ? t - 1 : t + 1;
            const std::int64_t before = p.reverse ? t + 1 : t - 1;
            if (k > 0)
                product({p.B, p.H, G}, p, DType::F32, false,
                        at(b.cell.gates, after * p.B * G, p.dtype), b.wh, dh.data());
            cuda::LstmCellBackward cell = b.cell;
            cell.gates = at(cell.gates, t * p.B * G, p.dtype);
            cell.cBefore = before >= 0 && before < p.T ? cell.c + before * state : nullptr;
            cell.c += t * state;
            cell.dy = at(cell.dy, t * p.B * p.rowY(), p.dtype);
            cell.dh = dh.f32().data();
            cell.dgFirst = first.data();
            cuda::lstmCellBackward(p, t, b.lengths, cell, context_.stream());
        }
        if (!b.dh0)
            return;
        product({p.B, p.H, G}, p, DType::F32, false, first.data(), b.wh, dh.data());
        cuda::lstmInitialGradient(p, b.lengths, dh.f32().data(), b.cell.dhN, b.dh0,
                                  context_.stream());
    }

    void weightGradients(const LstmParams& p, const Backward& b, const void* x,
                         const LstmWeightGradients& gradients)
    {
        const std::int64_t G = 4 * p.H, rows = p.T * p.B;
        const bool add = gradients.accumulate;
        product({G, p.I, rows, true}, p, DType::F32, add, b.cell.gates, x, gradients.input.data());
        const Tensor before = context_.make({rows, p.H}, p.dtype);
        cuda::lstmHiddenBefore(p, b.lengths, b.y, b.h0, before.data(), context_.stream());
        product({G, p.H, rows, true}, p, DType::F32, add, b.cell.gates, before.data(),
                gradients.recurrent.data());
        const Tensor &dbx = gradients.inputBias, &dbh = gradients.recurrentBias;
        if (dbx.defined() && dbh.defined() && !add) {
            biasGradient(p, b, dbx, false);
            context_.copy(dbx.data(), dbh.data(), dbx.bytes());
            return;
        }
        for (const Tensor& db : {dbx, dbh})
            if (db.defined())
                biasGradient(p, b, db, add);
    }

    void biasGradient(const LstmParams& p, const Backward& b, const Tensor& sums, bool accumulate)
    {
        const std::int64_t rows = p.T * p.B, G = 4 * p.H;
        cuda::columnSums(p.dtype, rows, G, b.cell.gates, sums.f32().data(), accumulate,
                         context_.workspace(cuda::columnSumsWorkspace(rows, G)), context_.stream());
    }

    CudaContext& context_;
    CublasLt library_;
    char bf16Layout_ = 0, f16Layout_ = 0; ///< their addresses stand for layouts
};

} // namespace

std::unique_ptr<RecurrentOps> makeRecurrentOps(CudaContext& context)
{
    return std::make_unique<CudaRecurrent>(context);
}

} // namespace scalebench::cuda_backend
