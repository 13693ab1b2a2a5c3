// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/cublaslt.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>

#include "engine/backend/cuda/tuning.h"

namespace scalebench::cuda_backend {
namespace {

constexpr int kSearched = 16; ///< candidates of a timed search

[[noreturn]] void fail(cublasStatus_t status, const char* call, const std::string& what)
{
    throw DeviceError(what + ": " + call + ": " + cublasLtGetStatusName(status) + ": " +
                          cublasLtGetStatusString(status),
                      status == CUBLAS_STATUS_ALLOC_FAILED ? "out_of_memory" : "device_error");
}

/// The product is named only where it failed: that takes as long as a launch.
void checkBlas(cublasStatus_t status, const char* call, const Gemm& gemm)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        fail(status, call, gemm.describe());
}

cudaDataType_t typeOf(DType dtype, const Gemm& gemm)
{
    switch (dtype) {
    case DType::F32:
        return CUDA_R_32F;
    case DType::BF16:
        return CUDA_R_16BF;
    case DType::F16:
        return CUDA_R_16F;
    default:
        throw Unsupported(gemm.describe() + ": matrix products are made of f32, bf16 and f16");
    }
}

bool hasBias(Epilogue e)
{
    return e == Epilogue::Bias || e == Epilogue::ReluBias || e == Epilogue::GeluBias ||
           e == Epilogue::GeluAuxBias || e == Epilogue::SumsOfA;
}

bool hasAux(Epilogue e)
{
    return e == Epilogue::GeluAux || e == Epilogue::GeluAuxBias;
}

struct EpilogueName {
    cublasLtEpilogue_t value;
    const char* text;
};

EpilogueName nameOf(Epilogue e)
{
    switch (e) {
    case Epilogue::Bias:
        return {CUBLASLT_EPILOGUE_BIAS, " bias"};
    case Epilogue::Relu:
        return {CUBLASLT_EPILOGUE_RELU, " relu"};
    case Epilogue::ReluBias:
        return {CUBLASLT_EPILOGUE_RELU_BIAS, " bias relu"};
    case Epilogue::Gelu:
        return {CUBLASLT_EPILOGUE_GELU, " gelu"};
    case Epilogue::GeluBias:
        return {CUBLASLT_EPILOGUE_GELU_BIAS, " bias gelu"};
    case Epilogue::GeluAux:
        return {CUBLASLT_EPILOGUE_GELU_AUX, " gelu, keeping its input"};
    case Epilogue::GeluAuxBias:
        return {CUBLASLT_EPILOGUE_GELU_AUX_BIAS, " bias gelu, keeping its input"};
    case Epilogue::SumsOfA: // A is the library's second matrix
        return {CUBLASLT_EPILOGUE_BGRADB, " with bias gradient"};
    case Epilogue::None:
        break;
    }
    return {CUBLASLT_EPILOGUE_DEFAULT, ""};
}

std::uint8_t alignmentOf(const void* p)
{
    const auto address = reinterpret_cast<std::uintptr_t>(p);
    return address == 0 ? 8 : std::uint8_t(std::min(std::countr_zero(address), 8));
}

template <class T>
void set(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t attribute, const T& value,
         const Gemm& gemm)
{
    checkBlas(cublasLtMatmulDescSetAttribute(desc, attribute, &value, sizeof value),
              "cublasLtMatmulDescSetAttribute", gemm);
}

/// An algorithm is plain data that may be stored (cuBLAS documentation, cublasLtMatmulAlgo_t).
std::string toText(const cublasLtMatmulAlgo_t& algorithm)
{
    std::string text;
    for (const std::uint64_t word : algorithm.data) {
        char digits[20];
        std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(word));
        text += digits;
    }
    return text;
}

bool fromText(const std::string& text, cublasLtMatmulAlgo_t& algorithm)
{
    constexpr std::size_t kDigits = 16;
    if (text.size() != kDigits * std::size(algorithm.data) ||
        text.find_first_not_of("0123456789abcdef") != std::string::npos)
        return false;
    for (std::size_t i = 0; i < std::size(algorithm.data); ++i)
        algorithm.data[i] = std::stoull(text.substr(i * kDigits, kDigits), nullptr, 16);
    return true;
}

