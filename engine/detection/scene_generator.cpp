// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/detection/scene_generator.h"

#include "engine/data/load_progress.h"
#include "engine/data/parallel.h"
#include "engine/data/png_writer.h"
#include "engine/data/shape_drawing.h"
#include "engine/detection/coco_json.h"
#include "kernels/check.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <sstream>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

namespace scalebench::detection {
namespace {

using data::Colour;
using data::HashRandom;
using data::Texture;

constexpr double kMaxTilt = 0.45;      ///< radians
constexpr double kHiddenAtMost = 0.25; ///< share of an object that a later one may hide
constexpr int64_t kLeastPixels = 40;   ///< of an object
constexpr int kPlacementTries = 24;

/// Which pixels of the picture something covers, and how much.
using Coverage = std::vector<float>;

class ScenePainter
{
public:
    ScenePainter(const ScenesSpec& spec, int part, int64_t index)
        : spec_(spec),
          random_({spec.seed, 71, uint64_t(part), uint64_t(index)}),
          edge_(size_t(spec.edge)),
          pixels_(edge_ * edge_)
    {
    }

    Scene paint()
    {
        paintBackground();
        const uint32_t count = 1 + random_.below(uint32_t(spec_.mostObjects));
        for (uint32_t i = 0; i < count; ++i)
            placeObject();
        Scene scene;
        scene.image = finished();
        for (const Placed& object : placed_)
            scene.objects.push_back(annotated(object));
        return scene;
    }

private:
    struct Placed {
        int shape = 0;
        std::vector<uint8_t> visible; ///< [edge, edge]
        int64_t whole = 0;            ///< pixels before others hid some
    };

    float columnOf(size_t pixel) const { return float(pixel % edge_); }
    float rowOf(size_t pixel) const
    {
        const size_t row = pixel / edge_;
        return float(row);
    }

    void paintBackground()
    {
        background_ = data::backgroundColour(random_);
        const Texture texture(random_, background_, 0.25);
        const float middle = float(spec_.edge) / 2;
        for (size_t i = 0; i < pixels_.size(); ++i)
            pixels_[i] = texture.at(columnOf(i) - middle, rowOf(i) - middle);
        const int lines = int(random_.below(4));
        for (int i = 0; i < lines; ++i)
            paintLine();
    }

    void paintLine()
    {
        const double angle = random_.uniform(0, std::numbers::pi);
        const float nx = float(std::cos(angle)), ny = float(std::sin(angle));
        const float middle = float(spec_.edge) / 2;
        const float at = float(random_.uniform(-0.45, 0.45)) * float(spec_.edge);
        const float half = float(random_.uniform(0.4, 1.5));
        const Texture texture(random_, data::randomColour(random_), 0.2);
        const float opacity = float(random_.uniform(0.2, 0.7));
        Coverage coverage(pixels_.size());
        for (size_t i = 0; i < coverage.size(); ++i)
            coverage[i] = std::clamp(
                half + 0.5f - std::abs((columnOf(i) - middle) * nx + (rowOf(i) - middle) * ny - at),
                0.0f, 1.0f);
        lay(coverage, texture, opacity, middle, middle);
    }

    void lay(const Coverage& coverage, const Texture& texture, float opacity, float x0, float y0)
    {
        for (size_t i = 0; i < pixels_.size(); ++i) {
            const float a = opacity * coverage[i];
            if (a <= 0)
                continue;
            const Colour c = texture.at(columnOf(i) - x0, rowOf(i) - y0);
            for (size_t k = 0; k < 3; ++k)
                pixels_[i][k] += a * (c[k] - pixels_[i][k]);
        }
    }

