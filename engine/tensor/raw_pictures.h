// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pictures of a batch as bytes, a quarter of the floats, and what is still to be done to them:
// where a device does it, the host only copies.

#include <array>
#include <vector>

#include "kernels/pictures.h"

namespace scalebench {

/// In Batch::notes, beside a first tensor U8 [N,H,W,3].
struct RawPictures {
    /// Value of a byte in each of the three channels; the mean colour is 0.
    std::array<float, 768> table{};
    std::vector<PictureChange> changes; ///< N
};

} // namespace scalebench
