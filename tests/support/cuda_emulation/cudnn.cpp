// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for cuDNN's graph API: single convolutions and forward convolutions with bias and ReLU,
// the patterns that its ready-made engines take. What is refused follows the documents ("Graph
// API") and the real library's answers without a device (tests/engine/backend/cudnn_graphs_test.cpp
// asks it about the same graphs).
#include <cudnn_graph.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/cuda_emulation/cudnn_descriptors.h"
#include "support/cuda_emulation/emulation.h"
#include "support/cuda_emulation/vendor.h"
#include "support/cuda_emulation/vendor_convolution.h"

using namespace scalebench::emulation;

namespace {

struct Handle {
    cudaStream_t stream = nullptr;
};

bool fusion = true;

/// The engines there are; those of mode A first, then of the fallback mode.
struct Engine {
    std::int64_t index;
    cudnnBackendHeurMode_t mode;
    std::vector<cudnnBackendNumericalNote_t> notes;
    std::int64_t workspace;
    bool plans;
};
const Engine kEngines[] = {
    {20, CUDNN_HEUR_MODE_A, {CUDNN_NUMERICAL_NOTE_TENSOR_CORE}, 0, true}, // f32: TF32
    {21, CUDNN_HEUR_MODE_A, {CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC}, 0, true},
    {22, CUDNN_HEUR_MODE_A, {}, 0, false}, // supported only in name
    {0, CUDNN_HEUR_MODE_A, {}, 1 << 20, true},
    {0, CUDNN_HEUR_MODE_FALLBACK, {}, 1 << 20, true},
    {1, CUDNN_HEUR_MODE_FALLBACK, {}, 3 << 20, true},
};

std::int64_t sizeAt(const BackendDescriptor& tensor, std::size_t axis)
{
    return tensor.list<std::int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS).at(axis);
}
cudnnDataType_t typeOf(const BackendDescriptor& tensor)
{
    return tensor.one<cudnnDataType_t>(CUDNN_ATTR_TENSOR_DATA_TYPE);
}
bool isVirtual(const BackendDescriptor& tensor)
{
    return tensor.has(CUDNN_ATTR_TENSOR_IS_VIRTUAL) &&
           tensor.one<bool>(CUDNN_ATTR_TENSOR_IS_VIRTUAL);
}
std::int64_t idOf(const BackendDescriptor& tensor)
{
    return tensor.one<std::int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID);
}

std::optional<Element> elementOf(cudnnDataType_t type)
{
    switch (type) {
    case CUDNN_DATA_FLOAT:
        return Element::F32;
    case CUDNN_DATA_BFLOAT16:
        return Element::BF16;
    case CUDNN_DATA_HALF:
        return Element::F16;
    default:
        return {};
    }
}

// ---- Graphs

/// A convolution of any direction by the tensors of its forward.
struct Operation {
    DescriptorPtr x, w, y, convolution;
    ConvolutionSizes::Direction direction;
};

Operation operationOf(const BackendDescriptor& op)
{
    switch (op.type) {
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
        return {op.partPtr(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X),
                op.partPtr(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W),
                op.partPtr(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y),
                op.partPtr(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC),
                ConvolutionSizes::Forward};
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
        return {op.partPtr(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX),
                op.partPtr(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W),
                op.partPtr(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY),
                op.partPtr(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC),
                ConvolutionSizes::Data};
    default:
        return {op.partPtr(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X),
                op.partPtr(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW),
                op.partPtr(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY),
                op.partPtr(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC),
                ConvolutionSizes::Weight};
    }
}

