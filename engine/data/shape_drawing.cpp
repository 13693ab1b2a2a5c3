// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/shape_drawing.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scalebench::data {
namespace {

constexpr double kHueHint = 0.7; ///< share of shapes whose hue hints at the class
constexpr float kPi = std::numbers::pi_v<float>;

float length(Point p)
{
    return std::sqrt(p.x * p.x + p.y * p.y);
}

float box(Point p, float halfWidth, float halfHeight)
{
    return std::max(std::abs(p.x) - halfWidth, std::abs(p.y) - halfHeight);
}

float polygon(Point p, int corners)
{
    const float apothem = std::cos(kPi / float(corners));
    float distance = -1e9f;
    for (int k = 0; k < corners; ++k) {
        const float angle = (2.0f * float(k) + 1.0f) * kPi / float(corners);
        distance = std::max(distance, p.x * std::cos(angle) + p.y * std::sin(angle) - apothem);
    }
    return distance;
}

float star(Point p)
{
    constexpr float kSector = 2.0f * kPi / 5.0f;
    float angle = std::atan2(p.y, p.x);
    angle -= kSector * std::round(angle / kSector);
    const float r = length(p);
    const Point q{r * std::cos(angle), r * std::abs(std::sin(angle))};
    const Point tip{1.0f, 0.0f};
    const Point dent{0.42f * std::cos(kSector / 2), 0.42f * std::sin(kSector / 2)};
    const Point along{dent.x - tip.x, dent.y - tip.y};
    return ((q.x - tip.x) * -along.y + (q.y - tip.y) * along.x) / -length(along);
}

} // namespace

const std::vector<std::string>& shapeClassNames()
{
    static const std::vector<std::string> kNames = {"disc",    "ring", "triangle", "square",
                                                    "cross",   "star", "crescent", "hexagon",
                                                    "capsule", "tee"};
    return kNames;
}

float shapeDistance(int shape, Point p)
{
    switch (shape) {
    case 0: // disc
        return length(p) - 0.85f;
    case 1: // ring
        return std::abs(length(p) - 0.68f) - 0.24f;
    case 2: // triangle
        return polygon(p, 3);
    case 3: // square
        return polygon(p, 4);
    case 4: // cross
        return std::min(box(p, 0.9f, 0.28f), box(p, 0.28f, 0.9f));
    case 5: // star
        return star(p);
    case 6: // crescent
        return std::max(length(p) - 0.9f, 0.72f - length({p.x - 0.48f, p.y}));
    case 7: // hexagon
        return polygon(p, 6) + 0.05f;
    case 8: // capsule
        return length({p.x - std::clamp(p.x, -0.6f, 0.6f), p.y}) - 0.36f;
    default: // tee
        return std::min(box({p.x, p.y + 0.6f}, 0.85f, 0.27f), box({p.x, p.y - 0.1f}, 0.27f, 0.85f));
    }
}

Colour randomColour(HashRandom& random)
{
    return {float(random.uniform()), float(random.uniform()), float(random.uniform())};
}

Colour fromHsv(double hue, double saturation, double value)
{
    Colour colour{};
    for (size_t c = 0; c < 3; ++c) {
        const double turn = (hue + double(c) / 3.0 - std::floor(hue + double(c) / 3.0)) * 6.0;
        const double ramp = std::clamp(std::abs(turn - 3.0) - 1.0, 0.0, 1.0);
        colour[c] = float(value * (1.0 - saturation * (1.0 - ramp)));
    }
    return colour;
}

Colour backgroundColour(HashRandom& random)
{
    return fromHsv(random.uniform(), random.uniform(0.0, 0.55), random.uniform(0.1, 0.6));
}

Colour shapeColour(HashRandom& random, int shape)
{
    double hue = random.uniform();
    if (random.chance(kHueHint))
        hue = shape / double(kShapeKinds) + 0.12 * random.roughNormal();
    return fromHsv(hue, random.uniform(0.45, 1.0), random.uniform(0.55, 1.0));
}

float colourGap(const Colour& a, const Colour& b)
{
    return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]);
}

Texture::Texture(HashRandom& random, const Colour& base, double spread) : first(base), second(base)
{
    kind = int(random.below(4));
    for (size_t c = 0; c < 3; ++c)
        second[c] = std::clamp(base[c] + float(random.uniform(-spread, spread)), 0.0f, 1.0f);
    const double angle = random.uniform(0, 2 * std::numbers::pi);
    cosAngle = float(std::cos(angle));
    sinAngle = float(std::sin(angle));
    frequency = float(random.uniform(0.5, 1.4));
    phase = float(random.uniform(0, 6.28));
}

Colour Texture::at(float x, float y) const
{
    const float u = x * cosAngle + y * sinAngle;
    const float v = y * cosAngle - x * sinAngle;
    float t = 0;
    if (kind == 1)
        t = std::clamp(0.5f + u / 40.0f, 0.0f, 1.0f);
    else if (kind == 2)
        t = std::sin(u * frequency + phase) > 0 ? 1.0f : 0.0f;
    else if (kind == 3)
        t = (std::sin(u * frequency + phase) > 0) == (std::sin(v * frequency) > 0) ? 1.0f : 0.0f;
    Colour c{};
    for (size_t i = 0; i < 3; ++i)
        c[i] = first[i] + t * (second[i] - first[i]);
    return c;
}

Pose::Pose(HashRandom& random, float px, float py, float r, double tilt, double stretch)
    : x(px), y(py), radius(r)
{
    const double angle = random.uniform(-tilt, tilt);
    const double aspect = std::exp(random.uniform(-stretch, stretch));
    const double shear = random.uniform(-stretch, stretch);
    const double co = std::cos(angle), si = std::sin(angle);
    a = float((co + shear * si) * aspect);
    b = float((-si + shear * co) * aspect);
    c = float(si / aspect);
    d = float(co / aspect);
}

float Pose::coverage(int shape, float px, float py) const
{
    const float dx = (px - x) / radius, dy = (py - y) / radius;
    if (dx * dx + dy * dy > 4)
        return 0;
    return std::clamp(0.5f - shapeDistance(shape, {a * dx + b * dy, c * dx + d * dy}) * radius,
                      0.0f, 1.0f);
}

} // namespace scalebench::data
