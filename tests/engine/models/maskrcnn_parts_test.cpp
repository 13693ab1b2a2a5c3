// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of Mask R-CNN against torchvision (fixtures/make_maskrcnn.py): proposals, samples,
// losses with their gradients, found boxes, mask targets, pasted masks.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "engine/detection/mask_paste.h"
#include "engine/models/maskrcnn/box_head.h"
#include "engine/models/maskrcnn/find_boxes.h"
#include "engine/models/maskrcnn/mask_head.h"
#include "engine/models/maskrcnn/mask_targets.h"
#include "engine/models/maskrcnn/region_proposals.h"
#include "engine/models/maskrcnn/region_sampling.h"
#include "engine/models/maskrcnn/rows.h"
#include "kernels/boxes.h"
#include "kernels/check.h"
#include "tests/engine/models/fixture_rows.h"

using namespace scalebench;

namespace {

constexpr int kWidth = 60, kHeight = 44, kClasses = 4, kMaskEdge = 8;

double largestDifference(std::span<const float> a, std::span<const float> b)
{
    double worst = a.size() == b.size() ? 0 : 1e9;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        worst = std::max(worst, std::abs(double(a[i]) - double(b[i])));
    return worst;
}

Variable watched(Tape& tape, const std::vector<float>& values, const Shape& shape, Tensor& seen)
{
    Backend& backend = tape.backend();
    return tape.record("watched", uploaded(backend, values, shape), true,
                       [&backend, &seen](std::vector<Tensor> grads) {
                           seen = backend.elementwise().sum(std::move(grads));
                       });
}

detection::RunLengthMask leftRight(const detection::RunLengthMask& mask)
{
    std::vector<uint8_t> pixels = detection::decodeMask(mask);
    for (auto row = pixels.begin(); row != pixels.end(); row += mask.width)
        std::reverse(row, row + mask.width);
    return detection::encodeMask(pixels, mask.width, mask.height);
}

std::vector<float> twice(const std::vector<float>& values)
{
    std::vector<float> both = values;
    both.insert(both.end(), values.begin(), values.end());
    return both;
}

class Fixture
{
public:
    Fixture() : rows_(tests::readFixture("maskrcnn.txt"))
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
    tests::FixtureRows rows_;
    detection::AnnotatedPicture picture_;
};

std::vector<float> rowsOf(const std::vector<float>& values, const std::vector<std::size_t>& order,
                          std::size_t width)
{
    std::vector<float> out;
    for (const std::size_t row : order)
        out.insert(out.end(), values.begin() + std::ptrdiff_t(row * width),
                   values.begin() + std::ptrdiff_t((row + 1) * width));
    return out;
}

RegionProposals proposalNetwork(ParameterSet& parameters, int samples)
{
    RegionProposalConfig config;
    config.anchors.levels = {{8, {12}}, {16, {24}}, {32, {48}}};
    config.samples = samples;
    return {parameters, "rpn", 4, config};
}

RegionProposals::Output proposalOutput(Tape& tape, const Fixture& f, int64_t pictures,
                                       Tensor& gradScores, Tensor& gradDeltas)
{
    const auto many = [&](const char* name) {
        return pictures == 2 ? twice(f.at(name)) : f.at(name);
    };
    RegionProposals::Output out;
    out.anchors = f.at("anchors");
    out.anchorsByLevel = f.counts();
    const auto anchors = int64_t(out.anchors.size() / 4);
    out.scores = watched(tape, many("scores"), {pictures, anchors}, gradScores);
    out.deltas = watched(tape, many("deltas"), {pictures, anchors, 4}, gradDeltas);
    return out;
}

} // namespace

class MaskRcnnPartsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void proposesAsTorchvision()
    {
        const Fixture f;
        const std::vector<int64_t> counts = f.counts();
        const std::vector<float> boxes =
            proposeBoxes(f.outputs(counts), kWidth, kHeight, {40, 25, 0.7, 1e-3});
        QVERIFY(largestDifference(boxes, f.at("proposals")) < 1e-4);
        // Fewer are the best of them.
        const std::vector<float> fewer =
            proposeBoxes(f.outputs(counts), kWidth, kHeight, {40, 5, 0.7, 1e-3});
        QCOMPARE(fewer.size(), size_t{20});
        QVERIFY(std::equal(fewer.begin(), fewer.end(), boxes.begin()));
    }

    /// A network that diverged ends the run elsewhere, with its loss; here nothing breaks.
    void survivesNumbersThatAreNone()
    {
        const Fixture f;
        const std::vector<int64_t> counts = f.counts();
        std::vector<float> nothing(f.at("deltas").size(), std::nanf(""));
        QVERIFY(
            proposeBoxes({f.at("anchors"), f.at("scores"), nothing, counts}, kWidth, kHeight, {})
                .empty());
        nothing.resize(counts.empty() ? 0 : f.at("scores").size());
        const AnchorOutputs outputs{f.at("anchors"), nothing, f.at("deltas"), counts};
        QVERIFY(!proposeBoxes(outputs, kWidth, kHeight, {}).empty());
    }

    void drawsWithoutRepetition()
    {
        std::vector<int32_t> match(1000, kBackground);
        for (std::size_t i = 0; i < 100; ++i)
            match[10 * i] = int32_t(i % 3), match[10 * i + 1] = kIgnored;
        data::HashRandom random({3, 1}), same({3, 1}), other({4, 1});
        const RegionSample sample = drawRegions(match, 128, 0.5, random);
        QCOMPARE(sample.positives.size(), size_t{64});
        QCOMPARE(sample.negatives.size(), size_t{64});
        QCOMPARE(std::set(sample.negatives.begin(), sample.negatives.end()).size(), size_t{64});
        for (const int32_t i : sample.positives)
            QVERIFY(match[std::size_t(i)] >= 0);
        for (const int32_t i : sample.negatives)
            QCOMPARE(match[std::size_t(i)], kBackground);
        QCOMPARE(drawRegions(match, 128, 0.5, same).negatives, sample.negatives);
        QVERIFY(drawRegions(match, 128, 0.5, other).negatives != sample.negatives);
        // Too few of either: all that there are.
        QCOMPARE(drawRegions(match, 400, 0.5, random).positives.size(), size_t{100});
        QCOMPARE(drawRegions(match, 400, 0.5, random).negatives.size(), size_t{300});
        QCOMPARE(drawRegions(match, 4000, 0.5, random).count(), 900);
        QCOMPARE(drawRegions({}, 256, 0.5, random).count(), 0);
    }

    void drawsEverySampleAlike()
    {
        const std::vector<int32_t> match(20, kBackground);
        std::vector<int> times(20, 0);
        for (uint64_t key = 0; key < 4000; ++key) {
            data::HashRandom random({key});
            for (const int32_t i : drawRegions(match, 5, 0.5, random).negatives)
                ++times[std::size_t(i)];
        }
        for (const int n : times) // 1000 each, deviation 27
            QVERIFY2(std::abs(n - 1000) < 140, qPrintable(QString::number(n)));
    }

    void proposalLossAsTorchvision_data()
    {
        QTest::addColumn<int>("pictures");
        QTest::newRow("one picture") << 1;
        QTest::newRow("the same twice") << 2;
    }

    void proposalLossAsTorchvision()
    {
        QFETCH(int, pictures);
        const auto backend = makeCpuBackend();
        const Fixture f;
        ParameterSet parameters;
        const RegionProposals network = proposalNetwork(parameters, 100000);
        Tape tape(*backend);
        Tensor gradScores, gradDeltas;
        const RegionProposals::Output out =
            proposalOutput(tape, f, pictures, gradScores, gradDeltas);
        LossTotal losses(tape);
        network.addLoss(losses, tape, out,
                        std::vector<PictureNote>(std::size_t(pictures), f.note()), 1.0f);
        const LossResult result = losses.result();
        const float expected = f.at("rpn_losses")[0] + f.at("rpn_losses")[1];
        QVERIFY(std::abs(result.loss.value().f32()[0] / float(pictures) - expected) < 1e-5f);
        QVERIFY(std::abs(result.sums.get().lossSum / pictures - double(expected)) < 1e-5);
        tape.backward(result.loss);
        const auto expectedOf = [&](const char* name) {
            return pictures == 2 ? twice(f.at(name)) : f.at(name);
        };
        QVERIFY(largestDifference(gradScores.f32(), expectedOf("grad_scores")) < 1e-6);
        QVERIFY(largestDifference(gradDeltas.f32(), expectedOf("grad_deltas")) < 1e-6);
    }

    /// A picture without objects still says that there is none, and asks nothing of the boxes.
    void picturesWithoutObjectsCount()
    {
        const auto backend = makeCpuBackend();
        const Fixture f;
        ParameterSet parameters;
        const RegionProposals network = proposalNetwork(parameters, 64);
        Tape tape(*backend);
        Tensor gradScores, gradDeltas;
        const RegionProposals::Output out = proposalOutput(tape, f, 1, gradScores, gradDeltas);
        LossTotal losses(tape);
        PictureNote empty = f.note();
        empty.corners.clear(), empty.categories.clear(), empty.objects.clear();
        network.addLoss(losses, tape, out, {empty}, 1.0f);
        const LossResult result = losses.result();
        QVERIFY(result.loss.value().f32()[0] > 0.1f);
        tape.backward(result.loss);
        QCOMPARE(std::ranges::count_if(gradScores.f32(), [](float g) { return g > 0; }), 64);
        QVERIFY(std::ranges::all_of(gradDeltas.f32(), [](float g) { return g == 0; }));
    }

    void regionsAsTorchvision()
    {
        const Fixture f;
        const RoiSample sample = f.allRegions();
        const std::vector<std::size_t> order = f.order(sample);
        QCOMPARE(order.size(), f.at("region_labels").size());
        QCOMPARE(std::set(order.begin(), order.end()).size(), order.size());
        for (std::size_t i = 0; i < order.size(); ++i)
            QCOMPARE(float(sample.labels[i]), f.at("region_labels")[order[i]]);
        // Drawn: a quarter positive where there are as many, and the key decides.
        const RoiSample drawn = sampleRegions(f.note(), f.at("roi_proposals"), {16, 0.25, 0.5});
        QCOMPARE(drawn.count(), 16);
        QCOMPARE(drawn.positives(), 4);
        PictureNote other = f.note();
        other.randomKey = 6;
        QVERIFY(sampleRegions(other, f.at("roi_proposals"), {16, 0.25, 0.5}).boxes != drawn.boxes);
    }

    void boxLossAsTorchvision()
    {
        const auto backend = makeCpuBackend();
        const Fixture f;
        ParameterSet parameters;
        const BoxHead head(parameters, "box", 4, kClasses, {7, 8});
        const RoiSample sample = f.allRegions();
        const std::vector<std::size_t> order = f.order(sample);
        const auto n = int64_t(order.size());
        Tape tape(*backend);
        Tensor gradLogits, gradMoves;
        BoxHead::Output out;
        out.scores = watched(tape, twice(rowsOf(f.at("logits"), order, kClasses)),
                             {2 * n, kClasses}, gradLogits);
        out.deltas = watched(tape, twice(rowsOf(f.at("moves"), order, 4 * kClasses)),
                             {2 * n, kClasses, 4}, gradMoves);
        LossTotal losses(tape);
        head.addLoss(losses, tape, out, {sample, sample}, 0.5f);
        const LossResult result = losses.result();
        const float expected = f.at("box_losses")[0] + f.at("box_losses")[1];
        QVERIFY(std::abs(result.loss.value().f32()[0] - expected) < 1e-5f);
        QVERIFY(std::abs(result.sums.get().lossSum - 2 * double(expected)) < 1e-5);
        QCOMPARE(result.sums.get().counted, 2 * n);
        tape.backward(result.loss);
        for (int half = 0; half < 2; ++half) {
            const auto part = [&](const Tensor& all) {
                return all.f32().subspan(std::size_t(half * all.count() / 2),
                                         std::size_t(all.count() / 2));
            };
            std::vector<float> logits = rowsOf(f.at("grad_logits"), order, kClasses);
            std::vector<float> moves = rowsOf(f.at("grad_moves"), order, 4 * kClasses);
            for (std::vector<float>* gradient : {&logits, &moves})
                for (float& g : *gradient)
                    g *= 0.5f;
            QVERIFY(largestDifference(part(gradLogits), logits) < 1e-6);
            QVERIFY(largestDifference(part(gradMoves), moves) < 1e-6);
        }
    }

    void maskTargetsAsTorchvision()
    {
        const Fixture f;
        const RoiSample sample = f.allRegions();
        const std::vector<std::size_t> order = f.order(sample);
        const std::size_t pixels = kMaskEdge * kMaskEdge;
        std::vector<std::size_t> positives; // of torchvision's rows
        for (std::size_t k = 0; k < f.at("region_labels").size(); ++k)
            if (f.at("region_labels")[k] > 0)
                positives.push_back(k);
        QCOMPARE(int64_t(positives.size()), sample.positives());
        PictureNote mirrored = f.note(), storedMirrored = f.note();
        mirrored.mirrored = true;
        detection::AnnotatedPicture picture = *mirrored.stored;
        for (detection::AnnotatedObject& object : picture.objects)
            object.mask = leftRight(object.mask);
        storedMirrored.stored = &picture;
        bool anyOther = false;
        for (std::size_t i = 0; i < sample.objects.size(); ++i) {
            const std::span<const float> box = std::span(sample.boxes).subspan(4 * i, 4);
            std::vector<float> mask(pixels), other(pixels);
            maskTargets(f.note(), sample.objects[i], box, kMaskEdge, mask);
            const auto row =
                std::size_t(std::ranges::find(positives, order[i]) - positives.begin());
            QVERIFY(largestDifference(
                        mask, std::span(f.at("mask_targets")).subspan(row * pixels, pixels)) <
                    1e-5);
            const std::vector<float> straight = mask;
            // A mirrored picture is one that was stored mirrored.
            maskTargets(mirrored, sample.objects[i], box, kMaskEdge, mask);
            maskTargets(storedMirrored, sample.objects[i], box, kMaskEdge, other);
            QCOMPARE(mask, other);
            anyOther = anyOther || mask != straight;
        }
        QVERIFY(anyOther);
    }

    void objectsWithoutMaskAreNamed()
    {
        const Fixture f;
        PictureNote note = f.note();
        detection::AnnotatedPicture picture = *note.stored;
        picture.objects[1].mask = {};
        note.stored = &picture;
        std::vector<float> mask(kMaskEdge * kMaskEdge);
        const float box[] = {1, 2, 30, 40};
        maskTargets(note, 0, box, kMaskEdge, mask);
        QVERIFY_EXCEPTION_THROWN(maskTargets(note, 1, box, kMaskEdge, mask), InvalidArgument);
    }

    void maskLossAsTorchvision()
    {
        const auto backend = makeCpuBackend();
        const Fixture f;
        ParameterSet parameters;
        const MaskHead head(parameters, "mask", 4, kClasses, {kMaskEdge / 2, 4, 1});
        const RoiSample sample = f.allRegions();
        const std::vector<std::size_t> order = f.order(sample);
        std::vector<std::size_t> rows; // of torchvision's positives, for each of ours
        for (std::size_t i = 0; i < sample.objects.size(); ++i)
            rows.push_back(
                std::size_t(std::count_if(f.at("region_labels").begin(),
                                          f.at("region_labels").begin() + std::ptrdiff_t(order[i]),
                                          [](float label) { return label > 0; })));
        const std::size_t each = kMaskEdge * kMaskEdge * kClasses;
        Tape tape(*backend);
        Tensor gradient;
        const Variable cells =
            watched(tape, rowsOf(f.at("cells"), rows, each),
                    {int64_t(rows.size()), kMaskEdge, kMaskEdge, kClasses}, gradient);
        LossTotal losses(tape);
        head.addLoss(losses, tape, cells, {sample}, {f.note()}, 1.0f);
        const LossResult result = losses.result();
        QVERIFY(std::abs(result.loss.value().f32()[0] - f.at("mask_loss")[0]) < 1e-5f);
        tape.backward(result.loss);
        QVERIFY(largestDifference(gradient.f32(), rowsOf(f.at("grad_cells"), rows, each)) < 1e-6);

        // The mask that is shown is that of the category that was found.
        std::vector<int32_t> categories(rows.size());
        for (std::size_t i = 0; i < categories.size(); ++i)
            categories[i] = int32_t(i % 3);
        const std::vector<float> shown =
            head.probabilities(*backend, Variable(cells.value()), categories);
        const std::size_t pixels = kMaskEdge * kMaskEdge;
        QCOMPARE(shown.size(), rows.size() * pixels);
        for (std::size_t i = 0; i < shown.size(); ++i) {
            const auto channel = std::size_t(categories[i / pixels]) + 1;
            const float z = cells.value().f32()[i * kClasses + channel];
            QVERIFY(std::abs(shown[i] - 1 / (1 + std::exp(-z))) < 1e-6f);
        }
    }

    void findsAsTorchvision()
    {
        const Fixture f;
        DetectOptions options;
        options.detections = 12;
        const std::vector<FoundObject> found =
            findBoxes(f.at("regions"), f.at("logits"), f.at("moves"), kWidth, kHeight, options);
        QCOMPARE(found.size(), f.at("found_scores").size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            QVERIFY(std::abs(found[i].score - f.at("found_scores")[i]) < 1e-5f);
            QCOMPARE(float(found[i].category), f.at("found_categories")[i]);
            QVERIFY(largestDifference({&found[i].x1, 4},
                                      std::span(f.at("found_boxes")).subspan(4 * i, 4)) < 1e-4);
        }
        QVERIFY(findBoxes({}, {}, {}, kWidth, kHeight, options).empty());
    }

    void pastesAsTorchvision()
    {
        const Fixture f;
        const std::size_t pixels = kMaskEdge * kMaskEdge;
        for (std::size_t i = 0; i < f.at("paste_boxes").size() / 4; ++i) {
            float corners[4];
            std::copy_n(f.at("paste_boxes").begin() + std::ptrdiff_t(4 * i), 4, corners);
            const detection::RunLengthMask mask =
                detection::pasteMask(std::span(f.at("paste_cells")).subspan(i * pixels, pixels),
                                     kMaskEdge, corners, kWidth, kHeight);
            const std::vector<float>& runs = f.at(("paste_runs" + std::to_string(i)).c_str());
            QVERIFY2(std::equal(runs.begin(), runs.end(), mask.runs.begin(), mask.runs.end(),
                                [](float a, uint32_t b) { return a == float(b); }),
                     qPrintable(QString::number(i)));
        }
        const float nowhere[] = {std::nanf(""), 0, 10, 10};
        const std::vector<float> full(pixels, 1.0f);
        QCOMPARE(
            detection::maskArea(detection::pasteMask(full, kMaskEdge, nowhere, kWidth, kHeight)),
            0);
        const float outside[] = {100, 100, 140, 130};
        QCOMPARE(
            detection::maskArea(detection::pasteMask(full, kMaskEdge, outside, kWidth, kHeight)),
            0);
        QVERIFY_EXCEPTION_THROWN(detection::pasteMask(full, 7, outside, kWidth, kHeight),
                                 InvalidArgument);
    }

    void levelsBySize()
    {
        const RoiLevels levels;
        const auto level = [&](float edge) {
            const float box[] = {10, 10, 10 + edge, 10 + edge};
            return levelOfRegion(levels, box);
        };
        QCOMPARE(level(224), 2);
        QCOMPARE(level(223), 1);
        QCOMPARE(level(112), 1);
        QCOMPARE(level(448), 3);
        QCOMPARE(level(2000), 3);
        QCOMPARE(level(3), 0);
        QCOMPARE(level(0), 0);
    }
};

QTEST_APPLESS_MAIN(MaskRcnnPartsTest)
#include "maskrcnn_parts_test.moc"
