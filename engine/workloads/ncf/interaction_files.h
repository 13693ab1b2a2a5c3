// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which files of interactions lie at a path; looks at names only.

#include <string>

namespace scalebench::workloads {

enum class InteractionFormat {
    MovieLens100K, ///< u.data
    MovieLensCsv,  ///< ratings.csv
    Triplet,       ///< X.train.rating, X.test.rating, X.test.negative
};

struct InteractionFiles {
    InteractionFormat format;
    std::string train;    ///< the only file, unless it is a triplet
    std::string test;     ///< of a triplet
    std::string negative; ///< of a triplet
};

/// `path`: one of the files, the common stem of a triplet, or a folder that holds exactly one set.
/// Throws InvalidArgument: `data_missing` where nothing is, a file of a triplet is missing, or a
/// folder holds several sets; `data_empty` where no file has a known name.
InteractionFiles findInteractions(const std::string& path);

/// "MovieLens ratings.csv", ...: for records and displays.
const char* nameOf(InteractionFormat format);

} // namespace scalebench::workloads