/// Both spatial directions alike, which is all that the engine asks for.
cudnnStatus_t sizesOf(const Operation& op, ConvolutionSizes& s)
{
    const BackendDescriptor& c = *op.convolution;
    const auto both = [&](cudnnBackendAttributeName_t name, std::int64_t& value) {
        const auto list = c.list<std::int64_t>(name);
        value = list.at(0);
        return list.size() == 2 && list[0] == list[1];
    };
    std::int64_t post = 0;
    if (!both(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, s.padding) ||
        !both(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, post) || post != s.padding ||
        !both(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, s.stride) ||
        !both(CUDNN_ATTR_CONVOLUTION_DILATIONS, s.dilation))
        return refuse(CUDNN_STATUS_BAD_PARAM, "the numbers of a convolution");
    s.direction = op.direction;
    s.N = sizeAt(*op.x, 0), s.C = sizeAt(*op.x, 1), s.H = sizeAt(*op.x, 2), s.W = sizeAt(*op.x, 3);
    s.K = sizeAt(*op.w, 0), s.R = sizeAt(*op.w, 2), s.S = sizeAt(*op.w, 3);
    const std::int64_t groupChannels = sizeAt(*op.w, 1);
    if (groupChannels < 1 || s.C % groupChannels != 0)
        return refuse(CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH, "the channels of x and w");
    s.groups = s.C / groupChannels;
    if (s.K % s.groups != 0 || s.P() < 1 || s.Q() < 1 || sizeAt(*op.y, 0) != s.N ||
        sizeAt(*op.y, 1) != s.K || sizeAt(*op.y, 2) != s.P() || sizeAt(*op.y, 3) != s.Q())
        return refuse(CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH, "the sizes of a convolution");
    return CUDNN_STATUS_SUCCESS;
}

/// A supported graph: one convolution and, forward, what follows it.
struct Pattern {
    ConvolutionSizes sizes;
    DescriptorPtr x, w, bias, result; ///< result: what is written
    bool relu = false;
};

bool sameSizes(const BackendDescriptor& a, const BackendDescriptor& b)
{
    return a.list<std::int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS) ==
           b.list<std::int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS);
}

/// None: no engine for it.
std::optional<Pattern> patternOf(const BackendDescriptor& graph)
{
    const auto& operations = graph.values.at(CUDNN_ATTR_OPERATIONGRAPH_OPS).descriptors;
    const Operation first = operationOf(*operations.front());
    Pattern p;
    if (sizesOf(first, p.sizes) != CUDNN_STATUS_SUCCESS)
        return {};
    p.x = first.x, p.w = first.w, p.result = first.y;
    if (operations.size() > 1 && (!fusion || first.direction != ConvolutionSizes::Forward))
        return {};
    for (std::size_t i = 1; i < operations.size(); ++i) {
        const BackendDescriptor& op = *operations[i];
        if (op.type != CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR || p.relu ||
            !isVirtual(*p.result) ||
            idOf(op.part(CUDNN_ATTR_OPERATION_POINTWISE_XDESC)) != idOf(*p.result))
            return {};
        const auto mode = op.part(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR)
                              .one<cudnnPointwiseMode_t>(CUDNN_ATTR_POINTWISE_MODE);
        if (mode == CUDNN_POINTWISE_RELU_FWD)
            p.relu = true;
        else if (mode == CUDNN_POINTWISE_ADD && !p.bias &&
                 op.has(CUDNN_ATTR_OPERATION_POINTWISE_BDESC))
            p.bias = op.partPtr(CUDNN_ATTR_OPERATION_POINTWISE_BDESC);
        else
            return {};
        const DescriptorPtr y = op.partPtr(CUDNN_ATTR_OPERATION_POINTWISE_YDESC);
        if (!sameSizes(*y, *p.result))
            return {};
        p.result = y;
    }
    if (p.relu && !p.bias)
        return {};
    const bool fits = !isVirtual(*p.x) && !isVirtual(*p.w) && !isVirtual(*p.result) &&
                      elementOf(typeOf(*p.x)) && typeOf(*p.w) == typeOf(*p.x) &&
                      typeOf(*p.result) == typeOf(*p.x);
    if (!fits)
        return {};
    if (p.bias && (typeOf(*p.bias) != typeOf(*p.x) || isVirtual(*p.bias) ||
                   p.bias->list<std::int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS) !=
                       std::vector<std::int64_t>{1, p.sizes.K, 1, 1}))
        return {};
    return p;
}

// ---- Finalizing

