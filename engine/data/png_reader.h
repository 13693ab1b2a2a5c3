// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// PNG, for decodeImage() and its like (image.h), whose errors these throw.

#include "engine/data/image.h"

#include <cstdint>
#include <span>
#include <string>

namespace scalebench::data {

bool isPng(std::span<const uint8_t> bytes);
/// As the header says, which nobody checked. isPng() only.
ImageSize pngSize(std::span<const uint8_t> bytes);
/// isPng() only.
Image decodePng(std::span<const uint8_t> bytes, const std::string& name);

} // namespace scalebench::data
