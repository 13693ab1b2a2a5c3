// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/detection/detection_evaluator.h"

#include <algorithm>
#include <any>
#include <cstring>
#include <utility>

namespace scalebench::workloads {
namespace {

using detection::Detection;

/// A detection without mask as it travels between workers.
struct Found {
    int32_t picture = 0, category = 0;
    double score = 0;
    detection::Box box;
};

/// In pixels of the stored picture.
Detection inPicture(const FoundObject& object, const PictureNote& note)
{
    Detection found;
    found.picture = int32_t(note.picture);
    found.category = object.category;
    found.score = double(object.score);
    found.box = {double(object.x1) / note.scaleX, double(object.y1) / note.scaleY,
                 double(object.x2 - object.x1) / note.scaleX,
                 double(object.y2 - object.y1) / note.scaleY};
    return found;
}

} // namespace

void DetectionEvaluator::add(Backend& backend, Network& network, const Batch& batch)
{
    const auto& notes = std::any_cast<const std::vector<PictureNote>&>(batch.notes);
    const auto found =
        dynamic_cast<Detector&>(network).detect(backend, batch.tensors.at(0), notes, options_);
    for (size_t i = 0; i < notes.size(); ++i)
        for (const FoundObject& object : found[i])
            if (notes[i].real)
                found_.push_back(inPicture(object, notes[i]));
}

std::string DetectionEvaluator::partial() const
{
    std::string bytes(found_.size() * sizeof(Found), '\0');
    for (size_t i = 0; i < found_.size(); ++i) {
        const Found record{found_[i].picture, found_[i].category, found_[i].score, found_[i].box};
        std::memcpy(bytes.data() + i * sizeof record, &record, sizeof record);
    }
    return bytes;
}

Evaluation DetectionEvaluator::merge(std::span<const std::string> partials) const
{
    std::vector<Detection> all;
    for (const std::string& partial : partials)
        for (size_t at = 0; at + sizeof(Found) <= partial.size(); at += sizeof(Found)) {
            Found record;
            std::memcpy(&record, partial.data() + at, sizeof record);
            all.push_back({record.picture, record.category, record.score, record.box, {}});
        }
    const detection::CocoScores scores =
        detection::cocoScores(truth_, all, detection::Overlap::Boxes);
    // No object at all to find: nothing was found.
    return {{{"box_map", std::max(0.0, scores.ap)}, {"box_ap50", std::max(0.0, scores.ap50)}}, {}};
}

} // namespace scalebench::workloads
