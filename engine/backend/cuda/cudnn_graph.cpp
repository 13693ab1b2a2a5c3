// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/cudnn_graph.h"

#include <algorithm>
#include <array>

#include "engine/backend/cuda/runtime_compiler.h"
#include "kernels/check.h"

namespace scalebench::cuda_backend {
namespace {

constexpr std::int64_t kMaxConfigs = 64;

bool notSupported(cudnnStatus_t status)
{
    return CUDNN_STATUS_CATEGORY(int(status)) == CUDNN_STATUS_NOT_SUPPORTED;
}

} // namespace

cudnnDataType_t cudnnTypeOf(DType dtype, const std::string& what)
{
    switch (dtype) {
    case DType::F32:
        return CUDNN_DATA_FLOAT;
    case DType::BF16:
        return CUDNN_DATA_BFLOAT16;
    case DType::F16:
        return CUDNN_DATA_HALF;
    default:
        throw Unsupported(what + ": cuDNN computes in f32, bf16 and f16");
    }
}

void checkCudnn(cudnnStatus_t status, const char* call, const std::string& what)
{
    if (status == CUDNN_STATUS_SUCCESS)
        return;
    char detail[512] = "";
    cudnnGetLastErrorString(detail, sizeof detail);
    const bool memory = status == CUDNN_STATUS_INTERNAL_ERROR_DEVICE_ALLOCATION_FAILED;
    throw DeviceError(what + ": " + call + ": " + cudnnGetErrorString(status) +
                          (detail[0] != '\0' ? std::string(": ") + detail : std::string()),
                      memory ? "out_of_memory" : "device_error");
}

// ---- Descriptors

CudnnDescriptor::CudnnDescriptor(cudnnBackendDescriptorType_t type, std::string what)
    : what_(std::move(what))
{
    cudnnBackendDescriptor_t made = nullptr;
    checkCudnn(cudnnBackendCreateDescriptor(type, &made), "cudnnBackendCreateDescriptor", what_);
    raw_.reset(made);
}

void CudnnDescriptor::set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                          std::int64_t count, const void* values)
{
    checkCudnn(cudnnBackendSetAttribute(get(), name, type, count, values),
               "cudnnBackendSetAttribute", what_);
}

void CudnnDescriptor::set(cudnnBackendAttributeName_t name, const std::vector<std::int64_t>& values)
{
    set(name, CUDNN_TYPE_INT64, std::int64_t(values.size()), values.data());
}

void CudnnDescriptor::set(cudnnBackendAttributeName_t name, const CudnnDescriptor& other)
{
    set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, other.get());
}

void CudnnDescriptor::finalize()
{
    checkCudnn(tryFinalize(), "cudnnBackendFinalize", what_);
}

// ---- Graphs

CudnnGraph::Id CudnnGraph::tensor(DType dtype, std::initializer_list<std::int64_t> nchw,
                                  std::int64_t alignment, bool isVirtual)
{
    const std::vector<std::int64_t> sizes(nchw);
    const std::int64_t C = sizes[1], H = sizes[2], W = sizes[3];
    CudnnTensor t;
    t.type = cudnnTypeOf(dtype, what_);
    t.sizes = sizes;
    t.strides = {H * W * C, 1, W * C, C};
    t.alignment = alignment;
    t.isVirtual = isVirtual;
    return tensor(t);
}

CudnnGraph::Id CudnnGraph::tensor(const CudnnTensor& t)
{
    const Id id = Id(tensors_.size());
    CudnnDescriptor d(CUDNN_BACKEND_TENSOR_DESCRIPTOR, what_);
    d.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, t.type);
    d.set(CUDNN_ATTR_TENSOR_DIMENSIONS, t.sizes);
    d.set(CUDNN_ATTR_TENSOR_STRIDES, t.strides);
    d.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, id);
    d.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, t.alignment);
    d.set(CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, t.isVirtual);
    if (t.byValue)
        d.set(CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, t.byValue);
    d.finalize();
    tensors_.push_back(std::move(d));
    return id;
}

