// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// cuDNN's graph API (its backend descriptors, without the C++ front end): a graph of operations is
// described once, the library names engine configurations for it, one of which becomes a plan.
// Facts from the cuDNN documents, "Graph API" and "cudnn_graph Library".

#include <cudnn_graph.h>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/types.h"

namespace scalebench::cuda_backend {

/// DeviceError with the library's name and text of the status; nothing on success.
void checkCudnn(cudnnStatus_t status, const char* call, const std::string& what);

/// Owns one backend descriptor.
class CudnnDescriptor
{
public:
    CudnnDescriptor(cudnnBackendDescriptorType_t type, std::string what);

    cudnnBackendDescriptor_t get() const { return raw_.get(); }
    void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, std::int64_t count,
             const void* values);
    template <class T>
    void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, const T& value)
    {
        set(name, type, 1, static_cast<const void*>(&value));
    }
    void set(cudnnBackendAttributeName_t name, const std::vector<std::int64_t>& values);
    void set(cudnnBackendAttributeName_t name, const CudnnDescriptor& other);
    cudnnStatus_t tryFinalize() { return cudnnBackendFinalize(get()); }
    void finalize();
    /// Up to `limit` values; fewer where there are fewer.
    template <class T>
    std::vector<T> values(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                          std::int64_t limit) const
    {
        std::vector<T> list(static_cast<std::size_t>(limit));
        std::int64_t count = 0;
        checkCudnn(cudnnBackendGetAttribute(get(), name, type, limit, &count, list.data()),
                   "cudnnBackendGetAttribute", what_);
        list.resize(std::size_t(count < limit ? count : limit));
        return list;
    }

private:
    struct Destroy {
        void operator()(cudnnBackendDescriptor_t d) const
        {
            (void)cudnnBackendDestroyDescriptor(d);
        }
    };
    std::unique_ptr<void, Destroy> raw_;
    std::string what_;
};

/// Of a convolution; both spatial directions alike.
struct CudnnConvolution {
    std::int64_t padding = 0, stride = 1, dilation = 1;
};

/// A tensor of any layout. `byValue`: one number in the host's memory.
struct CudnnTensor {
    cudnnDataType_t type = CUDNN_DATA_FLOAT;
    std::vector<std::int64_t> sizes{1, 1, 1, 1}, strides{1, 1, 1, 1};
    std::int64_t alignment = 16;
    bool isVirtual = false, byValue = false;
};

/// The library's name of a type; Unsupported for those it does not compute in.
cudnnDataType_t cudnnTypeOf(DType dtype, const std::string& what);

/// Tensors and the operations on them, in the order of their computation. Computes in fp32.
class CudnnGraph
{
public:
    /// A number by which operations and runs name a tensor.
    using Id = std::int64_t;

    /// `what`: the op, for error texts and as the problem's name.
    explicit CudnnGraph(std::string what) : what_(std::move(what)) {}

    /// Four axes in the library's order (N, C, H, W), stored with C innermost. `alignment`: of its
    /// address, in bytes; a virtual tensor exists only between operations.
    Id tensor(DType dtype, std::initializer_list<std::int64_t> nchw, std::int64_t alignment,
              bool isVirtual = false);
    Id tensor(const CudnnTensor& t);
    /// y = x * w, cross-correlation; w is [K, C/groups, R, S].
    void convolution(const CudnnConvolution& c, Id x, Id w, Id y);
    void convolutionData(const CudnnConvolution& c, Id dy, Id w, Id dx);
    void convolutionWeight(const CudnnConvolution& c, Id x, Id dy, Id dw);
    /// y = x + b, b with axes of size 1 where it repeats.
    void add(Id x, Id b, Id y);
    void relu(Id x, Id y);
    /// Of one to three operands; `type`: what it computes in.
    void pointwise(cudnnPointwiseMode_t mode, std::initializer_list<Id> operands, Id y,
                   cudnnDataType_t type = CUDNN_DATA_FLOAT);
    /// y = the place of each element of x along an axis, i32.
    void index(Id x, std::int64_t axis, Id y);
    /// c = a b over the last two axes. `rows`, `columns`, `depth`: tensors of how many of them
    /// count in each batch, or null.
    struct Extents {
        const Id *rows = nullptr, *columns = nullptr, *depth = nullptr;
    };
    void product(Id a, Id b, Id c, const Extents& extents);
    /// y = sums, or the largest, of x over the axes where y has size 1.
    void sum(Id x, Id y) { reduce(CUDNN_REDUCE_TENSOR_ADD, x, y); }
    void largest(Id x, Id y) { reduce(CUDNN_REDUCE_TENSOR_MAX, x, y); }
    /// y = the elements of x seen with y's sizes and strides.
    void view(Id x, Id y);

    const std::string& what() const { return what_; }
    const std::vector<CudnnDescriptor>& operations() const { return operations_; }

private:
    const CudnnDescriptor& at(Id id) const { return tensors_[std::size_t(id)]; }
    CudnnDescriptor describe(const CudnnConvolution& c) const;
    void pointwise(cudnnPointwiseMode_t mode, std::initializer_list<Id> operands, Id y,
                   cudnnDataType_t type, const std::int64_t* axis);
    void reduce(cudnnReduceTensorOp_t how, Id x, Id y);
    void addConvolution(cudnnBackendDescriptorType_t type, const CudnnConvolution& c,
                        const std::pair<cudnnBackendAttributeName_t, Id> (&operands)[3],
                        cudnnBackendAttributeName_t description, cudnnBackendAttributeName_t alpha,
                        cudnnBackendAttributeName_t beta);

    std::string what_;
    std::vector<CudnnDescriptor> tensors_, parts_, operations_;
};

/// What plans are made for: a device of this process by its handle, or (from cuDNN 9.8 on) one that
/// is not here by its properties; then plans can be made but not run.
struct CudnnDevice {
    cudnnHandle_t handle = nullptr;
    const CudnnDescriptor* properties = nullptr;
};

/// An engine of the library with its settings.
struct CudnnConfig {
    std::shared_ptr<const CudnnDescriptor> descriptor;
    std::string name; ///< "engine 38 2=5 14=3": global index, kinds and values of its knobs
    bool deterministic = true;
    bool exact = true; ///< fp32 stays fp32: no TF32, no reduced sums, no large Winograd tiles
};

struct CudnnPlan {
    std::shared_ptr<const CudnnDescriptor> config; ///< that it was made of, kept alive
    CudnnDescriptor descriptor;
    std::string name; ///< of its configuration
    std::size_t workspaceBytes = 0;
};

/// A graph that was accepted, and its configurations, those that the library deems fastest first.
/// Empty where no engine supports it.
class CudnnConfigs
{
public:
    CudnnConfigs(const CudnnGraph& graph, const CudnnDevice& device);

    /// Those that may be chosen: `exact` ones only, if asked for; deterministic ones first.
    std::vector<const CudnnConfig*> usable(bool exact) const;
    /// None where the engine cannot do it after all.
    std::optional<CudnnPlan> plan(const CudnnConfig& config) const;

private:
    void ask(cudnnBackendHeurMode_t mode);
    void take(CudnnDescriptor config);

    std::string what_;
    CudnnDevice device_;
    CudnnDescriptor graph_;
    std::vector<CudnnConfig> list_;
};

} // namespace scalebench::cuda_backend
