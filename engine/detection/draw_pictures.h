// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A picture with the boxes and masks of what was found and of what is there.

#include "engine/data/image.h"
#include "engine/detection/shown_pictures.h"

#include <string>
#include <vector>

namespace scalebench::detection {

/// Found objects below this score are not drawn: hundreds of doubtful boxes would hide the rest.
inline constexpr double kDrawnScore = 0.3;

/// `image` as it is stored. True objects green, named at their lower edge, with thin lines where
/// the metric does not ask for them; found ones orange, with category and score at their upper
/// edge. Small pictures are enlarged by a whole number.
data::Image drawPicture(const data::Image& image, const ShownPicture& picture,
                        const std::vector<std::string>& categories);

} // namespace scalebench::detection
