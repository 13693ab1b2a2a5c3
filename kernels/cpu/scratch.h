// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Cuts the scratch memory of a call into pieces.

#include <cstddef>
#include <cstdint>

namespace scalebench::kernels::cpu {

/// Hands out 64-byte aligned pieces in order; without memory it only counts them.
class Carver
{
public:
    explicit Carver(void* memory) : memory_(static_cast<std::byte*>(memory)) {}
    template <class T = std::byte>
    T* take(std::int64_t count)
    {
        std::byte* piece = memory_ ? memory_ + used_ : nullptr;
        used_ += (std::size_t(count) * sizeof(T) + 63) / 64 * 64;
        return reinterpret_cast<T*>(piece);
    }
    std::size_t used() const { return used_; }

private:
    std::byte* memory_;
    std::size_t used_ = 0;
};

} // namespace scalebench::kernels::cpu
