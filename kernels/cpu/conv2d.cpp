// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/conv2d.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <type_traits>
#include <variant>

#include "kernels/cpu/conv1x1.h"
#include "kernels/cpu/conv_weight_amx.h"
#include "kernels/cpu/conv_weight_float.h"
#include "kernels/cpu/conv_weight_panels.h"
#include "kernels/cpu/conv_winograd.h"
#include "kernels/cpu/dnnl_call.h"
#include "kernels/cpu/weight_layout.h"
#include "kernels/elementwise.h"

namespace scalebench {
namespace kernels::cpu {

using dnnl::memory;
using tag = dnnl::memory::format_tag;
using dt = dnnl::memory::data_type;

namespace {

/// The format of x and y. With 16 channels NHWC is, byte for byte, also oneDNN's blocked layout,
/// for which it has faster AVX-512 code (bf16: forward by a tenth, weight gradient by a fifth).
tag activationFormat(const Conv2dParams& p)
{
    const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
    const bool avx512 = dnnl_api::includes(isa, dnnl::cpu_isa::avx512_core) &&
                        !dnnl_api::includes(isa, dnnl::cpu_isa::avx512_core_amx);
    return avx512 && p.C == 16 && p.K == 16 && p.groups == 1 ? tag::nChw16c : tag::nhwc;
}

/// Groups after merging neighbours until a group has `width` channels on both sides. The merged
/// weight is block-diagonal, mostly zeros, yet full tiles win: for 32 groups of 4 channels AMX
/// computes 8 groups of zeros and is still five times as fast as the vector code of narrow groups.
std::int64_t mergedGroups(const Conv2dParams& p, std::int64_t width)
{
    std::int64_t groups = p.groups;
    while (groups % 2 == 0 && p.C / groups < width && p.K / groups < width)
        groups /= 2;
    return groups;
}

/// Grouping candidates, best first. All groups merged into one is what always exists.
std::vector<std::int64_t> groupings(const Conv2dParams& p, std::int64_t width)
{
    if (p.groups == 1)
        return {1};
    return {mergedGroups(p, width), p.groups, 1};
}

/// Shapes and descriptors of one convolution with the groups merged to `groups`.
struct Problem {
    memory::desc x, y, weight, weightGradient, master, bias;
    dnnl_api::Window window;

