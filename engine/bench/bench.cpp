// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/bench.h"

#include "engine/core/compute_clock.h"
#include "engine/core/memory_info.h"
#include "engine/core/queue_times.h"
#include "engine/core/rng.h"
#include "kernels/check.h"
#include "kernels/formula/bf16.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>

#include <unistd.h>

namespace scalebench::bench {
namespace {

using Clock = std::chrono::steady_clock;

[[noreturn]] void usage(const std::string& message)
{
    throw InvalidArgument(message, "usage");
}

std::vector<std::string> split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::size_t at = 0;
    for (std::size_t next; (next = text.find(separator, at)) != std::string::npos; at = next + 1)
        parts.push_back(text.substr(at, next - at));
    parts.push_back(text.substr(at));
    return parts;
}

/// A whole positive number, or 0.
std::int64_t positive(const std::string& text)
{
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && value > 0 ? value : 0;
}

} // namespace

double LostTime::secondsWaiting()
{
    return queueTimesOfThread().waitedS;
}

double LostTime::share() const
{
    return std::min(1.0, (secondsWaiting() - waited_) / std::max(secondsSince(start_), 1e-9));
}

Timing summarize(std::vector<double> seconds)
{
    Timing timing;
    timing.repeats = int(seconds.size());
    if (seconds.empty())
        return timing;
    std::sort(seconds.begin(), seconds.end());
    const auto quantile = [&](double q) {
        const double at = q * double(seconds.size() - 1);
        const std::size_t low = std::size_t(at);
        const std::size_t high = std::min(low + 1, seconds.size() - 1);
        return seconds[low] + (at - double(low)) * (seconds[high] - seconds[low]);
    };
    timing.seconds = quantile(0.5);
    if (seconds.size() == 1) { // one says nothing of a spread
        timing.spread = std::nan("");
        return timing;
    }
    timing.spread = timing.seconds > 0 ? (quantile(0.75) - quantile(0.25)) / timing.seconds : 0;
    return timing;
}

Timing timeCalls(const Options& options, const std::function<void()>& call)
{
    // The clock's own cost, some 300 ns for processor time, stays below a hundredth.
    constexpr double kShortest = 50e-6;
    const Clock::time_point begin = Clock::now();
    double once = 0;
    for (int warm = 0; warm < 3; ++warm) {
        if (options.stopped())
            throw Stopped{};
        const Clock::time_point start = Clock::now();
        call();
        once = secondsSince(start);
        if (secondsSince(begin) > options.maxSeconds / 4)
            break;
    }
    const int group = once >= kShortest ? 1 : int(std::ceil(kShortest / std::max(once, 1e-9)));
    std::vector<double> samples;
    const LostTime lost;
    do {
        if (options.stopped())
            throw Stopped{};
        const double start = computeSeconds();
        for (int i = 0; i < group; ++i)
            call();
        samples.push_back((computeSeconds() - start) / group);
    } while (int(samples.size()) < options.repeats && secondsSince(begin) < options.maxSeconds);
    Timing timing = summarize(std::move(samples));
    timing.lost = lost.share();
    return timing;
}

