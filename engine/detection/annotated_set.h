// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pictures with boxes and masks, whatever format they came in. Coordinates are pixels of the stored
// picture; (0, 0) is the upper left corner of the upper left pixel.

#include "engine/data/file_source.h"
#include "engine/detection/run_length_mask.h"

#include <cstdint>
#include <string>
#include <vector>

namespace scalebench::detection {

/// Corner, width and height, as COCO keeps boxes.
struct Box {
    double x = 0, y = 0, width = 0, height = 0;

    double area() const { return width * height; }
    bool operator==(const Box&) const = default;
};

struct AnnotatedObject {
    int32_t category = 0; ///< index into AnnotatedSet::categories
    Box box;
    double area = 0;    ///< of the object, for the metric's size ranges; of the box where no mask
    bool crowd = false; ///< a region of many objects: never a miss, detections in it never count
    bool difficult = false; ///< VOC: neither a miss nor a false detection
    RunLengthMask mask;     ///< empty where the set has boxes only

    /// Left out of training and of what the metric asks for.
    bool ignored() const { return crowd || difficult; }
};

struct AnnotatedPicture {
    int64_t id = 0; ///< of the format; ascending in a set
    int width = 0, height = 0;
    data::StoredFile file;
    std::vector<AnnotatedObject> objects;
};

struct Category {
    int64_t id = 0; ///< of the format
    std::string name;
};

/// One part (training, evaluation) of a set.
struct AnnotatedSet {
    std::vector<Category> categories;       ///< by ascending id
    std::vector<AnnotatedPicture> pictures; ///< by ascending id
    int64_t bytesRead = 0;                  ///< of annotations
    /// What a person should know and training survives: boxes without area that were left out ...
    std::vector<std::string> remarks;

    int64_t objects() const
    {
        int64_t n = 0;
        for (const AnnotatedPicture& picture : pictures)
            n += int64_t(picture.objects.size());
        return n;
    }
};

} // namespace scalebench::detection
