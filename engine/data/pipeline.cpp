// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/pipeline.h"

#include <algorithm>
#include <cmath>

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
    : dataset_(dataset), size_(imageSize), augment_(augment), seed_(seed), memory_(memory)
{
    for (int c = 0; c < 3; ++c)
        for (int v = 0; v < 256; ++v)
            table_[c][v] = (float(v) / 255.0f - statistics.mean[c]) / statistics.deviation[c];
}

/// Returns where the first picture goes.
float* ImagePipeline::prepare(std::span<const int64_t> samples, Batch& batch) const
{
    const int64_t count = int64_t(samples.size());
    batch.tensors.clear(); // their memory is used again
    batch.tensors = {Tensor::empty({count, size_, size_, 3}, DType::F32, memory_),
                     Tensor::empty({count}, DType::I32, memory_)};
    batch.samples = count;
    batch.bytesRead = 0;
    const std::span<int32_t> labels = batch.tensors[1].i32();
    for (size_t i = 0; i < samples.size(); ++i) {
        labels[i] = dataset_.label(samples[i]);
        batch.bytesRead += dataset_.storedBytes(samples[i]);
    }
    return batch.tensors[0].f32().data();
}

void ImagePipeline::square(std::span<const uint8_t> pixels, int dx, int dy, bool mirror,
                           float* out) const
{
    for (int y = 0; y < size_; ++y) {
        float* row = out + size_t(y) * size_t(size_) * 3;
        const int sy = y + dy;
        if (sy < 0 || sy >= size_) { // padding is the mean colour
            std::fill(row, row + size_t(size_) * 3, 0.0f);
            continue;
        }
        const uint8_t* line = pixels.data() + size_t(sy) * size_t(size_) * 3;
        for (int x = 0; x < size_; ++x) {
            const int sx = (mirror ? size_ - 1 - x : x) + dx;
            if (sx < 0 || sx >= size_) {
                row[3 * x] = row[3 * x + 1] = row[3 * x + 2] = 0.0f;
                continue;
            }
            const uint8_t* p = line + 3 * sx;
            row[3 * x] = table_[0][p[0]];
            row[3 * x + 1] = table_[1][p[1]];
            row[3 * x + 2] = table_[2][p[2]];
        }
    }
}

/// A square whose middle lies anywhere in the picture takes the mean colour.
void ImagePipeline::blank(HashRandom& random, float* out) const
{
    if (augment_.cutout == 0)
        return;
    const int half = augment_.cutout / 2;
    const int x = int(random.below(uint32_t(size_))) - half;
    const int y = int(random.below(uint32_t(size_))) - half;
    const int left = std::max(0, x), right = std::min(size_, x + augment_.cutout);
    for (int row = std::max(0, y); row < std::min(size_, y + augment_.cutout); ++row)
        std::fill(out + (size_t(row) * size_t(size_) + size_t(left)) * 3,
                  out + (size_t(row) * size_t(size_) + size_t(right)) * 3, 0.0f);
}

void ImagePipeline::photo(const Image& image, bool train, int64_t epoch, int64_t sample,
                          float* out) const
{
    HashRandom random({seed_, 41, uint64_t(epoch), uint64_t(sample)});
    CropBox box = centreSquare(image);
    if (augment_.randomResizedCrop)
        box = train ? randomBox(image, random) : photoCentre(image);
    Image resized{size_, size_, std::vector<uint8_t>(size_t(size_) * size_t(size_) * 3)};
    resizeCrop(image, box, size_, size_, resized.rgb.data());
    int dx = 0, dy = 0;
    if (train && !augment_.randomResizedCrop && augment_.padCrop > 0) {
        dx = int(random.below(uint32_t(2 * augment_.padCrop + 1))) - augment_.padCrop;
        dy = int(random.below(uint32_t(2 * augment_.padCrop + 1))) - augment_.padCrop;
    }
    square(resized.rgb, dx, dy, train && augment_.flip && random.chance(0.5), out);
    if (train)
        blank(random, out);
}

void ImagePipeline::fillTrain(std::span<const int64_t> samples, int64_t epoch, Batch& batch) const
{
    float* images = prepare(samples, batch);
    const size_t floats = size_t(size_) * size_t(size_) * 3;
    const bool direct = dataset_.edge() == size_ && !augment_.randomResizedCrop;
    for (size_t i = 0; i < samples.size(); ++i) {
        float* out = images + i * floats;
        if (!direct) {
            photo(dataset_.decode(samples[i]), true, epoch, samples[i], out);
            continue;
        }
        HashRandom random({seed_, 41, uint64_t(epoch), uint64_t(samples[i])});
        int dx = 0, dy = 0;
        if (augment_.padCrop > 0) {
            dx = int(random.below(uint32_t(2 * augment_.padCrop + 1))) - augment_.padCrop;
            dy = int(random.below(uint32_t(2 * augment_.padCrop + 1))) - augment_.padCrop;
        }
        square(dataset_.pixels(samples[i]), dx, dy, augment_.flip && random.chance(0.5), out);
        blank(random, out);
    }
}

void ImagePipeline::fillEval(std::span<const int64_t> samples, int64_t real, Batch& batch) const
{
    float* images = prepare(samples, batch);
    std::ranges::fill(batch.tensors[1].i32().subspan(size_t(real)), -1);
    const size_t floats = size_t(size_) * size_t(size_) * 3;
    for (size_t i = 0; i < samples.size(); ++i) {
        float* out = images + i * floats;
        if (dataset_.edge() == size_ && !augment_.randomResizedCrop)
            square(dataset_.pixels(samples[i]), 0, 0, false, out);
        else
            photo(dataset_.decode(samples[i]), false, 0, samples[i], out);
    }
}

} // namespace scalebench::data
