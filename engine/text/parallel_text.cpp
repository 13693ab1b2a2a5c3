// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/parallel_text.h"

#include "engine/text/lines.h"
#include "engine/text/unicode.h"
#include "kernels/check.h"

#include <algorithm>
#include <utility>

namespace scalebench::text {
namespace {

int64_t linesOf(LineFile& file)
{
    for (std::string line; file.next(line);)
        ;
    return file.line();
}

ParallelText readAll(const std::vector<std::string>& files, OneSided oneSided)
{
    ParallelReader reader(files, oneSided);
    ParallelText text;
    for (std::string source, target; reader.next(source, target);) {
        text.source.push_back(std::move(source));
        text.target.push_back(std::move(target));
    }
    text.blankPairs = reader.blankPairs();
    text.oneSidedPairs = reader.oneSidedPairs();
    text.bytesRead = reader.bytesRead();
    requirePairs(text.size(), reader.path());
    return text;
}

} // namespace

void requirePairs(int64_t pairs, const std::string& path)
{
    if (pairs == 0)
        throw InvalidArgument(path + " holds no pair of sentences.", "data_empty");
}

ParallelReader::ParallelReader(const std::vector<std::string>& files, OneSided oneSided)
    : first_(files.at(0)), oneSided_(oneSided)
{
    if (files.size() > 1)
        second_ = std::make_unique<LineFile>(files[1]);
}

int64_t ParallelReader::bytesRead() const
{
    return first_.bytesRead() + (second_ ? second_->bytesRead() : 0);
}

bool ParallelReader::next(std::string& source, std::string& target)
{
    while (second_ ? nextLines(source, target) : nextTabbed(source, target)) {
        const bool noSource = isBlank(source), noTarget = isBlank(target);
        if (!noSource && !noTarget)
            return true;
        if (noSource && noTarget) {
            ++blankPairs_;
            continue;
        }
        ++oneSidedPairs_;
        if (oneSided_ == OneSided::Drop)
            continue;
        const LineFile& blank = noSource || !second_ ? first_ : *second_;
        const int64_t line = blank.line();
        // The counts come first among complaints: a blank line is often what a missing one leads
        // to.
        requireEqualCounts();
        blank.damagedAt(line,
                        std::string("the ") + (noSource ? "source" : "target") +
                            " sentence is blank where the other is not; the sentences may "
                            "be shifted, or let such pairs be dropped (--set data.one_sided=drop)");
    }
    return false;
}

bool ParallelReader::nextLines(std::string& source, std::string& target)
{
    const bool more = first_.next(source);
    if (second_->next(target) == more && more)
        return true;
    requireEqualCounts();
    return false;
}

bool ParallelReader::nextTabbed(std::string& source, std::string& target)
{
    while (first_.next(line_)) {
        if (isBlank(line_)) {
            ++blankPairs_;
            continue;
        }
        const int64_t found = 1 + std::ranges::count(line_, '\t');
        if (found < 2)
            first_.damaged("the line has no TAB; expected source TAB target");
        if (columns_ == 0)
            columns_ = found;
        if (found != columns_)
            first_.damaged("the line has " + std::to_string(found) + " columns, the first has " +
                           std::to_string(columns_));
        const size_t tab = line_.find('\t'), second = line_.find('\t', tab + 1);
        source = line_.substr(0, tab);
        target = line_.substr(tab + 1, second - tab - 1);
        return true;
    }
    return false;
}

/// Reads both files to their ends.
void ParallelReader::requireEqualCounts()
{
    if (!second_)
        return;
    const int64_t sources = linesOf(first_), targets = linesOf(*second_);
    if (sources != targets)
        throw InvalidArgument(first_.path() + " has " + std::to_string(sources) + " lines and " +
                                  second_->path() + " has " + std::to_string(targets) +
                                  ": they are no translation of one another line by line; one may "
                                  "be cut off.",
                              "data_damaged");
}

ParallelText readParallelText(const std::string& sourcePath, const std::string& targetPath,
                              OneSided oneSided)
{
    return readAll({sourcePath, targetPath}, oneSided);
}

ParallelText readTabbedText(const std::string& path, OneSided oneSided)
{
    return readAll({path}, oneSided);
}

} // namespace scalebench::text
