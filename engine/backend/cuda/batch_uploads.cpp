// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/batch_uploads.h"

#include <cuda_runtime_api.h>

#include <any>
#include <memory>
#include <span>
#include <vector>

#include "engine/backend/cuda/cuda_backend.h"
#include "engine/backend/cuda/cuda_context.h"
#include "engine/backend/cuda/staging.h"
#include "engine/backend/tensor_checks.h"
#include "kernels/cuda/check.h"
#include "kernels/cuda/pictures.h"

namespace scalebench::cuda_backend {
namespace {

using kernels::cuda::check;

class CudaBatchUploads final : public BatchUploads
{
public:
    explicit CudaBatchUploads(CudaContext& context) : context_(context)
    {
        check(cudaStreamCreateWithFlags(&copies_, cudaStreamNonBlocking), "stream for uploads");
        for (Slot& slot : slots_)
            for (cudaEvent_t* e : {&slot.ready, &slot.used})
                check(cudaEventCreateWithFlags(e, cudaEventDisableTiming), "event for uploads");
    }

    ~CudaBatchUploads() override
    {
        if (copies_ != nullptr)
            (void)cudaStreamSynchronize(copies_);
        staging_.reset(); // its events are the stream's
        for (Slot& slot : slots_) {
            slot.buffers.clear();
            slot.batch = {};
            for (cudaEvent_t e : {slot.ready, slot.used})
                if (e != nullptr)
                    (void)cudaEventDestroy(e);
        }
        if (copies_ != nullptr)
            (void)cudaStreamDestroy(copies_);
    }

    void start(const Batch& batch) override
    {
        try {
            issue(batch);
        } catch (const DeviceError& error) { // of what the device did before
            throw context_.explained(error);
        }
    }

    const Batch& take() override
    {
        check(cudaEventRecord(slots_[current_].used, context_.stream()), "end of a batch");
        current_ = 1 - current_;
        check(cudaStreamWaitEvent(context_.stream(), slots_[current_].ready, 0),
              "waiting for a batch");
        return slots_[current_].batch;
    }

private:
    void issue(const Batch& batch)
    {
        Slot& slot = slots_[1 - current_];
        slot.next = 0;
        slot.batch.tensors.clear();
        slot.batch.samples = batch.samples;
        slot.batch.index = batch.index;
        slot.batch.bytesRead = batch.bytesRead;
        const RawPictures* const pictures = batch.pictures.get();
        // What the copies overwrite has been computed with.
        check(cudaStreamWaitEvent(copies_, slot.used, 0), "start of an upload");
        for (std::size_t i = 0; i < batch.tensors.size(); ++i) {
            const Tensor& host = batch.tensors[i];
            const Tensor device = upload(slot, host.shape(), host.dtype(), host.data());
            slot.batch.tensors.push_back(
                pictures != nullptr && i == 0 ? normalised(slot, device, *pictures) : device);
        }
        check(cudaEventRecord(slot.ready, copies_), "end of an upload");
    }

    struct Slot {
        std::vector<Tensor> buffers; ///< in the order of their use by start()
        std::size_t next = 0;
        Batch batch;
        cudaEvent_t ready = nullptr; ///< copied
        cudaEvent_t used = nullptr;  ///< computed with
    };

    /// The slot's next buffer, made anew where the shapes have changed.
    Tensor buffer(Slot& slot, const Shape& shape, DType dtype)
    {
        if (slot.next == slot.buffers.size())
            slot.buffers.emplace_back();
        Tensor& t = slot.buffers[slot.next++];
        if (t.defined() && t.shape() == shape && t.dtype() == dtype)
            return t;
        t = Tensor();
        t = context_.make(shape, dtype);
        // Memory is handed out in the order of the backend's stream, which may still use it.
        check(cudaEventRecord(slot.used, context_.stream()), "memory for an upload");
        check(cudaStreamWaitEvent(copies_, slot.used, 0), "memory for an upload");
        return t;
    }

    Tensor upload(Slot& slot, const Shape& shape, DType dtype, const void* host)
    {
        const Tensor t = buffer(slot, shape, dtype);
        staging_->toDevice(host, t.data(), t.bytes(), copies_);
        return t;
    }

    Tensor bytesOf(Slot& slot, const void* host, std::size_t bytes)
    {
        return upload(slot, {std::int64_t(bytes)}, DType::U8, host);
    }

    Tensor normalised(Slot& slot, const Tensor& bytes, const RawPictures& pictures)
    {
        requirePictures(bytes, pictures);
        const std::span changes(pictures.changes);
        const Tensor changesThere = bytesOf(slot, changes.data(), changes.size_bytes());
        const Tensor scale = bytesOf(slot, &pictures.scale, sizeof pictures.scale);
        const Tensor result = buffer(slot, bytes.shape(), DType::F32);
        kernels::cuda::normalisePictures(bytes.dim(0), int(bytes.dim(1)), int(bytes.dim(2)),
                                         static_cast<const std::uint8_t*>(bytes.data()),
                                         static_cast<const PictureChange*>(changesThere.data()),
                                         static_cast<const PictureScale*>(scale.data()),
                                         static_cast<float*>(result.data()), copies_);
        return result;
    }

    CudaContext& context_;
    cudaStream_t copies_ = nullptr;
    std::unique_ptr<Staging> staging_ = std::make_unique<Staging>();
    Slot slots_[2];
    int current_ = 0;
};

} // namespace

std::unique_ptr<BatchUploads> makeBatchUploads(Backend& backend)
{
    return std::make_unique<CudaBatchUploads>(contextOf(backend));
}

} // namespace scalebench::cuda_backend