    /// Tries some places for one more object; a scene that is full stays as it is.
    void placeObject()
    {
        const int shape = int(random_.below(uint32_t(spec_.categories)));
        for (int i = 0; i < kPlacementTries; ++i) {
            // As many small ones as large ones, by ratio.
            const double largest = 0.26 * spec_.edge, least = 0.07 * spec_.edge;
            const float radius =
                float(least * std::exp(random_.uniform() * std::log(largest / least)));
            const double margin = 0.6 * double(radius);
            const float x = float(random_.uniform(margin, spec_.edge - margin));
            const float y = float(random_.uniform(margin, spec_.edge - margin));
            const data::Pose pose(random_, x, y, radius, kMaxTilt, 0.22);
            Coverage coverage(pixels_.size());
            for (size_t p = 0; p < coverage.size(); ++p)
                coverage[p] = pose.coverage(shape, columnOf(p) + 0.5f, rowOf(p) + 0.5f);
            if (!fits(coverage))
                continue;
            paintObject(shape, coverage, x, y);
            return;
        }
    }

    bool fits(const Coverage& coverage) const
    {
        if (std::ranges::count_if(coverage, [](float c) { return c >= 0.5f; }) < kLeastPixels)
            return false;
        for (const Placed& other : placed_) {
            int64_t left = 0;
            for (size_t p = 0; p < coverage.size(); ++p)
                left += other.visible[p] && coverage[p] < 0.5f;
            if (left < kLeastPixels || double(left) < (1 - kHiddenAtMost) * double(other.whole))
                return false;
        }
        return true;
    }

    void paintObject(int shape, const Coverage& coverage, float x, float y)
    {
        Colour colour = data::shapeColour(random_, shape);
        for (int i = 0; i < 12 && data::colourGap(colour, background_) < 0.8f; ++i)
            colour = data::shapeColour(random_, shape);
        lay(coverage, Texture(random_, colour, 0.3), float(random_.uniform(0.85, 1.0)), x, y);
        Placed object;
        object.shape = shape;
        object.visible.resize(coverage.size());
        for (size_t p = 0; p < coverage.size(); ++p) {
            object.visible[p] = coverage[p] >= 0.5f;
            object.whole += object.visible[p];
            for (Placed& other : placed_)
                other.visible[p] = uint8_t(other.visible[p] && !object.visible[p]);
        }
        placed_.push_back(std::move(object));
    }

    data::Image finished()
    {
        const float noise = float(random_.uniform(0.01, 0.06));
        const float gain = float(random_.uniform(0.75, 1.1));
        const float lift = float(random_.uniform(-0.1, 0.1));
        data::Image image{spec_.edge, spec_.edge, std::vector<uint8_t>(3 * pixels_.size())};
        for (size_t i = 0; i < pixels_.size(); ++i)
            for (size_t k = 0; k < 3; ++k) {
                const float v = pixels_[i][k] * gain + lift + noise * float(random_.roughNormal());
                image.rgb[3 * i + k] = uint8_t(std::lround(std::clamp(v, 0.0f, 1.0f) * 255.0f));
            }
        return image;
    }

    AnnotatedObject annotated(const Placed& object) const
    {
        AnnotatedObject out;
        out.category = object.shape;
        out.mask = encodeMask(object.visible, spec_.edge, spec_.edge);
        const MaskBox box = maskBox(out.mask);
        out.box = {double(box.x), double(box.y), double(box.width), double(box.height)};
        out.area = double(maskArea(out.mask));
        return out;
    }

