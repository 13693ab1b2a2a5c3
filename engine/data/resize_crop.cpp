// SPDX-License-Identifier: GPL-3.0-or-later
// Resizing with a triangle filter: each row of the source becomes as wide as the result when the
// first row of the result needs it, and rows of the result are sums of a few of those. Numbers are
// added in one order, whatever their lanes: the result is the same on every processor.
#include "engine/data/image.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <type_traits>

namespace scalebench::data {
namespace {

using Lanes = float __attribute__((vector_size(16)));
using Integers = int32_t __attribute__((vector_size(16)));
constexpr size_t kLanes = 4;

Lanes load(const float* at)
{
    Lanes lanes;
    std::memcpy(&lanes, at, sizeof lanes);
    return lanes;
}

void store(Lanes lanes, float* at)
{
    std::memcpy(at, &lanes, sizeof lanes);
}

/// body(count) with a constant where there are few, so that its loops are written out.
template <typename Body>
void withConstant(int count, const Body& body)
{
    switch (count) {
    case 2:
        return body(std::integral_constant<int, 2>{});
    case 3:
        return body(std::integral_constant<int, 3>{});
    case 4:
        return body(std::integral_constant<int, 4>{});
    case 5:
        return body(std::integral_constant<int, 5>{});
    default:
        return body(count);
    }
}

/// Which pixels of the source make each pixel of the result along one axis: as many for each, from
/// first() on, some with a weight of nothing.
class Taps
{
public:
    Taps(double start, double length, int sourceSize, int outSize)
        : scale_(length / outSize),
          support_(std::max(1.0, scale_)),
          start_(start),
          size_(sourceSize)
    {
        for (int o = 0; o < outSize; ++o) {
            const auto [low, high] = range(o);
            count_ = std::max(count_, high - low);
        }
        first_.reserve(size_t(outSize));
        weights_.assign(size_t(outSize) * size_t(count_), 0.0f);
        for (int o = 0; o < outSize; ++o)
            add(o);
    }

    int count() const { return count_; }
    int first(int out) const { return first_[size_t(out)]; }
    /// Of the pixels from first(out) on, count().
    const float* weights(int out) const { return weights_.data() + size_t(out) * size_t(count_); }

private:
    struct Range {
        int low, high;
    };
    double centre(int out) const { return start_ + (out + 0.5) * scale_; }
    Range range(int out) const
    {
        const int low = std::clamp(int(std::floor(centre(out) - support_)), 0, size_ - 1);
        return {low, std::clamp(int(std::ceil(centre(out) + support_)), low + 1, size_)};
    }
    void add(int out)
    {
        const auto [low, high] = range(out);
        first_.push_back(std::min(low, size_ - count_)); // so that all of them are in the source
        float* const weights =
            weights_.data() + size_t(out) * size_t(count_) + (low - first_.back());
        double sum = 0;
        for (int s = low; s < high; ++s) {
            const double w = std::max(0.0, 1.0 - std::abs((s + 0.5 - centre(out)) / support_));
            weights[s - low] = float(w);
            sum += w;
        }
        if (sum <= 0) { // the box lies at the very edge
            weights[0] = 1.0f;
            sum = 1;
        }
        for (int s = low; s < high; ++s)
            weights[s - low] = float(weights[s - low] / sum);
    }

    double scale_, support_, start_;
    int size_, count_ = 1;
    std::vector<int> first_;
    std::vector<float> weights_;
};

/// Makes rows of the source as wide as the result.
class Narrowing
{
public:
    Narrowing(const Image& source, const CropBox& box, int outWidth)
        : source_(source), taps_(box.x, box.width, source.width, outWidth), width_(outWidth)
    {
        begin_ = source.width;
        int end = 0;
        for (int x = 0; x < outWidth; ++x) {
            begin_ = std::min(begin_, taps_.first(x));
            end = std::max(end, taps_.first(x) + taps_.count());
        }
        line_.resize(3 * size_t(end - begin_) + kLanes);
    }

    /// out: [width, 3], and room for kLanes more.
    void row(int y, float* out)
    {
        const uint8_t* const from =
            source_.rgb.data() + 3 * (size_t(y) * size_t(source_.width) + size_t(begin_));
        const size_t numbers = line_.size() - kLanes;
        for (size_t i = 0; i < numbers; ++i)
            line_[i] = float(from[i]);
        // A pixel's three numbers and one more, which the next pixel overwrites.
        withConstant(taps_.count(), [&](auto count) {
            const float* weights = taps_.weights(0);
            for (int x = 0; x < width_; ++x, out += 3, weights += count) {
                const float* pixel = line_.data() + 3 * size_t(taps_.first(x) - begin_);
                Lanes sum{};
                for (int i = 0; i < count; ++i, pixel += 3)
                    sum += weights[i] * load(pixel);
                store(sum, out);
            }
        });
    }

private:
    const Image& source_;
    Taps taps_;
    int width_, begin_;
    std::vector<float> line_; ///< the part of a row that is used
};

/// Sums of lines, rounded, of which there are `numbers` and room for kLanes more.
void sumRows(std::span<const float* const> lines, const float* weights, size_t numbers,
             int32_t* out)
{
    constexpr Lanes kHalf = {0.5f, 0.5f, 0.5f, 0.5f}, kMost = {255, 255, 255, 255}, kLeast{};
    withConstant(int(lines.size()), [&](auto count) {
        for (size_t at = 0; at < numbers; at += kLanes) {
            Lanes sum = kHalf;
            for (int i = 0; i < count; ++i)
                sum += weights[i] * load(lines[size_t(i)] + at);
            sum = sum < kMost ? sum : kMost;
            sum = sum > kLeast ? sum : kLeast;
            const Integers whole = __builtin_convertvector(sum, Integers);
            std::memcpy(out + at, &whole, sizeof whole);
        }
    });
}

} // namespace

CropBox centreSquare(const Image& image)
{
    const double edge = std::min(image.width, image.height);
    return {(image.width - edge) / 2, (image.height - edge) / 2, edge, edge};
}

void resizeCrop(const Image& source, const CropBox& box, int outWidth, int outHeight, uint8_t* out)
{
    Narrowing narrowing(source, box, outWidth);
    const Taps taps(box.y, box.height, source.height, outHeight);
    const size_t numbers = 3 * size_t(outWidth), stride = numbers + kLanes;
    const auto kept = size_t(taps.count());
    std::vector<float> narrow(kept * stride); // row y of the source is row y % kept
    std::vector<const float*> lines(kept);
    std::vector<int32_t> sums(stride);
    int made = taps.first(0);
    for (int y = 0; y < outHeight; ++y, out += numbers) {
        const int first = taps.first(y);
        for (made = std::max(made, first); made < first + taps.count(); ++made)
            narrowing.row(made, narrow.data() + size_t(made) % kept * stride);
        for (size_t i = 0; i < kept; ++i)
            lines[i] = narrow.data() + (size_t(first) + i) % kept * stride;
        sumRows(lines, taps.weights(y), numbers, sums.data());
        for (size_t i = 0; i < numbers; ++i)
            out[i] = uint8_t(sums[i]);
    }
}

} // namespace scalebench::data