CudnnDescriptor CudnnGraph::describe(const CudnnConvolution& c) const
{
    CudnnDescriptor d(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, what_);
    d.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, std::int64_t(2));
    d.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    d.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, CUDNN_CROSS_CORRELATION);
    d.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, {c.padding, c.padding});
    d.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, {c.padding, c.padding});
    d.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, {c.stride, c.stride});
    d.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, {c.dilation, c.dilation});
    d.finalize();
    return d;
}

void CudnnGraph::addConvolution(cudnnBackendDescriptorType_t type, const CudnnConvolution& c,
                                const std::pair<cudnnBackendAttributeName_t, Id> (&operands)[3],
                                cudnnBackendAttributeName_t description,
                                cudnnBackendAttributeName_t alpha, cudnnBackendAttributeName_t beta)
{
    parts_.push_back(describe(c));
    CudnnDescriptor op(type, what_);
    op.set(description, parts_.back());
    for (const auto& [name, id] : operands)
        op.set(name, at(id));
    op.set(alpha, CUDNN_TYPE_FLOAT, 1.0f);
    op.set(beta, CUDNN_TYPE_FLOAT, 0.0f);
    op.finalize();
    operations_.push_back(std::move(op));
}

void CudnnGraph::convolution(const CudnnConvolution& c, Id x, Id w, Id y)
{
    addConvolution(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR, c,
                   {{CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, x},
                    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, w},
                    {CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, y}},
                   CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA);
}

void CudnnGraph::convolutionData(const CudnnConvolution& c, Id dy, Id w, Id dx)
{
    addConvolution(CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR, c,
                   {{CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, dy},
                    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, w},
                    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, dx}},
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA);
}

void CudnnGraph::convolutionWeight(const CudnnConvolution& c, Id x, Id dy, Id dw)
{
    addConvolution(CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR, c,
                   {{CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, x},
                    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY, dy},
                    {CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW, dw}},
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA,
                   CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA);
}

void CudnnGraph::pointwise(cudnnPointwiseMode_t mode, std::initializer_list<Id> operands, Id y,
                           cudnnDataType_t type, const std::int64_t* axis)
{
    static constexpr cudnnBackendAttributeName_t kPlaces[] = {CUDNN_ATTR_OPERATION_POINTWISE_XDESC,
                                                              CUDNN_ATTR_OPERATION_POINTWISE_BDESC,
                                                              CUDNN_ATTR_OPERATION_POINTWISE_TDESC};
    CudnnDescriptor d(CUDNN_BACKEND_POINTWISE_DESCRIPTOR, what_);
    d.set(CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, mode);
    d.set(CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, type);
    if (axis != nullptr)
        d.set(CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, *axis);
    d.finalize();
    parts_.push_back(std::move(d));
    CudnnDescriptor op(CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, what_);
    op.set(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, parts_.back());
    const cudnnBackendAttributeName_t* place = kPlaces;
    for (const Id id : operands)
        op.set(*place++, at(id));
    op.set(CUDNN_ATTR_OPERATION_POINTWISE_YDESC, at(y));
    op.finalize();
    operations_.push_back(std::move(op));
}

void CudnnGraph::pointwise(cudnnPointwiseMode_t mode, std::initializer_list<Id> operands, Id y,
                           cudnnDataType_t type)
{
    pointwise(mode, operands, y, type, nullptr);
}

void CudnnGraph::index(Id x, std::int64_t axis, Id y)
{
    pointwise(CUDNN_POINTWISE_GEN_INDEX, {x}, y, CUDNN_DATA_INT32, &axis);
}

void CudnnGraph::add(Id x, Id b, Id y)
{
    pointwise(CUDNN_POINTWISE_ADD, {x, b}, y);
}

void CudnnGraph::relu(Id x, Id y)
{
    pointwise(CUDNN_POINTWISE_RELU_FWD, {x}, y);
}

