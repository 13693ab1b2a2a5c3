// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A slow obvious version of kernels/pictures.h, in double.

#include <cstdint>
#include <vector>

#include "kernels/pictures.h"

namespace scalebench::kernels::ref {

/// rgb [change.height,change.width,3], both sizes given -> [H,W,3].
std::vector<double> normalisePicture(int H, int W, const std::vector<std::uint8_t>& rgb,
                                     const PictureChange& change, const float (&mean)[3],
                                     const float (&deviation)[3]);

} // namespace scalebench::kernels::ref
