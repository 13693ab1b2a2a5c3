// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for cuBLASLt: the functions that the engine calls, declared by the toolkit's header and
// written after the documents (docs.nvidia.com/cuda/cublas, "Using the cuBLASLt API").
#include <cublasLt.h>

#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "support/cuda_emulation/emulation.h"
#include "support/cuda_emulation/vendor.h"
#include "support/cuda_emulation/vendor_math.h"

using namespace scalebench::emulation;

namespace {

constexpr std::uint64_t kMagic = 0x5ca1ab1e00000000ull;
constexpr int kCandidates = 3;
constexpr std::size_t kStep = std::size_t(1) << 20; ///< workspace of candidate i: (i + 1) steps

bool epilogues = true;

struct Desc {
    cublasComputeType_t compute;
    cudaDataType_t scale;
    std::int32_t transA = CUBLAS_OP_N, transB = CUBLAS_OP_N, biasType = -1;
    std::uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    void* bias = nullptr;
    void* aux = nullptr;
    std::int64_t auxLd = 0;
};
struct Layout {
    cudaDataType type;
    std::int64_t rows, columns, ld, stride = 0;
    std::int32_t batch = 1;
};
struct Preference {
    std::uint64_t workspace = 0;
    std::uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_MASK;
    std::uint32_t alignment[4] = {256, 256, 256, 256};
};

const Desc& at(cublasLtMatmulDesc_t d)
{
    return *reinterpret_cast<const Desc*>(d);
}
const Layout& at(cublasLtMatrixLayout_t l)
{
    return *reinterpret_cast<const Layout*>(l);
}

std::optional<Element> elementOf(cudaDataType type)
{
    switch (type) {
    case CUDA_R_32F:
        return Element::F32;
    case CUDA_R_16BF:
        return Element::BF16;
    case CUDA_R_16F:
        return Element::F16;
    default:
        return {};
    }
}

template <class T>
cublasStatus_t assign(T& value, const void* from, std::size_t bytes)
{
    if (from == nullptr || bytes != sizeof value)
        return CUBLAS_STATUS_INVALID_VALUE;
    std::memcpy(&value, from, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

struct Sizes {
    std::int64_t m, n, k;
};

bool has(std::uint32_t epilogue, std::uint32_t bits)
{
    return epilogue != CUBLASLT_EPILOGUE_DEFAULT && (epilogue & bits) == bits;
}
bool hasBias(std::uint32_t e)
{
    return has(e, CUBLASLT_EPILOGUE_BIAS) || e == CUBLASLT_EPILOGUE_BGRADB;
}
bool keepsInput(std::uint32_t e)
{
    return has(e, CUBLASLT_EPILOGUE_GELU_AUX);
}

bool knownEpilogue(std::uint32_t e)
{
    for (const std::uint32_t known :
         {CUBLASLT_EPILOGUE_DEFAULT, CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_BIAS,
          CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_GELU, CUBLASLT_EPILOGUE_GELU_BIAS,
          CUBLASLT_EPILOGUE_GELU_AUX, CUBLASLT_EPILOGUE_GELU_AUX_BIAS, CUBLASLT_EPILOGUE_BGRADB})
        if (e == known)
            return true;
    return false;
}

/// The table of types, sizes that fit, what an epilogue needs.
cublasStatus_t validate(const Desc& d, const Layout& a, const Layout& b, const Layout& c,
                        const Layout& out, Sizes& sizes)
{
    sizes.m = d.transA == CUBLAS_OP_N ? a.rows : a.columns;
    sizes.k = d.transA == CUBLAS_OP_N ? a.columns : a.rows;
    sizes.n = d.transB == CUBLAS_OP_N ? b.columns : b.rows;
    const std::int64_t kB = d.transB == CUBLAS_OP_N ? b.rows : b.columns;
    if (kB != sizes.k || out.rows != sizes.m || out.columns != sizes.n || c.rows != out.rows ||
        c.columns != out.columns || c.type != out.type || c.batch != out.batch ||
        a.batch != out.batch || b.batch != out.batch || sizes.m <= 0 || sizes.n <= 0 ||
        sizes.k <= 0 || out.batch < 1)
        return CUBLAS_STATUS_INVALID_VALUE;
    for (const Layout* l : {&a, &b, &c, &out})
        if (l->ld < l->rows)
            return CUBLAS_STATUS_INVALID_VALUE;
    if (out.batch > 1 && out.stride < out.ld * (out.columns - 1) + out.rows)
        return CUBLAS_STATUS_INVALID_VALUE; // results would overlap
    if (d.compute != CUBLAS_COMPUTE_32F || d.scale != CUDA_R_32F || a.type != b.type ||
        !elementOf(a.type) || (out.type != CUDA_R_32F && out.type != a.type))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    if (!knownEpilogue(d.epilogue))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    if (hasBias(d.epilogue) && d.biasType != -1 && d.biasType != std::int32_t(out.type))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    if (keepsInput(d.epilogue) && (d.auxLd % 8 != 0 || d.auxLd < sizes.m))
        return CUBLAS_STATUS_INVALID_VALUE;
    if (d.epilogue != CUBLASLT_EPILOGUE_DEFAULT && (!epilogues || out.batch > 1))
        return CUBLAS_STATUS_NOT_SUPPORTED;
    return CUBLAS_STATUS_SUCCESS;
}

bool aligned(const void* p, std::uint64_t bytes)
{
    return reinterpret_cast<std::uintptr_t>(p) % bytes == 0;
}

/// op(matrix) as floats, column after column.
std::vector<float> unfold(const void* from, const Layout& l, bool turned, std::int64_t offset)
{
    const Element type = *elementOf(l.type);
    const std::int64_t rows = turned ? l.columns : l.rows, columns = turned ? l.rows : l.columns;
    std::vector<float> all(std::size_t(rows * columns));
    for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns; ++c)
            all[std::size_t(c * rows + r)] =
                loadElement(type, from, offset + (turned ? c + r * l.ld : r + c * l.ld));
    return all;
}

struct Operands {
    const void* a;
    const void* b;
    const void* c;
    void* out;
    float alpha, beta;
};

void compute(const Desc& d, const Layout& la, const Layout& lb, const Layout& lc, const Layout& lo,
             const Sizes& s, const Operands& o)
{
    const Element type = *elementOf(lo.type);
    std::vector<float> product(std::size_t(s.m * s.n));
    for (std::int64_t batch = 0; batch < lo.batch; ++batch) {
        const auto a = unfold(o.a, la, d.transA != CUBLAS_OP_N, batch * la.stride);
        const auto b = unfold(o.b, lb, d.transB != CUBLAS_OP_N, batch * lb.stride);
        multiply(s.m, s.n, s.k, a.data(), b.data(), product.data());
        for (std::int64_t j = 0; j < s.n; ++j)
            for (std::int64_t i = 0; i < s.m; ++i) {
                const std::int64_t at = batch * lo.stride + j * lo.ld + i;
                float v = o.alpha * product[std::size_t(j * s.m + i)];
                if (o.beta != 0.0f)
                    v += o.beta * loadElement(type, o.c, batch * lc.stride + j * lc.ld + i);
                if (has(d.epilogue, CUBLASLT_EPILOGUE_BIAS))
                    v += loadElement(type, d.bias, i);
                if (keepsInput(d.epilogue))
                    storeElement(type, d.aux, j * d.auxLd + i, v);
                if (has(d.epilogue, CUBLASLT_EPILOGUE_RELU))
                    v = v > 0.0f ? v : 0.0f;
                if (has(d.epilogue, CUBLASLT_EPILOGUE_GELU))
                    v = geluTanh(v);
                storeElement(type, o.out, at, v);
            }
        for (std::int64_t j = 0; d.epilogue == CUBLASLT_EPILOGUE_BGRADB && j < s.n; ++j) {
            float sum = 0;
            for (std::int64_t k = 0; k < s.k; ++k)
                sum += b[std::size_t(j * s.k + k)];
            storeElement(type, d.bias, j, sum);
        }
    }
}

} // namespace

void scalebench::emulation::setCublasLtEpilogues(bool on)
{
    epilogues = on;
}

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle)
{
    *handle = reinterpret_cast<cublasLtHandle_t>(new char);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle)
{
    delete reinterpret_cast<char*>(handle);
    return CUBLAS_STATUS_SUCCESS;
}
std::size_t cublasLtGetVersion()
{
    return CUBLAS_VERSION;
}
const char* cublasLtGetStatusName(cublasStatus_t status)
{
    return status == CUBLAS_STATUS_INVALID_VALUE   ? "CUBLAS_STATUS_INVALID_VALUE"
           : status == CUBLAS_STATUS_NOT_SUPPORTED ? "CUBLAS_STATUS_NOT_SUPPORTED"
                                                   : "CUBLAS_STATUS";
}
const char* cublasLtGetStatusString(cublasStatus_t)
{
    return "the status text of the library";
}

cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* made, cublasComputeType_t compute,
                                        cudaDataType_t scale)
{
    *made = reinterpret_cast<cublasLtMatmulDesc_t>(new Desc{compute, scale});
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t d)
{
    delete reinterpret_cast<Desc*>(d);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc,
                                              cublasLtMatmulDescAttributes_t attribute,
                                              const void* from, std::size_t bytes)
{
    Desc& d = *reinterpret_cast<Desc*>(desc);
    switch (attribute) {
    case CUBLASLT_MATMUL_DESC_TRANSA:
        return assign(d.transA, from, bytes);
    case CUBLASLT_MATMUL_DESC_TRANSB:
        return assign(d.transB, from, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE:
        return assign(d.epilogue, from, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_POINTER:
        return assign(d.bias, from, bytes);
    case CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE:
        return assign(d.biasType, from, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER:
        return assign(d.aux, from, bytes);
    case CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD:
        return assign(d.auxLd, from, bytes);
    default:
        return CUBLAS_STATUS_INVALID_VALUE;
    }
}

cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* made, cudaDataType type,
                                          std::uint64_t rows, std::uint64_t columns,
                                          std::int64_t ld)
{
    *made = reinterpret_cast<cublasLtMatrixLayout_t>(
        new Layout{type, std::int64_t(rows), std::int64_t(columns), ld});
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t l)
{
    delete reinterpret_cast<Layout*>(l);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t attribute,
                                                const void* from, std::size_t bytes)
{
    Layout& l = *reinterpret_cast<Layout*>(layout);
    switch (attribute) {
    case CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
        return assign(l.batch, from, bytes);
    case CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET:
        return assign(l.stride, from, bytes);
    default:
        return CUBLAS_STATUS_INVALID_VALUE;
    }
}

cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* made)
{
    *made = reinterpret_cast<cublasLtMatmulPreference_t>(new Preference);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t p)
{
    delete reinterpret_cast<Preference*>(p);
    return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t attribute,
                                                    const void* from, std::size_t bytes)
{
    Preference& p = *reinterpret_cast<Preference*>(preference);
    switch (attribute) {
    case CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES:
        return assign(p.workspace, from, bytes);
    case CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK:
        return assign(p.reductions, from, bytes);
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES:
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES:
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES:
    case CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES:
        return assign(p.alignment[attribute - CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES], from,
                      bytes);
    default:
        return CUBLAS_STATUS_INVALID_VALUE;
    }
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t out,
                                              cublasLtMatmulPreference_t preference, int wanted,
                                              cublasLtMatmulHeuristicResult_t results[], int* found)
{
    *found = 0;
    Sizes sizes{};
    if (wanted <= 0)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (const cublasStatus_t s = validate(at(desc), at(a), at(b), at(c), at(out), sizes);
        s != CUBLAS_STATUS_SUCCESS)
        return s;
    const Preference& p = *reinterpret_cast<const Preference*>(preference);
    for (int i = 0; i < kCandidates && *found < wanted; ++i) {
        cublasLtMatmulHeuristicResult_t r{};
        r.algo.data[0] = kMagic | unsigned(i);
        for (int operand = 0; operand < 4; ++operand) // what was promised
            r.algo.data[1] |= std::uint64_t(p.alignment[operand]) << (16 * operand);
        r.workspaceSize = kStep * std::size_t(i + 1);
        r.state = CUBLAS_STATUS_SUCCESS;
        if (r.workspaceSize <= p.workspace)
            results[(*found)++] = r;
    }
    return *found > 0 ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t, cublasLtMatmulDesc_t desc,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t out,
                                       const cublasLtMatmulAlgo_t* algorithm,
                                       cublasLtMatmulHeuristicResult_t* result)
{
    const std::uint64_t number = algorithm->data[0] - kMagic;
    Sizes sizes{};
    if (number >= kCandidates)
        return CUBLAS_STATUS_INVALID_VALUE;
    result->workspaceSize = kStep * std::size_t(number + 1);
    return validate(at(desc), at(a), at(b), at(c), at(out), sizes);
}

cublasStatus_t cublasLtMatmul(cublasLtHandle_t, cublasLtMatmulDesc_t desc, const void* alpha,
                              const void* a, cublasLtMatrixLayout_t la, const void* b,
                              cublasLtMatrixLayout_t lb, const void* beta, const void* c,
                              cublasLtMatrixLayout_t lc, void* out, cublasLtMatrixLayout_t lo,
                              const cublasLtMatmulAlgo_t* algorithm, void* workspace,
                              std::size_t workspaceBytes, cudaStream_t stream)
{
    const Desc d = at(desc);
    Sizes sizes{};
    if (const cublasStatus_t s = validate(d, at(la), at(lb), at(lc), at(lo), sizes);
        s != CUBLAS_STATUS_SUCCESS)
        return s;
    if (algorithm == nullptr || algorithm->data[0] - kMagic >= kCandidates)
        return CUBLAS_STATUS_INVALID_VALUE;
    const int candidate = int(algorithm->data[0] - kMagic);
    const std::size_t need = kStep * std::size_t(candidate + 1);
    if (workspaceBytes < need || !aligned(workspace, 256))
        return CUBLAS_STATUS_INVALID_VALUE;
    const void* operands[] = {a, b, c, out};
    for (int i = 0; i < 4; ++i)
        if (!isDeviceAddress(operands[i]) ||
            !aligned(operands[i], algorithm->data[1] >> (16 * i) & 0xffff))
            return CUBLAS_STATUS_INVALID_VALUE;
    if ((hasBias(d.epilogue) && !isDeviceAddress(d.bias)) ||
        (keepsInput(d.epilogue) && !isDeviceAddress(d.aux)))
        return CUBLAS_STATUS_INVALID_VALUE;
    const Operands o{
        a, b, c, out, *static_cast<const float*>(alpha), *static_cast<const float*>(beta)};
    enqueue("cublasLtMatmul", stream, [=, la = at(la), lb = at(lb), lc = at(lc), lo = at(lo)] {
        noteVendorRun("cublaslt", candidate);
        std::memset(workspace, 0xff, need);
        compute(d, la, lb, lc, lo, sizes, o);
    });
    return CUBLAS_STATUS_SUCCESS;
}
