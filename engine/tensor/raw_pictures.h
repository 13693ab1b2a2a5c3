// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pictures of a batch as bytes, a quarter of the floats, and what is still to be done to them:
// where a device does it, the host only copies.

#include <vector>

#include "kernels/pictures.h"

namespace scalebench {

/// Beside images U8 [N,H,W,3].
struct RawPictures {
    PictureScale scale;
    std::vector<PictureChange> changes; ///< N
};

} // namespace scalebench
