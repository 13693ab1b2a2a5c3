// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The training and the evaluation part of a set of annotated pictures, whatever it lies in: COCO's
// files (annotations named ...train....json, pictures anywhere beside them) or a Pascal VOC tree,
// as a folder, as a tar, or as a folder with annotations and tars of pictures.

#include "engine/data/image.h"
#include "engine/detection/annotated_set.h"

#include <string>

namespace scalebench::detection {

struct AnnotatedParts {
    AnnotatedSet train, eval;
    std::string format; ///< "COCO JSON", "Pascal VOC XML"
};

struct OpenAnnotatedOptions {
    /// Name of the evaluation part; empty: val, and test where there is none.
    std::string evalPart;
    bool masks = false;
};

/// COCO's files are taken where there are both. Both parts have one list of categories. Throws
/// InvalidArgument: `data_missing` (nothing there, no annotations, a picture that is listed),
/// `data_empty` (a part is not there), `data_damaged`.
AnnotatedParts openAnnotated(const std::string& path, const OpenAnnotatedOptions& options);

/// A picture as it is decoded must have the size that the annotations give.
/// Throws InvalidArgument (`data_damaged`).
data::Image decodePicture(const AnnotatedPicture& picture);

} // namespace scalebench::detection
