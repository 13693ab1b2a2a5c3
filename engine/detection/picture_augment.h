// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// SSD's augmentation (Liu et al. 2015, arXiv 1512.02325, section 2.2): crops that overlap an object
// by a drawn share, mirroring, colours.

#include "engine/data/hash_random.h"
#include "engine/data/image.h"
#include "engine/detection/annotated_set.h"
#include "engine/detection/default_boxes.h"
#include "kernels/pictures.h"

#include <span>

namespace scalebench::detection {

struct AugmentOptions {
    bool crop = false, flip = false, colour = false;
};

/// Part of a picture and the objects in it.
struct PicturePart {
    data::CropBox crop; ///< pixels
    bool mirrored = false;
    TrueBoxes boxes; ///< in units of the crop, cut to it
};

/// The whole picture, as it is evaluated. Objects that are ignored are left out here and below.
PicturePart wholePicture(const AnnotatedPicture& picture);

/// A drawn part: the whole picture or, for a drawn overlap of 0.1, 0.3, 0.5, 0.7, 0.9 or any, a
/// part of 0.3 to 1 of each side and an aspect of 1/2 to 2 of the picture's, in which every object
/// whose middle it has reaches that overlap; objects with their middle outside are lost, one at
/// least is kept. Of the numbers of `random` only.
PicturePart drawPart(const AnnotatedPicture& picture, const AugmentOptions& options,
                     data::HashRandom& random);

/// Draws other colours for a picture of lines of `width` pixels: brightness by 0.125, contrast and
/// saturation by 0.5, hue by 0.05 of a turn at most. change.mirror: as it will be.
void drawColours(std::span<const uint8_t> rgb, int width, data::HashRandom& random,
                 PictureChange& change);

} // namespace scalebench::detection