/// Upwards to three leading binary digits.
std::int64_t roundedUp(std::int64_t n)
{
    const int digits = std::bit_width(std::uint64_t(n));
    if (digits <= 4)
        return n;
    const std::int64_t step = std::int64_t(1) << (digits - 3);
    return (n + step - 1) / step * step;
}

} // namespace

std::string Gemm::describe() const
{
    const auto matrix = [&](std::int64_t rows, std::int64_t columns, bool turned, bool shared) {
        return (batch > 1 && !shared ? std::to_string(batch) + "x" : std::string()) +
               dtypeName(inputType) + "[" + std::to_string(turned ? columns : rows) + "," +
               std::to_string(turned ? rows : columns) + (turned ? "]^T" : "]");
    };
    return "gemm " + matrix(M, K, transA, strideA == 0) + " x " +
           matrix(K, N, transB, strideB == 0) + " -> " + dtypeName(outputType) +
           nameOf(epilogue).text + (accumulate ? ", added" : "");
}

std::string CublasLt::Key::describe() const
{
    std::string text = gemm.describe() + " aligned";
    for (const std::uint8_t power : alignment)
        text.append(" ").append(std::to_string(1 << power));
    return text;
}

CublasLt::CublasLt(CudaContext& context)
    : context_(context),
      memory_(PlanMemory::defaultPath(),
              planMachine(context, "cublasLt " + std::to_string(cublasLtGetVersion())))
{
    cublasLtHandle_t handle = nullptr;
    if (const cublasStatus_t status = cublasLtCreate(&handle); status != CUBLAS_STATUS_SUCCESS)
        fail(status, "cublasLtCreate", "cuBLASLt on " + context.device().name);
    handle_.reset(handle);
}

std::size_t CublasLt::workspaceBytes() const
{
    return std::size_t(context_.device().major >= 9 ? 32 : 4) << 20;
}

CublasLt::Key CublasLt::keyOf(const Gemm& gemm, const GemmOperands& o)
{
    return {gemm,
            {alignmentOf(o.a), alignmentOf(o.b), alignmentOf(o.c), alignmentOf(o.bias),
             alignmentOf(o.aux)}};
}

bool CublasLt::tryRun(const Gemm& gemm, const GemmOperands& operands, void* workspace)
{
    if (gemm.M == 0 || gemm.N == 0 || gemm.batch == 0)
        return true;
    if (gemm.K == 0) { // an empty sum, which the library refuses
        if (gemm.epilogue != Epilogue::None)
            return false;
        if (!gemm.accumulate)
            context_.clear(operands.c,
                           std::size_t(gemm.batch * gemm.M * gemm.N) * dtypeBytes(gemm.outputType));
        return true;
    }
    const Key key = keyOf(gemm, operands);
    Plan* plan = plans_.find(key);
    if (plan == nullptr)
        plan = &plans_.add(key, make(key, operands));
    if (!plan->algorithm)
        return false;
    if (plan->search.now(context_))
        search(key, operands, workspace, *plan);
    checkBlas(issue(gemm, operands, *plan, *plan->algorithm, workspace), "cublasLtMatmul", gemm);
    return true;
}

void CublasLt::run(const Gemm& gemm, const GemmOperands& operands, void* workspace)
{
    if (!tryRun(gemm, operands, workspace))
        throw Unsupported(gemm.describe() + ": cuBLASLt " + std::to_string(cublasLtGetVersion()) +
                          " has no algorithm for it on " + context_.device().name);
}

cublasStatus_t CublasLt::issue(const Gemm& gemm, const GemmOperands& operands, const Plan& plan,
                               const cublasLtMatmulAlgo_t& algorithm, void* workspace) const
{
    if (hasBias(gemm.epilogue))
        set(plan.desc.get(), CUBLASLT_MATMUL_DESC_BIAS_POINTER, operands.bias, gemm);
    if (hasAux(gemm.epilogue))
        set(plan.desc.get(), CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, operands.aux, gemm);
    const float alpha = 1.0f, beta = gemm.accumulate ? 1.0f : 0.0f;
    return cublasLtMatmul(handle_.get(), plan.desc.get(), &alpha, operands.b, plan.first.get(),
                          operands.a, plan.second.get(), &beta, operands.c, plan.result.get(),
                          operands.c, plan.result.get(), &algorithm, workspace, workspaceBytes(),
                          context_.stream());
}

