// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/detection/detection_evaluator.h"

#include "engine/detection/mask_paste.h"
#include "engine/detection/shown_pictures.h"
#include "kernels/check.h"

#include <algorithm>
#include <any>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

namespace scalebench::workloads {
namespace {

using detection::CocoScores;
using detection::Detection;
using detection::Overlap;

/// A detection as it travels between workers, followed by its mask's run lengths as text.
struct Found {
    int32_t picture = 0, category = 0;
    double score = 0;
    detection::Box box;
    uint64_t maskBytes = 0;
};

/// In pixels of the stored picture.
Found inPicture(const FoundObject& object, const PictureNote& note)
{
    Found found;
    found.picture = int32_t(note.picture);
    found.category = object.category;
    found.score = double(object.score);
    found.box = {double(object.x1) / note.scaleX, double(object.y1) / note.scaleY,
                 double(object.x2 - object.x1) / note.scaleX,
                 double(object.y2 - object.y1) / note.scaleY};
    return found;
}

std::string maskText(const FoundObject& object, const Found& found,
                     const detection::AnnotatedPicture& picture)
{
    const detection::Box& box = found.box;
    const float corners[] = {float(box.x), float(box.y), float(box.x + box.width),
                             float(box.y + box.height)};
    const int edge = int(std::lround(std::sqrt(double(object.mask.size()))));
    return detection::printRuns(
        detection::pasteMask(object.mask, edge, corners, picture.width, picture.height));
}

/// -1, no object at all to find: nothing was found.
double share(double score)
{
    return std::max(0.0, score);
}

} // namespace

void DetectionEvaluator::add(Backend& backend, Network& network, const Batch& batch)
{
    const auto& notes = std::any_cast<const std::vector<PictureNote>&>(batch.notes);
    const auto objects =
        dynamic_cast<Detector&>(network).detect(backend, batch.tensors.at(0), notes, options_);
    for (size_t i = 0; i < notes.size(); ++i)
        for (const FoundObject& object : objects[i]) {
            if (!notes[i].real)
                continue;
            Found found = inPicture(object, notes[i]);
            std::string mask;
            if (masks_)
                mask = maskText(object, found, truth_.pictures[size_t(notes[i].picture)]);
            found.maskBytes = mask.size();
            found_.append(reinterpret_cast<const char*>(&found), sizeof found);
            found_.append(mask);
        }
}

Detection DetectionEvaluator::read(const std::string& partial, size_t& at) const
{
    Found record;
    SB_REQUIRE(partial.size() - at >= sizeof record, "detections of a worker are cut off");
    std::memcpy(&record, partial.data() + at, sizeof record);
    at += sizeof record;
    Detection found{record.picture, record.category, record.score, record.box, {}};
    if (!masks_)
        return found;
    SB_REQUIRE(partial.size() - at >= record.maskBytes, "masks of a worker are cut off");
    const detection::AnnotatedPicture& picture = truth_.pictures.at(size_t(record.picture));
    found.mask =
        detection::parseRuns(std::string_view(partial).substr(at, size_t(record.maskBytes)),
                             picture.width, picture.height);
    at += size_t(record.maskBytes);
    return found;
}

std::vector<Detection> DetectionEvaluator::readAll(std::span<const std::string> partials) const
{
    std::vector<Detection> all;
    for (const std::string& partial : partials)
        for (size_t at = 0; at < partial.size();)
            all.push_back(read(partial, at));
    return all;
}

Evaluation DetectionEvaluator::merge(std::span<const std::string> partials) const
{
    const std::vector<Detection> all = readAll(partials);
    const CocoScores boxes = detection::cocoScores(truth_, all, Overlap::Boxes);
    if (!masks_)
        return {{{"box_map", share(boxes.ap)}, {"box_ap50", share(boxes.ap50)}}, {}};
    const CocoScores masks = detection::cocoScores(truth_, all, Overlap::Masks);
    return {{{"box_map", share(boxes.ap)},
             {"mask_map", share(masks.ap)},
             {"box_ap50", share(boxes.ap50)},
             {"mask_ap50", share(masks.ap50)}},
            {}};
}

std::string DetectionEvaluator::pictures(std::span<const std::string> partials, double epoch) const
{
    const detection::ShownPictures shown =
        detection::choosePictures(truth_, readAll(partials), epoch);
    // Synthetic pictures have no files that could be looked at.
    const bool stored = !shown.pictures.empty() && !shown.pictures.front().file.empty();
    return stored ? detection::printShown(shown) : std::string();
}

} // namespace scalebench::workloads
