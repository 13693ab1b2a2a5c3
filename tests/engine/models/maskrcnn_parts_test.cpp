// SPDX-License-Identifier: GPL-3.0-or-later
// What Mask R-CNN proposes and is trained on, against torchvision (fixtures/make_maskrcnn.py).

#include <QTest>

#include <algorithm>
#include <cmath>
#include <set>
#include <vector>

#include "engine/models/maskrcnn/region_proposals.h"
#include "engine/models/maskrcnn/region_sampling.h"
#include "engine/models/maskrcnn/roi_features.h"
#include "kernels/boxes.h"
#include "tests/engine/models/maskrcnn_fixture.h"

using namespace scalebench;
using namespace scalebench::tests;

namespace {

RegionProposals proposalNetwork(ParameterSet& parameters, int samples)
{
    RegionProposalConfig config;
    config.anchors.levels = {{8, {12}}, {16, {24}}, {32, {48}}};
    config.samples = samples;
    return {parameters, "rpn", 4, config};
}

RegionProposals::Output proposalOutput(Tape& tape, const MaskRcnnFixture& f, int64_t pictures,
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
        const MaskRcnnFixture f;
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
        const MaskRcnnFixture f;
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
        const MaskRcnnFixture f;
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
        const MaskRcnnFixture f;
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
        const MaskRcnnFixture f;
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
