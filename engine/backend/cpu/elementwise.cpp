// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"

#include <cstring>

#include "kernels/elementwise.h"

namespace scalebench::cpu_backend {
namespace {

namespace cpu = kernels::cpu;

class CpuElementwise final : public ElementwiseOps
{
public:
    explicit CpuElementwise(CpuContext& context) : context_(context) {}

    Tensor cast(const Tensor& input, DType dtype) override
    {
        if (input.dtype() == dtype)
            return input;
        const CpuContext::Timer timer(context_, "cast");
        requireActivation("cast", input, 0);
        Tensor output = context_.make(input.shape(), dtype);
        if (dtype == DType::BF16)
            cpu::castF32ToBf16(input.count(), input.f32().data(), output.bf16().data());
        else if (dtype == DType::F32)
            cpu::castBf16ToF32(input.count(), input.bf16().data(), output.f32().data());
        else
            throw Unsupported("cast " + input.describe() + " to " + dtypeName(dtype) +
                              ": only between f32 and bf16");
        return output;
    }

    Tensor sum(std::vector<Tensor> terms) override
    {
        SB_REQUIRE(!terms.empty(), "sum of no tensors");
        if (terms.size() == 1)
            return std::move(terms[0]);
        const CpuContext::Timer timer(context_, "sum");
        requireActivation("sum", terms[0], 0);
        Tensor total = std::move(terms[0]);
        if (!total.unique()) {
            Tensor copy = context_.make(total.shape(), total.dtype());
            std::memcpy(copy.data(), total.data(), total.bytes());
            total = std::move(copy);
        }
        for (std::size_t i = 1; i < terms.size(); ++i) {
            requireSame("sum", total, terms[i]);
            cpu::addInPlace(total.dtype(), total.count(), terms[i].data(), total.data());
        }
        return total;
    }

    Tensor reluForward(const Tensor& input) override
    {
        const CpuContext::Timer timer(context_, "relu");
        requireActivation("relu", input, 0);
        Tensor output = context_.make(input.shape(), input.dtype());
        cpu::reluForward(input.dtype(), input.count(), input.data(), output.data());
        return output;
    }

    Tensor reluBackward(const Tensor& output, const Tensor& gradOutput) override
    {
        const CpuContext::Timer timer(context_, "relu backward");
        requireSame("relu backward", output, gradOutput);
        Tensor gradInput = context_.make(output.shape(), output.dtype());
        cpu::reluBackward(output.dtype(), output.count(), output.data(), gradOutput.data(),
                          gradInput.data());
        return gradInput;
    }

private:
    CpuContext& context_;
};

} // namespace

std::unique_ptr<ElementwiseOps> makeElementwiseOps(CpuContext& context)
{
    return std::make_unique<CpuElementwise>(context);
}

} // namespace scalebench::cpu_backend
