// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/shapes_generator.h"

#include "engine/data/hash_random.h"
#include "engine/data/parallel.h"
#include "kernels/check.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <sstream>

namespace fs = std::filesystem;

namespace scalebench::data {
namespace {

constexpr int kEdge = 32;
constexpr int kPlane = kEdge * kEdge;
constexpr size_t kRecord = 1 + 3 * kPlane;
constexpr int kClasses = 10;
constexpr double kHueHint = 0.7;  ///< share of pictures whose hue hints at the class
constexpr double kMaxTilt = 0.45; ///< radians
constexpr float kPi = std::numbers::pi_v<float>;

// ---- Shapes: signed distance (negative inside) of a point to a shape of radius 1 ---------------

struct Point {
    float x;
    float y;
};

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

// ---- One picture -------------------------------------------------------------------------------

using Colour = std::array<float, 3>;

Colour randomColour(HashRandom& random)
{
    return {float(random.uniform()), float(random.uniform()), float(random.uniform())};
}

/// hue in turns, saturation and value 0..1
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

/// Mostly dull, so that a figure stands out as objects do in photographs.
Colour backgroundColour(HashRandom& random)
{
    return fromHsv(random.uniform(), random.uniform(0.0, 0.55), random.uniform(0.1, 0.6));
}

/// Each class has a hue that it is often near to, as bananas are yellow: a hint, not an answer.
Colour shapeColour(HashRandom& random, int shape)
{
    double hue = random.uniform();
    if (random.chance(kHueHint))
        hue = shape / double(kClasses) + 0.12 * random.roughNormal();
    return fromHsv(hue, random.uniform(0.45, 1.0), random.uniform(0.55, 1.0));
}

float colourGap(const Colour& a, const Colour& b)
{
    return std::abs(a[0] - b[0]) + std::abs(a[1] - b[1]) + std::abs(a[2] - b[2]);
}

/// Plain, a gradient, stripes or checks between two colours.
struct Texture {
    Colour first{};
    Colour second{};
    int kind = 0;
    float cosAngle = 1, sinAngle = 0, frequency = 0.5f, phase = 0;

    Texture(HashRandom& random, const Colour& base, double spread) : first(base), second(base)
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

    Colour at(float x, float y) const
    {
        const float u = x * cosAngle + y * sinAngle;
        const float v = y * cosAngle - x * sinAngle;
        float t = 0;
        if (kind == 1)
            t = std::clamp(0.5f + u / 40.0f, 0.0f, 1.0f);
        else if (kind == 2)
            t = std::sin(u * frequency + phase) > 0 ? 1.0f : 0.0f;
        else if (kind == 3)
            t = (std::sin(u * frequency + phase) > 0) == (std::sin(v * frequency) > 0) ? 1.0f
                                                                                       : 0.0f;
        Colour c{};
        for (size_t i = 0; i < 3; ++i)
            c[i] = first[i] + t * (second[i] - first[i]);
        return c;
    }
};

struct Canvas {
    std::array<Colour, kPlane> pixels;

    /// Lays `texture` over the pixels where coverage(x, y) in 0..1 says so.
    template <typename Coverage>
    void paint(const Texture& texture, float opacity, Coverage coverage)
    {
        for (int y = 0; y < kEdge; ++y) {
            for (int x = 0; x < kEdge; ++x) {
                const float fx = float(x) + 0.5f, fy = float(y) + 0.5f;
                const float a = opacity * coverage(fx, fy);
                if (a <= 0)
                    continue;
                const Colour c = texture.at(fx - 16, fy - 16);
                Colour& pixel = pixels[size_t(y * kEdge + x)];
                for (size_t i = 0; i < 3; ++i)
                    pixel[i] += a * (c[i] - pixel[i]);
            }
        }
    }
};

/// Where and how a shape lies: rotated, sheared and stretched.
struct Pose {
    float x, y, radius, a, b, c, d;

