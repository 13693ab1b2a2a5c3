// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What every backend asks of the arguments of MatmulOps, and the sizes in them. Whether a type can
// be computed in is the backend's own question, asked before.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "engine/backend/ops/matmul_ops.h"
#include "kernels/check.h"
#include "kernels/linear.h"
#include "kernels/matmul.h"

namespace scalebench {

inline Shape withLast(Shape shape, std::int64_t last)
{
    shape.back() = last;
    return shape;
}

/// InvalidArgument where weight and input do not fit, Unsupported where an f32 input is to give
/// another type, or one of the 16-bit types the other one.
inline LinearParams linearParams(const LinearArgs& args, const Tensor& input, const Tensor& weight)
{
    SB_REQUIRE(weight.defined() && weight.dtype() == DType::F32 && weight.shape().size() == 2 &&
                   input.shape().size() >= 2 && weight.dim(1) == input.shape().back(),
               "linear: weight " + weight.describe() + " does not fit input " + input.describe());
    LinearParams p;
    p.in = weight.dim(1), p.out = weight.dim(0);
    p.N = 1;
    for (std::size_t i = 0; i + 1 < input.shape().size(); ++i)
        p.N *= input.dim(i);
    p.dtype = input.dtype(), p.outputType = args.outputType;
    p.activation = args.activation;
    if (p.outputType != DType::F32 && p.outputType != p.dtype)
        throw Unsupported(p.describe() + ": an " + dtypeName(p.dtype) +
                          " input gives an f32 output" +
                          (p.dtype == DType::F32 ? "" : " or one of its own type"));
    return p;
}

/// Sizes of a (batched) product; InvalidArgument and Unsupported as above.
inline MatmulParams matmulParams(const MatmulArgs& args, const Tensor& a, const Tensor& b)
{
    const std::string what = "matmul of " + a.describe() + " and " + b.describe();
    const std::size_t rank = a.shape().size(), rankB = b.shape().size();
    SB_REQUIRE(rank >= 2 && (rankB == rank || rankB == 2) && a.dtype() == b.dtype(),
               what + ": both need one type, and the same leading axes or two axes for the second");
    for (std::size_t i = 0; rankB == rank && i + 2 < rank; ++i)
        SB_REQUIRE(a.dim(i) == b.dim(i), what + ": the leading axes must agree");
    MatmulParams p;
    p.transA = args.transA, p.transB = args.transB;
    p.M = a.dim(args.transA ? rank - 1 : rank - 2);
    p.K = a.dim(args.transA ? rank - 2 : rank - 1);
    p.N = b.dim(args.transB ? rankB - 2 : rankB - 1);
    SB_REQUIRE(b.dim(args.transB ? rankB - 1 : rankB - 2) == p.K,
               what + ": the inner sizes must agree");
    for (std::size_t i = 0; i + 2 < rank; ++i)
        p.innerBatch *= a.dim(i);
    p.strideA.inner = p.M * p.K, p.strideC.inner = p.M * p.N;
    p.strideB.inner = rankB == rank ? p.K * p.N : 0;
    p.inputType = a.dtype(), p.outputType = args.outputType;
    if (rankB == 2 && !args.transA) { // one long product
        p.M *= p.innerBatch;
        p.innerBatch = 1;
    }
    if (p.outputType != DType::F32 && p.outputType != p.inputType)
        throw Unsupported(what + ": " + dtypeName(p.inputType) + " inputs give an f32 result" +
                          (p.inputType == DType::F32 ? "" : " or one of their own type"));
    return p;
}

/// Of the result of a product.
inline Shape matmulShape(const MatmulArgs& args, const Tensor& a, std::int64_t N)
{
    Shape shape = a.shape();
    shape[shape.size() - 2] = a.dim(shape.size() - (args.transA ? 1 : 2));
    shape.back() = N;
    return shape;
}

} // namespace scalebench
