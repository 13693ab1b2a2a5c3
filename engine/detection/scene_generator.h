// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The generated data set `scalebench-scenes-v1`: pictures with several of the shapes of
// shape_drawing.h, of varied size, colour and texture, partly hiding each other, with the exact box
// and mask of what is visible of each. Learnable, not trivial. Written as COCO's tree.

#include "engine/data/generated_set.h"
#include "engine/data/image.h"
#include "engine/detection/annotated_set.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace scalebench::detection {

inline constexpr const char* kScenesName = "scalebench-scenes-v1";
/// Of the pictures; a run's own seed does not touch them.
inline constexpr uint64_t kScenesSeed = 1;

struct ScenesSpec {
    int64_t trainSamples = 1000;
    int64_t evalSamples = 200;
    int edge = 128;
    int categories = 6;  ///< 1 ... 10
    int mostObjects = 6; ///< of a picture; one at least
    uint64_t seed = kScenesSeed;
};

struct Scene {
    data::Image image;
    std::vector<AnnotatedObject> objects; ///< with masks; the first drawn lies at the back
};

/// Draws picture `index` of the training (part 0) or evaluation (part 1) set: a pure function of
/// its arguments.
Scene drawScene(const ScenesSpec& spec, int part, int64_t index);
/// The picture that the set has under this name; nothing: it has none of it.
std::optional<Scene> drawSceneOf(const ScenesSpec& spec, const std::string& file);

/// Makes sure that the set lies at `path` (a folder), drawing it where it is missing or was drawn
/// with another specification; see ensureGenerated(). Throws Error (`not_writable`, `disk_full`).
std::unique_ptr<data::GeneratedSetLock>
ensureScenes(const std::string& path, const ScenesSpec& spec, int threads,
             const std::function<void(int64_t done, int64_t total)>& progress = {});

} // namespace scalebench::detection
