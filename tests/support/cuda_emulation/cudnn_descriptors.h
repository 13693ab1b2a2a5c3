// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Backend descriptors of the stand-in for cuDNN: attributes by name, and the rules that say which
// descriptor has which, of what type, how many of them, and whether it can do without.

#include <cudnn_graph.h>

#include <cstring>
#include <map>
#include <memory>
#include <vector>

namespace scalebench::emulation {

struct BackendDescriptor;
using DescriptorPtr = std::shared_ptr<BackendDescriptor>;

struct AttributeValue {
    cudnnBackendAttributeType_t type;
    std::vector<unsigned char> bytes;
    std::vector<DescriptorPtr> descriptors; ///< of CUDNN_TYPE_BACKEND_DESCRIPTOR
};

struct BackendDescriptor {
    cudnnBackendDescriptorType_t type;
    bool finalized = false;
    std::map<cudnnBackendAttributeName_t, AttributeValue> values;

    bool has(cudnnBackendAttributeName_t name) const { return values.count(name) > 0; }
    template <class T>
    std::vector<T> list(cudnnBackendAttributeName_t name) const
    {
        const AttributeValue& v = values.at(name);
        std::vector<T> all(v.bytes.size() / sizeof(T));
        std::memcpy(all.data(), v.bytes.data(), all.size() * sizeof(T));
        return all;
    }
    template <class T>
    T one(cudnnBackendAttributeName_t name) const
    {
        T value{};
        std::memcpy(&value, values.at(name).bytes.data(), sizeof value);
        return value;
    }
    const BackendDescriptor& part(cudnnBackendAttributeName_t name) const
    {
        return *values.at(name).descriptors.at(0);
    }
    DescriptorPtr partPtr(cudnnBackendAttributeName_t name) const
    {
        return values.at(name).descriptors.at(0);
    }
    template <class T>
    void put(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t kind, const T& value)
    {
        AttributeValue v{kind, std::vector<unsigned char>(sizeof value), {}};
        std::memcpy(v.bytes.data(), &value, sizeof value);
        values[name] = std::move(v);
    }
};

/// A status with the reason that cudnnGetLastErrorString() tells.
cudnnStatus_t refuse(cudnnStatus_t status, const char* reason);

/// Null where unknown.
DescriptorPtr descriptorOf(cudnnBackendDescriptor_t raw);

/// What cudnnBackendFinalize() does beyond the rules, by type; in cudnn.cpp.
cudnnStatus_t finishDescriptor(BackendDescriptor& d);

} // namespace scalebench::emulation
