// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/text/word_counts.h"

#include "engine/core/processors.h"

#include <algorithm>
#include <exception>
#include <thread>
#include <unordered_map>
#include <utility>

namespace scalebench::text {
namespace {

using Table = std::unordered_map<std::string, int64_t>;

Table countPart(std::span<const std::string> lines, const LineSplitter& split)
{
    Table table;
    for (const std::string& line : lines)
        for (std::string& word : split(line))
            ++table[std::move(word)];
    return table;
}

/// One table per thread; the first failure is rethrown here.
std::vector<Table> countParts(std::span<const std::string> lines, const LineSplitter& split,
                              size_t parts)
{
    std::vector<Table> tables(parts);
    std::vector<std::exception_ptr> failures(parts);
    const auto work = [&](size_t part) {
        const size_t from = lines.size() * part / parts, to = lines.size() * (part + 1) / parts;
        try {
            tables[part] = countPart(lines.subspan(from, to - from), split);
        } catch (...) {
            failures[part] = std::current_exception();
        }
    };
    std::vector<std::thread> threads;
    for (size_t part = 1; part < parts; ++part)
        threads.push_back(helperThread([&, part] { work(part); }));
    work(0);
    for (std::thread& thread : threads)
        thread.join();
    for (const std::exception_ptr& failure : failures)
        if (failure)
            std::rethrow_exception(failure);
    return tables;
}

} // namespace

void WordCounter::add(std::span<const std::string> lines, const LineSplitter& split, int threads)
{
    constexpr size_t kLinesWorthAThread = 1000;
    const size_t parts =
        std::clamp<size_t>(lines.size() / kLinesWorthAThread, 1, size_t(std::max(1, threads)));
    for (Table& part : countParts(lines, split, parts)) {
        if (table_.empty())
            table_ = std::exchange(part, {});
        for (const auto& [word, count] : part)
            table_[word] += count;
        part = {};
    }
}

void WordCounter::add(std::span<const std::string> lines, WordMode mode, int threads)
{
    add(
        lines, [mode](std::string_view line) { return wordsOf(line, mode); }, threads);
}

WordCounts WordCounter::counts() const
{
    WordCounts counts;
    counts.reserve(table_.size());
    for (const auto& [word, count] : table_)
        counts.push_back({word, count});
    std::ranges::sort(counts, {}, &WordCount::word);
    return counts;
}

WordCounts countWords(std::span<const std::string> lines, const LineSplitter& split, int threads)
{
    WordCounter counter;
    counter.add(lines, split, threads);
    return counter.counts();
}

WordCounts countWords(std::span<const std::string> lines, WordMode mode, int threads)
{
    WordCounter counter;
    counter.add(lines, mode, threads);
    return counter.counts();
}

WordCounts addCounts(const WordCounts& a, const WordCounts& b)
{
    WordCounts sum;
    sum.reserve(a.size() + b.size());
    auto left = a.begin(), right = b.begin();
    while (left != a.end() || right != b.end()) {
        if (right == b.end() || (left != a.end() && left->word < right->word))
            sum.push_back(*left++);
        else if (left == a.end() || right->word < left->word)
            sum.push_back(*right++);
        else
            sum.push_back({left->word, left++->count + right++->count});
    }
    return sum;
}

} // namespace scalebench::text
