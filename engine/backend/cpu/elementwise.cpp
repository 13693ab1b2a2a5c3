// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/families/elementwise.h"

#include <cstring>
#include <string>
#include <utility>

#include "engine/backend/cpu/families.h"
#include "kernels/activation_op.h"
#include "kernels/copy_rows.h"
#include "kernels/dropout.h"
#include "kernels/elementwise.h"
#include "kernels/gather.h"
#include "kernels/permute.h"
#include "kernels/top_k.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

void padRows(std::int64_t rows, std::size_t bytes, const void* from, std::size_t before,
             std::size_t row, void* to)
{
    auto* out = static_cast<char*>(to);
    cpu::zeroRows(rows, before, out, row);
    cpu::copyRows(rows, bytes, from, bytes, out + before, row);
    cpu::zeroRows(rows, row - before - bytes, out + before + bytes, row);
}

void requireInside(const char* op, const GatherParams& p, const Tensor& ids)
{
    const auto list = ids.i32();
    const std::int64_t bad = cpu::embeddingFirstOutside(p.n, p.axis, list.data());
    SB_REQUIRE(bad < 0, std::string(op) + ": id " + std::to_string(list[std::size_t(bad)]) +
                            " at position " + std::to_string(bad) + " is outside an axis of " +
                            std::to_string(p.axis));
}

struct ElementwiseDevice {
    using Context = CpuContext;
    using Family = ElementwiseFamily<ElementwiseDevice>;
    static constexpr auto requireActivation = cpu_backend::requireActivation;
    static constexpr auto activationForward = cpu::activationForward;
    static constexpr auto activationBackward = cpu::activationBackward;
    static constexpr auto binaryForward = cpu::binaryForward;
    static constexpr auto scale = cpu::scaleForward;
    static constexpr auto dropout = cpu::dropout;
    static constexpr auto dropoutAdd = cpu::dropoutAdd;
    static constexpr auto reduceForward = cpu::reduceForward;
    static constexpr auto reduceBackward = cpu::reduceBackward;
    static constexpr auto copyRows = cpu::copyRows;
    static constexpr auto padRows = cpu_backend::padRows;
    static constexpr auto permute = cpu::permute;
    static constexpr auto topK = cpu::topK;
    static constexpr auto topKScratchBytes = cpu::topKScratchBytes;

    static constexpr const char* kCastTypes = "f32 and bf16";
    static bool canCastTo(DType dtype) { return dtype == DType::BF16 || dtype == DType::F32; }
    static void cast(CpuContext&, const Tensor& from, const Tensor& to)
    {
        if (to.dtype() == DType::BF16)
            cpu::castF32ToBf16(from.count(), from.f32().data(), to.bf16().data());
        else
            cpu::castBf16ToF32(from.count(), from.bf16().data(), to.f32().data());
    }

    static Tensor sumTerms(CpuContext& context, std::vector<Tensor> terms)
    {
        Tensor total = std::move(terms[0]);
        if (!total.unique()) {
            Tensor copy = context.make(total.shape(), total.dtype());
            std::memcpy(copy.data(), total.data(), total.bytes());
            total = std::move(copy);
        }
        for (std::size_t i = 1; i < terms.size(); ++i)
            cpu::addInPlace(total.dtype(), total.count(), terms[i].data(), total.data());
        return total;
    }

    static Tensor binaryGradient(Family& family, CpuContext& context, const BroadcastParams& p,
                                 bool ofB, const Tensor& a, const Tensor& b,
                                 const Tensor& gradOutput)
    {
        const Shape& shape = gradOutput.shape();
        const Tensor& operand = ofB ? b : a;
        if (operand.shape() == shape) {
            Tensor gradient = context.make(shape, a.dtype());
            cpu::binaryBackward(p, ofB, a.data(), b.data(), gradOutput.data(),
                                a.dtype() == DType::F32, gradient.data());
            return gradient;
        }
        // The gradient of a repeated operand is summed, from unrounded terms.
        const Tensor terms = context.make(shape, DType::F32);
        cpu::binaryBackward(p, ofB, a.data(), b.data(), gradOutput.data(), true, terms.data());
        const std::vector<int> axes = repeatedAxes(operand.shape(), shape);
        if (axes.empty()) // leading axes of size 1 only
            return family.cast(terms.reshaped(operand.shape()), operand.dtype());
        return family.reduceForward(ReduceOp::Sum, terms, axes, true, operand.dtype(), nullptr)
            .reshaped(operand.shape());
    }

    static void gatherForward(CpuContext&, const GatherParams& p, const Tensor& ids,
                              const Tensor& input, const Tensor& output)
    {
        requireInside("gather", p, ids);
        cpu::gatherForward(p, input.data(), ids.i32().data(), output.data());
    }

    static void gatherBackward(CpuContext& context, const GatherParams& p, const Tensor& ids,
                               const Tensor& gradOutput, const Tensor& gradInput)
    {
        requireInside("gather backward", p, ids);
        const Tensor rows = context.make({p.n}, DType::I32);
        const Tensor begin = context.make({p.n + 1}, DType::I32);
        const Tensor entry = context.make({p.n}, DType::I32);
        EmbeddingGroups groups{rows.i32().data(), begin.i32().data(), entry.i32().data(), 0};
        cpu::embeddingGroup({p.n, p.axis, p.inner, -1, p.dtype}, ids.i32().data(), groups,
                            context.workspace(cpu::embeddingGroupScratchBytes(p.n)));
        cpu::gatherBackward(p, groups, gradOutput.data(), gradInput.data());
    }
};

} // namespace

std::unique_ptr<ElementwiseOps> makeElementwiseOps(CpuContext& context)
{
    return std::make_unique<ElementwiseDevice::Family>(context);
}

} // namespace scalebench::cpu_backend