    const ScenesSpec& spec_;
    HashRandom random_;
    size_t edge_;
    std::vector<Colour> pixels_;
    Colour background_{};
    std::vector<Placed> placed_;
};

std::string describe(const ScenesSpec& spec)
{
    std::ostringstream text;
    text << "These pictures were GENERATED by Scalebench; they are no public data set.\n"
         << "generator: " << kScenesName << "\nseed: " << spec.seed
         << "\ntrain_samples: " << spec.trainSamples << "\neval_samples: " << spec.evalSamples
         << "\nedge: " << spec.edge << "\ncategories: " << spec.categories
         << "\nmost_objects: " << spec.mostObjects
         << "\nformat: PNG pictures, COCO JSON annotations (boxes, masks as run lengths)\n";
    return text.str();
}

std::string pictureFile(const std::string& part, int64_t id)
{
    std::string number = std::to_string(id);
    number.insert(0, number.size() < 6 ? 6 - number.size() : 0, '0');
    return part + "/" + number + ".png";
}

constexpr const char* kSceneParts[] = {"train", "val"};

/// Of the part's picture with this file name; 0: of none.
int64_t idOf(const std::string& part, const std::string& file)
{
    int64_t id = 0;
    if (file.starts_with(part + "/"))
        std::from_chars(file.data() + part.size() + 1, file.data() + file.size(), id);
    return id >= 1 && file == pictureFile(part, id) ? id : 0;
}

/// The pictures are as many as the label says: another one beside them is somebody's own.
bool draws(const std::string& label, const std::string& file)
{
    for (const std::string part : kSceneParts) {
        if (file == "annotations/instances_" + part + ".json")
            return true;
        const int64_t id = idOf(part, file);
        const char* const samples = part == "train" ? "train_samples" : "eval_samples";
        if (id >= 1 && id <= data::numberOfLabel(label, samples))
            return true;
    }
    return false;
}

void writePart(const fs::path& folder, const ScenesSpec& spec, int part, int threads,
               const std::function<void(int64_t)>& done)
{
    const std::string name = kSceneParts[part];
    const int64_t count = part == 0 ? spec.trainSamples : spec.evalSamples;
    fs::create_directory(folder / name);
    AnnotatedSet set;
    for (int c = 0; c < spec.categories; ++c)
        set.categories.push_back({c + 1, data::shapeClassNames()[size_t(c)]});
    set.pictures.resize(size_t(count));
    std::atomic<int64_t> drawn{0};
    data::parallelFor(
        count, threads,
        [&](int64_t i) {
            Scene scene = drawScene(spec, part, i);
            AnnotatedPicture& picture = set.pictures[size_t(i)];
            picture.id = i + 1;
            picture.width = picture.height = spec.edge;
            picture.file.name = pictureFile(name, i + 1);
            picture.objects = std::move(scene.objects);
            const std::vector<uint8_t> bytes =
                data::encodePng(scene.image, data::PngPixels::Stored);
            data::writeGenerated(folder / picture.file.name, bytes.data(), bytes.size());
            ++drawn;
        },
        [&] { done(drawn); });
    const std::string json = printCoco(set);
    data::writeGenerated(folder / "annotations" / ("instances_" + name + ".json"), json.data(),
                         json.size());
}

} // namespace

Scene drawScene(const ScenesSpec& spec, int part, int64_t index)
{
    SB_REQUIRE(spec.edge >= 32 && spec.categories >= 1 && spec.categories <= data::kShapeKinds &&
                   spec.mostObjects >= 1,
               "a scene needs 32 pixels, one of " + std::to_string(data::kShapeKinds) +
                   " shapes and an object");
    return ScenePainter(spec, part, index).paint();
}

std::optional<Scene> drawSceneOf(const ScenesSpec& spec, const std::string& file)
{
    for (const int part : {0, 1}) {
        const int64_t id = idOf(kSceneParts[part], file);
        if (id >= 1 && id <= (part == 0 ? spec.trainSamples : spec.evalSamples))
            return drawScene(spec, part, id - 1);
    }
    return {};
}

std::unique_ptr<data::GeneratedSetLock>
ensureScenes(const std::string& path, const ScenesSpec& spec, int threads,
             const std::function<void(int64_t, int64_t)>& progress)
{
    const auto write = [&](const fs::path& folder) {
        fs::create_directory(folder / "annotations");
        const int64_t total = spec.trainSamples + spec.evalSamples;
        const auto report = [&](int64_t done) {
            if (progress)
                progress(done, total);
        };
        writePart(folder, spec, 0, threads, report);
        writePart(folder, spec, 1, threads,
                  [&](int64_t done) { report(spec.trainSamples + done); });
    };
    return data::ensureGenerated(path, describe(spec), draws, write, data::tickOf(progress));
}

} // namespace scalebench::detection
