// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/conv2d.h"

#include <algorithm>
#include <unordered_map>

#include "kernels/cpu/dnnl_common.h"

namespace scalebench {
namespace {

std::string list(std::initializer_list<std::int64_t> sizes)
{
    std::string text = "[";
    for (auto s : sizes) {
        if (text.size() > 1)
            text += ',';
        text += std::to_string(s);
    }
    text += ']';
    return text;
}

} // namespace

std::string Conv2dParams::describe() const
{
    return std::string("conv2d x=") + dtypeName(dtype) + list({N, H, W, C}) +
           " NHWC w=" + list({K, C, R, S}) + " stride=" + std::to_string(stride) +
           " padding=" + std::to_string(padding);
}

void validate(const Conv2dParams& p)
{
    SB_REQUIRE(p.N > 0 && p.H > 0 && p.W > 0 && p.C > 0 && p.K > 0 && p.R > 0 && p.S > 0,
               p.describe() + ": every size must be positive");
    SB_REQUIRE(p.stride > 0 && p.padding >= 0 && p.padding < std::min(p.R, p.S) + 1,
               p.describe() + ": stride must be positive and padding no larger than the kernel");
    SB_REQUIRE(p.H + 2 * p.padding >= p.R && p.W + 2 * p.padding >= p.S,
               p.describe() + ": the kernel is larger than the padded image");
    SB_REQUIRE(p.dtype == DType::F32 || p.dtype == DType::BF16,
               p.describe() + ": the element type must be f32 or bf16");
}

namespace kernels::cpu {

using dnnl::memory;
using tag = dnnl::memory::format_tag;
using dt = dnnl::memory::data_type;

namespace {

/// A primitive with its memory objects; handles are set per call, nothing is allocated.
class Call
{
public:
    Call() = default;
    template <class PrimitiveDesc>
    explicit Call(const PrimitiveDesc& pd) : primitive_(pd.get()), name_(pd.impl_info_str())
    {
        scratchBytes_ = pd.scratchpad_desc().get_size();
        if (scratchBytes_ > 0)
            add(DNNL_ARG_SCRATCHPAD, pd.scratchpad_desc());
    }
    void add(int arg, const memory::desc& md)
    {
        args_.emplace(arg, memory(md, dnnlEngine(), nullptr));
    }
    void set(int arg, const void* data) const
    {
        // oneDNN's handles are not const; sources are only read.
        args_.at(arg).set_data_handle(const_cast<void*>(data));
    }
    void run(void* scratch) const
    {
        if (scratchBytes_ > 0)
            set(DNNL_ARG_SCRATCHPAD, scratch);
        SB_CHECK_DNNL(primitive_.execute(dnnlStream(), args_));
    }
    std::size_t scratchBytes() const { return scratchBytes_; }
    const std::string& name() const { return name_; }

private:
    dnnl::primitive primitive_;
    std::unordered_map<int, memory> args_;
    std::size_t scratchBytes_ = 0;
    std::string name_;
};

std::size_t roundUp(std::size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/// A 1x1 convolution with stride 1 is a matrix product over pixels; oneDNN's product makes the
/// weight gradient of bf16 two to five times faster than its convolution does.
bool weightGradientAsMatmul(const Conv2dParams& p)
{
    return p.dtype == DType::BF16 && p.R == 1 && p.S == 1 && p.stride == 1 && p.padding == 0;
}

/// The format of x and y. With 16 channels NHWC is, byte for byte, also oneDNN's blocked layout,
/// for which it has faster AVX-512 code (bf16: forward by a tenth, weight gradient by a fifth).
tag activationFormat(const Conv2dParams& p)
{
    const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
    const bool avx512 = isa == dnnl::cpu_isa::avx512_core ||
                        isa == dnnl::cpu_isa::avx512_core_vnni ||
                        isa == dnnl::cpu_isa::avx512_core_bf16;
    return avx512 && p.C == 16 && p.K == 16 ? tag::nChw16c : tag::nhwc;
}

} // namespace

struct Conv2dPlan::Impl {
    Conv2dParams params;
    Call forward, data, weight;
    Call packForward, packData, unpackWeight;
    std::size_t forwardWeightBytes = 0, dataWeightBytes = 0;
    std::size_t packedGradientBytes = 0; // library layout of dw; 0: written in place
    std::size_t scratchBytes = 0;        // of the largest primitive
    std::int64_t weightCount = 0;
    bool hasData = false;
};

Conv2dPlan::Conv2dPlan(const Conv2dParams& p, bool needDataGradient) : impl_(new Impl)
{
    validate(p);
    Impl& m = *impl_;
    m.params = p;
    m.hasData = needDataGradient;
    m.weightCount = p.K * p.C * p.R * p.S;
    const std::string what = p.describe();
    const dt type = dnnlType(p.dtype);
    const auto& engine = dnnlEngine();
    const memory::dims xDims{p.N, p.C, p.H, p.W}, wDims{p.K, p.C, p.R, p.S},
        yDims{p.N, p.K, p.outH(), p.outW()}, strides{p.stride, p.stride};
    // The window may end before the padding does; oneDNN wants the exact amount at the far side.
    const memory::dims padBegin{p.padding, p.padding};
    const memory::dims padEnd{(p.outH() - 1) * p.stride + p.R - p.H - p.padding,
                              (p.outW() - 1) * p.stride + p.S - p.W - p.padding};
    // Both ends explicit: with `any` oneDNN may choose its reference code for three channels.
    const tag format = activationFormat(p);
    const memory::desc x(xDims, type, format), y(yDims, type, format);
    const memory::desc wAny(wDims, type, tag::any), wGradAny(wDims, dt::f32, tag::any);
    const memory::desc master(wDims, dt::f32, tag::oihw);
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    constexpr auto direct = dnnl::algorithm::convolution_direct;

    auto reorder = [&](const memory::desc& from, const memory::desc& to) {
        Call call;
        SB_CHECK_DNNL(call = Call(dnnl::reorder::primitive_desc(engine, from, engine, to, attr)));
        call.add(DNNL_ARG_FROM, from);
        call.add(DNNL_ARG_TO, to);
        return call;
    };

    auto forwardPd = chooseImplementation(what + " (forward)", [&] {
        return dnnl::convolution_forward::primitive_desc(
            {dnnl::prop_kind::forward_training, direct, x, wAny, y, strides, padBegin, padEnd},
            attr, engine);
    });
    m.forward = Call(forwardPd);
    m.forward.add(DNNL_ARG_SRC, x);
    m.forward.add(DNNL_ARG_WEIGHTS, forwardPd.weights_desc());
    m.forward.add(DNNL_ARG_DST, y);
    m.forwardWeightBytes = forwardPd.weights_desc().get_size();
    m.packForward = reorder(master, forwardPd.weights_desc());

    if (needDataGradient) {
        auto pd = chooseImplementation(what + " (data gradient)", [&] {
            return dnnl::convolution_backward_data::primitive_desc(
                {direct, x, wAny, y, strides, padBegin, padEnd}, attr, engine, forwardPd);
        });
        m.data = Call(pd);
        m.data.add(DNNL_ARG_DIFF_DST, y);
        m.data.add(DNNL_ARG_WEIGHTS, pd.weights_desc());
        m.data.add(DNNL_ARG_DIFF_SRC, x);
        m.dataWeightBytes = pd.weights_desc().get_size();
        m.packData = reorder(master, pd.weights_desc());
    }

    if (weightGradientAsMatmul(p)) {
        const std::int64_t pixels = p.N * p.H * p.W;
        const memory::desc dyT({p.K, pixels}, type, memory::dims{1, p.K});
        const memory::desc xm({pixels, p.C}, type, tag::ab), dw({p.K, p.C}, dt::f32, tag::ab);
        auto pd = chooseImplementation(what + " (weight gradient)", [&] {
            return dnnl::matmul::primitive_desc({dyT, xm, dw}, attr, engine);
        });
        m.weight = Call(pd);
        m.weight.add(DNNL_ARG_SRC, dyT);
        m.weight.add(DNNL_ARG_WEIGHTS, xm);
        m.weight.add(DNNL_ARG_DST, dw);
    } else {
        auto pd = chooseImplementation(what + " (weight gradient)", [&] {
            return dnnl::convolution_backward_weights::primitive_desc(
                {direct, x, wGradAny, y, strides, padBegin, padEnd}, attr, engine, forwardPd);
        });
        m.weight = Call(pd);
        m.weight.add(DNNL_ARG_SRC, x);
        m.weight.add(DNNL_ARG_DIFF_DST, y);
        m.weight.add(DNNL_ARG_DIFF_WEIGHTS, pd.diff_weights_desc());
        if (pd.diff_weights_desc() != master) {
            m.packedGradientBytes = roundUp(pd.diff_weights_desc().get_size());
            m.unpackWeight = reorder(pd.diff_weights_desc(), master);
        }
    }
    for (const Call* call :
         {&m.forward, &m.data, &m.weight, &m.packForward, &m.packData, &m.unpackWeight})
        m.scratchBytes = std::max(m.scratchBytes, roundUp(call->scratchBytes()));
}

Conv2dPlan::~Conv2dPlan() = default;
Conv2dPlan::Conv2dPlan(Conv2dPlan&&) noexcept = default;

std::size_t Conv2dPlan::forwardWeightBytes() const
{
    return impl_->forwardWeightBytes;
}
std::size_t Conv2dPlan::dataWeightBytes() const
{
    return impl_->dataWeightBytes;
}

std::size_t Conv2dPlan::workspaceBytes() const
{
    return impl_->scratchBytes + impl_->packedGradientBytes +
           roundUp(std::size_t(impl_->weightCount) * sizeof(float));
}

void Conv2dPlan::packForward(const float* w, void* packed, void* workspace) const
{
    impl_->packForward.set(DNNL_ARG_FROM, w);
    impl_->packForward.set(DNNL_ARG_TO, packed);
    impl_->packForward.run(workspace);
}

void Conv2dPlan::packData(const float* w, void* packed, void* workspace) const
{
    SB_REQUIRE(impl_->hasData, impl_->params.describe() + ": planned without data gradient");
    impl_->packData.set(DNNL_ARG_FROM, w);
    impl_->packData.set(DNNL_ARG_TO, packed);
    impl_->packData.run(workspace);
}

void Conv2dPlan::forward(const void* x, const void* packed, void* y, void* workspace) const
{
    impl_->forward.set(DNNL_ARG_SRC, x);
    impl_->forward.set(DNNL_ARG_WEIGHTS, packed);
    impl_->forward.set(DNNL_ARG_DST, y);
    impl_->forward.run(workspace);
}

void Conv2dPlan::backwardData(const void* dy, const void* packed, void* dx, void* workspace) const
{
    SB_REQUIRE(impl_->hasData, impl_->params.describe() + ": planned without data gradient");
    impl_->data.set(DNNL_ARG_DIFF_DST, dy);
    impl_->data.set(DNNL_ARG_WEIGHTS, packed);
    impl_->data.set(DNNL_ARG_DIFF_SRC, dx);
    impl_->data.run(workspace);
}

void Conv2dPlan::backwardWeight(const void* x, const void* dy, float* dw, bool accumulate,
                                void* workspace) const
{
    const Impl& m = *impl_;
    auto* scratch = static_cast<std::byte*>(workspace);
    auto* packed = scratch + m.scratchBytes;
    auto* sum = reinterpret_cast<float*>(packed + m.packedGradientBytes);
    float* target = accumulate ? sum : dw;
    void* result = m.packedGradientBytes > 0 ? static_cast<void*>(packed) : target;
    if (weightGradientAsMatmul(m.params)) {
        m.weight.set(DNNL_ARG_SRC, dy);
        m.weight.set(DNNL_ARG_WEIGHTS, x);
        m.weight.set(DNNL_ARG_DST, result);
    } else {
        m.weight.set(DNNL_ARG_SRC, x);
        m.weight.set(DNNL_ARG_DIFF_DST, dy);
        m.weight.set(DNNL_ARG_DIFF_WEIGHTS, result);
    }
    m.weight.run(scratch);
    if (m.packedGradientBytes > 0) {
        m.unpackWeight.set(DNNL_ARG_FROM, packed);
        m.unpackWeight.set(DNNL_ARG_TO, target);
        m.unpackWeight.run(scratch);
    }
    if (accumulate)
        for (std::int64_t i = 0; i < m.weightCount; ++i)
            dw[i] += sum[i];
}

std::string Conv2dPlan::implementations() const
{
    return "forward=" + impl_->forward.name() +
           ", data=" + (impl_->hasData ? impl_->data.name() : "none") +
           ", weight=" + impl_->weight.name();
}

} // namespace kernels::cpu
} // namespace scalebench
