// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What generated pictures are drawn from: shapes, textures and poses, all of random numbers given.
// Shared by the classified shapes (shapes_generator.h) and the scenes of detection.

#include "engine/data/hash_random.h"

#include <array>
#include <string>
#include <vector>

namespace scalebench::data {

inline constexpr int kShapeKinds = 10;
/// "disc", "ring", ... by number.
const std::vector<std::string>& shapeClassNames();

struct Point {
    float x;
    float y;
};
/// Signed distance (negative inside) of a point to shape 0 ... kShapeKinds - 1 of radius 1.
float shapeDistance(int shape, Point p);

/// Red, green, blue, 0..1.
using Colour = std::array<float, 3>;

Colour randomColour(HashRandom& random);
/// hue in turns, saturation and value 0..1
Colour fromHsv(double hue, double saturation, double value);
/// Mostly dull, so that a figure stands out as objects do in photographs.
Colour backgroundColour(HashRandom& random);
/// Each class has a hue that it is often near to, as bananas are yellow: a hint, not an answer.
Colour shapeColour(HashRandom& random, int shape);
/// Sum of the differences of the three channels.
float colourGap(const Colour& a, const Colour& b);

/// Plain, a gradient, stripes or checks between two colours.
struct Texture {
    Colour first{};
    Colour second{};
    int kind = 0;
    float cosAngle = 1, sinAngle = 0, frequency = 0.5f, phase = 0;

    Texture(HashRandom& random, const Colour& base, double spread);
    /// Pixels from the middle of what is drawn.
    Colour at(float x, float y) const;
};

/// Where and how a shape lies: rotated, sheared and stretched.
struct Pose {
    float x, y, radius, a, b, c, d;

    Pose(HashRandom& random, float px, float py, float r, double tilt, double stretch);
    /// Coverage of a pixel by the shape, edges smoothed over about one pixel.
    float coverage(int shape, float px, float py) const;
};

} // namespace scalebench::data
