// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sentences in two languages, line by line: two files of as many lines, or one file with a TAB
// between the sentences.

#include "engine/text/lines.h"

#include <cstdint>
#include <memory>
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

/// One pair after the other, so that large texts need no memory. Not thread-safe. Throws
/// InvalidArgument as the functions below, but for text without a pair.
class ParallelReader
{
public:
    /// One file with both languages, or the source's and the target's.
    ParallelReader(const std::vector<std::string>& files, OneSided oneSided);

    /// The next pair, neither side blank; false at the end.
    bool next(std::string& source, std::string& target);

    const std::string& path() const { return first_.path(); }
    int64_t bytesRead() const; ///< so far, of the files
    int64_t blankPairs() const { return blankPairs_; }
    int64_t oneSidedPairs() const { return oneSidedPairs_; }

private:
    bool nextLines(std::string& source, std::string& target);
    bool nextTabbed(std::string& source, std::string& target);
    void requireEqualCounts();

    LineFile first_;
    std::unique_ptr<LineFile> second_; ///< null where one file has both
    OneSided oneSided_;
    int64_t columns_ = 0; ///< of a file with TABs
    int64_t blankPairs_ = 0, oneSidedPairs_ = 0;
    std::string line_;
};

/// Both throw InvalidArgument: as readLines(); `data_damaged` for files of unequal line counts, a
/// pair blank on one side (OneSided::Refuse), a line without TAB or with other columns than the
/// first; `data_empty` where no pair is left.
ParallelText readParallelText(const std::string& sourcePath, const std::string& targetPath,
                              OneSided oneSided = OneSided::Refuse);

/// One file: source TAB target. Further columns (Tatoeba's attributions) are not read, but every
/// line has as many.
ParallelText readTabbedText(const std::string& path, OneSided oneSided = OneSided::Refuse);

/// InvalidArgument (`data_empty`) naming the file where none was read.
void requirePairs(int64_t pairs, const std::string& path);

} // namespace scalebench::text
