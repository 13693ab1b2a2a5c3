// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/matmul.h"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include <omp.h>

#include "kernels/cpu/dnnl_common.h"
#include "kernels/cpu/float_gemm.h"
#include "kernels/cpu/pack_pairs.h"
#include "kernels/cpu/panel_matmul.h"
#include "kernels/cpu/plain_matmul.h"
#include "kernels/cpu/split_gemm.h"
#include "kernels/cpu/weight_layout.h"
#include "kernels/cpu_level.h"

namespace scalebench {
namespace {

std::string matrix(std::int64_t outer, std::int64_t inner, std::int64_t rows, std::int64_t columns)
{
    std::string text = "[";
    if (outer != 1 || inner != 1)
        text += std::to_string(outer) + "," + std::to_string(inner) + ",";
    return text + std::to_string(rows) + "," + std::to_string(columns) + "]";
}

} // namespace

std::string MatmulParams::describe() const
{
    const std::string type = dtypeName(inputType);
    std::string text = "matmul A=" + type + matrix(outerBatch, innerBatch, M, K) +
                       (transA ? " (stored transposed)" : "") + " B=" + type +
                       matrix(outerBatch, innerBatch, K, N) +
                       (packedB  ? " (packed)"
                        : transB ? " (stored transposed)"
                                 : "") +
                       " C=" + dtypeName(outputType);
    if (bias)
        text += " +bias";
    if (activation != Activation::None)
        text += std::string(" ") + activationName(activation);
    return text + (accumulate ? " accumulated" : "");
}

void validate(const MatmulParams& p)
{
    const auto isFloat = [](DType t) { return t == DType::F32 || t == DType::BF16; };
    SB_REQUIRE(p.M >= 0 && p.N >= 0 && p.K >= 0 && p.outerBatch >= 0 && p.innerBatch >= 0,
               p.describe() + ": negative size");
    SB_REQUIRE(isFloat(p.inputType) && isFloat(p.outputType),
               p.describe() + ": element types must be f32 or bf16");
    SB_REQUIRE(p.inputType == DType::BF16 || p.outputType == DType::F32,
               p.describe() + ": f32 inputs give an f32 result");
    SB_REQUIRE(p.lda == 0 || p.lda >= (p.transA ? p.M : p.K), p.describe() + ": lda too small");
    SB_REQUIRE(p.ldb == 0 || p.ldb >= (p.transB ? p.K : p.N), p.describe() + ": ldb too small");
    SB_REQUIRE(p.ldc == 0 || p.ldc >= p.N, p.describe() + ": ldc too small");
    SB_REQUIRE(!p.accumulate || (!p.bias && p.activation == Activation::None),
               p.describe() + ": an accumulated product takes no bias and no activation");
    SB_REQUIRE(!p.packedB || (p.outerBatch == 1 && p.innerBatch == 1),
               p.describe() + ": a packed weight serves a single product");
    SB_REQUIRE(p.M == 0 || p.N == 0 ||
                   ((p.outerBatch <= 1 || p.strideC.outer > 0) &&
                    (p.innerBatch <= 1 || p.strideC.inner > 0)),
               p.describe() + ": the results of the batches would overlap");
}

namespace kernels::cpu {

using dnnl::memory;
using dt = dnnl::memory::data_type;

namespace {

std::size_t roundUp(std::size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/// oneDNN wants equal ranks: [M,K], [batch,M,K] or [outer,inner,M,K].
memory::desc describeMatrix(const MatmulParams& p, std::int64_t rows, std::int64_t columns,
                            std::int64_t rowStride, std::int64_t columnStride, BatchStride s,
                            dt type)
{
    memory::dims dims, strides;
    if (p.outerBatch > 1) {
        dims.push_back(s.outer != 0 ? p.outerBatch : 1);
        strides.push_back(std::max<std::int64_t>(s.outer, 1));
    }
    if (p.innerBatch > 1) {
        dims.push_back(s.inner != 0 ? p.innerBatch : 1);
        strides.push_back(std::max<std::int64_t>(s.inner, 1));
    }
    dims.push_back(rows), dims.push_back(columns);
    strides.push_back(rowStride), strides.push_back(columnStride);
    return {dims, type, strides};
}

memory::desc stored(const MatmulParams& p, std::int64_t rows, std::int64_t columns, bool transposed,
                    std::int64_t ld, BatchStride s, dt type)
{
    const std::int64_t step = leading(ld, transposed ? rows : columns);
    return describeMatrix(p, rows, columns, transposed ? 1 : step, transposed ? step : 1, s, type);
}

dnnl::algorithm algorithmOf(Activation a)
{
    switch (a) {
    case Activation::Relu:
        return dnnl::algorithm::eltwise_relu;
    case Activation::GeluErf:
        return dnnl::algorithm::eltwise_gelu_erf;
    case Activation::GeluTanh:
        return dnnl::algorithm::eltwise_gelu_tanh;
    case Activation::Tanh:
        return dnnl::algorithm::eltwise_tanh;
    case Activation::Sigmoid:
        return dnnl::algorithm::eltwise_logistic;
    case Activation::None:
        break;
    }
    return dnnl::algorithm::undef;
}

dnnl::primitive_attr attributes(const MatmulParams& p)
{
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    dnnl::post_ops after;
    if (p.accumulate)
        after.append_sum(1.0f);
    if (p.activation != Activation::None)
        dnnl_api::appendEltwise(after, algorithmOf(p.activation));
    attr.set_post_ops(after);
    return attr;
}

FloatMatrix storedFloats(const float* at, bool transposed, std::int64_t ld)
{
    return transposed ? FloatMatrix{at, 1, ld} : FloatMatrix{at, ld, 1};
}

// Which products are ours: where they were measured to be faster than oneDNN's (2.6.3). GFLOP/s of
// one core with a peak of 118 (Zen 4 class; "AVX2" is the same core with both capped, measured
// before blocks were fetched ahead; AVX-512 within training steps, operands outside the caches):
//
//   M x N x K                          AVX2: ours, oneDNN     AVX-512: ours, oneDNN
//   32 x 4096 x 1024, B packed              87    65               114    50
//   32 x 2048 x 512, B packed              111    91               115    73
//   800 x 4096 x 1024, B transposed                                110   100
//   800 x 1024 x 4096                                              111   103
//   4096 x 1024 x 800, A transposed                                110   102
//   1024 x 256 x 512, A transposed          92    46               108   106
//   8192 x 256 x 512, A transposed          93    44               107    99
//   2048 x 768 x 256, B transposed         104   106               112   108
//   2048 x 256 x 1024, B transposed                                109   110
//   512 x 256 x 1024, B packed                                     110   112
//
// and with a peak of 101 (Zen 3 class, AVX2), with bias and ReLU or without:
//
//   2048 x 1024 x 1024, B transposed        94    88
//   2048 x 512 x 1024, B transposed         93    87
//   2048 x 256 x 512, B transposed          88    86
//   2048 x 768 x 256, B transposed          93    95
//   128 x 512 x 415, B transposed           91    95
//   2048 x 1024 x 1024                      94    89
//   1024 x 256 x 1024                       91    89
//   128 x 512 x 256                         92    68
//   512 x 415 x 128, A transposed           90    65
//   512 x 13 x 512, A transposed            26    41
//
// and with a peak of 171 (Emerald Rapids without AMX, within layers, operands outside the caches):
//
//   1024 x 256 x 1024, B transposed                                145   146
//   1024 x 1024 x 256, B transposed                                152   132
//   1024 x 256 x 256, B transposed                                 147   134
//   512 x 256 x 1024                                               122   127
//   512 x 256 x 256                                                146   144
//   1024 x 256 x 512, A transposed                                 121   120
//   256 x 256 x 512, A transposed                                  136   134
struct OwnProducts {
    CpuLevel level;
    std::int64_t transposedA; ///< with A transposed, from so many multiplications on
    // With B transposed or neither, from so many elements of B on: the rows of a batch are summed
    // alike for any number of them, and so for any number of workers that share a batch.
    std::int64_t transposedB, plain;
};
constexpr OwnProducts kOwnProducts[] = {{CpuLevel::Avx2, 1 << 20, 1 << 18, 1 << 16},
                                        {CpuLevel::Avx512, 1 << 20, 1 << 16, 1 << 16}};
constexpr std::int64_t kOwnFewestColumns = 16; ///< of an unpacked B
// With AMX a product of two large operands is split: a block of 32 x 32 sums takes 384 cycles for
// 32 steps, and 1,024 by two multiply-adds of 16 a cycle. By that reckoning and not by measurement;
// the conditions leave out what would mostly be packed.
constexpr std::int64_t kSplitEdge = 64, kSplitB = 1 << 15;

// In bf16 (AVX512_BF16 without AMX): the weight of an unpacked B, and with A transposed the
// multiplications, from which on packing pays.
constexpr std::int64_t kPanelB = 1 << 16, kPanelProducts = 1 << 20;

/// How products of our own are computed.
struct OwnGemm {
    const char* name;
    std::size_t (*workspace)(std::int64_t N, int tasks);
    void (*multiply)(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A, FloatMatrix B,
                     float* C, std::int64_t ldc, bool accumulate, int tasks, void* workspace,
                     const FloatFinish& finish);
    std::size_t (*packedBytes)(std::int64_t N, std::int64_t K);
    void (*pack)(std::int64_t N, std::int64_t K, FloatMatrix B, float* packed);
    void (*multiplyPacked)(std::int64_t M, std::int64_t N, std::int64_t K, FloatMatrix A,
                           const float* packed, float* C, std::int64_t ldc, bool accumulate,
                           int tasks, void* workspace, const FloatFinish& finish);
    WeightLayout layouts[2]; ///< of a packed B: straight, turned
};
const OwnGemm& floatGemms()
{
    static const OwnGemm gemm{"own:float_gemm",
                              floatGemmWorkspace,
                              floatGemm,
                              floatGemmPackedBytes,
                              floatGemmPack,
                              floatGemmPacked,
                              {newWeightLayout(), newWeightLayout()}};
    return gemm;
}
const OwnGemm& splitGemms()
{
    static const OwnGemm gemm{"own:split_gemm",
                              splitGemmWorkspace,
                              splitGemm,
                              splitGemmPackedBytes,
                              splitGemmPack,
                              splitGemmPacked,
                              {newWeightLayout(), newWeightLayout()}};
    return gemm;
}

/// Those of this processor; null: none.
const OwnProducts* ownProducts()
{
    static const OwnProducts* const found = []() -> const OwnProducts* {
        for (const OwnProducts& own : kOwnProducts)
            if (floatGemmAvailable() && own.level == cpuLevel())
                return &own;
        return nullptr;
    }();
    return found;
}

bool isSplit(const MatmulParams& p)
{
    // Few rows by a packed weight are bound by reading it, and a split one is larger.
    const bool many = p.packedB ? p.M > kSplitEdge : !p.transA || p.M >= kSplitEdge;
    return splitGemmFaster() && many && p.N >= kSplitEdge && p.K >= kSplitEdge &&
           p.N * p.K >= kSplitB;
}

/// Null: oneDNN is faster.
const OwnGemm* ownGemm(const MatmulParams& p)
{
    if (p.inputType != DType::F32 || p.outerBatch * p.innerBatch != 1 ||
        (p.activation != Activation::None && p.activation != Activation::Relu))
        return nullptr;
    if (isSplit(p))
        return &splitGemms();
    const OwnProducts* own = ownProducts();
    if (!own)
        return nullptr;
    const bool suits = p.packedB                 ? true
                       : p.N < kOwnFewestColumns ? false
                       : p.transA                ? p.M * p.N * p.K >= own->transposedA
                                  : p.N * p.K >= (p.transB ? own->transposedB : own->plain);
    return suits ? &floatGemms() : nullptr;
}

/// Whether a product in bf16 is made of panels: where they are, they are the fastest.
bool isOfPanels(const MatmulParams& p)
{
    const bool large =
        p.packedB || (p.transA ? p.M * p.N * p.K >= kPanelProducts : p.N * p.K >= kPanelB);
    return large && PanelMatmul::suits(p);
}

} // namespace

struct MatmulPlan::Impl {
    MatmulParams params;
    const OwnGemm* own = nullptr;      ///< instead of `product`
    int tasks = 1;                     ///< of it
    std::optional<PanelMatmul> panels; ///< instead of `product`
    bool plain = false;                ///< runPlain() instead of `product`
    dnnl::primitive product, packing;
    std::unordered_map<int, memory> args;
    memory packSource, packTarget;
    std::size_t productScratch = 0, packScratch = 0, packedBytes = 0;
    bool packedAsPairs = false; ///< packPairs() makes the layout, faster than a reorder
    std::string name;

