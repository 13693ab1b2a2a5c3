// SPDX-License-Identifier: GPL-3.0-or-later
// What the self-test's cases of the detection kernels leave open: the same bits for any number of
// threads, and boxes that ran away.
#include <QTest>

#include <omp.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "kernels/boxes.h"
#include "kernels/op_test.h"
#include "kernels/roi_align.h"

using namespace scalebench;
using namespace scalebench::test;
namespace cpu = scalebench::kernels::cpu;

namespace {

/// Overlapping regions of two images, two levels.
struct Regions {
    explicit Regions(std::int64_t n)
    {
        const Values r = randomValues(std::size_t(n) * 4, 5);
        for (std::int64_t i = 0; i < n; ++i) {
            const float x = float(r[std::size_t(i * 4)]) * 20.0f + 20.0f;
            const float y = float(r[std::size_t(i * 4 + 1)]) * 20.0f + 20.0f;
            boxes.insert(boxes.end(),
                         {float(i % 2), x, y, x + 5.0f + 20.0f * float(r[std::size_t(i * 4 + 2)]),
                          y + 10.0f + 10.0f * float(r[std::size_t(i * 4 + 3)])});
            levels.push_back(std::int32_t(i % 3 == 0));
        }
    }
    std::vector<float> boxes;
    std::vector<std::int32_t> levels;
};

RoiAlignParams params(std::int64_t rois, DType dtype)
{
    RoiAlignParams p;
    p.N = 2, p.H = 23, p.W = 31, p.C = 150;
    p.rois = rois;
    p.spatialScale = 0.5f;
    p.dtype = dtype;
    return p;
}

} // namespace

class DetectionTest : public QObject
{
    Q_OBJECT
private slots:
    void cleanup() { omp_set_num_threads(1); }

    void roiAlignIsTheSameForAnyNumberOfThreads()
    {
        const Regions r(40);
        for (DType t : {DType::F32, DType::BF16}) {
            const RoiAlignParams p = params(40, t);
            const auto inputs = std::size_t(p.N * p.H * p.W * p.C);
            const auto outputs = std::size_t(p.rois * p.outH * p.outW * p.C);
            const Buffer x(t, randomValues(inputs, 1)), dy(t, randomValues(outputs, 2));
            const Buffer scratch(DType::F32, inputs);
            Values y[2], dx[2];
            for (int k = 0; k < 2; ++k) {
                omp_set_num_threads(1 + 2 * k);
                const Buffer out(t, Values(outputs)), grad(t, inputs);
                cpu::roiAlignForward(p, x.data(), r.boxes.data(), r.levels.data(), out.data());
                cpu::roiAlignBackward(p, dy.data(), r.boxes.data(), r.levels.data(), grad.data(),
                                      scratch.data());
                y[k] = out.values();
                dx[k] = grad.values();
            }
            QVERIFY(y[0] == y[1]);
            QVERIFY(dx[0] == dx[1]);
            // Rows of the other level are left alone: they still hold what was there.
            const auto row = std::size_t(p.outH * p.outW * p.C);
            for (std::size_t i = 0; i < row; ++i)
                QCOMPARE(y[0][i], 0.0); // region 0 is of level 1
            QVERIFY(std::abs(dot(y[0], dy.values()) - dot(x.values(), dx[0])) <
                    (t == DType::F32 ? 1e-3 : 3.0));
        }
    }

