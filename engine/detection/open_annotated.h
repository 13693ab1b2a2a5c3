// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The training and the evaluation part of a set of annotated pictures, whatever it lies in: COCO's
// files (annotations named ...train....json, pictures anywhere beside them), a Pascal VOC tree, or
// pictures with PNGs of their objects' numbers (index_masks.h); as a folder, as a tar, or as a
// folder with annotations and tars of pictures.

#include "engine/data/image.h"
#include "engine/detection/annotated_set.h"
#include "engine/detection/object_checks.h"

#include <functional>
#include <string>
#include <vector>

namespace scalebench::detection {

struct AnnotatedParts {
    AnnotatedSet train, eval;
    std::string format; ///< "COCO JSON", "Pascal VOC XML", "index masks"
};

struct OpenAnnotatedOptions {
    /// Name of the evaluation part; empty: val, and test where there is none.
    std::string evalPart;
    bool masks = false;
    /// Told what is wrong with single records, pictures or masks, which are left out; else the
    /// first of it ends the reading.
    ProblemSink problem = {};
};

/// COCO's files are taken where there are several, then VOC's. Both parts have one list of
/// categories. Throws InvalidArgument: `data_missing` (nothing there, no annotations, a picture
/// that is listed), `data_empty` (a part is not there), `data_damaged` (also two files that could
/// be the annotations of a part).
AnnotatedParts openAnnotated(const std::string& path, const OpenAnnotatedOptions& options);

/// Everything under `path`, and in the tars there, for which `wanted(name)` holds. InvalidArgument
/// (`data_missing`, `data_damaged`).
data::FileListing annotatedFiles(const std::string& path,
                                 const std::function<bool(const std::string&)>& wanted);

/// A picture as it is decoded must have the size that the annotations give.
/// Throws InvalidArgument (`data_damaged`).
data::Image decodePicture(const AnnotatedPicture& picture);

} // namespace scalebench::detection
