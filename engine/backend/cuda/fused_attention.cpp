// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/fused_attention.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "kernels/check.h"
#include "kernels/cuda/fused_attention.h"
#include "kernels/formula/dropout.h"

namespace scalebench::cuda_backend {
namespace {

namespace cuda = kernels::cuda;

/// Beyond, dropout as a tensor takes more memory than it saves time.
constexpr std::int64_t kMaxLength = 4096;

/// None where segments are not sentences of one size that fill the operands.
std::optional<SentenceShape> sentencesOf(const AttentionParams& p,
                                         const std::vector<AttentionSegment>& mask)
{
    SentenceShape s;
    s.sentences = std::int64_t(mask.size());
    if (s.sentences == 0 || s.sentences > 65535 || p.queryRows % s.sentences != 0 ||
        p.keyRows % s.sentences != 0)
        return {};
    s.queries = p.queryRows / s.sentences, s.keys = p.keyRows / s.sentences;
    if (s.queries == 0 || s.queries > kMaxLength || s.keys > kMaxLength)
        return {};
    std::int64_t i = 0;
    for (const AttentionSegment& segment : mask) {
        if (segment.queryBegin != i * s.queries || segment.queryCount != s.queries ||
            segment.keyBegin != i * s.keys || segment.keyCount < 1 || segment.keyCount > s.keys)
            return {};
        s.padded |= segment.keyCount < s.keys;
        ++i;
    }
    return s;
}

bool suits(const AttentionParams& p, const DeviceFacts& device,
           std::initializer_list<const void*> operands)
{
    bool fits = device.major >= 8 && (p.dtype == DType::BF16 || p.dtype == DType::F16) &&
                p.headDim % 8 == 0 && p.headDim <= 128 && p.heads > 0 && p.heads <= 65535 &&
                p.dropoutOffset % formula::kDropoutGroup == 0;
    for (const std::int64_t stride : {p.strideQ, p.strideK, p.strideV, p.strideO})
        fits = fits && stride % 8 == 0;
    for (const void* pointer : operands)
        fits = fits && reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
    return fits;
}

/// Parts of one piece of scratch, each on a boundary that the library likes.
class Scratch
{
public:
    explicit Scratch(void* begin = nullptr) : begin_(static_cast<std::byte*>(begin)) {}

    template <class T>
    T* take(std::size_t bytes)
    {
        auto* const part = begin_ == nullptr ? nullptr : begin_ + used_;
        used_ += (bytes + 255) / 256 * 256;
        return reinterpret_cast<T*>(part);
    }
    std::size_t used() const { return used_; }

private:
    std::byte* begin_;
    std::size_t used_ = 0;
};

struct Parts {
    float *statistics, *dots;
    std::int32_t *queryCounts, *keyCounts;
    void *kept, *workspace;

