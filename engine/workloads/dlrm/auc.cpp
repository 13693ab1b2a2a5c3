// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/workloads/dlrm/auc.h"

#include "kernels/check.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace scalebench::workloads {

std::string ClickScores::bytes() const
{
    const uint64_t count = clicked.size();
    std::string out(sizeof(count) + (clicked.size() + passed.size()) * sizeof(float), '\0');
    std::memcpy(out.data(), &count, sizeof(count));
    char* at = out.data() + sizeof(count);
    for (const std::vector<float>* part : {&clicked, &passed}) {
        if (!part->empty())
            std::memcpy(at, part->data(), part->size() * sizeof(float));
        at += part->size() * sizeof(float);
    }
    return out;
}

void ClickScores::add(const std::string& bytes)
{
    uint64_t count = 0;
    SB_REQUIRE(bytes.size() >= sizeof(count), "scores of another worker are torn");
    std::memcpy(&count, bytes.data(), sizeof(count));
    const size_t floats = (bytes.size() - sizeof(count)) / sizeof(float);
    SB_REQUIRE(count <= floats, "scores of another worker are torn");
    const char* at = bytes.data() + sizeof(count);
    const auto append = [&at](std::vector<float>& to, size_t n) {
        const size_t before = to.size();
        to.resize(before + n);
        if (n > 0)
            std::memcpy(to.data() + before, at, n * sizeof(float));
        at += n * sizeof(float);
    };
    append(clicked, size_t(count));
    append(passed, floats - size_t(count));
}

double areaUnderCurve(ClickScores scores)
{
    if (scores.clicked.empty() || scores.passed.empty())
        return std::numeric_limits<double>::quiet_NaN();
    std::ranges::sort(scores.clicked);
    std::ranges::sort(scores.passed);
    uint64_t halves = 0; // of pairs in the right order
    size_t below = 0, notAbove = 0;
    for (const float score : scores.clicked) {
        while (below < scores.passed.size() && scores.passed[below] < score)
            ++below;
        while (notAbove < scores.passed.size() && scores.passed[notAbove] <= score)
            ++notAbove;
        halves += uint64_t(below) + uint64_t(notAbove);
    }
    return double(halves) / 2 / double(scores.clicked.size()) / double(scores.passed.size());
}

} // namespace scalebench::workloads