    Problem(const Conv2dParams& p, std::int64_t groups)
        : window{{p.stride, p.stride}, {p.dilation - 1, p.dilation - 1}, {p.padding, p.padding}, {}}
    {
        // The window may end before the padding does; oneDNN wants the exact amount at the far
        // side.
        window.padEnd = {(p.outH() - 1) * p.stride + p.dilation * (p.R - 1) + 1 - p.H - p.padding,
                         (p.outW() - 1) * p.stride + p.dilation * (p.S - 1) + 1 - p.W - p.padding};
        const dt type = dnnlType(p.dtype);
        // Both ends explicit: with `any` oneDNN may choose its reference code for three channels.
        const tag format = activationFormat(p);
        x = memory::desc({p.N, p.C, p.H, p.W}, type, format);
        y = memory::desc({p.N, p.K, p.outH(), p.outW()}, type, format);
        bias = memory::desc({p.K}, dt::f32, tag::a);
        memory::dims w{p.K / groups, p.C / groups, p.R, p.S};
        if (groups > 1)
            w.insert(w.begin(), groups);
        weight = memory::desc(w, type, tag::any);
        weightGradient = memory::desc(w, dt::f32, tag::any);
        master = memory::desc(w, dt::f32, groups > 1 ? tag::goihw : tag::oihw);
    }
};

constexpr auto kDirect = dnnl::algorithm::convolution_direct;

dnnl::convolution_forward::primitive_desc forwardPd(const Conv2dParams& p, const Problem& q)
{
    dnnl::primitive_attr attr = userScratch();
    if (p.relu) {
        dnnl::post_ops ops;
        dnnl_api::appendEltwise(ops, dnnl::algorithm::eltwise_relu);
        attr.set_post_ops(ops);
    }
    return dnnl_api::convolutionForward(dnnlEngine(), kDirect, q.x, q.weight,
                                        p.bias ? &q.bias : nullptr, q.y, q.window, attr);
}

/// Backward descriptors take a forward one as a hint.
dnnl::convolution_forward::primitive_desc hint(const Conv2dParams& p, const Problem& q)
{
    Conv2dParams plain = p;
    plain.bias = plain.relu = false;
    return forwardPd(plain, q);
}

/// Tries the groupings in order; `make(problem)` returns a primitive descriptor.
template <class Make>
auto chooseGrouping(const Conv2dParams& p, const char* direction, std::int64_t width,
                    std::int64_t& groups, Make&& make)
{
    const auto candidates = groupings(p, width);
    for (std::size_t i = 0;; ++i) {
        groups = candidates[i];
        try {
            return chooseImplementation(p.describe() + direction,
                                        [&] { return make(Problem(p, groups)); });
        } catch (const Unsupported&) {
            if (i + 1 == candidates.size())
                throw;
        }
    }
}

/// Copies between the master weight and the weight of merged groups, whose blocks off the diagonal
/// are zero. kToMerged: merged from w, else w from merged (the blocks are dropped).
template <bool kToMerged, class Merged, class Master>
void copyGroups(const Conv2dParams& p, std::int64_t groups, Merged* merged, Master* w)
{
    const std::int64_t taps = p.R * p.S, narrow = p.C / p.groups * taps, wide = p.C / groups * taps;
    const std::int64_t filters = p.K / p.groups, ratio = p.groups / groups;
    for (std::int64_t k = 0; k < p.K; ++k) {
        Merged* row = merged + k * wide;
        Merged* block = row + k / filters % ratio * narrow;
        Master* own = w + k * narrow;
        if constexpr (kToMerged) {
            std::fill_n(row, wide, 0.0f);
            std::copy_n(own, narrow, block);
        } else {
            std::copy_n(block, narrow, own);
        }
    }
}

/// A packed weight: its primitive and how its groups were merged.
struct Packing {
    DnnlCall reorder;
    std::int64_t groups = 1;
    std::size_t bytes = 0;
    WeightLayout layout = 0;

    void run(const Conv2dParams& p, const float* w, void* packed, float* merged,
             void* scratch) const
    {
        if (groups != p.groups) {
            copyGroups<true>(p, groups, merged, w);
            w = merged;
        }
        reorder.set(DNNL_ARG_FROM, w);
        reorder.set(DNNL_ARG_TO, packed);
        reorder.run(scratch);
    }
};

std::size_t mergedBytes(const Conv2dParams& p, std::int64_t groups)
{
    return groups == p.groups
               ? 0
               : roundUpTo64(std::size_t(p.K * (p.C / groups) * p.R * p.S) * sizeof(float));
}

/// Our own ways to a weight gradient, the preferred one first. None: oneDNN's.
using WeightWay =
    std::variant<std::monostate, AmxWeightGradient, FloatWeightGradient, PanelWeightGradient>;

template <class... Way>
void choose(std::variant<std::monostate, Way...>& chosen, const Conv2dParams& p)
{
    (void)((Way::suits(p) && (chosen.template emplace<Way>(p), true)) || ...);
}

/// What f returns for our own way, or `none`.
template <class Result, class F>
Result ofOwn(const WeightWay& chosen, Result none, F&& f)
{
    return std::visit(
        [&](const auto& way) -> Result {
            if constexpr (std::is_same_v<decltype(way), const std::monostate&>)
                return none;
            else
                return f(way);
        },
        chosen);
}

} // namespace

struct Conv2dPlan::Impl {
    Conv2dParams params;
    DnnlCall forward, data, weight;
    Packing packForward, packData;
    DnnlCall unpackWeight;
    std::int64_t weightGroups = 1;       // of the weight gradient
    std::size_t packedGradientBytes = 0; // library layout of dw; 0: written in place
    std::size_t scratchBytes = 0;        // of the largest primitive
    std::size_t mergedBytes = 0;         // of the largest merged weight
    bool hasData = false;
    std::optional<PointwiseConvolution> pointwise; // both gradients, and forward if it has that
    WeightWay weightWay;
    bool fewer = false, fewerWeights = false; // by winograd: forward and data gradient, weights'
    WinogradConvolution winograd;

