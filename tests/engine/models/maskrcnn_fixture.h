// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// fixtures/maskrcnn.txt (make_maskrcnn.py) as notes, samples and tensors, for the tests of the
// parts of Mask R-CNN.

#include "engine/models/maskrcnn/proposals.h"
#include "engine/models/maskrcnn/roi_samples.h"
#include "engine/models/maskrcnn/rows.h"
#include "tests/engine/models/fixture_rows.h"

#include "engine/autograd/tape.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

namespace scalebench::tests {

inline constexpr int kWidth = 60, kHeight = 44, kClasses = 4, kMaskEdge = 8;

inline double largestDifference(std::span<const float> a, std::span<const float> b)
{
    double worst = a.size() == b.size() ? 0 : 1e9;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        worst = std::max(worst, std::abs(double(a[i]) - double(b[i])));
    return worst;
}

inline Variable watched(Tape& tape, const std::vector<float>& values, const Shape& shape,
                        Tensor& seen)
{
    Backend& backend = tape.backend();
    return tape.record("watched", uploaded(backend, values, shape), true,
                       [&backend, &seen](std::vector<Tensor> grads) {
                           seen = backend.elementwise().sum(std::move(grads));
                       });
}

inline std::vector<float> twice(const std::vector<float>& values)
{
    std::vector<float> both = values;
    both.insert(both.end(), values.begin(), values.end());
    return both;
}

class MaskRcnnFixture
{
public:
    MaskRcnnFixture() : rows_(readFixture("maskrcnn.txt"))
    {
        picture_.id = 7;
        picture_.width = kWidth / 2, picture_.height = kHeight / 2;
        for (int i = 0; i < 3; ++i) {
            detection::AnnotatedObject object;
            std::vector<uint8_t> pixels;
            const std::size_t n = 22 * 30;
            for (std::size_t p = 0; p < n; ++p)
                pixels.push_back(uint8_t(at("stored")[std::size_t(i) * n + p]));
            object.mask = detection::encodeMask(pixels, 30, 22);
            picture_.objects.push_back(object);
        }
    }

    const std::vector<float>& at(const char* name) const { return rows_.at(name); }
    /// The picture is twice as large in its row as it is stored.
    PictureNote note() const
    {
        PictureNote note;
        note.width = kWidth, note.height = kHeight;
        note.scaleX = note.scaleY = 2;
        note.stored = &picture_;
        note.corners = at("truth");
        note.categories = {1, 0, 2};
        note.objects = {0, 1, 2};
        note.randomKey = 5;
        return note;
    }
    std::vector<int64_t> counts() const { return {at("counts").begin(), at("counts").end()}; }
    AnchorOutputs outputs(const std::vector<int64_t>& counts) const
    {
        return {at("anchors"), at("scores"), at("deltas"), counts};
    }
    /// Row of torchvision's regions of each region of ours.
    std::vector<std::size_t> order(const RoiSample& sample) const
    {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < sample.labels.size(); ++i)
            for (std::size_t k = 0; k < at("region_labels").size(); ++k)
                if (largestDifference(std::span(sample.boxes).subspan(4 * i, 4),
                                      std::span(at("regions")).subspan(4 * k, 4)) == 0)
                    order.push_back(k);
        return order;
    }
    RoiSample allRegions() const
    {
        return sampleRegions(note(), at("roi_proposals"), {100000, 0.25, 0.5});
    }

private:
    FixtureRows rows_;
    detection::AnnotatedPicture picture_;
};

inline std::vector<float> rowsOf(const std::vector<float>& values,
                                 const std::vector<std::size_t>& order, std::size_t width)
{
    std::vector<float> out;
    for (const std::size_t row : order)
        out.insert(out.end(), values.begin() + std::ptrdiff_t(row * width),
                   values.begin() + std::ptrdiff_t((row + 1) * width));
    return out;
}

} // namespace scalebench::tests
