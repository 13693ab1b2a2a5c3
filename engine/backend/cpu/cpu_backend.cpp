// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cpu/families.h"
#include "engine/backend/families/backend_families.h"
#include "engine/backend/tensor_checks.h"
#include "kernels/cpu_features.h"
#include "kernels/pictures.h"

#include <cstring>
#include <map>
#include <string>

namespace scalebench {
namespace {

using namespace cpu_backend;

class CpuBackend final : public BackendFamilies<CpuContext>
{
public:
    std::string describe() const override
    {
        return "cpu (" + features_.library + ", " + features_.isa + ")";
    }

    Tensor upload(const Tensor& host) override { return host; }
    Tensor uploadPictures(const Tensor& bytes, const RawPictures& still) override
    {
        requirePictures(bytes, still);
        Tensor t = Tensor::empty(bytes.shape(), DType::F32, context_.allocator());
        kernels::cpu::normalisePictures(bytes.dim(0), int(bytes.dim(1)), int(bytes.dim(2)),
                                        bytes.u8().data(), still.changes.data(), still.scale,
                                        t.f32().data());
        return t;
    }
    Tensor download(const Tensor& tensor) override { return tensor; }
    void copy(const Tensor& from, Tensor to) override
    {
        requireSame("copy", from, to);
        if (from.data() != to.data())
            std::memcpy(to.data(), from.data(), from.bytes());
    }
    Tensor zeros(Shape shape, DType dtype) override
    {
        return Tensor::zeros(std::move(shape), dtype, context_.allocator());
    }
    void clear(Tensor tensor) override { std::memset(tensor.data(), 0, tensor.bytes()); }
    void synchronize() override {}
    Tensor one() override
    {
        static float value = 1.0f;
        return Tensor::view(&value, {1}, DType::F32);
    }

    ComputePrecision computePrecision(Precision requested) const override
    {
        if (requested == Precision::Fp32)
            return {Precision::Fp32, "fp32 as requested"};
        if (requested == Precision::Fp16)
            throw Unsupported("precision fp16 is for device cuda; on processors use fp32 or bf16",
                              "precision_unavailable");
        return {features_.bf16Fast ? Precision::Bf16 : Precision::Fp32, features_.bf16Reason};
    }

    const std::map<std::string, OpWork>& work() const { return context_.work(); }

private:
    kernels::cpu::CpuFeatures features_ = kernels::cpu::cpuFeatures();
};

} // namespace

std::map<std::string, OpWork> profiledWork(const Backend& backend)
{
    const auto* cpu = dynamic_cast<const CpuBackend*>(&backend);
    return cpu != nullptr ? cpu->work() : std::map<std::string, OpWork>();
}

std::unique_ptr<Backend> makeCpuBackend()
{
    return std::make_unique<CpuBackend>();
}

} // namespace scalebench