CublasLt::Plan CublasLt::make(const Key& key, const GemmOperands& operands)
{
    Plan plan = describe(key.gemm, operands);
    choose(key, operands, plan);
    return plan;
}

CublasLt::Plan CublasLt::describe(const Gemm& g, const GemmOperands& operands) const
{
    Plan plan;
    cublasLtMatmulDesc_t desc = nullptr;
    checkBlas(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F),
              "cublasLtMatmulDescCreate", g);
    plan.desc.reset(desc);
    const auto operation = [](bool turned) {
        return std::int32_t(turned ? CUBLAS_OP_T : CUBLAS_OP_N);
    };
    set(desc, CUBLASLT_MATMUL_DESC_TRANSA, operation(g.transB), g);
    set(desc, CUBLASLT_MATMUL_DESC_TRANSB, operation(g.transA), g);
    set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE, std::uint32_t(nameOf(g.epilogue).value), g);
    if (hasBias(g.epilogue)) {
        set(desc, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, std::int32_t(typeOf(g.outputType, g)), g);
        set(desc, CUBLASLT_MATMUL_DESC_BIAS_POINTER, operands.bias, g);
    }
    if (hasAux(g.epilogue)) {
        set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, g.N, g);
        set(desc, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, operands.aux, g);
    }
    // A stored matrix of `rows` x `columns`, row-major, is columns x rows for the library.
    const auto layout = [&](DType type, std::int64_t rows, std::int64_t columns,
                            std::int64_t stride) {
        cublasLtMatrixLayout_t made = nullptr;
        checkBlas(cublasLtMatrixLayoutCreate(&made, typeOf(type, g), std::uint64_t(columns),
                                             std::uint64_t(rows), columns),
                  "cublasLtMatrixLayoutCreate", g);
        Layout owner(made);
        if (g.batch > 1) {
            const auto count = std::int32_t(g.batch);
            checkBlas(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
                                                       &count, sizeof count),
                      "cublasLtMatrixLayoutSetAttribute", g);
            checkBlas(cublasLtMatrixLayoutSetAttribute(made,
                                                       CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                                       &stride, sizeof stride),
                      "cublasLtMatrixLayoutSetAttribute", g);
        }
        return owner;
    };
    plan.first = layout(g.inputType, g.transB ? g.N : g.K, g.transB ? g.K : g.N, g.strideB);
    plan.second = layout(g.inputType, g.transA ? g.K : g.M, g.transA ? g.M : g.K, g.strideA);
    plan.result = layout(g.outputType, g.M, g.N, g.M * g.N);
    return plan;
}

void CublasLt::choose(const Key& key, const GemmOperands& operands, Plan& plan)
{
    if (context_.autotune()) {
        plan.algorithm = remembered(key, plan);
        if (plan.algorithm) {
            plan.search.settle();
            return;
        }
    }
    if (!context_.shapesRepeat())
        plan.algorithm = ofNeighbours(key, operands, plan);
    if (plan.algorithm)
        return;
    if (const auto list = candidates(key, plan, 1); !list.empty())
        plan.algorithm = list.front().algo;
}

/// Where every batch brings sizes of its own, the heuristic is asked for one size of every eighth
/// to quarter: that takes longer than many of the products, and every further kernel is loaded when
/// it is first launched. Which one is used does not depend on what came before.
std::optional<cublasLtMatmulAlgo_t>
CublasLt::ofNeighbours(const Key& key, const GemmOperands& operands, const Plan& plan)
{
    Key rounded = key;
    for (std::int64_t* n : {&rounded.gemm.M, &rounded.gemm.N, &rounded.gemm.K})
        *n = roundedUp(*n);
    rounded.gemm.strideA = key.gemm.strideA == 0 ? 0 : rounded.gemm.M * rounded.gemm.K;
    rounded.gemm.strideB = key.gemm.strideB == 0 ? 0 : rounded.gemm.K * rounded.gemm.N;
    const auto& algorithm = neighbours_.get(rounded, [&]() -> std::optional<cublasLtMatmulAlgo_t> {
        const auto list = candidates(rounded, describe(rounded.gemm, operands), 1);
        return list.empty() ? std::nullopt : std::optional(list.front().algo);
    });
    return algorithm && fits(*algorithm, plan) ? algorithm : std::nullopt;
}

