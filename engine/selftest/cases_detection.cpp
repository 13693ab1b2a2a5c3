// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "engine/selftest/gradient_case.h"
#include "kernels/check.h"
#include "kernels/ref/detection.h"

namespace scalebench::selftest {
namespace {

namespace ref = kernels::ref;
using Indices = std::vector<std::int32_t>;

// --- ROIAlign ---

struct RoiCase {
    const char* name;
    std::vector<Shape> levels;
    std::vector<float> scales;
    std::int64_t rois, outH, outW;
    int samplingRatio;
    bool aligned;
};

/// Regions over an image and a little beyond, some thin, one turned inside out; coordinates are
/// exact in fp32. The same on every call.
Values regions(const RoiCase& c)
{
    const double height = double(c.levels[0][1]) / double(c.scales[0]);
    const double width = double(c.levels[0][2]) / double(c.scales[0]);
    std::uint64_t state = 12345;
    auto random = [&](double from, double to) {
        state = state * 6364136223846793005ull + 1442695040888963407ull;
        const double u = double(state >> 40) / double(1 << 24);
        return std::floor((from + (to - from) * u) * 8.0) / 8.0 + 0.03125;
    };
    Values rois;
    for (std::int64_t r = 0; r < c.rois; ++r) {
        const double x = random(-0.05 * width, 0.9 * width), y = random(-0.05 * height, height);
        const double w = r % 5 == 3 ? 1.5 : random(0.02 * width, 0.6 * width);
        const double h = r % 7 == 4 ? 0.5 : random(0.02 * height, 0.6 * height);
        rois.insert(rois.end(),
                    {double(r % c.levels[0][0]), x, y, r == 5 ? x - 3.0 : x + w, y + h});
    }
    return rois;
}

Indices levelsOf(const RoiCase& c)
{
    Indices levels;
    for (std::int64_t r = 0; r < c.rois; ++r)
        levels.push_back(std::int32_t(r * 7 % std::int64_t(c.levels.size())));
    return levels;
}

RoiAlignParams paramsOf(const RoiCase& c, std::size_t level)
{
    RoiAlignParams p;
    const Shape& s = c.levels[level];
    p.N = s[0], p.H = s[1], p.W = s[2], p.C = s[3];
    p.rois = c.rois, p.outH = c.outH, p.outW = c.outW;
    p.spatialScale = c.scales[level];
    p.samplingRatio = c.samplingRatio;
    p.aligned = c.aligned;
    p.level = std::int32_t(level);
    return p;
}

void addRoiCase(CaseList& list, const RoiCase& c)
{
    GradientCase g;
    g.family = "detection";
    g.name = "roi align " + std::string(c.name) + " " + toString(c.levels[0]) + " " +
             std::to_string(c.rois) + " regions " + std::to_string(c.outH) + "x" +
             std::to_string(c.outW) + (c.aligned ? " aligned" : "");
    for (std::size_t i = 0; i < c.levels.size(); ++i)
        g.operands.push_back(activation("level " + std::to_string(i), c.levels[i]));
    g.forward = [c](const OperandSet& o) {
        const Values numbers = regions(c);
        const Tensor rois = constantTensor(o.tape.backend(), {c.rois, 5},
                                           std::vector<float>(numbers.begin(), numbers.end()));
        const Tensor levelOf = constantTensor(o.tape.backend(), {c.rois}, levelsOf(c));
        std::vector<autograd::RoiLevel> pyramid;
        for (std::size_t i = 0; i < c.levels.size(); ++i)
            pyramid.push_back({o.x(i), c.scales[i]});
        RoiAlignArgs args;
        args.outH = c.outH, args.outW = c.outW;
        args.samplingRatio = c.samplingRatio;
        args.aligned = c.aligned;
        return std::vector<Variable>{autograd::roiAlign(o.tape, args, pyramid, rois, levelOf)};
    };
    g.reference = [c](const std::vector<Values>& in) {
        Values y;
        for (std::size_t i = 0; i < in.size(); ++i) {
            const Values part =
                ref::roiAlignForward(paramsOf(c, i), in[i], regions(c), levelsOf(c));
            y.resize(part.size());
            for (std::size_t k = 0; k < part.size(); ++k)
                y[k] += part[k];
        }
        return std::vector<Values>{y};
    };
    g.elements = 4;
    g.directions = 1;
    // A sample's place in fp32: half a unit in the last place of a coordinate near 300 moves the
    // weights of its four pixels by 1.5e-5.
    g.looser = 4.0;
    addGradientCase(list, g);
}

void addRoiCases(CaseList& list)
{
    // Mask R-CNN's four levels for an image of 400x672 (half its size) and an eighth of
    // its channels, as the reference is slow; then all channels on one level.
    addRoiCase(list, {"mask r-cnn box head, P2 to P5",
                      {{2, 100, 168, 32}, {2, 50, 84, 32}, {2, 25, 42, 32}, {2, 13, 21, 32}},
                      {0.25f, 0.125f, 0.0625f, 0.03125f},
                      16,
                      7,
                      7,
                      2,
                      false});
    addRoiCase(list,
               {"mask r-cnn mask head P5", {{1, 25, 42, 256}}, {0.03125f}, 4, 14, 14, 2, false});
    addRoiCase(list, {"as detectron2", {{2, 20, 30, 40}}, {0.0625f}, 9, 7, 7, 2, true});
    addRoiCase(list, {"adaptive samples", {{1, 33, 47, 5}}, {0.125f}, 12, 3, 5, 0, true});
    addRoiCase(list, {"adaptive samples", {{3, 16, 9, 3}}, {0.5f}, 10, 2, 2, 0, false});
    addRoiCase(list, {"one of everything", {{1, 1, 1, 1}}, {1.0f}, 1, 1, 1, 1, false});
    addRoiCase(list, {"odd channels", {{1, 7, 5, 301}}, {1.0f}, 3, 3, 2, 3, false});
    addRoiCase(list, {"no regions", {{1, 8, 8, 4}}, {1.0f}, 0, 7, 7, 2, false});
}

// --- boxes ---

/// Anchors on a grid, corners on whole pixels: areas and intersections are exact in fp32, so that
/// overlaps order and tie as in double.
void addAnchors(Values& anchors, std::int64_t cells, double stride,
                const std::vector<double>& sizes, const std::vector<double>& ratios)
{
    for (std::int64_t i = 0; i < cells; ++i)
        for (std::int64_t j = 0; j < cells; ++j)
            for (double size : sizes)
                for (double ratio : ratios) {
                    const double w = std::max(1.0, std::round(size / std::sqrt(ratio) / 2.0));
                    const double h = std::max(1.0, std::round(size * std::sqrt(ratio) / 2.0));
                    const double x = std::round((double(j) + 0.5) * stride);
                    const double y = std::round((double(i) + 0.5) * stride);
                    anchors.insert(anchors.end(), {x - w, y - h, x + w, y + h});
                }
}

Values ssdBoxes()
{
    Values a;
    const std::int64_t cells[] = {38, 19, 10, 5, 3, 1};
    const double sizes[] = {21, 45, 99, 153, 207, 261};
    for (int i = 0; i < 6; ++i) {
        const bool six = i > 0 && i < 4;
        addAnchors(a, cells[i], 300.0 / double(cells[i]), {sizes[i]},
                   six ? std::vector<double>{1, 0.9, 2, 0.5, 3, 0.33}
                       : std::vector<double>{1, 0.9, 2, 0.5});
    }
    return a;
}

Values retinaAnchors()
{
    Values a;
    const std::int64_t cells[] = {100, 50, 25, 13, 7};
    for (int i = 0; i < 5; ++i) {
        const double size = std::ldexp(32.0, i);
        addAnchors(a, cells[i], std::ldexp(8.0, i), {size, size * 1.26, size * 1.587},
                   {0.5, 1.0, 2.0});
    }
    return a;
}

/// Boxes with an area on whole pixels in an image of `size`.
Values randomBoxes(Checker& check, std::int64_t n, std::int32_t size)
{
    Values boxes;
    for (std::int64_t i = 0; i < n; ++i) {
        const Indices at = check.randomIntegers(2, 0, size * 3 / 4);
        const Indices extent = check.randomIntegers(2, 4, size / 2);
        boxes.insert(boxes.end(), {double(at[0]), double(at[1]), double(at[0] + extent[0]),
                                   double(at[1] + extent[1])});
    }
    return boxes;
}

std::int64_t count(const Values& boxes)
{
    return std::int64_t(boxes.size()) / 4;
}

Tensor boxTensor(Checker& check, const Values& boxes)
{
    return check.tensor({count(boxes), 4}, boxes, DType::F32);
}

void addCheck(CaseList& list, const std::string& name, std::function<void(Checker&)> run)
{
    list.push_back({"detection", name, DType::F32, std::move(run)});
}

void checkCoding(Checker& check, const Values& anchors, std::int64_t classes,
                 const BoxCodingParams& p)
{
    DetectionOps& ops = check.backend().detection();
    Values boxes = anchors;
    for (double& b : boxes)
        b += std::floor(check.uniform() * 4.0) / 8.0;
    const Tensor a = boxTensor(check, anchors);
    check.compareValues("deltas", ops.boxEncode(p, a, boxTensor(check, boxes)),
                        ref::boxEncode(p, anchors, boxes));
    Values deltas = check.random(count(anchors) * classes * 4);
    if (!deltas.empty())
        deltas[2] = 1e3; // cut, unless nothing is
    const Tensor decoded =
        ops.boxDecode(p, a, check.tensor({count(anchors), classes, 4}, deltas, DType::F32));
    Values expected = ref::boxDecode(p, classes, anchors, deltas);
    Values actual = check.values(decoded);
    if (std::isinf(p.maxLogScale) && !expected.empty())
        for (std::size_t i : {0, 2}) { // exp(200) in fp32
            check.require(std::isinf(actual[i]), "a size that is not cut must overflow");
            actual[i] = expected[i] = 0.0;
        }
    check.compare("boxes", actual, expected, tolerance(DType::F32).value);
}

void addCodingCases(CaseList& list)
{
    BoxCodingParams head, ssd;
    const float weights[] = {10.0f, 10.0f, 5.0f, 5.0f};
    std::copy_n(weights, 4, head.weights);
    ssd = head;
    ssd.maxLogScale = std::numeric_limits<float>::infinity();
    addCheck(list, "box coding mask r-cnn head [512,81,4]",
             [head](Checker& c) { checkCoding(c, randomBoxes(c, 512, 800), 81, head); });
    addCheck(list, "box coding retinanet [120087,4]",
             [](Checker& c) { checkCoding(c, retinaAnchors(), 1, {}); });
    addCheck(list, "box coding ssd [8732,4]", [](Checker& c) {
        checkCoding(c, ssdBoxes(), 1, {{10, 10, 5, 5}});
    });
    addCheck(list, "box coding without a cut [3,4]", [ssd](Checker& c) {
        checkCoding(c, {0, 0, 8, 8, 4, 4, 6, 20, 1, 2, 3, 4}, 1, ssd);
    });
    addCheck(list, "box coding [1,4]", [](Checker& c) { checkCoding(c, {1, 2, 4, 8}, 1, {}); });
    addCheck(list, "box coding [0,4]", [](Checker& c) { checkCoding(c, {}, 3, {}); });
    addCheck(list, "clip boxes [37,4]", [](Checker& c) {
        Values boxes = randomBoxes(c, 37, 100);
        for (double& b : boxes)
            b = b * 1.5 - 20.0;
        const Tensor t = boxTensor(c, boxes);
        c.backend().detection().clipBoxes(t, 90.0f, 70.0f);
        for (std::size_t i = 0; i < boxes.size(); ++i)
            boxes[i] = std::clamp(boxes[i], 0.0, i % 2 == 0 ? 90.0 : 70.0);
        c.compareValues("boxes", t, boxes);
    });
}

void checkMatch(Checker& check, const MatchParams& p, const Values& boxes, const Values& anchors)
{
    DetectionOps& ops = check.backend().detection();
    const Indices match =
        check.integers(ops.matchBoxes(p, boxTensor(check, boxes), boxTensor(check, anchors)));
    check.compareExactly("match", match, ref::matchBoxes(p, boxes, anchors));
}

void addMatchCases(CaseList& list)
{
    const MatchParams retina{0.5f, 0.4f, BestMatch::Restore}, rpn{0.7f, 0.3f, BestMatch::Restore};
    const MatchParams ssd{0.5f, 0.5f, BestMatch::Force}, head{0.5f, 0.5f, BestMatch::None};
    for (std::int64_t g : {0, 1, 15}) {
        const std::string boxes = std::to_string(g) + " boxes";
        addCheck(list, "match retinanet 120087 anchors, " + boxes, [=](Checker& c) {
            checkMatch(c, retina, randomBoxes(c, g, 800), retinaAnchors());
        });
        addCheck(list, "match ssd 8732 anchors, " + boxes,
                 [=](Checker& c) { checkMatch(c, ssd, randomBoxes(c, g, 300), ssdBoxes()); });
    }
    addCheck(list, "match mask r-cnn rpn 16500 anchors, 40 boxes", [=](Checker& c) {
        Values anchors;
        addAnchors(anchors, 50, 16.0, {128.0, 256.0}, {0.5, 1.0, 2.0});
        addAnchors(anchors, 25, 32.0, {256.0, 512.0}, {0.5, 1.0});
        checkMatch(c, rpn, randomBoxes(c, 40, 800), anchors);
    });
    addCheck(list, "match mask r-cnn head 1000 proposals, 7 boxes", [=](Checker& c) {
        Values proposals = randomBoxes(c, 1000, 800);
        const Values boxes = randomBoxes(c, 7, 800);
        std::copy(boxes.begin(), boxes.end(), proposals.begin()); // the true boxes are among them
        checkMatch(c, head, boxes, proposals);
    });
    addCheck(list, "match 1 anchor, 1 box", [=](Checker& c) {
        checkMatch(c, retina, {0, 0, 4, 4}, {2, 2, 6, 6}); // low, restored
        checkMatch(c, head, {0, 0, 4, 4}, {2, 2, 6, 6});
        checkMatch(c, ssd, {0, 0, 4, 4, 0, 0, 4, 5}, {0, 0, 4, 4}); // both want it: the last wins
    });
    addCheck(list, "match 0 anchors, 3 boxes",
             [=](Checker& c) { checkMatch(c, rpn, randomBoxes(c, 3, 50), {}); });
    for (auto [na, nb] : {std::pair{100, 8732}, std::pair{1, 1}, std::pair{0, 5}, std::pair{33, 7}})
        addCheck(list, "box overlaps [" + std::to_string(na) + "," + std::to_string(nb) + "]",
                 [na = na, nb = nb](Checker& c) {
                     Values a = randomBoxes(c, na, 300);
                     const Values b = randomBoxes(c, nb, 300);
                     if (na > 1)
                         a[2] = a[0]; // no area
                     const Tensor iou =
                         c.backend().detection().boxIou(boxTensor(c, a), boxTensor(c, b));
                     c.require(iou.shape() == Shape({na, nb}), "shape " + iou.describe());
                     c.compareValues("overlaps", iou, ref::boxIou(a, b));
                 });
}

// --- suppression ---

/// Scores of a few hundred values only: there are ties.
void checkNms(Checker& check, const NmsParams& p, std::int64_t n, std::int32_t groups)
{
    const Values boxes = randomBoxes(check, n, 200);
    Values scores;
    for (std::int32_t s : check.randomIntegers(n, 0, 300))
        scores.push_back(double(s) / 256.0);
    const Indices group = groups > 0 ? check.randomIntegers(n, 0, groups) : Indices();
    const Tensor keep = check.backend().detection().nms(
        p, boxTensor(check, boxes), check.tensor({n}, scores, DType::F32),
        groups > 0 ? check.tensor({n}, group) : Tensor());
    check.compareExactly("kept", check.integers(keep), ref::nms(p, boxes, scores, group));
}

void addNmsCases(CaseList& list)
{
    addCheck(list, "nms mask r-cnn proposals 2000, 5 levels, best 1000", [](Checker& c) {
        checkNms(c, {0.7f, 1000}, 2000, 5);
    });
    addCheck(list, "nms mask r-cnn detections 1500, 80 classes, best 100", [](Checker& c) {
        checkNms(c, {0.5f, 100}, 1500, 80);
    });
    addCheck(list, "nms ssd 1200, best 200", [](Checker& c) { checkNms(c, {0.5f, 200}, 1200, 0); });
    addCheck(list, "nms retinanet 3000, 264 classes", [](Checker& c) {
        checkNms(c, {0.5f, 300}, 3000, 264);
    });
    for (std::int64_t n : {0, 1, 17})
        addCheck(list, "nms " + std::to_string(n) + " boxes", [n](Checker& c) {
            checkNms(c, {0.3f, -1}, n, 0);
        });
    addCheck(list, "nms equal boxes and scores, NaN last", [](Checker& c) {
        Values boxes, scores(40, 0.5);
        for (int i = 0; i < 40; ++i)
            boxes.insert(boxes.end(), {0, 0, 10, 10});
        scores[7] = std::numeric_limits<double>::quiet_NaN();
        scores[9] = 0.75;
        const Tensor b = boxTensor(c, boxes), s = c.tensor({40}, scores, DType::F32);
        DetectionOps& ops = c.backend().detection();
        c.compareExactly("one of equals", c.integers(ops.nms({0.5f, -1}, b, s, {})), {9});
        Indices apart, order{9};
        for (std::int32_t i = 0; i < 40; ++i) {
            apart.push_back(i);
            if (i != 7 && i != 9)
                order.push_back(i);
        }
        order.push_back(7);
        c.compareExactly("ties", c.integers(ops.nms({0.5f, -1}, b, s, c.tensor({40}, apart))),
                         order);
    });
}

template <class E>
void requireThrows(Checker& check, const char* what, const std::function<void()>& call)
{
    try {
        call();
        check.require(false, std::string(what) + ": was accepted");
    } catch (const E& e) {
        check.require(std::string(e.what()).find('[') != std::string::npos,
                      std::string(what) + ": the error names no shape: " + e.what());
    }
}

void addRefusals(CaseList& list)
{
    addCheck(list, "refuses what does not fit", [](Checker& c) {
        DetectionOps& ops = c.backend().detection();
        const Tensor boxes = boxTensor(c, {0, 0, 1, 1, 1, 1, 2, 2});
        const Tensor integerMap = c.tensor({1, 1, 1, 2}, Indices{1, 2});
        const Tensor map = c.tensor({1, 2, 2, 1}, Values{1, 2, 3, 4}, DType::F32);
        const Tensor rois = c.tensor({1, 5}, Values{1, 0, 0, 1, 1}, DType::F32); // image 1 of 1
        const Tensor out = c.tensor({1, 7, 7, 1}, Values(49), DType::F32);
        requireThrows<Unsupported>(c, "integer features",
                                   [&] { ops.roiAlignForward({}, integerMap, rois, {}, out); });
        requireThrows<InvalidArgument>(c, "anchors of another number", [&] {
            ops.boxEncode({}, boxes, boxTensor(c, {0, 0, 1, 1}));
        });
        requireThrows<InvalidArgument>(c, "scores of another number", [&] {
            ops.nms({}, boxes, c.tensor({3}, Values(3), DType::F32), {});
        });
        bool refused = false;
        try {
            ops.roiAlignForward({}, map, rois, {}, out);
            c.backend().synchronize(); // a device tells of it when it is waited for
        } catch (const InvalidArgument&) {
            refused = true;
        }
        c.require(refused, "a region of an image that does not exist was accepted");
    });
}

} // namespace

void addDetectionCases(CaseList& list)
{
    addRoiCases(list);
    addCodingCases(list);
    addMatchCases(list);
    addNmsCases(list);
    addRefusals(list);
}

} // namespace scalebench::selftest
