// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pascal VOC's annotations: one XML file a picture in Annotations/, lists of pictures in
// ImageSets/Main/PART.txt, pictures in JPEGImages/. A line of a list is a name, which may hold
// blanks, and perhaps VOC's second column (-1, 0 or 1). Corners are taken as they stand (xmin,
// ymin, xmax, ymax), as the public converters to COCO do. Masks are the PNGs in SegmentationObject/
// of the pictures in ImageSets/Segmentation/PART.txt: pixels with the number of the object in its
// file, from 1, and 255 along the edges, which belongs to nobody.

#include "engine/detection/annotated_set.h"
#include "engine/detection/object_checks.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace scalebench::detection {

/// One picture as its file describes it: categories by name.
struct VocPicture {
    AnnotatedPicture picture; ///< categories of the objects are indices into `names`
    std::vector<std::string> names;
    std::vector<int> numbers;            ///< of the objects in the file, from 1
    std::vector<std::string> emptyBoxes; ///< where boxes without size were left out
};

/// Throws InvalidArgument (`data_damaged`) naming file and line.
VocPicture parseVoc(std::string_view text, const std::string& name);

struct VocOptions {
    bool masks = false;       ///< the pictures that have some, with them
    ProblemSink problem = {}; ///< told what is wrong with single pictures, which are left out
};

/// All parts of a tree that are asked for: `files` holds everything under its root. Categories are
/// those of all annotations of these parts, by name, with ids from 1; picture ids count from 1 in
/// the order of the list. Throws InvalidArgument: `data_missing` for a list, annotation or picture
/// that is not there, `data_damaged` also for a picture that a list has twice, `data_empty` for a
/// list without pictures.
std::map<std::string, AnnotatedSet> readVocParts(const std::vector<data::StoredFile>& files,
                                                 const std::vector<std::string>& parts,
                                                 const std::string& root,
                                                 const VocOptions& options = {});

/// Parts that the tree has lists for, of all pictures or of those with masks.
std::vector<std::string> vocParts(const std::vector<data::StoredFile>& files, bool masks = false);

} // namespace scalebench::detection
