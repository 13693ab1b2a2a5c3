// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// pictures.json of a run's folder (resources/protocol/run_folder.md): a few evaluation pictures
// with what the last evaluation found in them and what is there, for a person to look at.

#include "engine/detection/coco_metric.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scalebench::detection {

struct ShownObject {
    int32_t category = 0; ///< index into ShownPictures::categories
    double score = 0;     ///< of a found one
    bool ignored = false; ///< a true one that is not asked for: crowd or difficult
    Box box;
    RunLengthMask mask; ///< empty where there is none
};

struct ShownPicture {
    std::string file; ///< as the data set names it
    int width = 0, height = 0;
    std::vector<ShownObject> found; ///< by falling score
    std::vector<ShownObject> truth;
};

struct ShownPictures {
    double epoch = 0; ///< trained when they were evaluated
    std::vector<std::string> categories;
    std::vector<ShownPicture> pictures;
    int64_t masksLeftOut = 0; ///< the file would have become too large
};

/// Most pictures, and found objects of one, that are written.
inline constexpr int kMostShown = 8, kMostFoundShown = 20;

/// Pictures with an object, evenly over the set, the same ones whatever was found.
ShownPictures choosePictures(const AnnotatedSet& truth, std::span<const Detection> found,
                             double epoch);

/// The file's text, 4 MiB at most: masks that would not fit are left out and counted.
std::string printShown(const ShownPictures& shown);
/// Throws InvalidArgument (`pictures`), one sentence with `name`, for anything that printShown()
/// does not write.
ShownPictures parseShown(std::string_view text, const std::string& name);

} // namespace scalebench::detection
