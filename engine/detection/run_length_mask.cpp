// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/detection/run_length_mask.h"

#include "kernels/check.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scalebench::detection {
namespace {

std::string sizeText(int width, int height)
{
    return std::to_string(width) + "x" + std::to_string(height);
}

void requireSameSize(const RunLengthMask& a, const RunLengthMask& b)
{
    SB_REQUIRE(a.width == b.width && a.height == b.height,
               "masks of " + sizeText(a.width, a.height) + " and " + sizeText(b.width, b.height) +
                   " pixels cannot be compared");
}

/// Calls visit(length, inA, inB) for each stretch in which neither mask changes.
template <typename Visit>
void walkBoth(const RunLengthMask& a, const RunLengthMask& b, Visit visit)
{
    size_t i = 0, j = 0;
    uint32_t leftA = a.runs.empty() ? 0 : a.runs[0], leftB = b.runs.empty() ? 0 : b.runs[0];
    while (i < a.runs.size() && j < b.runs.size()) {
        const uint32_t step = std::min(leftA, leftB);
        if (step > 0)
            visit(step, i % 2 == 1, j % 2 == 1);
        leftA -= step;
        leftB -= step;
        if (leftA == 0 && ++i < a.runs.size())
            leftA = a.runs[i];
        if (leftB == 0 && ++j < b.runs.size())
            leftB = b.runs[j];
    }
}

/// Runs that are given piece by piece.
class RunBuilder
{
public:
    void add(uint32_t length, bool on)
    {
        if (on != on_) {
            runs_.push_back(0);
            on_ = on;
        }
        runs_.back() += length;
    }
    std::vector<uint32_t> take() { return std::move(runs_); }

private:
    std::vector<uint32_t> runs_ = {0};
    bool on_ = false;
};

} // namespace

RunLengthMask encodeMask(std::span<const uint8_t> pixels, int width, int height)
{
    SB_REQUIRE(width > 0 && height > 0 && pixels.size() == size_t(width) * size_t(height),
               "a mask of " + sizeText(width, height) + " needs as many pixels");
    RunBuilder runs;
    for (int x = 0; x < width; ++x)
        for (int y = 0; y < height; ++y)
            runs.add(1, pixels[size_t(y) * size_t(width) + size_t(x)] != 0);
    return {width, height, runs.take()};
}

std::vector<uint8_t> decodeMask(const RunLengthMask& mask)
{
    const size_t width = size_t(mask.width), height = size_t(mask.height);
    std::vector<uint8_t> pixels(width * height, 0);
    size_t at = 0;
    for (size_t run = 0; run < mask.runs.size(); ++run) {
        const size_t end = std::min(at + mask.runs[run], pixels.size());
        if (run % 2 == 0)
            at = end;
        for (; at < end; ++at)
            pixels[at % height * width + at / height] = 1;
    }
    return pixels;
}

int64_t maskArea(const RunLengthMask& mask)
{
    int64_t area = 0;
    for (size_t run = 1; run < mask.runs.size(); run += 2)
        area += mask.runs[run];
    return area;
}

MaskBox maskBox(const RunLengthMask& mask)
{
    const int64_t height = mask.height;
    int64_t left = mask.width, right = -1, top = height, bottom = -1, at = 0;
    for (size_t run = 0; run < mask.runs.size(); at += mask.runs[run++]) {
        if (run % 2 == 0 || mask.runs[run] == 0)
            continue;
        const int64_t last = at + mask.runs[run] - 1;
        left = std::min(left, at / height);
        right = std::max(right, last / height);
        const bool oneColumn = at / height == last / height;
        top = std::min(top, oneColumn ? at % height : 0);
        bottom = std::max(bottom, oneColumn ? last % height : height - 1);
    }
    if (right < 0)
        return {};
    return {int(left), int(top), int(right - left + 1), int(bottom - top + 1)};
}

int64_t maskIntersection(const RunLengthMask& a, const RunLengthMask& b)
{
    requireSameSize(a, b);
    int64_t both = 0;
    walkBoth(a, b, [&](uint32_t length, bool inA, bool inB) { both += inA && inB ? length : 0; });
    return both;
}

RunLengthMask maskUnion(const RunLengthMask& a, const RunLengthMask& b)
{
    requireSameSize(a, b);
    RunBuilder runs;
    walkBoth(a, b, [&](uint32_t length, bool inA, bool inB) { runs.add(length, inA || inB); });
    return {a.width, a.height, runs.take()};
}

double maskIou(const RunLengthMask& found, const RunLengthMask& truth, bool crowd)
{
    const int64_t both = maskIntersection(found, truth);
    if (both == 0)
        return 0;
    const int64_t of = crowd ? maskArea(found) : maskArea(found) + maskArea(truth) - both;
    return double(both) / double(of);
}

RunLengthMask checkedRuns(std::vector<uint32_t> runs, int width, int height)
{
    int64_t sum = 0;
    for (const uint32_t run : runs)
        sum += run;
    SB_REQUIRE(sum == int64_t{width} * height, "the runs cover " + std::to_string(sum) +
                                                   " pixels, but the mask is said to have " +
                                                   sizeText(width, height));
    return {width, height, std::move(runs)};
}

RunLengthMask parseRuns(std::string_view text, int width, int height)
{
    std::vector<uint32_t> runs;
    for (size_t at = 0; at < text.size();) {
        int64_t value = 0;
        bool more = true;
        for (int shift = 0; more; shift += 5, ++at) {
            const int digit = at < text.size() ? text[at] - 48 : -1;
            SB_REQUIRE(digit >= 0 && digit < 64 && shift <= 30,
                       "character " + std::to_string(at + 1) +
                           " of the run lengths is not one of COCO's text form");
            value |= int64_t{digit & 0x1f} << shift;
            more = (digit & 0x20) != 0;
            if (!more && (digit & 0x10) != 0)
                value -= int64_t{1} << (shift + 5);
        }
        if (runs.size() > 2)
            value += runs[runs.size() - 2];
        SB_REQUIRE(value >= 0 && value <= int64_t{width} * height,
                   "run " + std::to_string(runs.size() + 1) + " has " + std::to_string(value) +
                       " pixels in a mask of " + sizeText(width, height));
        runs.push_back(uint32_t(value));
    }
    return checkedRuns(std::move(runs), width, height);
}

std::string printRuns(const RunLengthMask& mask)
{
    std::string text;
    for (size_t i = 0; i < mask.runs.size(); ++i) {
        int64_t value = mask.runs[i];
        if (i > 2)
            value -= mask.runs[i - 2];
        bool more = true;
        while (more) {
            int digit = int(value & 0x1f);
            value >>= 5; // arithmetic: keeps the sign
            more = (digit & 0x10) != 0 ? value != -1 : value != 0;
            if (more)
                digit |= 0x20;
            text.push_back(char(digit + 48));
        }
    }
    return text;
}

} // namespace scalebench::detection
