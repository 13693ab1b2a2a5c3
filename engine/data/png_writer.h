// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// PNG from pixels, for pictures that Scalebench draws.

#include "engine/data/image.h"

#include <cstdint>
#include <vector>

namespace scalebench::data {

/// 8-bit RGB, lightly compressed. The bytes depend on the library's version, the pixels do not.
std::vector<uint8_t> encodePng(const Image& image);

} // namespace scalebench::data