    Parts(Scratch& s, const AttentionParams& p, const SentenceShape& shape, std::size_t planBytes)
    {
        const std::size_t rows = std::size_t(p.heads * p.queryRows);
        statistics = s.take<float>(rows * sizeof(float));
        dots = s.take<float>(rows * sizeof(float));
        queryCounts = s.take<std::int32_t>(std::size_t(shape.sentences) * sizeof(std::int32_t));
        keyCounts = s.take<std::int32_t>(std::size_t(shape.sentences) * sizeof(std::int32_t));
        kept = s.take<void>(p.dropout > 0.0f ? rows * std::size_t(cuda::keptPitch(shape.keys)) * 2
                                             : 0);
        workspace = s.take<void>(planBytes);
    }
};

std::size_t scratchBytes(const AttentionParams& p, const SentenceShape& shape,
                         std::size_t planBytes)
{
    Scratch measure;
    (void)Parts(measure, p, shape, planBytes);
    return measure.used();
}

} // namespace

bool FusedAttention::forward(const AttentionParams& p, const std::vector<AttentionSegment>& mask,
                             const cuda::SegmentList& list, const AttentionForward& f,
                             const OwnForward& own)
{
    served_ = "own kernels";
    if (p.dropout > 0.0f || !suits(p, context_.device(), {f.q, f.k, f.v, f.o}))
        return false;
    const auto shape = sentencesOf(p, mask);
    if (!shape)
        return false;
    const Call call{p, *shape, list};
    Choice& choice = choiceOf(call, true);
    if (due(call, 2, choice))
        choose(choice, [&] {
            const AttentionForwardGraph made = attentionForwardGraph(p, *shape);
            choice.forward = made.ids;
            return rejection(call,
                             {made.graph, [&] { own(f); }, [&] { run(call, f, choice); },
                              [&] { return forwardAgrees(call, f, own, choice); }},
                             choice);
        });
    served_ = choice.why;
    if (choice.plan)
        run(call, f, choice);
    return choice.plan.has_value();
}

bool FusedAttention::backward(const AttentionParams& p, const std::vector<AttentionSegment>& mask,
                              const cuda::SegmentList& list, const AttentionBackward& b,
                              const Own& own)
{
    served_ = "own kernels";
    if (!suits(p, context_.device(), {b.q, b.k, b.v, b.o, b.dO, b.dq, b.dk, b.dv}))
        return false;
    const auto shape = sentencesOf(p, mask);
    if (!shape)
        return false;
    const Call call{p, *shape, list};
    Choice& choice = choiceOf(call, false);
    if (due(call, 5, choice))
        choose(choice, [&] {
            const AttentionGradientGraph made = attentionGradientGraph(p, *shape);
            choice.gradient = made.ids;
            return rejection(call,
                             {made.graph, [&] { own(b); }, [&] { run(call, b, choice); },
                              [&] { return backwardAgrees(call, b, own, choice); }},
                             choice);
        });
    served_ = choice.why;
    if (choice.plan)
        run(call, b, choice);
    return choice.plan.has_value();
}

FusedAttention::Choice& FusedAttention::choiceOf(const Call& call, bool forward)
{
    const AttentionParams& p = call.p;
    const SentenceShape& s = call.shape;
    const int kind = int(p.dtype) * 16 + (forward ? 8 : 0) + (p.causal ? 4 : 0) +
                     (s.padded ? 2 : 0) + (p.dropout > 0.0f ? 1 : 0);
    const Key key{s.sentences, s.queries, s.keys,    p.heads,   p.headDim,
                  p.strideQ,   p.strideK, p.strideV, p.strideO, kind};
    return choices_.get(key, [] { return Choice(); });
}

bool FusedAttention::due(const Call& call, int products, Choice& choice) const
{
    if (choice.made || !mayTune(context_))
        return false;
    choice.work += 2.0 * products * double(call.shape.queries) * double(call.shape.keys) *
                   double(call.shape.sentences * call.p.heads * call.p.headDim) *
                   (call.p.causal ? 0.5 : 1.0);
    return choice.made = context_.shapesRepeat() || choice.work >= kWorthAPlan;
}

void FusedAttention::choose(Choice& choice, const std::function<std::string()>& rejection)
{
    try {
        choice.why = rejection();
    } catch (const DeviceError&) {
        // A library that refuses a part of the graph has no plan for it; or memory is short.
        choice.why = "no plan";
    }
    if (choice.why.empty()) {
        choice.why = "cuDNN " + choice.plan->name;
    } else {
        choice.why = "own kernels: " + choice.why;
        choice.plan.reset();
    }
}

std::string FusedAttention::rejection(const Call& call, const Side& side, Choice& choice)
{
    if (!plans_)
        plans_ = std::make_unique<CudnnPlans>(context_);
    choice.plan = plans_->repeatable(side.graph);
    if (!choice.plan)
        return "no plan";
    if (scratchBytes(call.p, call.shape, choice.plan->workspaceBytes) >
        context_.device().memoryBytes / kScratchPart)
        return "too much scratch";
    if (!side.agrees())
        return "cuDNN differs";
    const auto fastest = fastestOf(context_, 2, [&](std::size_t i) {
        i == 0 ? side.own() : side.fused();
        return true;
    });
    return fastest == std::size_t(1) ? "" : "faster";
}

bool FusedAttention::agree(const AttentionParams& p, std::initializer_list<Compared> parts)
{
    std::vector<float> sums(2 * parts.size());
    const Tensor onDevice = context_.make({std::int64_t(sums.size())}, DType::F32);
    auto* to = onDevice.f32().data();
    context_.clear(to, sums.size() * sizeof(float));
    for (const Compared& part : parts) {
        AttentionParams columns = p;
        if (part.numbers)
            columns.dtype = DType::F32, columns.heads = columns.headDim = 1;
        cuda::addSquaredDifference(columns, part.theirs, part.ours, part.rows, part.stride, to,
                                   context_.stream());
        to += 2;
    }
    context_.download(onDevice.data(), sums.data(), sums.size() * sizeof(float));
    for (std::size_t i = 0; i < sums.size(); i += 2) // not a number is no agreement
        if (!(sums[i] <= kTolerance * kTolerance * sums[i + 1]))
            return false;
    return true;
}

bool FusedAttention::forwardAgrees(const Call& call, const AttentionForward& f,
                                   const OwnForward& own, const Choice& choice)
{
    const AttentionParams& p = call.p;
    const std::int64_t rows = p.heads * p.queryRows;
    const Tensor output = context_.make({p.queryRows * p.strideO}, p.dtype);
    const Tensor numbers[2] = {context_.make({rows}, DType::F32),
                               context_.make({rows}, DType::F32)};
    AttentionForward ours = f, theirs = f;
    ours.logSumExp = numbers[0].f32().data(); // asked for by training, maybe not by this call
    theirs.o = output.data(), theirs.logSumExp = numbers[1].f32().data();
    own(ours);
    run(call, theirs, choice);
    return agree(p, {{ours.o, theirs.o, p.queryRows, p.strideO},
                     {ours.logSumExp, theirs.logSumExp, rows, 1, true}});
}

bool FusedAttention::backwardAgrees(const Call& call, const AttentionBackward& b, const Own& own,
                                    const Choice& choice)
{
    const AttentionParams& p = call.p;
    const Tensor dq = context_.make({p.queryRows * p.strideQ}, p.dtype),
                 dk = context_.make({p.keyRows * p.strideK}, p.dtype),
                 dv = context_.make({p.keyRows * p.strideV}, p.dtype);
    AttentionBackward other = b;
    other.dq = dq.data(), other.dk = dk.data(), other.dv = dv.data();
    own(b);
    run(call, other, choice);
    return agree(p, {{b.dq, other.dq, p.queryRows, p.strideQ},
                     {b.dk, other.dk, p.keyRows, p.strideK},
                     {b.dv, other.dv, p.keyRows, p.strideV}});
}

void FusedAttention::run(const Call& call, const AttentionForward& f, const Choice& choice)
{
    const AttentionParams& p = call.p;
    const SentenceShape& shape = call.shape;
    const cudaStream_t stream = context_.stream();
    const std::size_t planBytes = choice.plan->workspaceBytes;
    Scratch scratch(context_.workspace(scratchBytes(p, shape, planBytes)));
    const Parts parts(scratch, p, shape, planBytes);
    const AttentionForwardIds& i = choice.forward;

    const float scale = p.scale, minusInfinity = -std::numeric_limits<float>::infinity();
    CudnnOperands operands{{i.q, f.q}, {i.k, f.k},        {i.v, f.v},
                           {i.o, f.o}, {i.scale, &scale}, {i.statistics, parts.statistics}};
    if (shape.padded) {
        cuda::segmentCounts(call.list, parts.queryCounts, parts.keyCounts, stream);
        operands.emplace_back(i.queryCounts, parts.queryCounts);
        operands.emplace_back(i.keyCounts, parts.keyCounts);
    }
    if (shape.padded || p.causal)
        operands.emplace_back(i.minusInfinity, &minusInfinity);
    plans_->run(*choice.plan, operands, parts.workspace, "attention forward");
    if (f.logSumExp != nullptr)
        cuda::statisticsByHead(p.heads, shape.sentences, shape.queries, parts.statistics,
                               f.logSumExp, stream);
}

void FusedAttention::run(const Call& call, const AttentionBackward& b, const Choice& choice)
{
    const AttentionParams& p = call.p;
    const SentenceShape& shape = call.shape;
    const cudaStream_t stream = context_.stream();
    const std::size_t planBytes = choice.plan->workspaceBytes;
    Scratch scratch(context_.workspace(scratchBytes(p, shape, planBytes)));
    const Parts parts(scratch, p, shape, planBytes);
    const AttentionGradientIds& i = choice.gradient;

    const float scale = p.scale, minusInfinity = -std::numeric_limits<float>::infinity(),
                one = 1.0f, dropScale = formula::dropoutScale(p.dropout),
                dropScaleInverse = 1.0f - p.dropout;
    CudnnOperands operands{{i.q, b.q},   {i.k, b.k},   {i.v, b.v},   {i.o, b.o},       {i.dO, b.dO},
                           {i.dq, b.dq}, {i.dk, b.dk}, {i.dv, b.dv}, {i.scale, &scale}};
    cuda::statisticsBySentence(p.heads, shape.sentences, shape.queries, b.logSumExp,
                               parts.statistics, stream);
    operands.emplace_back(i.statistics, parts.statistics);
    operands.emplace_back(i.dots, parts.dots);
    if (shape.padded) {
        cuda::segmentCounts(call.list, parts.queryCounts, parts.keyCounts, stream);
        operands.emplace_back(i.queryCounts, parts.queryCounts);
        operands.emplace_back(i.keyCounts, parts.keyCounts);
        // Nothing says that rows of padding are written.
        cuda::clearHeads(p, b.dk, p.keyRows, p.strideK, stream);
        cuda::clearHeads(p, b.dv, p.keyRows, p.strideV, stream);
    }
    if (shape.padded || p.causal)
        operands.emplace_back(i.minusInfinity, &minusInfinity);
    if (p.dropout > 0.0f) {
        cuda::dropoutKept(p, shape.sentences, shape.keys, parts.kept, stream);
        operands.emplace_back(i.kept, parts.kept);
        operands.emplace_back(i.dropScale, &dropScale);
        operands.emplace_back(i.dropScaleInverse, &dropScaleInverse);
    } else {
        operands.emplace_back(i.one, &one);
    }
    plans_->run(*choice.plan, operands, parts.workspace, "attention backward");
}

} // namespace scalebench::cuda_backend
