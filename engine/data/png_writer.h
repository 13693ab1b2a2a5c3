// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// PNG from pixels, for pictures that Scalebench draws.

#include "engine/data/image.h"

#include <cstdint>
#include <vector>

namespace scalebench::data {

/// How the pixels lie in the file: lightly compressed, or as they are, for pictures that hardly
/// become smaller (noise: 49 to 40 KB) but are read again and again (inflating: four fifths of it).
enum class PngPixels { Compressed, Stored };

/// 8-bit RGB. The bytes depend on the library's version, the pixels do not.
std::vector<uint8_t> encodePng(const Image& image, PngPixels pixels = PngPixels::Compressed);

} // namespace scalebench::data
