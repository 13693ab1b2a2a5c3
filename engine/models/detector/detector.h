// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What evaluation asks of any detector, and what a batch of pictures tells it beside the pixels.

#include "engine/detection/annotated_set.h"
#include "engine/nn/network.h"

#include <cstdint>
#include <vector>

namespace scalebench {

/// One picture of a batch, in Batch::notes as a std::vector<PictureNote>, one per row of the
/// images. A picture lies in the upper left corner of its row, scaled and maybe mirrored; the rest
/// of the row is 0.
struct PictureNote {
    int64_t picture = 0;           ///< index into AnnotatedSet::pictures
    bool real = true;              ///< false: fills the batch up and must not count
    int width = 0, height = 0;     ///< of the scaled picture, in pixels of the row
    double scaleX = 1, scaleY = 1; ///< row pixels per stored pixel
    bool mirrored = false;         ///< left and right, within `width`
    const detection::AnnotatedPicture* stored = nullptr; ///< the set outlives the batch
    /// For training: the objects that are not ignored, in pixels of the row.
    std::vector<float> corners;      ///< [objects,4]: x1, y1, x2, y2
    std::vector<int32_t> categories; ///< from 0
    std::vector<int32_t> objects;    ///< index into stored->objects
    /// Key of all random numbers that are drawn for this picture in this epoch: the same on any
    /// number of workers.
    uint64_t randomKey = 0;
};

/// How many boxes survive; thresholds as each detector's paper uses them.
struct DetectOptions {
    double scoreThreshold = 0.05;
    double nmsOverlap = 0.5;
    int candidates = 1000; ///< before suppression: of a level or of a category
    int detections = 100;  ///< of a picture
};

/// A found object in pixels of the row.
struct FoundObject {
    int32_t category = 0; ///< from 0
    float score = 0;
    float x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    /// Probability that a cell of the box belongs to the object, [edge, edge] row by row; empty
    /// where the detector finds boxes only.
    std::vector<float> mask;
};

class Detector : public Network
{
public:
    /// What it finds in the first notes.size() rows of images F32 [N,H,W,3] (host or device), by
    /// falling score, boxes cut to each picture.
    virtual std::vector<std::vector<FoundObject>> detect(Backend& backend, const Tensor& images,
                                                         const std::vector<PictureNote>& notes,
                                                         const DetectOptions& options) = 0;
};

} // namespace scalebench
