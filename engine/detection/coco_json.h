// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// COCO's annotation files: "images", "categories" and "annotations" with boxes, polygons, run
// lengths (as numbers or as text) and crowds. Other members ("info", "licenses") are not read.

#include "engine/detection/annotated_set.h"
#include "engine/detection/object_checks.h"

#include <cstdint>
#include <span>
#include <string>

namespace scalebench::detection {

/// Reads one file's bytes. `name`: for messages. `masks`: polygons and run lengths become masks;
/// otherwise they are not looked at. Pictures have only a file name yet: attachPictures() finds the
/// files. Boxes without width or height are left out, with a remark. Throws InvalidArgument
/// (`data_damaged`) that names the file and the annotation, or the byte where the JSON ends:
/// anything that is not what it should be, an annotation of a picture or category that is not
/// listed, a box outside its picture, a polygon of two points, run lengths of another size.
/// With `problem`, what is wrong with single records is told there, and they are left out; doubled
/// ids of annotations are told too, and pictures without any are a remark.
AnnotatedSet parseCoco(std::span<const uint8_t> bytes, const std::string& name, bool masks,
                       const ProblemSink& problem = {});

/// The same as text, with masks as run lengths, one annotation a line.
std::string printCoco(const AnnotatedSet& set);

} // namespace scalebench::detection
