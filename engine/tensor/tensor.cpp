// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/tensor/tensor.h"

#include <cstring>

#include "kernels/check.h"

namespace scalebench {

std::int64_t elementCount(const Shape& shape)
{
    if (shape.empty())
        return 0;
    std::int64_t n = 1;
    for (auto size : shape)
        n *= size;
    return n;
}

std::string toString(const Shape& shape)
{
    std::string text = "[";
    for (auto size : shape) {
        if (text.size() > 1)
            text += ',';
        text += std::to_string(size);
    }
    text += ']';
    return text;
}

Tensor Tensor::empty(Shape shape, DType dtype, Allocator& allocator)
{
    Tensor t = view(nullptr, std::move(shape), dtype);
    t.data_ = allocator.allocate(t.bytes());
    t.onDevice_ = allocator.onDevice();
    return t;
}

Tensor Tensor::zeros(Shape shape, DType dtype, Allocator& allocator)
{
    SB_REQUIRE(!allocator.onDevice(), "Tensor::zeros is for host memory");
    Tensor t = empty(std::move(shape), dtype, allocator);
    std::memset(t.data(), 0, t.bytes());
    return t;
}

Tensor Tensor::view(void* data, Shape shape, DType dtype, std::shared_ptr<void> owner,
                    bool onDevice)
{
    for (auto size : shape)
        SB_REQUIRE(size >= 0, "a tensor cannot have the shape " + toString(shape));
    Tensor t;
    t.count_ = elementCount(shape);
    t.shape_ = std::move(shape);
    t.dtype_ = dtype;
    t.onDevice_ = onDevice;
    t.data_ = std::shared_ptr<void>(std::move(owner), data);
    return t;
}

namespace {

template <class T>
std::span<T> typed(const Tensor& t, DType wanted)
{
    SB_REQUIRE(t.dtype() == wanted,
               "tensor " + t.describe() + " was accessed as " + dtypeName(wanted));
    return {static_cast<T*>(t.data()), std::size_t(t.count())};
}

} // namespace

std::span<float> Tensor::f32() const
{
    return typed<float>(*this, DType::F32);
}
std::span<bf16_t> Tensor::bf16() const
{
    return typed<bf16_t>(*this, DType::BF16);
}
std::span<f16_t> Tensor::f16() const
{
    return typed<f16_t>(*this, DType::F16);
}
std::span<std::int32_t> Tensor::i32() const
{
    return typed<std::int32_t>(*this, DType::I32);
}
std::span<std::uint8_t> Tensor::u8() const
{
    return typed<std::uint8_t>(*this, DType::U8);
}

Tensor Tensor::reshaped(Shape shape) const
{
    SB_REQUIRE(elementCount(shape) == count_,
               "tensor " + describe() + " cannot be seen as " + toString(shape));
    Tensor t = *this;
    t.shape_ = std::move(shape);
    return t;
}

Tensor Tensor::firstRows(std::int64_t rows) const
{
    SB_REQUIRE(!shape_.empty() && rows >= 0 && rows <= shape_[0],
               "tensor " + describe() + " has no " + std::to_string(rows) + " rows");
    Tensor t = *this;
    t.shape_[0] = rows;
    t.count_ = elementCount(t.shape_);
    return t;
}

std::string Tensor::describe() const
{
    return dtypeName(dtype_) + toString(shape_);
}

} // namespace scalebench
