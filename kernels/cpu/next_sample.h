// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The next sample of an activation comes from memory while this one is computed: a few lines with
// each step. All at once they would be more than a core can wait for.

#include <cstdint>

#include "kernels/formula/host_device.h"

namespace scalebench::kernels::cpu {

class NextSample
{
public:
    /// Behind the `size` numbers of the sample at x, if that is not the last.
    template <class T>
    NextSample(const T* x, std::int64_t size, bool last)
        : at_(reinterpret_cast<const char*>(x + size)),
          bytes_(last ? 0 : size * std::int64_t(sizeof(T)))
    {
    }

    /// kWritten: it is to be overwritten.
    template <bool kWritten>
    SB_HOST_DEVICE void fetchLines(int count)
    {
        for (; count > 0 && bytes_ > 0; --count, at_ += kLine, bytes_ -= kLine)
            __builtin_prefetch(at_, kWritten ? 1 : 0, 2);
    }

private:
    static constexpr std::int64_t kLine = 64;
    const char* at_;
    std::int64_t bytes_;
};

} // namespace scalebench::kernels::cpu
