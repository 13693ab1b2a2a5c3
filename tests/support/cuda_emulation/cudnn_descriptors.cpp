// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/cuda_emulation/cudnn_descriptors.h"

#include <algorithm>
#include <cstdio>
#include <string>

using namespace scalebench::emulation;

namespace {

std::map<void*, DescriptorPtr> descriptors;
std::string lastError;

/// `most` 0: the library sets it.
struct Rule {
    cudnnBackendDescriptorType_t descriptor;
    cudnnBackendAttributeName_t name;
    cudnnBackendAttributeType_t type;
    std::int64_t most;
    bool required;
};

constexpr auto kTensor = CUDNN_BACKEND_TENSOR_DESCRIPTOR;
constexpr auto kConvolution = CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR;
constexpr auto kForward = CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR;
constexpr auto kData = CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR;
constexpr auto kFilter = CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR;
constexpr auto kPointwise = CUDNN_BACKEND_POINTWISE_DESCRIPTOR;
constexpr auto kPointwiseOp = CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR;
constexpr auto kGraph = CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR;
constexpr auto kHeuristics = CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR;
constexpr auto kEngine = CUDNN_BACKEND_ENGINE_DESCRIPTOR;
constexpr auto kConfig = CUDNN_BACKEND_ENGINECFG_DESCRIPTOR;
constexpr auto kKnob = CUDNN_BACKEND_KNOB_CHOICE_DESCRIPTOR;
constexpr auto kPlan = CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR;
constexpr auto kPack = CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR;
constexpr auto kPart = CUDNN_TYPE_BACKEND_DESCRIPTOR;

const Rule kRules[] = {
    {kTensor, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, true},
    {kTensor, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, CUDNN_DIM_MAX, true},
    {kTensor, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, CUDNN_DIM_MAX, true},
    {kTensor, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, true},
    {kTensor, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, true},
    {kTensor, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, false},

    {kConvolution, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, 1, true},
    {kConvolution, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, true},
    {kConvolution, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, true},
    {kConvolution, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, CUDNN_DIM_MAX, true},
    {kConvolution, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, CUDNN_DIM_MAX, true},
    {kConvolution, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, CUDNN_DIM_MAX, true},
    {kConvolution, CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, CUDNN_DIM_MAX, true},

    {kForward, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, kPart, 1, true},
    {kForward, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, kPart, 1, true},
    {kForward, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, kPart, 1, true},
    {kForward, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, kPart, 1, true},
    {kForward, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT, 1, true},
    {kForward, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT, 1, true},

    {kData, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, kPart, 1, true},
    {kData, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, kPart, 1, true},
    {kData, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, kPart, 1, true},
    {kData, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, kPart, 1, true},
    {kData, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, CUDNN_TYPE_FLOAT, 1, true},
    {kData, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA, CUDNN_TYPE_FLOAT, 1, true},

    {kFilter, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC, kPart, 1, true},
    {kFilter, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, kPart, 1, true},
    {kFilter, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW, kPart, 1, true},
    {kFilter, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY, kPart, 1, true},
    {kFilter, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA, CUDNN_TYPE_FLOAT, 1, true},
    {kFilter, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA, CUDNN_TYPE_FLOAT, 1, true},

    {kPointwise, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, true},
    {kPointwise, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, true},
    {kPointwiseOp, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, kPart, 1, true},
    {kPointwiseOp, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, kPart, 1, true},
    {kPointwiseOp, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, kPart, 1, false},
    {kPointwiseOp, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, kPart, 1, true},

    {kGraph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, true},
    {kGraph, CUDNN_ATTR_OPERATIONGRAPH_OPS, kPart, 64, true},
    {kHeuristics, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, kPart, 1, true},
    {kHeuristics, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, true},
    {kHeuristics, CUDNN_ATTR_ENGINEHEUR_RESULTS, kPart, 0, false},
    {kEngine, CUDNN_ATTR_ENGINE_GLOBAL_INDEX, CUDNN_TYPE_INT64, 0, false},
    {kEngine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE, 0, false},
    {kConfig, CUDNN_ATTR_ENGINECFG_ENGINE, kPart, 0, false},
    {kConfig, CUDNN_ATTR_ENGINECFG_KNOB_CHOICES, kPart, 0, false},
    {kKnob, CUDNN_ATTR_KNOB_CHOICE_KNOB_TYPE, CUDNN_TYPE_KNOB_TYPE, 0, false},
    {kKnob, CUDNN_ATTR_KNOB_CHOICE_KNOB_VALUE, CUDNN_TYPE_INT64, 0, false},
    {kPlan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, true},
    {kPlan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, kPart, 1, true},
    {kPlan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, CUDNN_TYPE_INT64, 0, false},
    {kPack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, 64, true},
    {kPack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, 64, true},
    {kPack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, true},
};

const Rule* ruleOf(cudnnBackendDescriptorType_t type, cudnnBackendAttributeName_t name)
{
    for (const Rule& r : kRules)
        if (r.descriptor == type && r.name == name)
            return &r;
    return nullptr;
}

std::size_t sizeOf(cudnnBackendAttributeType_t type)
{
    switch (type) {
    case CUDNN_TYPE_HANDLE:
    case CUDNN_TYPE_INT64:
    case CUDNN_TYPE_VOID_PTR:
    case CUDNN_TYPE_BACKEND_DESCRIPTOR:
        return 8;
    case CUDNN_TYPE_BOOLEAN:
        return 1;
    default:
        return 4;
    }
}

} // namespace