    void prepareOwn(const OwnGemm& gemm);
    void prepareProduct();
    void preparePacking(const memory::desc& source, const memory::desc& target);
    void runOwn(const float* a, const float* b, const float* bias, float* c, void* workspace) const;
};

void MatmulPlan::Impl::prepareOwn(const OwnGemm& gemm)
{
    own = &gemm;
    tasks = std::max(1, omp_get_max_threads());
    name = gemm.name;
    if (params.packedB)
        packedBytes = gemm.packedBytes(params.N, params.K);
}

void MatmulPlan::Impl::runOwn(const float* a, const float* b, const float* bias, float* c,
                              void* workspace) const
{
    const MatmulParams& p = params;
    const FloatMatrix A = storedFloats(a, p.transA, leading(p.lda, p.transA ? p.M : p.K));
    const std::int64_t ldc = leading(p.ldc, p.N);
    const FloatFinish finish{p.bias ? bias : nullptr, p.activation == Activation::Relu};
    if (p.packedB)
        return own->multiplyPacked(p.M, p.N, p.K, A, b, c, ldc, p.accumulate, tasks, workspace,
                                   finish);
    own->multiply(p.M, p.N, p.K, A, storedFloats(b, p.transB, leading(p.ldb, p.transB ? p.K : p.N)),
                  c, ldc, p.accumulate, tasks, workspace, finish);
}

void MatmulPlan::Impl::prepareProduct()
{
    const MatmulParams& p = params;
    const dt in = dnnlType(p.inputType);
    const auto a = stored(p, p.M, p.K, p.transA, p.lda, p.strideA, in);
    auto b = stored(p, p.K, p.N, p.transB, p.ldb, p.strideB, in);
    if (p.packedB)
        b = memory::desc({p.K, p.N}, in, memory::format_tag::any);
    const auto c = stored(p, p.M, p.N, false, p.ldc, p.strideC, dnnlType(p.outputType));
    memory::dims biasDims(dnnl_api::dims(a).size(), 1);
    biasDims.back() = p.N;
    const memory::desc bias(biasDims, dt::f32, memory::dims(biasDims.size(), 1));
    const auto attr = attributes(p);
    const auto pd = chooseImplementation(p.describe(), [&] {
        return dnnl_api::matmul(dnnlEngine(), a, b, p.bias ? &bias : nullptr, c, attr);
    });
    product = dnnl::primitive(pd);
    name = pd.impl_info_str();
    productScratch = pd.scratchpad_desc().get_size();
    const auto add = [&](int arg, const memory::desc& md) {
        args.emplace(arg, memory(md, dnnlEngine(), nullptr));
    };
    add(DNNL_ARG_SRC, a);
    add(DNNL_ARG_WEIGHTS, pd.weights_desc());
    add(DNNL_ARG_DST, c);
    if (p.bias)
        add(DNNL_ARG_BIAS, bias);
    if (productScratch > 0)
        add(DNNL_ARG_SCRATCHPAD, pd.scratchpad_desc());
    if (p.packedB)
        preparePacking(stored(p, p.K, p.N, p.transB, p.ldb, {}, dt::f32), pd.weights_desc());
}

void MatmulPlan::Impl::preparePacking(const memory::desc& source, const memory::desc& target)
{
    packedBytes = target.get_size();
    packTarget = memory(target, dnnlEngine(), nullptr);
    packedAsPairs = !params.transB && target == memory::desc({params.K, params.N}, dt::bf16,
                                                             memory::format_tag::BA16a64b2a);
    if (packedAsPairs)
        return;
    dnnl::primitive_attr attr;
    attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    const dnnl::reorder::primitive_desc pd(dnnlEngine(), source, dnnlEngine(), target, attr);
    packing = dnnl::reorder(pd);
    packScratch = pd.scratchpad_desc().get_size();
    packSource = memory(source, dnnlEngine(), nullptr);
}

MatmulPlan::MatmulPlan(const MatmulParams& p, bool mayBeOwn) : impl_(new Impl)
{
    validate(p);
    impl_->params = p;
    if (shallBePlain(p)) {
        impl_->plain = true;
        impl_->name = "own:plain";
        impl_->packedBytes = plainPackedBytes(p);
    } else if (const OwnGemm* own = mayBeOwn ? ownGemm(p) : nullptr)
        impl_->prepareOwn(*own);
    else if (mayBeOwn && isOfPanels(p)) {
        impl_->name = "own:panel_gemm";
        impl_->packedBytes = impl_->panels.emplace(p).packedBytes();
    } else
        impl_->prepareProduct();
}

MatmulPlan::~MatmulPlan() = default;
MatmulPlan::MatmulPlan(MatmulPlan&&) noexcept = default;

const MatmulParams& MatmulPlan::params() const noexcept
{
    return impl_->params;
}

std::size_t MatmulPlan::packedBytes() const
{
    return impl_->packedBytes;
}

WeightLayout MatmulPlan::packedLayout() const
{
    const bool turned = impl_->params.transB;
    static const WeightLayout plain[] = {newWeightLayout(), newWeightLayout()},
                              panels[] = {newWeightLayout(), newWeightLayout()};
    if (impl_->own)
        return impl_->own->layouts[turned];
    if (impl_->panels)
        return panels[turned];
    if (impl_->plain)
        return plain[turned];
    return layoutOf(impl_->packTarget.get_desc(), turned ? kTurned : kStraight);
}

std::size_t MatmulPlan::workspaceBytes() const
{
    if (impl_->own)
        return roundUp(impl_->own->workspace(impl_->params.N, impl_->tasks));
    if (impl_->panels)
        return impl_->panels->workspaceBytes();
    return roundUp(std::max(impl_->productScratch, impl_->packScratch));
}

void MatmulPlan::packB(const float* b, void* packed, void* workspace) const
{
    Impl& m = *impl_;
    if (m.packedBytes == 0)
        return;
    if (m.plain)
        return packPlain(m.params, b, packed);
    if (m.panels)
        return m.panels->packB(b, packed);
    if (m.own)
        return m.own->pack(
            m.params.N, m.params.K,
            storedFloats(b, m.params.transB,
                         leading(m.params.ldb, m.params.transB ? m.params.K : m.params.N)),
            static_cast<float*>(packed));
    if (m.packedAsPairs)
        return packPairs(m.params.K, m.params.N, b, leading(m.params.ldb, m.params.N),
                         static_cast<bf16_t*>(packed));
    m.packSource.set_data_handle(const_cast<float*>(b));
    m.packTarget.set_data_handle(packed);
    std::unordered_map<int, memory> args{{DNNL_ARG_FROM, m.packSource},
                                         {DNNL_ARG_TO, m.packTarget}};
    if (m.packScratch > 0)
        args.emplace(DNNL_ARG_SCRATCHPAD,
                     memory({{std::int64_t(m.packScratch)}, dt::u8, memory::format_tag::a},
                            dnnlEngine(), workspace));
    SB_CHECK_DNNL(m.packing.execute(dnnlStream(), args));
}

void MatmulPlan::run(const void* a, const void* b, const float* bias, void* c,
                     void* workspace) const
{
    Impl& m = *impl_;
    if (m.plain)
        return runPlain(m.params, a, b, bias, c);
    if (m.panels)
        return m.panels->run(a, b, bias, c, workspace);
    if (m.own)
        return m.runOwn(static_cast<const float*>(a), static_cast<const float*>(b), bias,
                        static_cast<float*>(c), workspace);
    m.args.at(DNNL_ARG_SRC).set_data_handle(const_cast<void*>(a));
    m.args.at(DNNL_ARG_WEIGHTS).set_data_handle(const_cast<void*>(b));
    m.args.at(DNNL_ARG_DST).set_data_handle(c);
    if (m.params.bias)
        m.args.at(DNNL_ARG_BIAS).set_data_handle(const_cast<float*>(bias));
    if (m.productScratch > 0)
        m.args.at(DNNL_ARG_SCRATCHPAD).set_data_handle(workspace);
    SB_CHECK_DNNL(m.product.execute(dnnlStream(), m.args));
}

bool MatmulPlan::isOwn(const MatmulParams& p)
{
    return !shallBePlain(p) && (ownGemm(p) || isOfPanels(p));
}

std::string MatmulPlan::implementation() const
{
    return impl_->name;
}

} // namespace kernels::cpu
} // namespace scalebench