    void prepareWinograd();
    void preparePointwise();
    void prepareDirect();
    void prepareWeights();
    // By oneDNN:
    void prepareForward();
    void prepareData();
    void prepareWeight();
    void weightGradient(const void* x, const void* dy, float* dw, void* workspace) const;

    // Parts of the workspace, one behind the other.
    std::byte* packedGradient(void* workspace) const
    {
        return static_cast<std::byte*>(workspace) + scratchBytes;
    }
    float* merged(void* workspace) const
    {
        return reinterpret_cast<float*>(packedGradient(workspace) + packedGradientBytes);
    }
    float* sum(void* workspace) const
    {
        return reinterpret_cast<float*>(packedGradient(workspace) + packedGradientBytes +
                                        mergedBytes);
    }
};

void Conv2dPlan::Impl::prepareForward()
{
    const std::int64_t width = params.dtype == DType::BF16 ? 32 : 1;
    auto pd = chooseGrouping(params, " (forward)", width, packForward.groups,
                             [&](const Problem& q) { return forwardPd(params, q); });
    const Problem q(params, packForward.groups);
    forward = DnnlCall(pd);
    forward.add(DNNL_ARG_SRC, q.x);
    forward.add(DNNL_ARG_WEIGHTS, pd.weights_desc());
    forward.add(DNNL_ARG_DST, q.y);
    if (params.bias)
        forward.add(DNNL_ARG_BIAS, q.bias);
    packForward.bytes = pd.weights_desc().get_size();
    packForward.layout = layoutOf(pd.weights_desc(), packForward.groups);
    packForward.reorder = makeReorder(q.master, pd.weights_desc());
}

void Conv2dPlan::Impl::prepareData()
{
    const std::int64_t width = params.dtype == DType::BF16 ? 32 : 1;
    auto pd =
        chooseGrouping(params, " (data gradient)", width, packData.groups, [&](const Problem& q) {
            return dnnl_api::convolutionBackwardData(dnnlEngine(), kDirect, q.x, q.weight, q.y,
                                                     q.window, hint(params, q), userScratch());
        });
    const Problem q(params, packData.groups);
    data = DnnlCall(pd);
    data.add(DNNL_ARG_DIFF_DST, q.y);
    data.add(DNNL_ARG_WEIGHTS, pd.weights_desc());
    data.add(DNNL_ARG_DIFF_SRC, q.x);
    packData.bytes = pd.weights_desc().get_size();
    packData.layout = layoutOf(pd.weights_desc(), packData.groups);
    packData.reorder = makeReorder(q.master, pd.weights_desc());
}

void Conv2dPlan::Impl::prepareWeight()
{
    const Conv2dParams& p = params;
    auto pd = chooseGrouping(p, " (weight gradient)", 16, weightGroups, [&](const Problem& q) {
        return dnnl_api::convolutionBackwardWeights(dnnlEngine(), kDirect, q.x, q.weightGradient,
                                                    q.y, q.window, hint(p, q), userScratch());
    });
    const Problem q(p, weightGroups);
    weight = DnnlCall(pd);
    weight.add(DNNL_ARG_SRC, q.x);
    weight.add(DNNL_ARG_DIFF_DST, q.y);
    weight.add(DNNL_ARG_DIFF_WEIGHTS, pd.diff_weights_desc());
    if (pd.diff_weights_desc() != q.master) {
        packedGradientBytes = roundUpTo64(pd.diff_weights_desc().get_size());
        unpackWeight = makeReorder(pd.diff_weights_desc(), q.master);
    }
}

void Conv2dPlan::Impl::weightGradient(const void* x, const void* dy, float* dw,
                                      void* workspace) const
{
    const bool narrowed = weightGroups != params.groups && params.groups > 1;
    float* whole = narrowed ? merged(workspace) : dw;
    void* result = packedGradientBytes > 0 ? static_cast<void*>(packedGradient(workspace))
                                           : static_cast<void*>(whole);
    weight.set(DNNL_ARG_SRC, x);
    weight.set(DNNL_ARG_DIFF_DST, dy);
    weight.set(DNNL_ARG_DIFF_WEIGHTS, result);
    weight.run(workspace);
    if (packedGradientBytes > 0) {
        unpackWeight.set(DNNL_ARG_FROM, result);
        unpackWeight.set(DNNL_ARG_TO, whole);
        unpackWeight.run(workspace);
    }
    if (narrowed)
        copyGroups<false>(params, weightGroups, whole, dw);
}

void Conv2dPlan::Impl::prepareWinograd()
{
    packForward.bytes = packData.bytes = winograd.packedWeightBytes();
    packForward.layout = winograd.forwardLayout();
    packData.layout = winograd.dataLayout();
    prepareWeights();
}

void Conv2dPlan::Impl::preparePointwise()
{
    if (!PointwiseConvolution::suitsForward(params))
        prepareForward(); // first, as what it refuses is the convolution
    pointwise.emplace(params, hasData);
    if (pointwise->hasForward()) {
        packForward.bytes = pointwise->forwardProduct().packedBytes();
        packForward.layout = pointwise->forwardProduct().packedLayout();
    }
    if (hasData) {
        packData.bytes = pointwise->dataProduct().packedBytes();
        packData.layout = pointwise->dataProduct().packedLayout();
    }
}

void Conv2dPlan::Impl::prepareDirect()
{
    prepareForward();
    if (hasData)
        prepareData();
    prepareWeights();
}

void Conv2dPlan::Impl::prepareWeights()
{
    if (fewerWeights)
        return;
    choose(weightWay, params);
    if (std::holds_alternative<std::monostate>(weightWay))
        prepareWeight();
}

Conv2dPlan::Conv2dPlan(const Conv2dParams& p, bool needDataGradient) : impl_(new Impl)
{
    validate(p);
    SB_REQUIRE(p.dtype == DType::F32 || p.dtype == DType::BF16,
               p.describe() + ": the element type must be f32 or bf16");
    Impl& m = *impl_;
    m.params = p;
    m.hasData = needDataGradient;
    if (p.N == 0)
        return; // nothing to compute, nothing to choose
    m.fewer = WinogradConvolution::suits(p);
    m.fewerWeights = WinogradConvolution::suitsWeight(p);
    if (m.fewer || m.fewerWeights) {
        m.winograd = WinogradConvolution(p);
        m.scratchBytes = roundUpTo64(m.winograd.workspaceBytes());
    }
    if (m.fewer)
        m.prepareWinograd();
    else if (isPointwise(p))
        m.preparePointwise();
    else
        m.prepareDirect();
    for (const DnnlCall* call : {&m.forward, &m.data, &m.weight, &m.packForward.reorder,
                                 &m.packData.reorder, &m.unpackWeight})
        m.scratchBytes = std::max(m.scratchBytes, roundUpTo64(call->scratchBytes()));
    if (m.pointwise)
        m.scratchBytes = std::max(m.scratchBytes, m.pointwise->workspaceBytes());
    m.scratchBytes = std::max(
        m.scratchBytes, roundUpTo64(ofOwn(m.weightWay, std::size_t{0},
                                          [](const auto& way) { return way.workspaceBytes(); })));
    m.mergedBytes = std::max(mergedBytes(p, m.packForward.groups), mergedBytes(p, m.weightGroups));
    if (needDataGradient)
        m.mergedBytes = std::max(m.mergedBytes, mergedBytes(p, m.packData.groups));
}

Conv2dPlan::~Conv2dPlan() = default;
Conv2dPlan::Conv2dPlan(Conv2dPlan&&) noexcept = default;

std::size_t Conv2dPlan::forwardWeightBytes() const
{
    return impl_->packForward.bytes;
}
std::size_t Conv2dPlan::dataWeightBytes() const
{
    return impl_->packData.bytes;
}

WeightLayout Conv2dPlan::forwardLayout() const
{
    return impl_->packForward.layout;
}
WeightLayout Conv2dPlan::dataLayout() const
{
    return impl_->packData.layout;
}

std::size_t Conv2dPlan::workspaceBytes() const
{
    return impl_->scratchBytes + impl_->packedGradientBytes + impl_->mergedBytes +
           roundUpTo64(std::size_t(impl_->params.weightCount()) * sizeof(float));
}

void Conv2dPlan::packForward(const float* w, void* packed, void* workspace) const
{
    if (impl_->fewer)
        impl_->winograd.packForward(w, packed);
    else if (impl_->pointwise && impl_->pointwise->hasForward())
        impl_->pointwise->forwardProduct().packB(w, packed, workspace);
    else if (impl_->params.N > 0)
        impl_->packForward.run(impl_->params, w, packed, impl_->merged(workspace), workspace);
}

void Conv2dPlan::packData(const float* w, void* packed, void* workspace) const
{
    SB_REQUIRE(impl_->hasData, impl_->params.describe() + ": planned without data gradient");
    if (impl_->params.N == 0)
        return;
    if (impl_->fewer)
        impl_->winograd.packData(w, packed);
    else if (impl_->pointwise)
        impl_->pointwise->dataProduct().packB(w, packed, workspace);
    else
        impl_->packData.run(impl_->params, w, packed, impl_->merged(workspace), workspace);
}

void Conv2dPlan::forward(const void* x, const void* packed, const float* bias, void* y,
                         void* workspace) const
{
    const Impl& m = *impl_;
    if (m.params.N == 0)
        return;
    if (m.fewer) {
        m.winograd.forward(x, packed, bias, y, workspace);
        return;
    }
    if (m.pointwise && m.pointwise->hasForward()) {
        m.pointwise->forward(x, packed, bias, y, workspace);
        return;
    }
    m.forward.set(DNNL_ARG_SRC, x);
    m.forward.set(DNNL_ARG_WEIGHTS, packed);
    m.forward.set(DNNL_ARG_DST, y);
    if (m.params.bias)
        m.forward.set(DNNL_ARG_BIAS, bias);
    m.forward.run(workspace);
}

void Conv2dPlan::backwardData(const void* dy, const void* packed, void* dx, void* workspace) const
{
    SB_REQUIRE(impl_->hasData, impl_->params.describe() + ": planned without data gradient");
    if (impl_->params.N == 0)
        return;
    if (impl_->fewer) {
        impl_->winograd.dataGradient(dy, packed, dx, workspace);
        return;
    }
    if (impl_->pointwise) {
        impl_->pointwise->dataGradient(dy, packed, dx, workspace);
        return;
    }
    impl_->data.set(DNNL_ARG_DIFF_DST, dy);
    impl_->data.set(DNNL_ARG_WEIGHTS, packed);
    impl_->data.set(DNNL_ARG_DIFF_SRC, dx);
    impl_->data.run(workspace);
}

void Conv2dPlan::backwardWeight(const void* x, const void* dy, float* dw, bool accumulate,
                                void* workspace) const
{
    const Impl& m = *impl_;
    const Conv2dParams& p = m.params;
    if (p.N == 0) {
        if (!accumulate)
            std::fill_n(dw, p.weightCount(), 0.0f);
        return;
    }
    float* target = accumulate ? m.sum(workspace) : dw;
    const auto own = [&]<class Way>(const Way& way) {
        using Number = typename Way::Number;
        way.run(static_cast<const Number*>(x), static_cast<const Number*>(dy), target, workspace);
        return true;
    };
    if (m.fewerWeights)
        m.winograd.weightGradient(x, dy, target, workspace);
    else if (m.pointwise)
        m.pointwise->weightGradient(x, dy, target, workspace);
    else if (!ofOwn(m.weightWay, false, own))
        m.weightGradient(x, dy, target, workspace);
    if (accumulate)
        addInPlace(DType::F32, p.weightCount(), target, dw);
}

std::string Conv2dPlan::implementations() const
{
    const Impl& m = *impl_;
    const auto name = [](const DnnlCall& call) {
        return call.name().empty() ? std::string("none") : call.name();
    };
    if (m.pointwise)
        return "forward=" +
               (m.pointwise->hasForward() ? m.pointwise->forwardProduct().implementation()
                                          : name(m.forward)) +
               ", data=" + (m.hasData ? m.pointwise->dataProduct().implementation() : "none") +
               ", weight=" + m.pointwise->weightProduct().implementation();
    const std::string fewer = "own:winograd";
    return "forward=" + (m.fewer ? fewer : name(m.forward)) +
           ", data=" + (m.fewer ? fewer : name(m.data)) + ", weight=" +
           ofOwn(m.weightWay, m.fewerWeights ? fewer : name(m.weight),
                 [](const auto& way) { return std::string(way.kName); });
}

} // namespace kernels::cpu
} // namespace scalebench
