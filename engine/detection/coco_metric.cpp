// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/detection/coco_metric.h"

#include "kernels/check.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace scalebench::detection {
namespace {

constexpr size_t kOverlaps = 10, kRecalls = 101, kSizes = 4, kLimits = 3;
constexpr std::array<size_t, kLimits> kMaxFound = {1, 10, 100};

struct Range {
    double least, most;
};
constexpr std::array<Range, kSizes> kAreas = {
    {{0, 1e10}, {0, 32.0 * 32}, {32.0 * 32, 96.0 * 96}, {96.0 * 96, 1e10}}};

/// As numpy.linspace(first, last, n) rounds them: on the border of an overlap it matters.
template <size_t n>
std::array<double, n> evenly(double first, double last)
{
    std::array<double, n> values;
    const double step = (last - first) / double(n - 1);
    for (size_t i = 0; i < n; ++i)
        values[i] = double(i) * step + first;
    values.back() = last;
    return values;
}

/// How one detection fared, per overlap: a bit each.
struct Outcome {
    double score = 0;
    uint16_t matched = 0, ignored = 0;
};

/// The detections and the true objects of one category in one picture.
class PictureMatch
{
public:
    PictureMatch(std::span<const AnnotatedObject* const> truth,
                 std::span<const Detection* const> found, Overlap overlap)
        : truth_(truth), found_(found)
    {
        overlaps_.resize(truth.size() * found.size());
        areas_.resize(found.size());
        for (size_t f = 0; f < found.size(); ++f) {
            const bool masks = overlap == Overlap::Masks;
            areas_[f] = masks ? double(maskArea(found[f]->mask)) : found[f]->box.area();
            for (size_t t = 0; t < truth.size(); ++t)
                overlaps_[f * truth.size() + t] =
                    masks ? maskIou(found[f]->mask, truth[t]->mask, truth[t]->crowd)
                          : boxOverlap(found[f]->box, truth[t]->box, truth[t]->crowd);
        }
    }

    /// The outcome of every detection for one size range; returns how many objects were asked for.
    int64_t match(const Range& range, std::vector<Outcome>& outcomes) const
    {
        std::vector<uint8_t> ignored(truth_.size());
        for (size_t t = 0; t < truth_.size(); ++t)
            ignored[t] = truth_[t]->ignored() || outside(truth_[t]->area, range);
        // Objects that are asked for come first; a detection takes another only where none fits.
        std::vector<size_t> order(truth_.size());
        std::iota(order.begin(), order.end(), size_t{0});
        std::ranges::stable_sort(order, {}, [&](size_t t) { return ignored[t]; });
        static const auto kLeast = evenly<kOverlaps>(0.5, 0.95);
        const size_t first = outcomes.size();
        for (const Detection* detection : found_)
            outcomes.push_back({detection->score, 0, 0});
        for (size_t k = 0; k < kOverlaps; ++k) {
            std::vector<uint8_t> taken(truth_.size(), 0);
            for (size_t f = 0; f < found_.size(); ++f)
                decide(f, k, std::min(kLeast[k], 1 - 1e-10), range, order, ignored, taken,
                       outcomes[first + f]);
        }
        return int64_t(std::ranges::count(ignored, 0));
    }

private:
    static bool outside(double area, const Range& range)
    {
        return area < range.least || area > range.most;
    }

    void decide(size_t f, size_t k, double least, const Range& range, std::span<const size_t> order,
                std::span<const uint8_t> ignored, std::span<uint8_t> taken, Outcome& outcome) const
    {
        size_t best = truth_.size();
        for (const size_t t : order) {
            if (taken[t] && !truth_[t]->crowd)
                continue;
            if (best < truth_.size() && !ignored[best] && ignored[t])
                break;
            const double overlap = overlaps_[f * truth_.size() + t];
            if (overlap < least)
                continue;
            least = overlap;
            best = t;
        }
        const auto bit = uint16_t(1u << k);
        if (best < truth_.size()) {
            taken[best] = 1;
            outcome.matched |= bit;
            outcome.ignored |= ignored[best] ? bit : uint16_t{0};
        } else if (outside(areas_[f], range)) {
            outcome.ignored |= bit;
        }
    }