cudnnStatus_t finishTensor(BackendDescriptor& d)
{
    const auto sizes = d.list<std::int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS);
    const auto strides = d.list<std::int64_t>(CUDNN_ATTR_TENSOR_STRIDES);
    if (sizes.size() != 4 || strides.size() != 4 ||
        *std::min_element(sizes.begin(), sizes.end()) < 1 ||
        *std::min_element(strides.begin(), strides.end()) < 1)
        return refuse(CUDNN_STATUS_BAD_PARAM, "sizes and strides of a tensor");
    const std::int64_t C = sizes[1], W = sizes[3], H = sizes[2];
    if (strides != std::vector<std::int64_t>{H * W * C, 1, W * C, C})
        return refuse(CUDNN_STATUS_NOT_SUPPORTED_LAYOUT, "the emulation computes in NHWC");
    const auto alignment = d.one<std::int64_t>(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT);
    const auto element = elementOf(typeOf(d));
    if (!element || alignment < 1 || alignment % std::int64_t(bytesOf(*element)) != 0)
        return refuse(CUDNN_STATUS_BAD_PARAM, "type and alignment of a tensor");
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t finishPointwise(const BackendDescriptor& d)
{
    const bool two =
        d.part(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR)
            .one<cudnnPointwiseMode_t>(CUDNN_ATTR_POINTWISE_MODE) == CUDNN_POINTWISE_ADD;
    return two == d.has(CUDNN_ATTR_OPERATION_POINTWISE_BDESC)
               ? CUDNN_STATUS_SUCCESS
               : refuse(CUDNN_STATUS_BAD_PARAM, "the operands of a pointwise operation");
}

DescriptorPtr make(cudnnBackendDescriptorType_t type)
{
    auto d = std::make_shared<BackendDescriptor>();
    d->type = type;
    d->finalized = true;
    return d;
}

DescriptorPtr configOf(const Engine& e, const DescriptorPtr& graph)
{
    DescriptorPtr engine = make(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    engine->put(CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, e.index);
    AttributeValue notes{CUDNN_TYPE_NUMERICAL_NOTE,
                         std::vector<unsigned char>(e.notes.size() * sizeof e.notes[0]),
                         {}};
    if (!e.notes.empty())
        std::memcpy(notes.bytes.data(), e.notes.data(), notes.bytes.size());
    engine->values[CUDNN_ATTR_ENGINE_NUMERICAL_NOTE] = std::move(notes);
    DescriptorPtr knob = make(CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR);
    knob->put(CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, CUDNN_KNOB_TYPE_TILE_SIZE);
    knob->put(CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, e.index + 100);
    DescriptorPtr config = make(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
    config->values[CUDNN_ATTR_ENGINECFG_ENGINE] = {CUDNN_TYPE_BACKEND_DESCRIPTOR, {}, {engine}};
    config->values[CUDNN_ATTR_ENGINECFG_KNOB_CHOICES] = {CUDNN_TYPE_BACKEND_DESCRIPTOR, {}, {knob}};
    // Not an attribute that can be asked for: what the configuration was made for.
    config->values[CUDNN_ATTR_ENGINE_OPERATION_GRAPH] = {
        CUDNN_TYPE_BACKEND_DESCRIPTOR, {}, {graph}};
    return config;
}

cudnnStatus_t finishHeuristics(BackendDescriptor& d)
{
    const DescriptorPtr graph = d.partPtr(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
    AttributeValue results{CUDNN_TYPE_BACKEND_DESCRIPTOR, {}, {}};
    if (patternOf(*graph))
        for (const Engine& e : kEngines)
            if (e.mode == d.one<cudnnBackendHeurMode_t>(CUDNN_ATTR_ENGINEHEUR_MODE))
                results.descriptors.push_back(configOf(e, graph));
    d.values[CUDNN_ATTR_ENGINEHEUR_RESULTS] = std::move(results);
    return CUDNN_STATUS_SUCCESS;
}

const Engine& engineOf(const BackendDescriptor& config)
{
    const auto index =
        config.part(CUDNN_ATTR_ENGINECFG_ENGINE).one<std::int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX);
    return *std::find_if(std::begin(kEngines), std::end(kEngines),
                         [&](const Engine& e) { return e.index == index; });
}

cudnnStatus_t finishPlan(BackendDescriptor& d)
{
    const Engine& engine = engineOf(d.part(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG));
    if (!engine.plans)
        return refuse(CUDNN_STATUS_NOT_SUPPORTED, "an engine that only looked as if it could");
    d.put(CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, engine.workspace);
    return CUDNN_STATUS_SUCCESS;
}

} // namespace

cudnnStatus_t scalebench::emulation::finishDescriptor(BackendDescriptor& d)
{
    ConvolutionSizes sizes;
    switch (d.type) {
    case CUDNN_BACKEND_TENSOR_DESCRIPTOR:
        return finishTensor(d);
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR:
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR:
    case CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR:
        return sizesOf(operationOf(d), sizes);
    case CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR:
        return finishPointwise(d);
    case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR:
        return finishHeuristics(d);
    case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR:
        return finishPlan(d);
    case CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR:
        return d.list<std::int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS).size() ==
                       d.list<void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS).size()
                   ? CUDNN_STATUS_SUCCESS
                   : refuse(CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT, "ids and pointers");
    default:
        return CUDNN_STATUS_SUCCESS;
    }
}