void CudnnGraph::product(Id a, Id b, Id c, const Extents& extents)
{
    CudnnDescriptor d(CUDNN_BACKEND_MATMUL_DESCRIPTOR, what_);
    d.set(CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    d.finalize();
    parts_.push_back(std::move(d));
    CudnnDescriptor op(CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR, what_);
    op.set(CUDNN_ATTR_OPERATION_MATMUL_DESC, parts_.back());
    op.set(CUDNN_ATTR_OPERATION_MATMUL_ADESC, at(a));
    op.set(CUDNN_ATTR_OPERATION_MATMUL_BDESC, at(b));
    op.set(CUDNN_ATTR_OPERATION_MATMUL_CDESC, at(c));
    if (extents.rows != nullptr)
        op.set(CUDNN_ATTR_OPERATION_MATMUL_GEMM_M_OVERRIDE_DESC, at(*extents.rows));
    if (extents.columns != nullptr)
        op.set(CUDNN_ATTR_OPERATION_MATMUL_GEMM_N_OVERRIDE_DESC, at(*extents.columns));
    if (extents.depth != nullptr)
        op.set(CUDNN_ATTR_OPERATION_MATMUL_GEMM_K_OVERRIDE_DESC, at(*extents.depth));
    op.finalize();
    operations_.push_back(std::move(op));
}

void CudnnGraph::reduce(cudnnReduceTensorOp_t how, Id x, Id y)
{
    CudnnDescriptor d(CUDNN_BACKEND_REDUCTION_DESCRIPTOR, what_);
    d.set(CUDNN_ATTR_REDUCTION_OPERATOR, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, how);
    d.set(CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, CUDNN_DATA_FLOAT);
    d.finalize();
    parts_.push_back(std::move(d));
    CudnnDescriptor op(CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR, what_);
    op.set(CUDNN_ATTR_OPERATION_REDUCTION_DESC, parts_.back());
    op.set(CUDNN_ATTR_OPERATION_REDUCTION_XDESC, at(x));
    op.set(CUDNN_ATTR_OPERATION_REDUCTION_YDESC, at(y));
    op.finalize();
    operations_.push_back(std::move(op));
}

void CudnnGraph::view(Id x, Id y)
{
    CudnnDescriptor op(CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR, what_);
    op.set(CUDNN_ATTR_OPERATION_RESHAPE_XDESC, at(x));
    op.set(CUDNN_ATTR_OPERATION_RESHAPE_YDESC, at(y));
    op.finalize();
    operations_.push_back(std::move(op));
}

// ---- Configurations

CudnnConfigs::CudnnConfigs(const CudnnGraph& graph, const CudnnDevice& device)
    : what_(graph.what()),
      device_(device),
      graph_(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, graph.what())
{
    holdRuntimeCompiler();
    std::vector<cudnnBackendDescriptor_t> operations;
    for (const CudnnDescriptor& op : graph.operations())
        operations.push_back(op.get());
    if (device_.handle != nullptr)
        graph_.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, device_.handle);
    graph_.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
               std::int64_t(operations.size()), operations.data());
    const cudnnStatus_t status = graph_.tryFinalize();
    if (notSupported(status))
        return;
    checkCudnn(status, "cudnnBackendFinalize", what_);
    ask(CUDNN_HEUR_MODE_A);
    ask(CUDNN_HEUR_MODE_FALLBACK);
}

void CudnnConfigs::ask(cudnnBackendHeurMode_t mode)
{
    CudnnDescriptor heuristics(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, what_);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph_);
    heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, mode);
#if CUDNN_VERSION >= 90800
    if (device_.properties != nullptr)
        heuristics.set(CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, *device_.properties);
#endif
    const cudnnStatus_t status = heuristics.tryFinalize();
    if (notSupported(status))
        return;
    checkCudnn(status, "cudnnBackendFinalize", what_);
    std::vector<CudnnDescriptor> configs;
    std::vector<cudnnBackendDescriptor_t> raw;
    for (std::int64_t i = 0; i < kMaxConfigs; ++i) {
        configs.emplace_back(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, what_);
        raw.push_back(configs.back().get());
    }
    std::int64_t found = 0;
    const cudnnStatus_t got =
        cudnnBackendGetAttribute(heuristics.get(), CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                 CUDNN_TYPE_BACKEND_DESCRIPTOR, kMaxConfigs, &found, raw.data());
    if (notSupported(got))
        return;
    checkCudnn(got, "cudnnBackendGetAttribute", what_);
    for (std::size_t i = 0; i < std::size_t(std::min(found, kMaxConfigs)); ++i)
        take(std::move(configs[i]));
}

