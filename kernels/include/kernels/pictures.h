// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What is drawn for a picture on its way from bytes to normalised numbers.

#include <cstdint>

namespace scalebench {

/// Of one picture; as ImagePipeline draws it.
struct PictureChange {
    std::int32_t dx = 0, dy = 0; ///< pixel (x, y) comes from (x + dx, y + dy), mean colour outside
    std::int32_t mirror = 0;     ///< 1: x counts from the right
    /// A rectangle of the result that takes the mean colour; empty: left == right.
    std::int32_t left = 0, top = 0, right = 0, bottom = 0;
};

} // namespace scalebench
