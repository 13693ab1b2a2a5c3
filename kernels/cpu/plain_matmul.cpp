// SPDX-License-Identifier: GPL-3.0-or-later
#include "kernels/cpu/plain_matmul.h"

#include "kernels/formula/activation.h"
#include "kernels/formula/bf16.h"

namespace scalebench::kernels::cpu {

namespace {

struct Strides {
    std::int64_t row, column;
};

Strides stridesOf(bool transposed, std::int64_t ld)
{
    return transposed ? Strides{1, ld} : Strides{ld, 1};
}

template <class In, class Out>
void multiply(const MatmulParams& p, const In* a, const In* b, const float* bias, Out* c)
{
    const bool turned = p.transB && !p.packedB;
    const Strides A = stridesOf(p.transA, leading(p.lda, p.transA ? p.M : p.K)),
                  B = stridesOf(turned, leading(p.packedB ? 0 : p.ldb, turned ? p.K : p.N));
    const std::int64_t ldc = leading(p.ldc, p.N);
    const auto sum = [&](const In* row, const In* column) {
        double s = 0;
        for (std::int64_t k = 0; k < p.K; ++k)
            s += double(formula::load(row + k * A.column)) *
                 double(formula::load(column + k * B.row));
        return s;
    };
    for (std::int64_t o = 0; o < p.outerBatch; ++o)
        for (std::int64_t i = 0; i < p.innerBatch; ++i)
            for (std::int64_t m = 0; m < p.M; ++m)
                for (std::int64_t n = 0; n < p.N; ++n) {
                    const In* const row = a + o * p.strideA.outer + i * p.strideA.inner + m * A.row;
                    const In* const column =
                        b + o * p.strideB.outer + i * p.strideB.inner + n * B.column;
                    Out* const at = c + o * p.strideC.outer + i * p.strideC.inner + m * ldc + n;
                    const float before = p.accumulate ? formula::load(at) : p.bias ? bias[n] : 0.0f;
                    formula::store(
                        at, formula::activate(p.activation, float(before + sum(row, column))));
                }
}

} // namespace

bool shallBePlain(const MatmulParams& p)
{
    const bool empty = p.K == 0 || p.M == 0 || p.N == 0 || p.outerBatch == 0 || p.innerBatch == 0;
    return empty || (p.M == 1 && p.transA && p.lda > 1) || (p.N == 1 && p.M > 1 && p.ldc > 1);
}

std::size_t plainPackedBytes(const MatmulParams& p)
{
    return p.packedB ? std::size_t(p.K * p.N) * dtypeBytes(p.inputType) : 0;
}

void packPlain(const MatmulParams& p, const float* b, void* packed)
{
    const Strides B = stridesOf(p.transB, leading(p.ldb, p.transB ? p.K : p.N));
    const auto pack = [&](auto* to) {
        for (std::int64_t k = 0; k < p.K; ++k)
            for (std::int64_t n = 0; n < p.N; ++n)
                formula::store(to + k * p.N + n, b[k * B.row + n * B.column]);
    };
    if (p.inputType == DType::F32)
        pack(static_cast<float*>(packed));
    else
        pack(static_cast<bf16_t*>(packed));
}

void runPlain(const MatmulParams& p, const void* a, const void* b, const float* bias, void* c)
{
    const auto in = [&](auto zero, auto* result) {
        using In = decltype(zero);
        multiply(p, static_cast<const In*>(a), static_cast<const In*>(b), bias, result);
    };
    if (p.inputType == DType::F32)
        in(float(), static_cast<float*>(c));
    else if (p.outputType == DType::F32)
        in(bf16_t(), static_cast<float*>(c));
    else
        in(bf16_t(), static_cast<bf16_t*>(c));
}

} // namespace scalebench::kernels::cpu
