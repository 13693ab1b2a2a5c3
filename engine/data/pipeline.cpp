// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/pipeline.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace scalebench::data {
namespace {

/// What is left of a photo whose shorter edge is made 256 and which is then cut to 224.
CropBox photoCentre(const Image& image)
{
    const double edge = std::min(image.width, image.height) * 224.0 / 256.0;
    return {(image.width - edge) / 2, (image.height - edge) / 2, edge, edge};
}

/// As torchvision's RandomResizedCrop: ten tries, then the centre.
CropBox randomBox(const Image& image, HashRandom& random)
{
    const double area = double(image.width) * image.height;
    for (int tries = 0; tries < 10; ++tries) {
        const double target = area * random.uniform(0.05, 1.0);
        const double aspect = std::exp(random.uniform(std::log(3.0 / 4.0), std::log(4.0 / 3.0)));
        const double width = std::round(std::sqrt(target * aspect));
        const double height = std::round(std::sqrt(target / aspect));
        if (width >= 1 && height >= 1 && width <= image.width && height <= image.height)
            return {random.uniform(0, image.width - width),
                    random.uniform(0, image.height - height), width, height};
    }
    return centreSquare(image);
}

} // namespace

ImagePipeline::ImagePipeline(const ImageDataset& dataset, int imageSize,
                             const ChannelStatistics& statistics, const AugmentOptions& augment,
                             uint64_t seed, Allocator& memory)
    : dataset_(dataset),
      size_(imageSize),
      augment_(augment),
      seed_(seed),
      memory_(memory),
      scale_(statistics.mean, statistics.deviation)
{
}

PictureRows ImagePipeline::prepare(std::span<const int64_t> samples, bool raw, Batch& batch) const
{
    PictureRows rows(batch, int64_t(samples.size()), {size_, size_, raw}, scale_, memory_);
    addLabels(samples, batch);
    return rows;
}

void ImagePipeline::addLabels(std::span<const int64_t> samples, Batch& batch) const
{
    const auto count = int64_t(samples.size());
    batch.tensors.push_back(Tensor::empty({count}, DType::I32, memory_));
    batch.samples = count;
    batch.bytesRead = 0;
    const std::span<int32_t> labels = batch.tensors[1].i32();
    for (size_t i = 0; i < samples.size(); ++i) {
        labels[i] = dataset_.label(samples[i]);
        batch.bytesRead += dataset_.storedBytes(samples[i]);
    }
}

HashRandom ImagePipeline::randomOf(int64_t epoch, int64_t sample) const
{
    return HashRandom({seed_, 41, uint64_t(epoch), uint64_t(sample)});
}

/// What training does to a picture of the right size. The middle of the square that takes the mean
/// colour lies anywhere in the picture.
PictureChange ImagePipeline::draw(HashRandom& random) const
{
    PictureChange change;
    if (augment_.padCrop > 0 && !augment_.randomResizedCrop) {
        change.dx = int(random.below(uint32_t(2 * augment_.padCrop + 1))) - augment_.padCrop;
        change.dy = int(random.below(uint32_t(2 * augment_.padCrop + 1))) - augment_.padCrop;
    }
    change.mirror = augment_.flip && random.chance(0.5) ? 1 : 0;
    if (augment_.cutout == 0)
        return change;
    const int half = augment_.cutout / 2;
    const int x = int(random.below(uint32_t(size_))) - half;
    const int y = int(random.below(uint32_t(size_))) - half;
    change.left = std::max(0, x);
    change.right = std::min(size_, x + augment_.cutout);
    change.top = std::max(0, y);
    change.bottom = std::min(size_, y + augment_.cutout);
    return change;
}

Image ImagePipeline::resized(const Image& image, bool train, HashRandom& random) const
{
    CropBox box = centreSquare(image);
    if (augment_.randomResizedCrop)
        box = train ? randomBox(image, random) : photoCentre(image);
    Image result{size_, size_, std::vector<uint8_t>(size_t(size_) * size_t(size_) * 3)};
    resizeCrop(image, box, size_, size_, result.rgb.data());
    return result;
}

void ImagePipeline::fillTrain(std::span<const int64_t> samples, int64_t epoch, Batch& batch,
                              bool raw) const
{
    PictureRows rows = prepare(samples, raw, batch);
    for (const int64_t sample : samples) {
        HashRandom random = randomOf(epoch, sample);
        if (direct()) {
            rows.add(dataset_.pixels(sample), draw(random));
        } else {
            const Image image = resized(dataset_.decode(sample), true, random);
            rows.add(image.rgb, draw(random));
        }
    }
}

void ImagePipeline::fillEval(std::span<const int64_t> samples, int64_t real, Batch& batch,
                             bool raw) const
{
    PictureRows rows = prepare(samples, raw, batch);
    std::ranges::fill(batch.tensors[1].i32().subspan(size_t(real)), -1);
    for (const int64_t sample : samples) {
        HashRandom unused = randomOf(0, sample);
        if (direct())
            rows.add(dataset_.pixels(sample), {});
        else
            rows.add(resized(dataset_.decode(sample), false, unused).rgb, {});
    }
}

} // namespace scalebench::data
