// SPDX-License-Identifier: GPL-3.0-or-later
// The codes file of subword-nmt, as BytePairs reads and writes it.

#include "engine/text/byte_pairs.h"
#include "engine/text/lines.h"

#include <utility>

namespace scalebench::text {
namespace {

constexpr std::string_view kHeader = "#version: 0.2";
constexpr const char* kWhatItIs = "expected a codes file as subword-nmt's learn-bpe writes it, "
                                  "beginning with #version: 0.2";

Merge mergeOf(const LineFile& file, std::string_view line)
{
    while (line.ends_with(' '))
        line.remove_suffix(1);
    while (line.starts_with(' '))
        line.remove_prefix(1);
    const size_t blank = line.find(' ');
    if (blank == std::string_view::npos || line.find(' ', blank + 1) != std::string_view::npos)
        file.damaged(std::string("the line is not two symbols with a blank between; ") + kWhatItIs);
    if (line.find('\r') != std::string_view::npos)
        file.damaged("the line holds a carriage return");
    return {std::string(line.substr(0, blank)), std::string(line.substr(blank + 1))};
}

} // namespace

BytePairs BytePairs::read(const std::string& path, int64_t* bytesRead)
{
    constexpr size_t kMost = 10'000'000;
    LineFile file(path);
    std::string line;
    if (!file.next(line) || !line.starts_with("#version:"))
        file.damagedAt(1, std::string("the file does not begin with its version; ") + kWhatItIs);
    if (line != kHeader)
        file.damaged("the version '" + line.substr(0, 40) + "' is not known; " + kWhatItIs);
    std::vector<Merge> merges;
    while (file.next(line)) {
        // learn-bpe ends with a line end, editors may add more.
        if (line.empty()) {
            while (file.next(line))
                if (!line.empty())
                    file.damaged("a line before this one is empty");
            break;
        }
        merges.push_back(mergeOf(file, line));
        if (merges.size() > kMost)
            file.damaged("there are more than ten million merges");
    }
    if (bytesRead)
        *bytesRead += file.bytesRead();
    return BytePairs(std::move(merges));
}

void BytePairs::write(const std::string& path) const
{
    std::vector<std::string> lines{std::string(kHeader)};
    lines.reserve(merges_.size() + 1);
    for (const Merge& merge : merges_)
        lines.push_back(merge.first + ' ' + merge.second);
    writeLines(path, lines);
}

} // namespace scalebench::text
