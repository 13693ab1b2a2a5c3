// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What all formats of annotations check of what they read, and how they say so.

#include "engine/detection/annotated_set.h"

#include <functional>
#include <string>

namespace scalebench::detection {

/// Longest edge of a picture that is believed, and the most pixels.
inline constexpr int64_t kMaxEdge = 1 << 16, kMaxPixels = int64_t{1} << 28;

/// Where it is set, what is wrong with one picture or object is told there and left out, so that
/// all of it is found at once (`scalebench data check`); else the first of it ends the reading.
using ProblemSink = std::function<void(const std::string&)>;

/// Runs `body`; false where it failed with `data_...` and that was told instead.
bool orTell(const ProblemSink& problem, const std::function<void()>& body);

/// Throws InvalidArgument (`data_damaged`): "WHERE: MESSAGE".
[[noreturn]] void damaged(const std::string& where, const std::string& message);

void requirePictureSize(int64_t width, int64_t height, const std::string& where);

/// Whether the object is to be kept: throws `damaged` for a box that is no box or lies outside a
/// picture, and says false for one without width or height.
bool checkBox(const Box& box, int width, int height, const std::string& where);

/// Counts what was left out and keeps the first place of it for the remark.
class LeftOut
{
public:
    void add(const std::string& where);
    /// Adds "N boxes without width or height were left out, the first: WHERE" if there were any.
    void report(AnnotatedSet& set) const;

private:
    int64_t count_ = 0;
    std::string first_;
};

/// Gives each picture of the set its file: the one beside the annotations, else the one whose path
/// ends in the file name that they give. A name without a folder is looked for in the folder of the
/// part alone where there is one (train2017/ of instances_train2017.json): parts often number their
/// pictures alike, and another's picture must not stand in. Backslashes are folders too, and "./"
/// and
/// "../" lead where they do. Throws InvalidArgument: `data_missing`
/// names the first picture that is not there, or is of a format that is not read, `data_damaged`
/// one that could be either of two files. With `problem`, these are told and leave the set.
void attachPictures(AnnotatedSet& set, const std::vector<data::StoredFile>& files,
                    const data::StoredFile& annotations, const ProblemSink& problem = {});

/// "WHAT: N, the first: FIRST", for remarks.
std::string countedRemark(int64_t count, const std::string& what, const std::string& first);

} // namespace scalebench::detection