std::vector<std::size_t> chooseProblems(const Options& options, std::size_t count,
                                        std::size_t quickStep)
{
    std::vector<std::size_t> chosen;
    if (options.problems.empty()) {
        for (std::size_t i = 0; i < count; i += options.quick ? quickStep : 1)
            chosen.push_back(i);
        return chosen;
    }
    for (const std::string& part : split(options.problems, ',')) {
        const std::vector<std::string> ends = split(part, '-');
        const std::int64_t first = positive(ends[0]), last = positive(ends.back());
        if (ends.size() > 2 || first == 0 || last < first || last > std::int64_t(count))
            usage("--problem takes numbers from 1 to " + std::to_string(count) +
                  " and ranges such as 1,4-7; \"" + part +
                  "\" is none (--list shows the problems)");
        for (std::int64_t i = first; i <= last; ++i)
            chosen.push_back(std::size_t(i - 1));
    }
    std::sort(chosen.begin(), chosen.end());
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

std::vector<std::vector<std::int64_t>> parseSizes(const std::string& text, std::size_t count,
                                                  const std::string& form,
                                                  std::vector<std::string>* suffixes)
{
    std::vector<std::vector<std::int64_t>> all;
    for (const std::string& item : split(text, ',')) {
        const std::size_t colon = suffixes != nullptr ? item.find(':') : std::string::npos;
        std::vector<std::int64_t> numbers;
        for (const std::string& part : split(item.substr(0, colon), 'x'))
            numbers.push_back(positive(part));
        if (numbers.size() != count || std::count(numbers.begin(), numbers.end(), 0) > 0)
            usage("--sizes takes " + form + " with positive numbers, several with commas; \"" +
                  item + "\" is none");
        all.push_back(std::move(numbers));
        if (suffixes != nullptr)
            suffixes->push_back(colon == std::string::npos ? "" : item.substr(colon + 1));
    }
    return all;
}

std::int64_t parseBytes(const std::string& text)
{
    const char unit = text.empty() ? '0' : text.back();
    const std::int64_t factor = unit == 'K'   ? 1 << 10
                                : unit == 'M' ? 1 << 20
                                : unit == 'G' ? 1 << 30
                                              : 1;
    const std::int64_t value = positive(factor == 1 ? text : text.substr(0, text.size() - 1));
    if (value == 0 || value > (std::int64_t{1} << 50) / factor)
        usage("a size in bytes is a positive number, with K, M or G behind it for binary "
              "multiples; \"" +
              text + "\" is none");
    return value * factor;
}

std::vector<std::int64_t> parseByteList(const std::string& text)
{
    std::vector<std::int64_t> bytes;
    for (const std::string& item : split(text, ','))
        bytes.push_back(parseBytes(item));
    return bytes;
}

std::string formatBytes(std::int64_t bytes)
{
    for (const auto& [factor, unit] :
         {std::pair{std::int64_t{1} << 30, 'G'}, {1 << 20, 'M'}, {1 << 10, 'K'}})
        if (bytes >= factor) {
            char text[32];
            std::snprintf(text, sizeof text, bytes % factor == 0 ? "%.0f%c" : "%.1f%c",
                          double(bytes) / double(factor), unit);
            return text;
        }
    return std::to_string(bytes);
}

std::int64_t lastLevelCacheBytes()
{
    for (const int level : {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
        if (const long bytes = ::sysconf(level); bytes > 0)
            return bytes;
    return 32 << 20;
}

std::string reasonToSkip(const Options& options, double flops, double peakFlops, double bytes)
{
    char text[160];
    // Half of the peak is what well-shaped products reach.
    const double seconds = peakFlops > 0 ? flops / (0.5 * peakFlops) : 0;
    if (seconds > options.maxSeconds) {
        std::snprintf(text, sizeof text, "skipped: one call takes about %.3g s (--max-seconds %g)",
                      seconds, options.maxSeconds);
        return text;
    }
    const double most = 0.8 * double(availableMemoryBytes());
    if (bytes > most) {
        std::snprintf(text, sizeof text,
                      "skipped: needs %.1f GB of memory; of %.1f GB that are free four fifths are "
                      "taken at most",
                      bytes / 1e9, double(availableMemoryBytes()) / 1e9);
        return text;
    }
    return {};
}

Buffer::Buffer(std::size_t bytes, std::size_t alignment)
    : data_(::operator new (std::max<std::size_t>(bytes, 64), std::align_val_t{alignment}),
            Free{std::align_val_t{alignment}})
{
    std::memset(data_.get(), 0, std::max<std::size_t>(bytes, 64));
}

void fillRandom(void* data, std::int64_t count, DType dtype, std::uint64_t seed)
{
    Rng random(seed);
    for (std::int64_t i = 0; i < count;) {
        for (std::uint32_t bits = random(), used = 0; used < 8 && i < count; ++used, ++i) {
            const float value = float(int((bits >> (4 * used)) & 15u) - 8) / 8.0f;
            if (dtype == DType::BF16)
                static_cast<bf16_t*>(data)[i] = formula::f32ToBf16(value);
            else
                static_cast<float*>(data)[i] = value;
        }
    }
}

double valueAt(const void* data, std::int64_t index, DType dtype)
{
    return dtype == DType::BF16
               ? double(formula::bf16ToF32(static_cast<const bf16_t*>(data)[index]))
               : double(static_cast<const float*>(data)[index]);
}

void SampleCheck::compare(double actual, double expected, double magnitude, double norm)
{
    // fp32 sums in any order, then one rounding to the output's type.
    const double limit = 2e-6 * magnitude +
                         (output_ == DType::BF16 ? 8e-3 : 1e-6) * std::abs(expected) +
                         algorithm_ * norm + 1e-30;
    ++checked_;
    if (!(std::abs(actual - expected) <= limit))
        ++wrong_;
}

} // namespace scalebench::bench
