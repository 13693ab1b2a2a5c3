// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/pipeline.h"

#include <algorithm>
#include <cmath>
#include <cstring>
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
    : dataset_(dataset), size_(imageSize), augment_(augment), seed_(seed), memory_(memory)
{
    for (int c = 0; c < 3; ++c)
        for (int v = 0; v < 256; ++v)
            table_[c][v] = (float(v) / 255.0f - statistics.mean[c]) / statistics.deviation[c];
}

void ImagePipeline::prepare(std::span<const int64_t> samples, DType dtype, Batch& batch) const
{
    const int64_t count = int64_t(samples.size());
    batch.tensors.clear(); // their memory is used again
    batch.tensors = {Tensor::empty({count, size_, size_, 3}, dtype, memory_),
                     Tensor::empty({count}, DType::I32, memory_)};
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

/// On the host; kernels/cuda/pictures.cu does the same.
void ImagePipeline::apply(const PictureChange& change, std::span<const uint8_t> pixels,
                          float* out) const
{
    const size_t rowFloats = size_t(size_) * 3;
    for (int y = 0; y < size_; ++y) {
        float* row = out + size_t(y) * rowFloats;
        const int sy = y + change.dy;
        if (sy < 0 || sy >= size_) { // padding is the mean colour
            std::fill(row, row + rowFloats, 0.0f);
            continue;
        }
        const uint8_t* line = pixels.data() + size_t(sy) * rowFloats;
        for (int x = 0; x < size_; ++x) {
            const int sx = (change.mirror != 0 ? size_ - 1 - x : x) + change.dx;
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
    for (int y = change.top; y < change.bottom; ++y)
        std::fill(out + size_t(y) * rowFloats + size_t(change.left) * 3,
                  out + size_t(y) * rowFloats + size_t(change.right) * 3, 0.0f);
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

void ImagePipeline::fillTrain(std::span<const int64_t> samples, int64_t epoch, Batch& batch) const
{
    prepare(samples, DType::F32, batch);
    float* out = batch.tensors[0].f32().data();
    for (const int64_t sample : samples) {
        HashRandom random = randomOf(epoch, sample);
        if (direct()) {
            apply(draw(random), dataset_.pixels(sample), out);
        } else {
            const Image image = resized(dataset_.decode(sample), true, random);
            apply(draw(random), image.rgb, out);
        }
        out += size_t(size_) * size_t(size_) * 3;
    }
}

void ImagePipeline::fillTrainRaw(std::span<const int64_t> samples, int64_t epoch,
                                 Batch& batch) const
{
    prepare(samples, DType::U8, batch);
    RawPictures pictures;
    std::memcpy(pictures.table.data(), table_, sizeof table_);
    auto* out = static_cast<uint8_t*>(batch.tensors[0].data());
    for (const int64_t sample : samples) {
        HashRandom random = randomOf(epoch, sample);
        if (direct()) {
            out = std::ranges::copy(dataset_.pixels(sample), out).out;
        } else {
            const Image image = resized(dataset_.decode(sample), true, random);
            out = std::ranges::copy(image.rgb, out).out;
        }
        pictures.changes.push_back(draw(random));
    }
    batch.notes = std::move(pictures);
}

void ImagePipeline::fillEval(std::span<const int64_t> samples, int64_t real, Batch& batch) const
{
    prepare(samples, DType::F32, batch);
    std::ranges::fill(batch.tensors[1].i32().subspan(size_t(real)), -1);
    float* out = batch.tensors[0].f32().data();
    for (const int64_t sample : samples) {
        HashRandom unused = randomOf(0, sample);
        if (direct())
            apply({}, dataset_.pixels(sample), out);
        else
            apply({}, resized(dataset_.decode(sample), false, unused).rgb, out);
        out += size_t(size_) * size_t(size_) * 3;
    }
}

} // namespace scalebench::data