std::vector<cublasLtMatmulHeuristicResult_t> CublasLt::candidates(const Key& key, const Plan& plan,
                                                                  int count) const
{
    struct DestroyPreference {
        void operator()(cublasLtMatmulPreference_t p) const
        {
            (void)cublasLtMatmulPreferenceDestroy(p);
        }
    };
    cublasLtMatmulPreference_t preference = nullptr;
    checkBlas(cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate",
              key.gemm);
    const std::unique_ptr<std::remove_pointer_t<cublasLtMatmulPreference_t>, DestroyPreference>
        owner(preference);
    const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t attribute, const auto& value) {
        checkBlas(cublasLtMatmulPreferenceSetAttribute(preference, attribute, &value, sizeof value),
                  "cublasLtMatmulPreferenceSetAttribute", key.gemm);
    };
    prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t(workspaceBytes()));
    prefer(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
           std::uint32_t(CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE));
    const auto bytes = [&](std::size_t operand) {
        return std::uint32_t(1) << key.alignment[operand];
    };
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, bytes(1));
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, bytes(0));
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, bytes(2));
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, bytes(2));
    std::vector<cublasLtMatmulHeuristicResult_t> list{std::size_t(count)};
    int found = 0;
    const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
        handle_.get(), plan.desc.get(), plan.first.get(), plan.second.get(), plan.result.get(),
        plan.result.get(), preference, count, list.data(), &found);
    // Some epilogues are refused as invalid where their type or alignment does not fit.
    const bool refused =
        status == CUBLAS_STATUS_NOT_SUPPORTED ||
        (status == CUBLAS_STATUS_INVALID_VALUE && key.gemm.epilogue != Epilogue::None);
    if (refused)
        return {};
    checkBlas(status, "cublasLtMatmulAlgoGetHeuristic", key.gemm);
    list.resize(std::size_t(found));
    std::erase_if(list, [](const auto& r) { return r.state != CUBLAS_STATUS_SUCCESS; });
    return list;
}

std::optional<cublasLtMatmulAlgo_t> CublasLt::remembered(const Key& key, const Plan& plan)
{
    const auto text = memory_.find(key.describe());
    cublasLtMatmulAlgo_t algorithm{};
    if (!text || !fromText(*text, algorithm))
        return {};
    return fits(algorithm, plan) ? std::optional(algorithm) : std::nullopt;
}

bool CublasLt::fits(const cublasLtMatmulAlgo_t& algorithm, const Plan& plan) const
{
    cublasLtMatmulHeuristicResult_t result{};
    const cublasStatus_t status =
        cublasLtMatmulAlgoCheck(handle_.get(), plan.desc.get(), plan.first.get(), plan.second.get(),
                                plan.result.get(), plan.result.get(), &algorithm, &result);
    return status == CUBLAS_STATUS_SUCCESS && result.workspaceSize <= workspaceBytes();
}

void CublasLt::search(const Key& key, const GemmOperands& operands, void* workspace, Plan& plan)
{
    const auto list = candidates(key, plan, kSearched);
    GemmOperands timed = operands;
    Tensor scratch; // what is added to must not be added to many times
    if (key.gemm.accumulate) {
        scratch = context_.make({key.gemm.batch * key.gemm.M * key.gemm.N}, key.gemm.outputType);
        timed.c = scratch.data();
    }
    const auto best = fastestOf(context_, list.size(), [&](std::size_t i) {
        return issue(key.gemm, timed, plan, list[i].algo, workspace) == CUBLAS_STATUS_SUCCESS;
    });
    if (!best)
        return;
    plan.algorithm = list[*best].algo;
    memory_.remember(key.describe(), toText(*plan.algorithm));
}

} // namespace scalebench::cuda_backend
