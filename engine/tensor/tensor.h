// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tensor: a cheap shared handle (copying it copies no data) over 64-byte aligned, row-major,
// contiguous storage. Images are NHWC. No arithmetic here: that is the backend's job. The storage
// is host memory or a device's (onDevice()); the latter only the device's backend may look into,
// and the typed spans below are then addresses, not to be read by the host.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/tensor/allocator.h"
#include "kernels/types.h"

namespace scalebench {

/// Sizes, outermost first. An empty shape is "no tensor"; a scalar is {1}.
using Shape = std::vector<std::int64_t>;

/// Product of the sizes (0 for an empty shape).
std::int64_t elementCount(const Shape& shape);
/// "[64,32,32,16]".
std::string toString(const Shape& shape);

class Tensor
{
public:
    Tensor() = default;

    /// Uninitialised storage from `allocator`; given back when the last handle goes.
    static Tensor empty(Shape shape, DType dtype, Allocator& allocator);
    /// As empty(), all bytes zero. Host memory only: see Backend::zeros().
    static Tensor zeros(Shape shape, DType dtype, Allocator& allocator);
    /// A view of memory owned by `owner` (may be null: then the caller keeps it alive).
    static Tensor view(void* data, Shape shape, DType dtype, std::shared_ptr<void> owner = {},
                       bool onDevice = false);

    bool defined() const noexcept { return data_ != nullptr; }
    const Shape& shape() const noexcept { return shape_; }
    std::int64_t dim(std::size_t axis) const { return shape_.at(axis); }
    DType dtype() const noexcept { return dtype_; }
    std::int64_t count() const noexcept { return count_; }
    std::size_t bytes() const noexcept { return std::size_t(count_) * dtypeBytes(dtype_); }

    bool onDevice() const noexcept { return onDevice_; }

    /// Raw memory; the handle stays the owner. Constness of the handle says nothing about the data.
    void* data() const noexcept { return data_.get(); }
    /// Typed access; InvalidArgument when the element type does not match dtype().
    std::span<float> f32() const;
    std::span<bf16_t> bf16() const;
    std::span<f16_t> f16() const;
    std::span<std::int32_t> i32() const;
    std::span<std::uint8_t> u8() const;

    /// Same storage, other shape with the same number of elements.
    Tensor reshaped(Shape shape) const;
    /// The first `rows` entries of axis 0, same storage (a smaller last batch).
    Tensor firstRows(std::int64_t rows) const;
    /// True when no other handle shares the storage (it may then be overwritten in place).
    bool unique() const noexcept { return data_.use_count() == 1; }
    /// "bf16[64,32,32,16]".
    std::string describe() const;

private:
    std::shared_ptr<void> data_;
    Shape shape_;
    std::int64_t count_ = 0;
    DType dtype_ = DType::F32;
    bool onDevice_ = false;
};

} // namespace scalebench
