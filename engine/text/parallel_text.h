// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sentences in two languages, line by line: two files of as many lines, or one file with a TAB
// between the sentences.

#include <cstdint>
#include <string>
#include <vector>

namespace scalebench::text {

/// A pair of which one sentence is blank.
enum class OneSided {
    Refuse, ///< an error: the files may be shifted against one another
    Drop,   ///< left out and counted
};

/// `source` and `target` hold as many sentences, none of them blank.
struct ParallelText {
    std::vector<std::string> source, target;
    int64_t bytesRead = 0;     ///< of the files, before unpacking
    int64_t blankPairs = 0;    ///< left out: blank on both sides
    int64_t oneSidedPairs = 0; ///< left out: blank on one side (OneSided::Drop)

    int64_t size() const { return int64_t(source.size()); }
};

/// Both throw InvalidArgument: as readLines(); `data_damaged` for files of unequal line counts, a
/// pair blank on one side (OneSided::Refuse), a line without TAB or with other columns than the
/// first; `data_empty` where no pair is left.
ParallelText readParallelText(const std::string& sourcePath, const std::string& targetPath,
                              OneSided oneSided = OneSided::Refuse);

/// One file: source TAB target. Further columns (Tatoeba's attributions) are not read, but every
/// line has as many.
ParallelText readTabbedText(const std::string& path, OneSided oneSided = OneSided::Refuse);

} // namespace scalebench::text
