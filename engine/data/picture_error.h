// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is said of a picture that cannot be decoded. Private to engine/data.

#include "kernels/check.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace scalebench::data {

/// No header may ask for more memory than this many pixels take.
constexpr int64_t kMaxPixels = int64_t{1} << 28;

[[noreturn]] inline void damagedPicture(const std::string& name, size_t position,
                                        const std::string& why)
{
    throw InvalidArgument(name + " is damaged at byte " + std::to_string(position) + ": " + why +
                              ". Replace the file, or remove it from the data set.",
                          "data_damaged");
}

} // namespace scalebench::data