    std::span<const AnnotatedObject* const> truth_;
    std::span<const Detection* const> found_;
    std::vector<double> overlaps_, areas_;
};

/// Precision at 101 recalls, summed, and the recall reached, of outcomes in order of score.
struct Curve {
    double precisionSum = 0, recall = 0;
};

Curve curveOf(std::span<const Outcome> outcomes, std::span<const size_t> order, size_t overlap,
              int64_t asked)
{
    static const auto kRecall = evenly<kRecalls>(0.0, 1.0);
    std::vector<double> recalls, precisions;
    double right = 0, wrong = 0;
    for (const size_t i : order) {
        const bool ignored = outcomes[i].ignored >> overlap & 1;
        const bool matched = outcomes[i].matched >> overlap & 1;
        right += matched && !ignored ? 1 : 0;
        wrong += !matched && !ignored ? 1 : 0;
        recalls.push_back(right / double(asked));
        precisions.push_back(right / (wrong + right + std::numeric_limits<double>::epsilon()));
    }
    for (size_t i = precisions.size(); i-- > 1;)
        precisions[i - 1] = std::max(precisions[i - 1], precisions[i]);
    Curve curve;
    curve.recall = recalls.empty() ? 0 : recalls.back();
    size_t at = 0;
    for (const double recall : kRecall) {
        while (at < recalls.size() && recalls[at] < recall)
            ++at;
        if (at == recalls.size())
            break;
        curve.precisionSum += precisions[at];
    }
    return curve;
}

/// A mean over the categories that have something to measure.
struct Mean {
    double sum = 0;
    int64_t count = 0;

    void add(double value, int64_t of = 1)
    {
        sum += value;
        count += of;
    }
    double get() const { return count > 0 ? sum / double(count) : -1; }
};

/// What each figure of CocoScores is a mean of.
struct Means {
    std::array<std::array<Mean, kOverlaps>, kSizes> precision; ///< 100 detections
    std::array<std::array<Mean, kLimits>, kSizes> recall;

