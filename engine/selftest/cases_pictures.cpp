// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/selftest/case_list.h"
#include "kernels/ref/pictures.h"

namespace scalebench::selftest {
namespace {

struct PictureCase {
    const char* name;
    int n, H, W;
    bool smaller;  ///< than their rows, as detectors have them
    bool coloured; ///< as SSD has them
};

const PictureCase kPictures[] = {{"resnet50", 2, 224, 224, false, false},
                                 {"ssd300, colours", 2, 300, 300, false, true},
                                 {"detector, filled up", 3, 96, 128, true, false},
                                 {"odd, all together", 8, 13, 9, true, true},
                                 {"one", 1, 1, 1, false, false}};

PictureChange drawChange(const PictureCase& c, Checker& checker)
{
    const auto below = [&](int n) { return checker.randomIntegers(1, 0, n)[0]; };
    PictureChange change;
    change.width = c.smaller ? 1 + below(c.W) : c.W;
    change.height = c.smaller ? 1 + below(c.H) : c.H;
    change.mirror = below(2);
    if (below(2) == 0) {
        change.dx = below(9) - 4;
        change.dy = below(9) - 4;
    }
    if (below(2) == 0) {
        change.left = below(c.W);
        change.right = change.left + below(c.W - change.left + 1);
        change.top = below(c.H);
        change.bottom = change.top + below(c.H - change.top + 1);
    }
    change.coloured = c.coloured ? below(4) > 0 : 0;
    const auto unit = [&] { return float(checker.uniform()); };
    change.colour = {0.9f + 0.2f * unit(), 0.5f + unit(), 0.5f + unit(), 0.96f, 0.28f, unit()};
    return change;
}

void run(const PictureCase& c, Checker& checker)
{
    const float mean[3] = {0.4f, 0.5f, 0.6f}, deviation[3] = {0.2f, 0.25f, 0.3f};
    RawPictures still{PictureScale(mean, deviation), {}};
    std::vector<std::uint8_t> bytes(std::size_t(c.n) * std::size_t(c.H) * std::size_t(c.W) * 3);
    Values expected;
    for (int i = 0; i < c.n; ++i) {
        const PictureChange change = drawChange(c, checker);
        const std::size_t line = 3 * std::size_t(change.width);
        const auto values = checker.randomIntegers(std::int64_t(line) * change.height, 0, 256);
        const std::vector<std::uint8_t> rgb(values.begin(), values.end());
        for (std::size_t y = 0; y < std::size_t(change.height); ++y)
            std::copy_n(rgb.begin() + std::ptrdiff_t(y * line), line,
                        bytes.begin() + std::ptrdiff_t((std::size_t(i) * std::size_t(c.H) + y) *
                                                       std::size_t(c.W) * 3));
        still.changes.push_back(change);
        const Values one = kernels::ref::normalisePicture(c.H, c.W, rgb, change, mean, deviation);
        expected.insert(expected.end(), one.begin(), one.end());
    }
    const Tensor host = Tensor::view(bytes.data(), {c.n, c.H, c.W, 3}, DType::U8);
    checker.compareValues("pictures", checker.backend().uploadPictures(host, still), expected);
}

} // namespace

void addPictureCases(CaseList& list)
{
    for (const PictureCase& c : kPictures)
        list.push_back(
            {"pictures", c.name, DType::F32, [&c](Checker& checker) { run(c, checker); }});
}

} // namespace scalebench::selftest