    void roiAlignFollowsTorchvision()
    {
        // torchvision 0.29.2, torch 2.15.0, roi_align in float64, sampling ratio 2: channel 0.
        const double expected[2][30] = {{0.146326904,
                                         -0.0399707031,
                                         0.112879639,
                                         -0.004375,
                                         -0.015625,
                                         -0.119317627,
                                         0.565,
                                         -0.053125,
                                         -0.145833333,
                                         -0.28,
                                         -0.164583333,
                                         0.395625,
                                         -0.257382813,
                                         0,
                                         -0.0625,
                                         0,
                                         0,
                                         0,
                                         -0.0566666667,
                                         0.0433333333,
                                         0.07,
                                         0.17,
                                         0.196666667,
                                         0.296666667,
                                         0.0883333333,
                                         0.188333333,
                                         0.405,
                                         0.505,
                                         0.427083333,
                                         0.527083333},
                                        {-0.138125,
                                         0.377966309,
                                         0.275234375,
                                         -0.191796875,
                                         -0.305625,
                                         0.273591309,
                                         0.121875,
                                         0.1403125,
                                         0.123541667,
                                         -0.431914062,
                                         -0.180416667,
                                         0.126666667,
                                         0.1825,
                                         -0.3275,
                                         -0.29625,
                                         0.064375,
                                         0,
                                         0,
                                         -0.449791667,
                                         -0.437291667,
                                         -0.441875,
                                         -0.429375,
                                         -0.433958333,
                                         -0.421458333,
                                         -0.351666667,
                                         -0.51484375,
                                         -0.035,
                                         -0.235,
                                         0.281666667,
                                         0.0816666667}};
        const float rois[] = {0,  2.5f, 1, 40, 30.25f, 1,     -6,     -4, 20, 18, 0,  30, 20,
                              60, 50,   1, 10, 10,     10.5f, 10.25f, 0,  20, 20, 12, 30};
        RoiAlignParams p = params(5, DType::F32);
        p.H = 9, p.W = 12, p.C = 3, p.outH = 3, p.outW = 2, p.spatialScale = 0.25f;
        Values x(std::size_t(p.N * p.H * p.W * p.C));
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = double(i * 37 % 101) / 50.0 - 1.0;
        const Buffer features(DType::F32, x);
        for (int aligned = 0; aligned < 2; ++aligned) {
            p.aligned = aligned != 0;
            const Buffer y(DType::F32, 90);
            cpu::roiAlignForward(p, features.data(), rois, nullptr, y.data());
            for (std::size_t i = 0; i < 30; ++i)
                QVERIFY(std::abs(y.values()[3 * i] - expected[aligned][i]) < 2e-6);
        }
    }

    void matchesAreTheSameForAnyNumberOfThreads()
    {
        const Regions r(9000), g(11);
        std::vector<float> anchors, boxes;
        auto strip = [](const std::vector<float>& from, std::vector<float>& to) {
            for (std::size_t i = 0; i < from.size(); ++i)
                if (i % 5 != 0)
                    to.push_back(from[i]);
        };
        strip(r.boxes, anchors);
        strip(g.boxes, boxes);
        for (BestMatch best : {BestMatch::None, BestMatch::Restore, BestMatch::Force}) {
            std::vector<std::int32_t> match[2];
            std::vector<float> iou(9000);
            std::vector<std::max_align_t> scratch(
                cpu::matchScratch(11, 9000) / sizeof(std::max_align_t) + 1);
            for (int k = 0; k < 2; ++k) {
                omp_set_num_threads(1 + 2 * k);
                match[k].resize(9000);
                cpu::matchBoxes({0.5f, 0.4f, best}, 11, 9000, boxes.data(), anchors.data(),
                                match[k].data(), iou.data(), scratch.data());
            }
            QVERIFY(match[0] == match[1]);
            for (std::size_t i = 0; i < iou.size(); ++i)
                QVERIFY(match[0][i] >= 0 || iou[i] < 0.5f);
        }
    }

    void boxesThatRanAwayEndNothing()
    {
        const float inf = std::numeric_limits<float>::infinity(), nan = NAN;
        const float rois[] = {0, nan, nan, nan, nan, 0, -inf,  -inf, inf,   inf,
                              1, 0,   0,   inf, inf, 1, 1e30f, 0,    3e30f, 5};
        for (int samplingRatio : {0, 2}) {
            RoiAlignParams p = params(4, DType::F32);
            p.samplingRatio = samplingRatio;
            p.outH = p.outW = 1; // so an unbounded region takes its largest number of samples
            p.C = 1;
            const auto inputs = std::size_t(p.N * p.H * p.W);
            const Buffer x(DType::F32, randomValues(inputs, 1)), y(DType::F32, 4);
            const Buffer dx(DType::F32, inputs);
            cpu::roiAlignForward(p, x.data(), rois, nullptr, y.data());
            cpu::roiAlignBackward(p, y.data(), rois, nullptr, dx.data(), nullptr);
            for (double v : y.values())
                QVERIFY(std::isfinite(v));
        }
        const float boxes[] = {nan, nan, nan, nan, -inf, -inf, inf, inf, 0, 0, 1, 1};
        const float scores[] = {nan, inf, 1.0f};
        std::int32_t keep[3];
        std::vector<std::int32_t> scratch(cpu::nmsScratch(3) / 4);
        QCOMPARE(cpu::nms({0.5f, -1}, 3, boxes, scores, nullptr, keep, scratch.data()),
                 std::int64_t(3));
        QCOMPARE(keep[0], 1);
        QCOMPARE(keep[2], 0);
    }
};

QTEST_APPLESS_MAIN(DetectionTest)
#include "detection_test.moc"