    Pose(HashRandom& random, float px, float py, float r, double tilt, double stretch)
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
    /// Coverage of a pixel by the shape, edges smoothed over about one pixel.
    float coverage(int shape, float px, float py) const
    {
        const float dx = (px - x) / radius, dy = (py - y) / radius;
        if (dx * dx + dy * dy > 4)
            return 0;
        return std::clamp(0.5f - shapeDistance(shape, {a * dx + b * dy, c * dx + d * dy}) * radius,
                          0.0f, 1.0f);
    }
};

void drawClutter(Canvas& canvas, HashRandom& random)
{
    const int lines = int(random.below(3));
    for (int i = 0; i < lines; ++i) {
        const double angle = random.uniform(0, std::numbers::pi);
        const float nx = float(std::cos(angle)), ny = float(std::sin(angle));
        const float at = float(random.uniform(-14, 14)), half = float(random.uniform(0.3, 0.9));
        canvas.paint(Texture(random, randomColour(random), 0.2), float(random.uniform(0.2, 0.7)),
                     [&](float x, float y) {
                         return std::clamp(half + 0.5f -
                                               std::abs((x - 16) * nx + (y - 16) * ny - at),
                                           0.0f, 1.0f);
                     });
    }
    const int small = int(random.below(3));
    for (int i = 0; i < small; ++i) {
        const int shape = int(random.below(kClasses));
        const Pose pose(random, float(random.uniform(0, 32)), float(random.uniform(0, 32)),
                        float(random.uniform(1.5, 3.0)), std::numbers::pi, 0.3);
        canvas.paint(Texture(random, randomColour(random), 0.2), float(random.uniform(0.3, 0.8)),
                     [&](float x, float y) { return pose.coverage(shape, x, y); });
    }
}

void drawShape(Canvas& canvas, HashRandom& random, int shape, const Colour& background)
{
    const float radius = float(random.uniform(8.0, 13.0));
    const double reach = std::max(0.0, 16.5 - double(radius));
    const Pose pose(random, 16 + float(random.uniform(-reach, reach)),
                    16 + float(random.uniform(-reach, reach)), radius, kMaxTilt, 0.22);
    Colour colour = shapeColour(random, shape);
    for (int tries = 0; tries < 12 && colourGap(colour, background) < 0.8f; ++tries)
        colour = shapeColour(random, shape);
    canvas.paint(Texture(random, colour, 0.3), float(random.uniform(0.8, 1.0)),
                 [&](float x, float y) { return pose.coverage(shape, x, y); });
    if (!random.chance(0.3))
        return;
    // Something in front: a strip or a blob over part of the shape.
    const double angle = random.uniform(0, 2 * std::numbers::pi);
    const float nx = float(std::cos(angle)), ny = float(std::sin(angle));
    const float at = radius * float(random.uniform(0.35, 0.8)),
                half = radius * float(random.uniform(0.1, 0.22));
    canvas.paint(Texture(random, randomColour(random), 0.3), 1.0f, [&](float x, float y) {
        return std::clamp(half + 0.5f - std::abs((x - pose.x) * nx + (y - pose.y) * ny - at), 0.0f,
                          1.0f);
    });
}

// ---- Files -------------------------------------------------------------------------------------

std::string describe(const ShapesSpec& spec)
{
    std::ostringstream text;
    text << "These pictures were GENERATED by Scalebench; they are no public data set.\n"
         << "generator: " << kShapesName << "\nseed: " << spec.seed
         << "\ntrain_samples: " << spec.trainSamples << "\neval_samples: " << spec.evalSamples
         << "\nformat: CIFAR-10 binary (label byte, 1024 red, 1024 green, 1024 blue)\n";
    return text.str();
}

void writeSet(const fs::path& folder, const ShapesSpec& spec, int threads,
              const std::function<void(int64_t, int64_t)>& progress)
{
    const int64_t total = spec.trainSamples + spec.evalSamples;
    std::atomic<int64_t> done{0};
    const auto part = [&](int which, int64_t from, int64_t to, const std::string& name) {
        std::vector<uint8_t> records(size_t(to - from) * kRecord);
        parallelFor(
            to - from, threads,
            [&](int64_t i) {
                drawShapeRecord(spec.seed, which, from + i, records.data() + size_t(i) * kRecord);
                ++done;
            },
            [&] {
                if (progress)
                    progress(done, total);
            });
        writeGenerated(folder / name, records.data(), records.size());
    };
    constexpr int64_t kFiles = 5;
    for (int64_t f = 0; f < kFiles; ++f)
        part(0, spec.trainSamples * f / kFiles, spec.trainSamples * (f + 1) / kFiles,
             "data_batch_" + std::to_string(f + 1) + ".bin");
    part(1, 0, spec.evalSamples, "test_batch.bin");
    std::string names;
    for (const std::string& name : shapeClassNames())
        names += name + "\n";
    writeGenerated(folder / "batches.meta.txt", names.data(), names.size());
}

} // namespace

const std::vector<std::string>& shapeClassNames()
{
    static const std::vector<std::string> kNames = {"disc",    "ring", "triangle", "square",
                                                    "cross",   "star", "crescent", "hexagon",
                                                    "capsule", "tee"};
    return kNames;
}

void drawShapeRecord(uint64_t seed, int part, int64_t index, uint8_t record[3073])
{
    HashRandom random({seed, uint64_t(part), uint64_t(index)});
    const int shape = int(index % kClasses);
    Canvas canvas;
    const Colour background = backgroundColour(random);
    const Texture backdrop(random, background, 0.25);
    for (int y = 0; y < kEdge; ++y)
        for (int x = 0; x < kEdge; ++x)
            canvas.pixels[size_t(y * kEdge + x)] = backdrop.at(float(x) - 15.5f, float(y) - 15.5f);
    drawClutter(canvas, random);
    drawShape(canvas, random, shape, background);
    const float noise = float(random.uniform(0.01, 0.07));
    const float gain = float(random.uniform(0.7, 1.1)), lift = float(random.uniform(-0.1, 0.1));
    record[0] = uint8_t(shape);
    for (int p = 0; p < kPlane; ++p)
        for (size_t c = 0; c < 3; ++c) {
            const float v =
                canvas.pixels[size_t(p)][c] * gain + lift + noise * float(random.roughNormal());
            record[1 + c * kPlane + size_t(p)] = uint8_t(std::clamp(v, 0.0f, 1.0f) * 255.0f + 0.5f);
        }
}

std::unique_ptr<GeneratedSetLock>
ensureShapes(const std::string& path, const ShapesSpec& spec, int threads,
             const std::function<void(int64_t, int64_t)>& progress)
{
    return ensureGenerated(path, describe(spec), [&](const fs::path& folder) {
        writeSet(folder, spec, threads, progress);
    });
}

} // namespace scalebench::data
