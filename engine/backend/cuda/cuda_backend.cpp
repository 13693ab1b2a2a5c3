// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/cuda_backend.h"

#include "engine/backend/cuda/families.h"
#include "engine/backend/cuda/graph.h"
#include "engine/backend/families/backend_families.h"
#include "engine/backend/tensor_checks.h"
#include "kernels/cuda/pictures.h"

#include <span>

namespace scalebench::cuda_backend {
namespace {

class CudaBackend final : public BackendFamilies<CudaContext>
{
public:
    CudaBackend(int device, bool autotune) : BackendFamilies(device)
    {
        context_.setAutotune(autotune);
    }

    CudaContext& context() { return context_; }

    void enterThread() override { context_.enterThread(); }
    std::string describe() const override
    {
        const DeviceFacts& d = context_.device();
        return "cuda (" + d.name + ", compute capability " + std::to_string(d.major) + "." +
               std::to_string(d.minor) + ", " + std::to_string(d.multiprocessors) +
               " multiprocessors)";
    }

    Tensor upload(const Tensor& host) override
    {
        if (!host.defined() || host.onDevice())
            return host;
        Tensor t = context_.make(host.shape(), host.dtype());
        context_.upload(host.data(), t.data(), host.bytes());
        return t;
    }
    Tensor uploadPictures(const Tensor& bytes, const RawPictures& still) override
    {
        requirePictures(bytes, still);
        const std::span changes(still.changes);
        const Tensor there = upload(bytes);
        const Tensor changesThere = uploadBytes(changes.data(), changes.size_bytes());
        const Tensor scale = uploadBytes(&still.scale, sizeof still.scale);
        Tensor t = context_.make(bytes.shape(), DType::F32);
        kernels::cuda::normalisePictures(
            bytes.dim(0), int(bytes.dim(1)), int(bytes.dim(2)), there.u8().data(),
            static_cast<const PictureChange*>(changesThere.data()),
            static_cast<const PictureScale*>(scale.data()), t.f32().data(), context_.stream());
        return t;
    }
    Tensor download(const Tensor& tensor) override
    {
        if (!tensor.defined() || !tensor.onDevice())
            return tensor;
        Tensor t = Tensor::empty(tensor.shape(), tensor.dtype(), host_);
        context_.download(tensor.data(), t.data(), tensor.bytes());
        return t;
    }
    void copy(const Tensor& from, Tensor to) override
    {
        requireSame("copy", from, to);
        if (from.onDevice() && to.onDevice())
            context_.copy(from.data(), to.data(), from.bytes());
        else if (to.onDevice())
            context_.upload(from.data(), to.data(), from.bytes());
        else if (from.onDevice())
            context_.download(from.data(), to.data(), from.bytes());
        else
            throw InvalidArgument("copy: neither tensor is in the device's memory");
    }
    Tensor zeros(Shape shape, DType dtype) override
    {
        Tensor t = context_.make(std::move(shape), dtype);
        clear(t);
        return t;
    }
    void clear(Tensor tensor) override { context_.clear(tensor.data(), tensor.bytes()); }
    void synchronize() override { context_.synchronize(); }
    Tensor one() override
    {
        if (!one_.defined()) {
            const float value = 1.0f;
            one_ = context_.make({1}, DType::F32);
            context_.upload(&value, one_.data(), sizeof value);
        }
        return one_;
    }
    void setShapesRepeat(bool repeat) override { context_.setShapesRepeat(repeat); }
    std::unique_ptr<RecordedWork> record(const std::function<void()>& work,
                                         const RecordedWork* beside) override
    {
        return recordGraph(context_, work, beside);
    }

    ComputePrecision computePrecision(Precision requested) const override
    {
        const DeviceFacts& d = context_.device();
        if (requested == Precision::Bf16 && d.major < 8)
            return {Precision::Fp32, "computing in fp32: " + d.name +
                                         " has no bf16 arithmetic (compute capability " +
                                         std::to_string(d.major) + "." + std::to_string(d.minor) +
                                         ", 8.0 is needed); fp16 would be faster"};
        return {requested, std::string(precisionName(requested)) + " as requested, sums in fp32"};
    }

private:
    Tensor uploadBytes(const void* host, std::size_t bytes)
    {
        Tensor t = context_.make({std::int64_t(bytes)}, DType::U8);
        context_.upload(host, t.data(), bytes);
        return t;
    }

    CachingAllocator host_;
    Tensor one_;
};

} // namespace

std::unique_ptr<Backend> makeCudaBackend(int device, bool autotune)
{
    return std::make_unique<CudaBackend>(device, autotune);
}

CudaContext& contextOf(Backend& backend)
{
    return dynamic_cast<CudaBackend&>(backend).context();
}

} // namespace scalebench::cuda_backend
