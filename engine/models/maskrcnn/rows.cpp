// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/models/maskrcnn/rows.h"

#include <memory>

namespace scalebench {
namespace {

/// Where host and backend share memory upload() hands on what it is given: the tensor must own it.
template <class T>
Tensor owned(Backend& backend, const std::vector<T>& values, const Shape& shape, DType type)
{
    auto owner = std::make_shared<std::vector<T>>(values);
    return backend.upload(Tensor::view(owner->data(), shape, type, owner));
}

} // namespace

Tensor uploaded(Backend& backend, const std::vector<float>& values, const Shape& shape)
{
    return owned(backend, values, shape, DType::F32);
}

Tensor uploadedIds(Backend& backend, const std::vector<int32_t>& ids)
{
    return owned(backend, ids, {std::int64_t(ids.size())}, DType::I32);
}

Tensor hostFloats(Backend& backend, const Tensor& values)
{
    return backend.download(backend.elementwise().cast(values, DType::F32));
}

} // namespace scalebench
