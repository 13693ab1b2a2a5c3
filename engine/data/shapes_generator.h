// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The generated data set `scalebench-shapes-v1`: ten shapes in 32x32 colour pictures with varied
// colour, size, rotation, texture, clutter, occlusion and noise. Learnable, not trivial: meant to
// train on where no public data set is at hand. Written in CIFAR-10 binary format and labelled.

#include "engine/data/generated_set.h"
#include "engine/data/shape_drawing.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace scalebench::data {

inline constexpr const char* kShapesName = "scalebench-shapes-v1";
inline constexpr uint64_t kShapesSeed =
    1; ///< of the pictures; a run's own seed does not touch them

struct ShapesSpec {
    int64_t trainSamples = 5120;
    int64_t evalSamples = 1000;
    uint64_t seed = kShapesSeed;
};

/// Draws picture `index` of the training (part 0) or evaluation (part 1) set as one CIFAR-10
/// record: label byte, then 1024 red, green and blue bytes. A pure function of its arguments.
void drawShapeRecord(uint64_t seed, int part, int64_t index, uint8_t record[3073]);

/// Makes sure that the set lies at `path` (a folder), drawing it where it is missing or was drawn
/// with another specification; see ensureGenerated(). `threads`, `progress`: as OpenOptions.
/// Throws Error (`not_writable`, `disk_full`).
std::unique_ptr<GeneratedSetLock>
ensureShapes(const std::string& path, const ShapesSpec& spec, int threads,
             const std::function<void(int64_t done, int64_t total)>& progress = {});

} // namespace scalebench::data
