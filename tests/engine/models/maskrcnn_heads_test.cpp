// SPDX-License-Identifier: GPL-3.0-or-later
// The heads of Mask R-CNN against torchvision (fixtures/make_maskrcnn.py): losses with their
// gradients, mask targets, found boxes, pasted masks.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/detection/mask_paste.h"
#include "engine/models/maskrcnn/box_head.h"
#include "engine/models/maskrcnn/find_boxes.h"
#include "engine/models/maskrcnn/mask_head.h"
#include "engine/models/maskrcnn/mask_targets.h"
#include "kernels/check.h"
#include "tests/engine/models/maskrcnn_fixture.h"

using namespace scalebench;
using namespace scalebench::tests;

namespace {

detection::RunLengthMask leftRight(const detection::RunLengthMask& mask)
{
    std::vector<uint8_t> pixels = detection::decodeMask(mask);
    for (auto row = pixels.begin(); row != pixels.end(); row += mask.width)
        std::reverse(row, row + mask.width);
    return detection::encodeMask(pixels, mask.width, mask.height);
}

} // namespace

class MaskRcnnHeadsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void boxLossAsTorchvision()
    {
        const auto backend = makeCpuBackend();
        const MaskRcnnFixture f;
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
        const MaskRcnnFixture f;
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
        const MaskRcnnFixture f;
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
        const MaskRcnnFixture f;
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
        const MaskRcnnFixture f;
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
        const MaskRcnnFixture f;
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
};

QTEST_APPLESS_MAIN(MaskRcnnHeadsTest)
#include "maskrcnn_heads_test.moc"
