// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/ssd/detection_batches.h"

#include "engine/data/dataset.h"
#include "engine/detection/open_annotated.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace scalebench::workloads {
namespace {

/// Half of what two boxes cover, as SSD's matching asks.
constexpr float kMatchOverlap = 0.5f;

} // namespace

DetectionBatches::DetectionBatches(const detection::AnnotatedSet& set, std::vector<int64_t> chosen,
                                   std::span<const float> defaultBoxes, const Options& options,
                                   Allocator& memory)
    : set_(set),
      chosen_(std::move(chosen)),
      defaults_(defaultBoxes),
      options_(options),
      scale_(data::ChannelStatistics().mean, data::ChannelStatistics().deviation),
      memory_(memory)
{
}

void DetectionBatches::fill(const data::SampleList& list, Batch& batch) const
{
    const auto n = int64_t(list.samples.size());
    const auto boxes = int64_t(defaults_.size() / 4);
    data::PictureRows rows(batch, n, {options_.edge, options_.edge, options_.raw}, scale_, memory_);
    batch.tensors.push_back(Tensor::empty({n, boxes}, DType::I32, memory_));
    batch.tensors.push_back(Tensor::empty({n, boxes, 4}, DType::F32, memory_));
    batch.samples = n;
    batch.bytesRead = 0;
    std::vector<PictureNote> notes;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t picture = chosen_[size_t(list.samples[size_t(i)])];
        const auto part = [&](const auto& of) {
            const size_t each = of.size() / size_t(n);
            return of.subspan(size_t(i) * each, each);
        };
        fillPicture(picture, list.epoch, rows, part(batch.tensors[1].i32()),
                    part(batch.tensors[2].f32()));
        notes.push_back(noteOf(picture, i < list.real));
        if (i < list.real)
            batch.bytesRead += set_.pictures[size_t(picture)].file.storedBytes();
    }
    batch.notes = std::move(notes);
}

PictureNote DetectionBatches::noteOf(int64_t number, bool real) const
{
    PictureNote note;
    note.picture = number;
    note.real = real;
    note.stored = &set_.pictures[size_t(number)];
    note.width = note.height = options_.edge;
    note.scaleX = double(options_.edge) / note.stored->width;
    note.scaleY = double(options_.edge) / note.stored->height;
    return note;
}

void DetectionBatches::fillPicture(int64_t number, int64_t epoch, data::PictureRows& rows,
                                   std::span<int32_t> labels, std::span<float> targets) const
{
    const detection::AnnotatedPicture& picture = set_.pictures[size_t(number)];
    data::HashRandom random(
        {options_.seed, 72, options_.train ? uint64_t(epoch) + 1 : 0, uint64_t(number)});
    const detection::PicturePart part = options_.train ? drawPart(picture, options_.augment, random)
                                                       : detection::wholePicture(picture);
    std::vector<uint8_t> rgb(3 * size_t(options_.edge) * size_t(options_.edge));
    if (options_.decode) {
        const data::Image image = detection::decodePicture(picture);
        data::resizeCrop(image, part.crop, options_.edge, options_.edge, rgb.data());
    } else {
        for (uint8_t& value : rgb)
            value = uint8_t(256 * random.uniform());
    }
    PictureChange change;
    change.mirror = part.mirrored ? 1 : 0;
    if (options_.train && options_.augment.colour)
        detection::drawColours(rgb, options_.edge, random, change);
    rows.add(rgb, change);
    detection::assignBoxes(defaults_, part.boxes, kMatchOverlap, labels, targets);
}

} // namespace scalebench::workloads
