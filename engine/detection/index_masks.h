// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Masks that are pictures: a PNG beside each picture whose pixels are 0 where nothing is, and else
// the number of an object (data::decodeIndices). One category, "object".
//
// Layouts: pictures in a folder `images`, `PNGImages` or `JPEGImages`, masks in `masks` or
// `PedMasks` beside it, NAME.png or NAME_mask.png for the picture NAME.*. A part is the folder
// above or below these two: train/images/NAME.jpg with train/masks/NAME.png, or images/train/...
// with masks/train/... Where there are no parts, each fifth picture in the order of the names is
// evaluated.

#include "engine/data/image.h"
#include "engine/detection/annotated_set.h"
#include "engine/detection/object_checks.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace scalebench::detection {

struct IndexMask {
    int id = 0; ///< above 0
    RunLengthMask mask;
};

/// One mask per id, by ascending id. Cost: one look at every pixel.
std::vector<IndexMask> masksOf(const data::IndexImage& image);

/// Whether there are pictures and masks in such a layout.
bool hasIndexMasks(const std::vector<data::StoredFile>& files);

/// The parts by name ("train", "val", "test"; where the layout has none, "train" and "val"). Boxes
/// are those of the masks; `masks` false: only the boxes are kept. Throws InvalidArgument:
/// `data_missing` for a picture without mask or a mask without picture, `data_damaged` for masks
/// that have colours or another size than their picture, `data_empty` where no mask of a part has
/// an object.
std::map<std::string, AnnotatedSet> readIndexMasks(const std::vector<data::StoredFile>& files,
                                                   bool masks, const ProblemSink& problem = {});

} // namespace scalebench::detection
