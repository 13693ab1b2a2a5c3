// SPDX-License-Identifier: GPL-3.0-or-later
// One training step of a small RetinaNet against the same network put together from torchvision's
// parts (fixtures/make_retinanet_step.py): the loss and the gradient of every parameter.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/detection/anchors.h"
#include "engine/models/retinanet/retina_targets.h"
#include "engine/models/retinanet/retinanet.h"
#include "tests/engine/models/step_noise.h"

using namespace scalebench;

namespace {

constexpr int kRow = 96;

Batch batchOf(Backend& backend, const RetinaNetConfig& config, const tests::FixtureRows& rows)
{
    Batch batch;
    batch.samples = 2;
    batch.tensors = {Tensor::empty({2, kRow, kRow, 3}, DType::F32, backend.allocator())};
    std::ranges::copy(tests::noise("images", 2 * kRow * kRow * 3), batch.tensors[0].f32().begin());
    std::vector<PictureNote> notes(2);
    for (std::size_t i = 0; i < notes.size(); ++i) {
        notes[i].width = notes[i].height = kRow;
        notes[i].corners = rows.at("truth" + QByteArray::number(int(i)));
        for (const float label : rows.at("labels" + QByteArray::number(int(i))))
            notes[i].categories.push_back(int32_t(label));
    }
    retinaTargets(config.anchors, detection::makeAnchors(config.anchors, kRow, kRow), kRow, kRow,
                  notes, backend.allocator(), batch);
    return batch;
}

} // namespace

class RetinaNetStepTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stepAsTorchvision()
    {
        const tests::FixtureRows rows = tests::readFixture("retinanet_step.txt");
        RetinaNetConfig config = RetinaNetConfig::byName("retinanet_small", 3);
        config.backbone.stemChannels = 24;
        config.backbone.widths = {24, 48, 96, 128};
        config.channels = 16;
        config.headConvs = 1;
        const auto backend = makeCpuBackend();
        RetinaNet net(config, *backend, Precision::Fp32, 1);
        tests::fillWithNoise(net.parameters());

        Tape tape(*backend);
        const LossResult result =
            net.loss(tape, batchOf(*backend, config, rows), {.scale = 0.5f}, true);
        const double expected = double(rows.at("losses")[0]) + double(rows.at("losses")[1]);
        const double loss = double(result.loss.value().f32()[0]);
        QVERIFY2(std::abs(loss / expected - 1) < 1e-5,
                 qPrintable(QString("%1 %2").arg(loss).arg(expected)));
        tape.backward(result.loss);
        QCOMPARE(net.parameters().parameters().size(), rows.size() - 5);
        tests::compareGradients(net.parameters(), rows);
    }
};

QTEST_GUILESS_MAIN(RetinaNetStepTest)
#include "retinanet_step_test.moc"
