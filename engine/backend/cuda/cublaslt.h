// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Matrix products by cuBLASLt, row-major: C = act(op(A) op(B) + bias), single or in batches of
// equal strides. Sums are fp32 (CUBLAS_COMPUTE_32F: no TF32), split sums are put together in fp32,
// so that results repeat bit for bit with one choice of algorithm.
//
// The library is column-major; a row-major matrix is its transpose there, so C' = op(B)' op(A)' is
// asked for (cuBLAS documentation, "Data Layout"), and a bias, which it adds per row of its
// result, goes with our columns.

#include <cublasLt.h>

#include <array>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "engine/backend/cuda/cuda_context.h"
#include "engine/backend/cuda/plan_memory.h"
#include "engine/backend/cuda/tuning.h"
#include "engine/backend/plan_cache.h"

namespace scalebench::cuda_backend {

enum class Epilogue : std::uint8_t {
    None,
    Bias,
    Relu,
    ReluBias,
    Gelu, ///< the tanh approximation
    GeluBias,
    GeluAux, ///< keeps what goes into the GELU; N must be a multiple of 8
    GeluAuxBias,
    SumsOfA ///< the bias is written: sums of op(A) over K, one per row
};

struct Gemm {
    std::int64_t M = 1, N = 1, K = 1;
    bool transA = false; ///< A is stored [K,M]
    bool transB = false; ///< B is stored [N,K]
    std::int64_t batch = 1;
    std::int64_t strideA = 0, strideB = 0; ///< elements between batches; 0: shared. C is dense.
    DType inputType = DType::F32, outputType = DType::F32;
    Epilogue epilogue = Epilogue::None;
    bool accumulate = false; ///< C += ...; without activation

    auto operator<=>(const Gemm&) const = default;
    /// "gemm bf16[512,1024] x bf16[1024,4096]^T -> bf16 bias".
    std::string describe() const;
};

/// Device pointers. bias: [N] (SumsOfA: [M]) in outputType; aux: [M,N] in outputType.
struct GemmOperands {
    const void* a = nullptr;
    const void* b = nullptr;
    void* c = nullptr;
    void* bias = nullptr;
    void* aux = nullptr;
};

class CublasLt
{
public:
    explicit CublasLt(CudaContext& context);

    /// Scratch of a product, 256-byte aligned: what NVIDIA recommends per architecture.
    std::size_t workspaceBytes() const;
    /// Issues the product on the context's stream. False, and nothing issued, where the library has
    /// no algorithm for it, which happens with epilogues only; DeviceError where it fails.
    bool tryRun(const Gemm& gemm, const GemmOperands& operands, void* workspace);
    /// As tryRun(); Unsupported where that is false.
    void run(const Gemm& gemm, const GemmOperands& operands, void* workspace);

private:
    struct DestroyHandle {
        void operator()(cublasLtHandle_t h) const { (void)cublasLtDestroy(h); }
    };
    struct DestroyDesc {
        void operator()(cublasLtMatmulDesc_t d) const { (void)cublasLtMatmulDescDestroy(d); }
    };
    struct DestroyLayout {
        void operator()(cublasLtMatrixLayout_t l) const { (void)cublasLtMatrixLayoutDestroy(l); }
    };
    using Layout = std::unique_ptr<std::remove_pointer_t<cublasLtMatrixLayout_t>, DestroyLayout>;

    /// Of a problem and the alignments of its pointers. Without algorithm: not supported.
    struct Plan {
        std::unique_ptr<std::remove_pointer_t<cublasLtMatmulDesc_t>, DestroyDesc> desc;
        Layout first, second, result; ///< as the library sees them: B, A, C
        std::optional<cublasLtMatmulAlgo_t> algorithm;
        SearchTime search;
    };
    struct Key {
        Gemm gemm;
        std::array<std::uint8_t, 5> alignment{}; ///< powers of two, of the operands in their order
        auto operator<=>(const Key&) const = default;
        std::string describe() const;
    };

    static Key keyOf(const Gemm& gemm, const GemmOperands& operands);
    Plan describe(const Gemm& gemm, const GemmOperands& operands) const;
    Plan make(const Key& key, const GemmOperands& operands);
    void choose(const Key& key, const GemmOperands& operands, Plan& plan);
    std::vector<cublasLtMatmulHeuristicResult_t> candidates(const Key& key, const Plan& plan,
                                                            int count) const;
    std::optional<cublasLtMatmulAlgo_t> remembered(const Key& key, const Plan& plan);
    std::optional<cublasLtMatmulAlgo_t> ofNeighbours(const Key& key, const GemmOperands& operands,
                                                     const Plan& plan);
    bool fits(const cublasLtMatmulAlgo_t& algorithm, const Plan& plan) const;
    void search(const Key& key, const GemmOperands& operands, void* workspace, Plan& plan);
    cublasStatus_t issue(const Gemm& gemm, const GemmOperands& operands, const Plan& plan,
                         const cublasLtMatmulAlgo_t& algorithm, void* workspace) const;

    CudaContext& context_;
    std::unique_ptr<std::remove_pointer_t<cublasLtHandle_t>, DestroyHandle> handle_;
    PlanMemory memory_;
    PlanCache<Key, Plan> plans_;
    PlanCache<Key, std::optional<cublasLtMatmulAlgo_t>> neighbours_; ///< by rounded problem
};

} // namespace scalebench::cuda_backend
