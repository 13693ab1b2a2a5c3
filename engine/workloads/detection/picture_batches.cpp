// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/detection/picture_batches.h"

#include "engine/data/dataset.h"
#include "engine/data/hash_random.h"
#include "engine/data/image.h"
#include "engine/data/picture_rows.h"
#include "engine/detection/open_annotated.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scalebench::workloads {
namespace {

/// Which use of a picture's random numbers: see HashRandom.
constexpr uint64_t kFlipKey = 74, kNetworkKey = 75, kNoiseKey = 76;

/// An edge smaller than this in the scaled picture has no size that could be learnt.
constexpr float kThinnest = 1e-2f;

void addObjects(const detection::AnnotatedPicture& picture, PictureNote& note)
{
    const auto width = float(note.width), height = float(note.height);
    for (size_t i = 0; i < picture.objects.size(); ++i) {
        const detection::AnnotatedObject& object = picture.objects[i];
        if (object.ignored())
            continue;
        const detection::Box& b = object.box;
        float x1 = std::clamp(float(b.x * note.scaleX), 0.0f, width);
        float x2 = std::clamp(float((b.x + b.width) * note.scaleX), 0.0f, width);
        const float y1 = std::clamp(float(b.y * note.scaleY), 0.0f, height);
        const float y2 = std::clamp(float((b.y + b.height) * note.scaleY), 0.0f, height);
        if (x2 - x1 < kThinnest || y2 - y1 < kThinnest)
            continue;
        if (note.mirrored)
            x1 = std::exchange(x2, width - x1), x1 = width - x1;
        note.corners.insert(note.corners.end(), {x1, y1, x2, y2});
        note.categories.push_back(object.category);
        note.objects.push_back(int32_t(i));
    }
}

} // namespace

Extent PictureSizing::scaled(int width, int height) const
{
    if (square)
        return {shorter, shorter};
    const double factor = std::min(double(shorter) / std::min(width, height),
                                   double(longest) / std::max(width, height));
    const auto edge = [factor](int pixels) {
        return std::max(1, int(std::floor(pixels * factor + 1e-6)));
    };
    return {edge(height), edge(width)};
}

Extent PictureSizing::padded(const Extent& largest) const
{
    const auto up = [this](int pixels) { return (pixels + multiple - 1) / multiple * multiple; };
    return {up(largest.height), up(largest.width)};
}

PictureBatches::PictureBatches(const detection::AnnotatedSet& set, const Options& options,
                               AddTargets addTargets, Allocator& memory)
    : set_(set),
      options_(options),
      addTargets_(std::move(addTargets)),
      scale_(data::ChannelStatistics().mean, data::ChannelStatistics().deviation),
      memory_(memory)
{
}

PictureNote PictureBatches::noteOf(int64_t number, int64_t epoch) const
{
    const detection::AnnotatedPicture& picture = set_.pictures[size_t(number)];
    const auto drawn = options_.train ? uint64_t(epoch) + 1 : 0;
    const Extent extent = options_.sizing.scaled(picture.width, picture.height);
    PictureNote note;
    note.picture = number;
    note.stored = &picture;
    note.width = extent.width;
    note.height = extent.height;
    note.scaleX = double(extent.width) / picture.width;
    note.scaleY = double(extent.height) / picture.height;
    note.mirrored =
        options_.train && options_.flip &&
        data::HashRandom({options_.seed, kFlipKey, drawn, uint64_t(number)}).chance(0.5);
    note.randomKey = data::HashRandom({options_.seed, kNetworkKey, drawn, uint64_t(number)}).bits();
    addObjects(picture, note);
    return note;
}

void PictureBatches::fill(const data::SampleList& list, const Extent& extent, Batch& batch) const
{
    const auto n = int64_t(list.samples.size());
    data::PictureRows rows(batch, n, {extent.height, extent.width, options_.raw}, scale_, memory_);
    batch.samples = n;
    batch.bytesRead = 0;
    std::vector<PictureNote> notes;
    for (int64_t i = 0; i < n; ++i) {
        PictureNote note = noteOf(list.samples[size_t(i)], list.epoch);
        note.real = i < list.real;
        PictureChange change;
        change.width = note.width;
        change.height = note.height;
        change.mirror = note.mirrored ? 1 : 0;
        rows.add(pixelsOf(note), change);
        if (note.real && options_.decode)
            batch.bytesRead += note.stored->file.storedBytes();
        notes.push_back(std::move(note));
    }
    if (options_.train && addTargets_)
        addTargets_(extent, notes, batch);
    batch.notes = std::move(notes);
}

std::vector<uint8_t> PictureBatches::pixelsOf(const PictureNote& note) const
{
    std::vector<uint8_t> rgb(3 * size_t(note.width) * size_t(note.height));
    if (options_.decode) {
        const data::Image image = detection::decodePicture(*note.stored);
        data::resizeCrop(image, {0, 0, double(image.width), double(image.height)}, note.width,
                         note.height, rgb.data());
    } else {
        data::HashRandom random({options_.seed, kNoiseKey, uint64_t(note.picture)});
        for (uint8_t& value : rgb)
            value = uint8_t(random.bits());
    }
    return rgb;
}

} // namespace scalebench::workloads