void CudnnConfigs::take(CudnnDescriptor config)
{
    CudnnDescriptor engine(CUDNN_BACKEND_ENGINE_DESCRIPTOR, what_);
    cudnnBackendDescriptor_t raw = engine.get();
    std::int64_t count = 0;
    checkCudnn(cudnnBackendGetAttribute(config.get(), CUDNN_ATTR_ENGINECFG_ENGINE,
                                        CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &count, &raw),
               "cudnnBackendGetAttribute", what_);
    const auto index =
        engine.values<std::int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 1);
    std::string name = "engine " + std::to_string(index.at(0));

    std::vector<CudnnDescriptor> knobs;
    std::array<cudnnBackendDescriptor_t, CUDNN_KNOB_TYPE_COUNTS> rawKnobs{};
    for (cudnnBackendDescriptor_t& k : rawKnobs) {
        knobs.emplace_back(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR, what_);
        k = knobs.back().get();
    }
    checkCudnn(cudnnBackendGetAttribute(config.get(), CUDNN_ATTR_ENGINECFG_KNOB_CHOICES,
                                        CUDNN_TYPE_BACKEND_DESCRIPTOR, CUDNN_KNOB_TYPE_COUNTS,
                                        &count, rawKnobs.data()),
               "cudnnBackendGetAttribute", what_);
    for (std::size_t i = 0; i < std::size_t(count) && i < knobs.size(); ++i) {
        const auto kind = knobs[i].values<cudnnBackendKnobType_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE,
                                                                  CUDNN_TYPE_KNOB_TYPE, 1);
        const auto value =
            knobs[i].values<std::int64_t>(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, 1);
        name.append(" ").append(std::to_string(int(kind.at(0))));
        name.append("=").append(std::to_string(value.at(0)));
    }
    // Both modes may name the same one.
    if (std::any_of(list_.begin(), list_.end(), [&](const auto& c) { return c.name == name; }))
        return;

    const auto notes = engine.values<cudnnBackendNumericalNote_t>(CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
                                                                  CUDNN_TYPE_NUMERICAL_NOTE,
                                                                  CUDNN_NUMERICAL_NOTE_TYPE_COUNT);
    const auto has = [&](cudnnBackendNumericalNote_t note) {
        return std::find(notes.begin(), notes.end(), note) != notes.end();
    };
    const bool exact = !has(CUDNN_NUMERICAL_NOTE_TENSOR_CORE) &&
                       !has(CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS) &&
                       !has(CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION) &&
                       !has(CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4) &&
                       !has(CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6) &&
                       !has(CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13);
    list_.push_back({std::make_shared<const CudnnDescriptor>(std::move(config)), std::move(name),
                     !has(CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC), exact});
}

std::vector<const CudnnConfig*> CudnnConfigs::usable(bool exact) const
{
    std::vector<const CudnnConfig*> usable;
    for (const bool deterministic : {true, false})
        for (const CudnnConfig& c : list_)
            if (c.deterministic == deterministic && (c.exact || !exact))
                usable.push_back(&c);
    return usable;
}

std::optional<CudnnPlan> CudnnConfigs::plan(const CudnnConfig& config) const
{
    CudnnPlan plan{
        config.descriptor, {CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, what_}, config.name};
    if (device_.handle != nullptr)
        plan.descriptor.set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, device_.handle);
#if CUDNN_VERSION >= 90800
    else
        plan.descriptor.set(CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP, *device_.properties);
#endif
    plan.descriptor.set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, *config.descriptor);
    if (plan.descriptor.tryFinalize() != CUDNN_STATUS_SUCCESS)
        return {}; // heuristics promise no more than that it is worth trying
    plan.workspaceBytes = std::size_t(
        plan.descriptor
            .values<std::int64_t>(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 1)
            .at(0));
    return plan;
}

} // namespace scalebench::cuda_backend