DescriptorPtr scalebench::emulation::descriptorOf(cudnnBackendDescriptor_t raw)
{
    const auto it = descriptors.find(raw);
    return it == descriptors.end() ? nullptr : it->second;
}

cudnnStatus_t scalebench::emulation::refuse(cudnnStatus_t status, const char* reason)
{
    lastError = reason;
    return status;
}

void cudnnGetLastErrorString(char* message, std::size_t size)
{
    std::snprintf(message, size, "%s", lastError.c_str());
    lastError.clear();
}

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type,
                                           cudnnBackendDescriptor_t* made)
{
    if (std::none_of(std::begin(kRules), std::end(kRules),
                     [&](const Rule& r) { return r.descriptor == type; }))
        return refuse(CUDNN_STATUS_NOT_SUPPORTED, "the emulation has no such descriptor");
    auto d = std::make_shared<BackendDescriptor>();
    d->type = type;
    *made = d.get();
    descriptors[d.get()] = std::move(d);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t raw)
{
    return descriptors.erase(raw) == 1
               ? CUDNN_STATUS_SUCCESS
               : refuse(CUDNN_STATUS_BAD_PARAM, "not a descriptor, or destroyed twice");
}

cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t raw,
                                       cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, std::int64_t count,
                                       const void* values)
{
    const DescriptorPtr d = descriptorOf(raw);
    if (!d || values == nullptr)
        return refuse(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "no descriptor or no values");
    if (d->finalized)
        return refuse(CUDNN_STATUS_NOT_INITIALIZED, "the descriptor is finalized already");
    const Rule* rule = ruleOf(d->type, name);
    if (rule == nullptr || rule->most == 0)
        return refuse(CUDNN_STATUS_BAD_PARAM, "the descriptor has no such attribute to be set");
    if (rule->type != type)
        return refuse(CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE, "the attribute is of another type");
    if (count < 1 || count > rule->most)
        return refuse(CUDNN_STATUS_BAD_PARAM_OUT_OF_BOUND, "the number of values");
    AttributeValue v{type, {}, {}};
    if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR) {
        const auto* list = static_cast<const cudnnBackendDescriptor_t*>(values);
        for (std::int64_t i = 0; i < count; ++i) {
            const DescriptorPtr part = descriptorOf(list[i]);
            if (!part || !part->finalized)
                return refuse(CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED, "a part is not finalized");
            v.descriptors.push_back(part);
        }
    } else {
        v.bytes.resize(std::size_t(count) * sizeOf(type));
        std::memcpy(v.bytes.data(), values, v.bytes.size());
    }
    d->values[name] = std::move(v);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t raw)
{
    const DescriptorPtr d = descriptorOf(raw);
    if (!d)
        return refuse(CUDNN_STATUS_BAD_PARAM_NULL_POINTER, "no descriptor");
    for (const Rule& r : kRules)
        if (r.descriptor == d->type && r.required && !d->has(r.name))
            return refuse(CUDNN_STATUS_BAD_PARAM, "an attribute has not been set");
    const cudnnStatus_t status = finishDescriptor(*d);
    d->finalized = status == CUDNN_STATUS_SUCCESS;
    return status;
}

cudnnStatus_t cudnnBackendGetAttribute(cudnnBackendDescriptor_t raw,
                                       cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, std::int64_t wanted,
                                       std::int64_t* found, void* values)
{
    const DescriptorPtr d = descriptorOf(raw);
    if (!d || !d->finalized)
        return refuse(CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED, "the descriptor is not finalized");
    const Rule* rule = ruleOf(d->type, name);
    if (rule == nullptr || rule->type != type)
        return refuse(CUDNN_STATUS_BAD_PARAM, "the descriptor has no such attribute");
    const auto it = d->values.find(name);
    if (it == d->values.end()) {
        *found = 0;
        return CUDNN_STATUS_SUCCESS;
    }
    const AttributeValue& v = it->second;
    if (type != CUDNN_TYPE_BACKEND_DESCRIPTOR) {
        *found = std::int64_t(v.bytes.size() / sizeOf(type));
        if (!v.bytes.empty())
            std::memcpy(values, v.bytes.data(),
                        std::size_t(std::min(*found, wanted)) * sizeOf(type));
        return CUDNN_STATUS_SUCCESS;
    }
    *found = std::int64_t(v.descriptors.size());
    auto* list = static_cast<cudnnBackendDescriptor_t*>(values);
    for (std::int64_t i = 0; i < std::min(*found, wanted); ++i) { // fills descriptors of the caller
        const DescriptorPtr to = descriptorOf(list[i]);
        const BackendDescriptor& from = *v.descriptors[std::size_t(i)];
        if (!to || to->type != from.type)
            return refuse(CUDNN_STATUS_BAD_PARAM_DESCRIPTOR_TYPE, "a descriptor of another type");
        *to = from;
    }
    return CUDNN_STATUS_SUCCESS;
}
