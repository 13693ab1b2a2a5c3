// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What all micro-benchmarks share: options, how one thing is timed, buffers, and the choice of
// problems. Each benchmark has a function run...(const Options&, Report&) that measures problem
// after problem and adds a row for each, also for those that are left out, with the reason.

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "kernels/types.h"

namespace scalebench::bench {

struct Options {
    DType dtype = DType::F32;
    int threads = 1;
    int repeats = 10;         ///< timed calls per problem, fewer where maxSeconds is over
    double maxSeconds = 2;    ///< per problem; what would take longer for one call is left out
    bool quick = false;       ///< a small sample of the problems
    bool list = false;        ///< name the problems, measure nothing
    std::string problems;     ///< "1,4-7": numbers in the list; empty: all
    std::string sizes;        ///< own problems instead of the list; the benchmark says how written
    std::string folder = "."; ///< storage only
    std::int64_t fileBytes = std::int64_t{1} << 30; ///< storage only
    const std::atomic<bool>* stop = nullptr;        ///< Ctrl+C
    bool stopped() const { return stop != nullptr && stop->load(); }
};

/// Thrown between calls when Options::stop was set; no row and no file is left half-written.
struct Stopped {
};

/// Median and spread of the timed calls.
struct Timing {
    double seconds = 0; ///< median
    double spread = 0;  ///< distance of the quartiles / median; not a number for a single call
    int repeats = 0;
    /// Share of the time in which this thread was ready and did not run: other programs had its
    /// processor (a hypervisor's share does not show here).
    double lost = 0;
};

Timing summarize(std::vector<double> seconds);

inline double secondsSince(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Since its construction: the share of the time in which this thread waited for a processor.
class LostTime
{
public:
    double share() const;

private:
    static double secondsWaiting();
    double waited_ = secondsWaiting();
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

/// Warms up, then times `call` options.repeats times or until options.maxSeconds are over (at least
/// once), by computeSeconds(): what one thread computes is timed by its processor time. Short calls
/// are timed in groups so that the clock does not matter. Throws Stopped.
Timing timeCalls(const Options& options, const std::function<void()>& call);

/// "1,4-7" into sorted positions from 0, all below `count`; empty text: all, or every
/// `quickStep`-th with options.quick. InvalidArgument (`usage`) for anything else.
std::vector<std::size_t> chooseProblems(const Options& options, std::size_t count,
                                        std::size_t quickStep);

/// "AxBxC" lists, "512x64x512,1x2x3", each with `count` positive numbers. `form` is shown in the
/// error: "MxNxK". A suffix behind ':' goes to `suffixes` where that is not null.
std::vector<std::vector<std::int64_t>> parseSizes(const std::string& text, std::size_t count,
                                                  const std::string& form,
                                                  std::vector<std::string>* suffixes = nullptr);
/// "4096", "64K", "1M", "2G": bytes (binary multiples), positive.
std::int64_t parseBytes(const std::string& text);
std::vector<std::int64_t> parseByteList(const std::string& text);
/// "64K", "1.5M", "100": as parseBytes reads them.
std::string formatBytes(std::int64_t bytes);

std::int64_t lastLevelCacheBytes();

/// Empty, or why a problem of so many operations and bytes is left out.
std::string reasonToSkip(const Options& options, double flops, double peakFlops, double bytes);

/// Aligned memory, zeroed (so that its pages are there before timing).
class Buffer
{
public:
    explicit Buffer(std::size_t bytes, std::size_t alignment = 64);
    void* data() const { return data_.get(); }
    template <typename T>
    T* as() const
    {
        return static_cast<T*>(data_.get());
    }

private:
    struct Free {
        std::align_val_t alignment;
        void operator()(void* p) const { ::operator delete(p, alignment); }
    };
    std::unique_ptr<void, Free> data_;
};

/// Random multiples of 1/8 in [-1,1): exact in f32 and bf16, so that a reference is easy.
void fillRandom(void* data, std::int64_t count, DType dtype, std::uint64_t seed);
double valueAt(const void* data, std::int64_t index, DType dtype);

/// Compares some results with float64 ones: a count of elements that are further away than
/// rounding explains. `magnitude`: sum of the magnitudes of what was added up; `norm`: root of the
/// sum of the squares. `algorithm`: how far, in units of `norm`, results may be off that are made
/// otherwise than by adding up.
class SampleCheck
{
public:
    explicit SampleCheck(DType output, double algorithm = 0)
        : output_(output), algorithm_(algorithm)
    {
    }
    void compare(double actual, double expected, double magnitude, double norm = 0);
    int checked() const { return checked_; }
    int wrong() const { return wrong_; }

private:
    DType output_;
    double algorithm_;
    int checked_ = 0, wrong_ = 0;
};

} // namespace scalebench::bench
