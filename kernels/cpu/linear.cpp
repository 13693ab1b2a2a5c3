// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/linear.h"

#include <algorithm>
#include <unordered_map>

#include "kernels/cpu/dnnl_common.h"
#include "kernels/elementwise.h"

namespace scalebench {

std::string LinearParams::describe() const
{
    return std::string("linear x=") + dtypeName(dtype) + "[" + std::to_string(N) + "," +
           std::to_string(in) + "] w=[" + std::to_string(out) + "," + std::to_string(in) + "]";
}

namespace kernels::cpu {

using dnnl::memory;
using tag = dnnl::memory::format_tag;
using dt = dnnl::memory::data_type;

namespace {

std::size_t roundUp(std::size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/// One matrix product; memory objects are made once.
struct Product {
    dnnl::primitive primitive;
    std::unordered_map<int, memory> args;
    std::size_t scratchBytes = 0;
    std::string name;

    Product() = default;
    Product(const std::string& what, const memory::desc& a, const memory::desc& b,
            const memory::desc& c, const memory::desc* bias)
    {
        dnnl::primitive_attr attr;
        attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
        auto pd = chooseImplementation(what, [&] {
            return bias ? dnnl::matmul::primitive_desc({a, b, *bias, c}, attr, dnnlEngine())
                        : dnnl::matmul::primitive_desc({a, b, c}, attr, dnnlEngine());
        });
        primitive = dnnl::primitive(pd);
        name = pd.impl_info_str();
        scratchBytes = pd.scratchpad_desc().get_size();
        auto add = [&](int arg, const memory::desc& md) {
            args.emplace(arg, memory(md, dnnlEngine(), nullptr));
        };
        add(DNNL_ARG_SRC, a);
        add(DNNL_ARG_WEIGHTS, b);
        add(DNNL_ARG_DST, c);
        if (bias)
            add(DNNL_ARG_BIAS, *bias);
        if (scratchBytes > 0)
            add(DNNL_ARG_SCRATCHPAD, pd.scratchpad_desc());
    }

    void run(const void* a, const void* b, const void* bias, void* c, void* scratch)
    {
        args.at(DNNL_ARG_SRC).set_data_handle(const_cast<void*>(a));
        args.at(DNNL_ARG_WEIGHTS).set_data_handle(const_cast<void*>(b));
        args.at(DNNL_ARG_DST).set_data_handle(c);
        if (bias)
            args.at(DNNL_ARG_BIAS).set_data_handle(const_cast<void*>(bias));
        if (scratchBytes > 0)
            args.at(DNNL_ARG_SCRATCHPAD).set_data_handle(scratch);
        SB_CHECK_DNNL(primitive.execute(dnnlStream(), args));
    }
};

} // namespace

struct LinearPlan::Impl {
    LinearParams params;
    Product plain, biased, data, weight;
    std::size_t scratchBytes = 0, gradientBytes = 0;
};

LinearPlan::LinearPlan(const LinearParams& p) : impl_(new Impl)
{
    SB_REQUIRE(p.N > 0 && p.in > 0 && p.out > 0, p.describe() + ": every size must be positive");
    SB_REQUIRE(p.dtype == DType::F32 || p.dtype == DType::BF16,
               p.describe() + ": the element type must be f32 or bf16");
    Impl& m = *impl_;
    m.params = p;
    const dt type = dnnlType(p.dtype);
    const std::string what = p.describe();
    const memory::desc x({p.N, p.in}, type, tag::ab), wT({p.in, p.out}, type, tag::ba),
        y({p.N, p.out}, dt::f32, tag::ab), b({1, p.out}, dt::f32, tag::ab);
    m.plain = Product(what + " (forward)", x, wT, y, nullptr);
    m.biased = Product(what + " (forward)", x, wT, y, &b);
    const memory::desc dy({p.N, p.out}, type, tag::ab), w({p.out, p.in}, type, tag::ab),
        dyT({p.out, p.N}, type, tag::ba), dw({p.out, p.in}, dt::f32, tag::ab);
    m.data = Product(what + " (data gradient)", dy, w, x, nullptr);
    m.weight = Product(what + " (weight gradient)", dyT, x, dw, nullptr);
    for (const Product* q : {&m.plain, &m.biased, &m.data, &m.weight})
        m.scratchBytes = std::max(m.scratchBytes, roundUp(q->scratchBytes));
    m.gradientBytes = roundUp(std::size_t(p.N * p.out) * sizeof(bf16_t));
}

LinearPlan::~LinearPlan() = default;
LinearPlan::LinearPlan(LinearPlan&&) noexcept = default;

std::size_t LinearPlan::packedWeightBytes() const
{
    return std::size_t(impl_->params.in * impl_->params.out) * dtypeBytes(impl_->params.dtype);
}

std::size_t LinearPlan::workspaceBytes() const
{
    return impl_->scratchBytes + impl_->gradientBytes +
           roundUp(std::size_t(impl_->params.in * impl_->params.out) * sizeof(float));
}

void LinearPlan::pack(const float* w, void* packed) const
{
    const std::int64_t n = impl_->params.in * impl_->params.out;
    if (impl_->params.dtype == DType::BF16)
        castF32ToBf16(n, w, static_cast<bf16_t*>(packed));
    else
        std::copy(w, w + n, static_cast<float*>(packed));
}

void LinearPlan::forward(const void* x, const void* packed, const float* b, float* y,
                         void* workspace) const
{
    (b ? impl_->biased : impl_->plain).run(x, packed, b, y, workspace);
}

void LinearPlan::backward(const void* x, const void* packed, const float* dy, void* dx, float* dw,
                          float* db, bool accumulate, void* workspace) const
{
    const LinearParams& p = impl_->params;
    auto* scratch = static_cast<std::byte*>(workspace);
    const void* g = dy;
    if (p.dtype == DType::BF16) {
        auto* rounded = reinterpret_cast<bf16_t*>(scratch + impl_->scratchBytes);
        castF32ToBf16(p.N * p.out, dy, rounded);
        g = rounded;
    }
    if (dx)
        impl_->data.run(g, packed, nullptr, dx, scratch);
    auto* sum = reinterpret_cast<float*>(scratch + impl_->scratchBytes + impl_->gradientBytes);
    impl_->weight.run(g, x, nullptr, accumulate ? sum : dw, scratch);
    if (accumulate)
        addInPlace(DType::F32, p.in * p.out, sum, dw);
    if (db)
        columnSums(DType::F32, p.N, p.out, dy, db, accumulate);
}

std::string LinearPlan::implementations() const
{
    return "forward=" + impl_->biased.name + ", data=" + impl_->data.name +
           ", weight=" + impl_->weight.name;
}

} // namespace kernels::cpu
} // namespace scalebench
