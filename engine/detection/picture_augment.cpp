// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/detection/picture_augment.h"

#include "kernels/formula/picture.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

namespace scalebench::detection {
namespace {

constexpr int kCropTries = 50;

/// Corners in units of the picture.
struct Unit {
    double x1, y1, x2, y2;

    double area() const { return (x2 - x1) * (y2 - y1); }
    bool hasMiddleOf(const Unit& b) const
    {
        const double x = (b.x1 + b.x2) / 2, y = (b.y1 + b.y2) / 2;
        return x > x1 && x < x2 && y > y1 && y < y2;
    }
};

double overlapOf(const Unit& a, const Unit& b)
{
    const double w = std::min(a.x2, b.x2) - std::max(a.x1, b.x1);
    const double h = std::min(a.y2, b.y2) - std::max(a.y1, b.y1);
    if (w <= 0 || h <= 0)
        return 0;
    return w * h / (a.area() + b.area() - w * h);
}

Unit unitOf(const AnnotatedObject& object, const AnnotatedPicture& picture)
{
    const double w = picture.width, h = picture.height;
    const Box& b = object.box;
    return {std::max(0.0, b.x / w), std::max(0.0, b.y / h), std::min(1.0, (b.x + b.width) / w),
            std::min(1.0, (b.y + b.height) / h)};
}

constexpr Unit kWhole{0, 0, 1, 1};

/// Boxes thinner than this share of the crop have no size that could be learnt.
constexpr double kThinnest = 1e-3;

PicturePart partOf(const AnnotatedPicture& picture, const Unit& crop, bool mirrored)
{
    PicturePart part;
    part.crop = {crop.x1 * picture.width, crop.y1 * picture.height,
                 (crop.x2 - crop.x1) * picture.width, (crop.y2 - crop.y1) * picture.height};
    part.mirrored = mirrored;
    for (const AnnotatedObject& object : picture.objects) {
        const Unit box = unitOf(object, picture);
        if (object.ignored() || !crop.hasMiddleOf(box))
            continue;
        double x1 = (std::max(box.x1, crop.x1) - crop.x1) / (crop.x2 - crop.x1);
        double x2 = (std::min(box.x2, crop.x2) - crop.x1) / (crop.x2 - crop.x1);
        const double y1 = (std::max(box.y1, crop.y1) - crop.y1) / (crop.y2 - crop.y1);
        const double y2 = (std::min(box.y2, crop.y2) - crop.y1) / (crop.y2 - crop.y1);
        if (x2 - x1 < kThinnest || y2 - y1 < kThinnest)
            continue;
        if (mirrored) {
            std::swap(x1, x2);
            x1 = 1 - x1;
            x2 = 1 - x2;
        }
        for (const double v : {x1, y1, x2, y2})
            part.boxes.corners.push_back(float(v));
        part.boxes.categories.push_back(object.category);
    }
    return part;
}

/// Whether a crop is one that was asked for.
bool accepts(const Unit& crop, std::span<const Unit> boxes, double least)
{
    bool any = false;
    for (const Unit& box : boxes) {
        if (!crop.hasMiddleOf(box))
            continue;
        any = true;
        if (overlapOf(crop, box) <= least)
            return false;
    }
    return any;
}

Unit drawCrop(const AnnotatedPicture& picture, data::HashRandom& random)
{
    std::vector<Unit> boxes;
    for (const AnnotatedObject& object : picture.objects)
        if (!object.ignored())
            boxes.push_back(unitOf(object, picture));
    if (boxes.empty())
        return kWhole;
    constexpr double kLeast[] = {-1, 0.1, 0.3, 0.5, 0.7, 0.9};
    for (;;) {
        const uint32_t choice = random.below(7);
        if (choice == 6)
            return kWhole;
        for (int i = 0; i < kCropTries; ++i) {
            const double w = random.uniform(0.3, 1), h = random.uniform(0.3, 1);
            if (w / h < 0.5 || w / h > 2)
                continue;
            const double x = random.uniform(0, 1 - w), y = random.uniform(0, 1 - h);
            const Unit crop{x, y, x + w, y + h};
            if (accepts(crop, boxes, kLeast[choice]))
                return crop;
        }
    }
}

} // namespace

PicturePart wholePicture(const AnnotatedPicture& picture)
{
    return partOf(picture, kWhole, false);
}

PicturePart drawPart(const AnnotatedPicture& picture, const AugmentOptions& options,
                     data::HashRandom& random)
{
    const Unit crop = options.crop ? drawCrop(picture, random) : kWhole;
    return partOf(picture, crop, options.flip && random.chance(0.5));
}

void drawColours(std::span<const uint8_t> rgb, int width, data::HashRandom& random,
                 PictureChange& change)
{
    ColourChange& colour = change.colour;
    change.coloured = 1;
    colour.bright = float(random.uniform(0.875, 1.125));
    colour.contrast = float(random.uniform(0.5, 1.5));
    colour.saturation = float(random.uniform(0.5, 1.5));
    const double turn = 2 * std::numbers::pi * random.uniform(-0.05, 0.05);
    colour.turnCos = float(std::cos(turn));
    colour.turnSin = float(std::sin(turn));
    const auto line = size_t(width) * 3;
    const auto share = [](uint8_t value) { return float(value) / 255.0f; };
    double sum = 0;
    for (size_t row = 0; row < rgb.size(); row += line)
        for (size_t x = 0; x < line; x += 3) { // in the order of the result: sums depend on it
            const uint8_t* p = &rgb[row + (change.mirror != 0 ? line - 3 - x : x)];
            sum += double(formula::luma(share(p[0]), share(p[1]), share(p[2])));
        }
    colour.mean = colour.bright * float(3 * sum / double(std::max<size_t>(rgb.size(), 3)));
}

} // namespace scalebench::detection