void scalebench::emulation::setCudnnFusion(bool on)
{
    fusion = on;
}

// ---- The library

std::size_t cudnnGetVersion()
{
    return CUDNN_VERSION;
}
const char* cudnnGetErrorString(cudnnStatus_t status)
{
    return status == CUDNN_STATUS_NOT_SUPPORTED ? "CUDNN_STATUS_NOT_SUPPORTED"
           : status == CUDNN_STATUS_SUCCESS     ? "CUDNN_STATUS_SUCCESS"
                                                : "CUDNN_STATUS_BAD_PARAM";
}
cudnnStatus_t cudnnCreate(cudnnHandle_t* handle)
{
    *handle = reinterpret_cast<cudnnHandle_t>(new Handle);
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDestroy(cudnnHandle_t handle)
{
    delete reinterpret_cast<Handle*>(handle);
    return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnSetStream(cudnnHandle_t handle, cudaStream_t stream)
{
    reinterpret_cast<Handle*>(handle)->stream = stream;
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t rawPlan,
                                  cudnnBackendDescriptor_t rawPack)
{
    const DescriptorPtr plan = descriptorOf(rawPlan), pack = descriptorOf(rawPack);
    if (!plan || !pack || !plan->finalized || !pack->finalized)
        return refuse(CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED, "plan or pack");
    const BackendDescriptor& config = plan->part(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
    const Engine& engine = engineOf(config);
    const Pattern pattern = *patternOf(config.part(CUDNN_ATTR_ENGINE_OPERATION_GRAPH));
    const auto ids = pack->list<std::int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
    const auto pointers = pack->list<void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
    cudnnStatus_t status = CUDNN_STATUS_SUCCESS;
    const auto pointer = [&](const DescriptorPtr& tensor) -> void* {
        if (!tensor)
            return nullptr;
        const auto it = std::find(ids.begin(), ids.end(), idOf(*tensor));
        void* p = it == ids.end() ? nullptr : pointers[std::size_t(it - ids.begin())];
        const auto alignment = tensor->one<std::int64_t>(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT);
        if (p == nullptr || !isDeviceAddress(p))
            status = refuse(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "a tensor has no device memory");
        else if (reinterpret_cast<std::uintptr_t>(p) % std::uintptr_t(alignment) != 0)
            status = refuse(CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER, "a tensor's address");
        return p;
    };
    ConvolutionMemory m;
    m.x = pointer(pattern.x), m.w = pointer(pattern.w), m.y = pointer(pattern.result);
    m.bias = pointer(pattern.bias);
    m.type = *elementOf(typeOf(*pattern.x));
    m.relu = pattern.relu;
    m.tf32 = engine.index == 20;
    void* workspace = pack->one<void*>(CUDNN_ATTR_VARIANT_PACK_WORKSPACE);
    if (engine.workspace > 0 && !isDeviceAddress(workspace))
        status = refuse(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "no workspace");
    if (status != CUDNN_STATUS_SUCCESS)
        return status;
    enqueue("cudnn", reinterpret_cast<Handle*>(handle)->stream,
            [=, sizes = pattern.sizes, bytes = std::size_t(engine.workspace),
             number = int(engine.index)] {
                noteVendorRun("cudnn", number);
                std::memset(workspace, 0xff, bytes);
                convolve(sizes, m);
            });
    return CUDNN_STATUS_SUCCESS;
}
