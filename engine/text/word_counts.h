// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How often each word occurs: what byte pairs and word pieces are learned from.

#include "engine/text/words.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace scalebench::text {

struct WordCount {
    std::string word;
    int64_t count = 0;
    bool operator==(const WordCount&) const = default;
};

/// Each word once, sorted by its bytes.
using WordCounts = std::vector<WordCount>;

/// Splits a line; called from several threads.
using LineSplitter = std::function<std::vector<std::string>(std::string_view line)>;

/// The same for any number of threads (at least 1).
WordCounts countWords(std::span<const std::string> lines, const LineSplitter& split, int threads);
WordCounts countWords(std::span<const std::string> lines, WordMode mode, int threads);

/// Counts a text that comes in pieces.
class WordCounter
{
public:
    /// Threads as in countWords(); one user.
    void add(std::span<const std::string> lines, const LineSplitter& split, int threads);
    void add(std::span<const std::string> lines, WordMode mode, int threads);
    /// Of all that was added.
    WordCounts counts() const;

private:
    std::unordered_map<std::string, int64_t> table_;
};

/// The sum, for a vocabulary that two languages share.
WordCounts addCounts(const WordCounts& a, const WordCounts& b);

} // namespace scalebench::text
