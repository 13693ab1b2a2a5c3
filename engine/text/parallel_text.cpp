// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/parallel_text.h"

#include "engine/text/lines.h"
#include "engine/text/unicode.h"
#include "kernels/check.h"

#include <algorithm>
#include <utility>

namespace scalebench::text {
namespace {

/// Adds a pair unless it is blank; false for one that is not allowed.
bool addPair(ParallelText& text, std::string source, std::string target, OneSided oneSided)
{
    const bool noSource = isBlank(source), noTarget = isBlank(target);
    if (noSource && noTarget) {
        ++text.blankPairs;
    } else if (!noSource && !noTarget) {
        text.source.push_back(std::move(source));
        text.target.push_back(std::move(target));
    } else {
        ++text.oneSidedPairs;
        return oneSided == OneSided::Drop;
    }
    return true;
}

[[noreturn]] void refuseOneSided(const LineFile& file, const char* side, int64_t line)
{
    file.damagedAt(line, std::string("the ") + side +
                             " sentence is blank where the other is not; the sentences may be "
                             "shifted, or let such pairs be dropped");
}

int64_t linesOf(LineFile& file)
{
    for (std::string line; file.next(line);)
        ;
    return file.line();
}

void requirePairs(const ParallelText& text, const std::string& path)
{
    if (text.source.empty())
        throw InvalidArgument(path + " holds no pair of sentences.", "data_empty");
}

} // namespace

ParallelText readParallelText(const std::string& sourcePath, const std::string& targetPath,
                              OneSided oneSided)
{
    LineFile sourceFile(sourcePath), targetFile(targetPath);
    ParallelText text;
    bool blankSource = false;
    int64_t refused = 0; // line
    for (std::string source, target;;) {
        const bool more = sourceFile.next(source);
        if (targetFile.next(target) != more || !more)
            break;
        blankSource = isBlank(source);
        if (!addPair(text, std::move(source), std::move(target), oneSided)) {
            refused = sourceFile.line();
            break;
        }
    }
    // The counts come first among complaints: a blank line is often what a missing one leads to.
    const int64_t sources = linesOf(sourceFile), targets = linesOf(targetFile);
    if (sources != targets)
        throw InvalidArgument(sourcePath + " has " + std::to_string(sources) + " lines, " +
                                  targetPath + " has " + std::to_string(targets) +
                                  ": they are no translation of one another line by line; one may "
                                  "be cut off.",
                              "data_damaged");
    if (refused > 0)
        refuseOneSided(blankSource ? sourceFile : targetFile, blankSource ? "source" : "target",
                       refused);
    requirePairs(text, sourcePath);
    text.bytesRead = sourceFile.bytesRead() + targetFile.bytesRead();
    return text;
}

ParallelText readTabbedText(const std::string& path, OneSided oneSided)
{
    LineFile file(path);
    ParallelText text;
    int64_t columns = 0;
    for (std::string line; file.next(line);) {
        if (isBlank(line)) {
            ++text.blankPairs;
            continue;
        }
        const int64_t found = 1 + std::ranges::count(line, '\t');
        if (found < 2)
            file.damaged("the line has no TAB; expected source TAB target");
        if (columns == 0)
            columns = found;
        if (found != columns)
            file.damaged("the line has " + std::to_string(found) + " columns, the first has " +
                         std::to_string(columns));
        const size_t first = line.find('\t'), second = line.find('\t', first + 1);
        std::string source = line.substr(0, first);
        const bool blankSource = isBlank(source);
        if (!addPair(text, std::move(source), line.substr(first + 1, second - first - 1), oneSided))
            refuseOneSided(file, blankSource ? "source" : "target", file.line());
    }
    requirePairs(text, path);
    text.bytesRead = file.bytesRead();
    return text;
}

} // namespace scalebench::text
