// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The operations an engine needs of a device, one interface per op family (ops/). A backend owns
// plans (prepared vendor primitives, created once per shape), scratch memory, packed copies of
// weights and the allocator. What holds for every op:
//  - Tensors are contiguous, images NHWC; outputs come from allocator() and are overwritten unless
//    said otherwise; a tensor with a size 0 gives an empty result.
//  - Gradients of parameters are written into the tensor given, or added to it when `accumulate`.
//  - Calls are synchronous on the CPU and ordered on the backend's stream elsewhere.
//  - An unsupported case throws Unsupported naming op, shapes, type, layout and reason, before
//    anything is computed; nothing falls back to another device.
// One thread at a time per backend; different backends are independent.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/backend/ops/attention_ops.h"
#include "engine/backend/ops/convolution_ops.h"
#include "engine/backend/ops/detection_ops.h"
#include "engine/backend/ops/elementwise_ops.h"
#include "engine/backend/ops/embedding_ops.h"
#include "engine/backend/ops/loss_ops.h"
#include "engine/backend/ops/matmul_ops.h"
#include "engine/backend/ops/normalization_ops.h"
#include "engine/backend/ops/optimizer_ops.h"
#include "engine/backend/ops/pooling_ops.h"
#include "engine/backend/ops/recurrent_ops.h"
#include "engine/backend/precision.h"
#include "engine/tensor/raw_pictures.h"
#include "engine/tensor/tensor.h"

namespace scalebench {

/// Executed time per op, for profiles.
struct OpTime {
    std::string op;
    double ms = 0;
    std::int64_t calls = 0;
};

/// Work that was issued once and can be issued again as a whole, on the same memory.
class RecordedWork
{
public:
    virtual ~RecordedWork() = default;
    virtual void replay() = 0;
};

class Backend
{
public:
    virtual ~Backend() = default;

    /// To be called once by every further thread that uses this backend (CUDA keeps the device in
    /// use by thread).
    virtual void enterThread() {}

    /// "cpu (oneDNN 2.6.3, AVX-512 with bf16)".
    virtual std::string describe() const = 0;
    /// Of the tensors that ops make and take.
    virtual Allocator& allocator() = 0;

    // --- Between the host and tensors of this backend, which only its ops may look into. Where
    // both are the same memory (allocator().onDevice() is false) these hand on what they are given.

    /// `host` in the backend's memory; itself when it is there already. `host` may be changed or
    /// freed as soon as the call returns (where the memories differ).
    virtual Tensor upload(const Tensor& host) = 0;
    /// Pictures U8 [N,H,W,3] of the host as F32 of this backend, with everything done that is
    /// `still` to be; the same numbers on every device, bit for bit. As upload(): the bytes and
    /// `still` may be changed or freed as soon as the call returns.
    virtual Tensor uploadPictures(const Tensor& bytes, const RawPictures& still) = 0;
    /// `tensor` in host memory, after everything issued before has been computed.
    virtual Tensor download(const Tensor& tensor) = 0;
    /// Between tensors of one shape and type, wherever they lie. A host tensor that is written is
    /// complete when the call returns.
    virtual void copy(const Tensor& from, Tensor to) = 0;
    /// All bytes zero.
    virtual Tensor zeros(Shape shape, DType dtype) = 0;
    virtual void clear(Tensor tensor) = 0;
    /// Waits until all that was issued is done; throws what went wrong there.
    virtual void synchronize() = 0;
    /// F32 [1]: 1, the same tensor every time.
    virtual Tensor one() = 0;

    /// Records what `work` issues, without doing it, as a graph of the device. The tensors that
    /// `work` makes live as long as the result. `work` must have run before (plans are made,
    /// weights packed) and may not wait for the device, nor bring data from the host. Null where a
    /// backend records nothing (the CPU); throws DeviceError where `work` did what a record cannot
    /// hold. `beside`: earlier work, whose memory is used again but for tensors that still exist;
    /// the two may then follow each other only, and neither finds what it left.
    virtual std::unique_ptr<RecordedWork> record(const std::function<void()>& /*work*/,
                                                 const RecordedWork* /*beside*/ = nullptr)
    {
        return nullptr;
    }

    /// What `requested` really computes in here, and why. fp16 on a backend without it:
    /// Unsupported.
    virtual ComputePrecision computePrecision(Precision requested) const = 0;

    virtual ConvolutionOps& convolution() = 0;
    virtual MatmulOps& matmul() = 0;
    virtual NormalizationOps& normalization() = 0;
    virtual RecurrentOps& recurrent() = 0;
    virtual AttentionOps& attention() = 0;
    virtual PoolingOps& pooling() = 0;
    virtual ElementwiseOps& elementwise() = 0;
    virtual EmbeddingOps& embedding() = 0;
    virtual DetectionOps& detection() = 0;
    virtual LossOps& loss() = 0;
    virtual OptimizerOps& optimizer() = 0;

    /// Whether every step issues the same work on the same shapes, so that a timed search for the
    /// fastest way pays at a problem's first use; false: only once it has come back often.
    virtual void setShapesRepeat(bool /*repeat*/) {}

    virtual void setProfiling(bool on) = 0;
    /// Times since setProfiling(true), largest first.
    virtual std::vector<OpTime> profile() = 0;
};

/// The CPU backend; throws Unsupported where oneDNN lacks what is needed. Threads: see
/// engine/core/thread_count.h.
std::unique_ptr<Backend> makeCpuBackend();

} // namespace scalebench