    double overall(size_t size) const
    {
        Mean all;
        for (const Mean& mean : precision[size])
            all.add(mean.sum, mean.count);
        return all.get();
    }
};

/// Everything of one category, by picture.
struct CategoryObjects {
    struct Picture {
        std::vector<const AnnotatedObject*> truth;
        std::vector<const Detection*> found;
    };
    std::vector<std::pair<int32_t, Picture>> pictures; ///< by ascending number
};

using ByCategory = std::vector<CategoryObjects>;

CategoryObjects::Picture& pictureOf(CategoryObjects& category, int32_t picture)
{
    auto& list = category.pictures;
    const auto at =
        std::ranges::lower_bound(list, picture, {}, [](const auto& p) { return p.first; });
    if (at != list.end() && at->first == picture)
        return at->second;
    return list.insert(at, {picture, {}})->second;
}

ByCategory sortOut(const AnnotatedSet& truth, std::span<const Detection> found, Overlap overlap)
{
    ByCategory categories(truth.categories.size());
    for (size_t p = 0; p < truth.pictures.size(); ++p)
        for (const AnnotatedObject& object : truth.pictures[p].objects) {
            SB_REQUIRE(overlap == Overlap::Boxes || !object.mask.empty(),
                       "picture " + std::to_string(truth.pictures[p].id) +
                           " has an object without mask, but masks are to be measured");
            pictureOf(categories.at(size_t(object.category)), int32_t(p)).truth.push_back(&object);
        }
    for (const Detection& detection : found) {
        SB_REQUIRE(
            detection.picture >= 0 && size_t(detection.picture) < truth.pictures.size() &&
                detection.category >= 0 && size_t(detection.category) < truth.categories.size(),
            "a detection of category " + std::to_string(detection.category) + " in picture " +
                std::to_string(detection.picture) + ", which the annotations do not have");
        SB_REQUIRE(!std::isnan(detection.score), "a detection's score is not a number");
        pictureOf(categories[size_t(detection.category)], detection.picture)
            .found.push_back(&detection);
    }
    for (CategoryObjects& category : categories)
        for (auto& [number, picture] : category.pictures) {
            std::ranges::stable_sort(picture.found, std::greater{}, &Detection::score);
            if (picture.found.size() > kMaxFound.back())
                picture.found.resize(kMaxFound.back());
        }
    return categories;
}

/// Indices of the outcomes of each picture's first `limit` detections, by falling score.
std::vector<size_t> ranked(std::span<const Outcome> outcomes, std::span<const size_t> pictureStarts,
                           size_t limit)
{
    std::vector<size_t> order;
    for (size_t p = 0; p + 1 < pictureStarts.size(); ++p)
        for (size_t i = pictureStarts[p];
             i < std::min(pictureStarts[p] + limit, pictureStarts[p + 1]); ++i)
            order.push_back(i);
    std::ranges::stable_sort(order, std::greater{}, [&](size_t i) { return outcomes[i].score; });
    return order;
}

/// Adds one category's figures; returns its AP over all sizes.
double addCategory(const CategoryObjects& category, Overlap overlap, Means& means)
{
    std::vector<PictureMatch> matches;
    matches.reserve(category.pictures.size());
    for (const auto& [number, picture] : category.pictures)
        matches.emplace_back(picture.truth, picture.found, overlap);
    Mean ap;
    for (size_t size = 0; size < kSizes; ++size) {
        std::vector<Outcome> outcomes;
        std::vector<size_t> starts = {0};
        int64_t asked = 0;
        for (const PictureMatch& match : matches) {
            asked += match.match(kAreas[size], outcomes);
            starts.push_back(outcomes.size());
        }
        if (asked == 0)
            continue;
        for (size_t limit = 0; limit < kLimits; ++limit) {
            const std::vector<size_t> order = ranked(outcomes, starts, kMaxFound[limit]);
            for (size_t k = 0; k < kOverlaps; ++k) {
                const Curve curve = curveOf(outcomes, order, k, asked);
                means.recall[size][limit].add(curve.recall);
                if (limit + 1 < kLimits)
                    continue;
                means.precision[size][k].add(curve.precisionSum, kRecalls);
                if (size == 0)
                    ap.add(curve.precisionSum, kRecalls);
            }
        }
    }
    return ap.get();
}

} // namespace

double boxOverlap(const Box& found, const Box& truth, bool crowd)
{
    const double w =
        std::fmin(found.x + found.width, truth.x + truth.width) - std::fmax(found.x, truth.x);
    const double h =
        std::fmin(found.y + found.height, truth.y + truth.height) - std::fmax(found.y, truth.y);
    if (w <= 0 || h <= 0)
        return 0;
    const double both = w * h;
    return both / (crowd ? found.area() : found.area() + truth.area() - both);
}

CocoScores cocoScores(const AnnotatedSet& truth, std::span<const Detection> found, Overlap overlap,
                      CategoryPrecision* byCategory)
{
    const ByCategory categories = sortOut(truth, found, overlap);
    Means means;
    if (byCategory)
        byCategory->clear();
    for (const CategoryObjects& category : categories) {
        const double ap = addCategory(category, overlap, means);
        if (byCategory)
            byCategory->push_back(ap);
    }
    CocoScores s;
    s.ap = means.overall(0);
    s.ap50 = means.precision[0][0].get();
    s.ap75 = means.precision[0][5].get();
    s.apSmall = means.overall(1);
    s.apMedium = means.overall(2);
    s.apLarge = means.overall(3);
    s.ar1 = means.recall[0][0].get();
    s.ar10 = means.recall[0][1].get();
    s.ar100 = means.recall[0][2].get();
    s.arSmall = means.recall[1][2].get();
    s.arMedium = means.recall[2][2].get();
    s.arLarge = means.recall[3][2].get();
    return s;
}

} // namespace scalebench::detection
