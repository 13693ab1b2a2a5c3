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

/// 8-bit pixels of a part to 0..1, mirrored if asked.
void toUnits(std::span<const uint8_t> rgb, int edge, bool mirrored, std::span<float> out)
{
    const auto width = size_t(edge);
    for (size_t y = 0; y < width; ++y)
        for (size_t x = 0; x < width; ++x) {
            const size_t from = 3 * (y * width + (mirrored ? width - 1 - x : x));
            for (size_t c = 0; c < 3; ++c)
                out[3 * (y * width + x) + c] = float(rgb[from + c]) / 255.0f;
        }
}

void normalise(std::span<float> rgb)
{
    const data::ChannelStatistics statistics;
    for (size_t i = 0; i < rgb.size(); ++i)
        rgb[i] =
            (std::clamp(rgb[i], 0.0f, 1.0f) - statistics.mean[i % 3]) / statistics.deviation[i % 3];
}

} // namespace

DetectionBatches::DetectionBatches(const detection::AnnotatedSet& set, std::vector<int64_t> chosen,
                                   std::span<const float> defaultBoxes, const Options& options,
                                   Allocator& memory)
    : set_(set),
      chosen_(std::move(chosen)),
      defaults_(defaultBoxes),
      options_(options),
      memory_(memory)
{
}

void DetectionBatches::fill(const data::SampleList& list, Batch& batch) const
{
    const auto n = int64_t(list.samples.size());
    const auto boxes = int64_t(defaults_.size() / 4);
    const int64_t edge = options_.edge;
    batch.tensors.clear(); // their memory is used again
    batch.tensors = {Tensor::empty({n, edge, edge, 3}, DType::F32, memory_),
                     Tensor::empty({n, boxes}, DType::I32, memory_),
                     Tensor::empty({n, boxes, 4}, DType::F32, memory_)};
    batch.samples = n;
    batch.bytesRead = 0;
    std::vector<int64_t> real;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t picture = chosen_[size_t(list.samples[size_t(i)])];
        const auto part = [&](const auto& of) {
            const size_t each = of.size() / size_t(n);
            return of.subspan(size_t(i) * each, each);
        };
        fillPicture(picture, list.epoch, part(batch.tensors[0].f32()), part(batch.tensors[1].i32()),
                    part(batch.tensors[2].f32()));
        if (i >= list.real)
            continue;
        real.push_back(picture);
        batch.bytesRead += set_.pictures[size_t(picture)].file.size;
    }
    batch.notes = std::move(real);
}

void DetectionBatches::fillPicture(int64_t number, int64_t epoch, std::span<float> pixels,
                                   std::span<int32_t> labels, std::span<float> targets) const
{
    const detection::AnnotatedPicture& picture = set_.pictures[size_t(number)];
    data::HashRandom random(
        {options_.seed, 72, options_.train ? uint64_t(epoch) + 1 : 0, uint64_t(number)});
    const detection::PicturePart part = options_.train ? drawPart(picture, options_.augment, random)
                                                       : detection::wholePicture(picture);
    if (options_.decode) {
        const data::Image image = detection::decodePicture(picture);
        std::vector<uint8_t> rgb(pixels.size());
        data::resizeCrop(image, part.crop, options_.edge, options_.edge, rgb.data());
        toUnits(rgb, options_.edge, part.mirrored, pixels);
    } else {
        for (float& value : pixels)
            value = float(random.uniform());
    }
    if (options_.train && options_.augment.colour)
        detection::jitterColours(pixels, random);
    normalise(pixels);
    detection::assignBoxes(defaults_, part.boxes, kMatchOverlap, labels, targets);
}

} // namespace scalebench::workloads
