// SPDX-License-Identifier: GPL-3.0-or-later
// One training step of a small Mask R-CNN against the same network put together from torchvision's
// parts (fixtures/make_maskrcnn_step.py): the loss and the gradient of every parameter.

#include <QTest>

#include <cmath>
#include <vector>

#include "engine/models/maskrcnn/maskrcnn.h"
#include "tests/engine/models/step_noise.h"

using namespace scalebench;

namespace {

constexpr int kRow = 128, kWidth = 96, kHeight = 120, kChannels = 16;

detection::AnnotatedPicture pictureOf(const std::vector<float>& truth)
{
    detection::AnnotatedPicture picture;
    picture.width = kWidth, picture.height = kHeight;
    for (std::size_t i = 0; i < truth.size(); i += 4) {
        const double x1 = double(truth[i]), y1 = double(truth[i + 1]), x2 = double(truth[i + 2]),
                     y2 = double(truth[i + 3]);
        std::vector<uint8_t> pixels;
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x) {
                const double dx = (x + 0.5 - (x1 + x2) / 2) / (x2 - x1);
                const double dy = (y + 0.5 - (y1 + y2) / 2) / (y2 - y1);
                pixels.push_back(dx * dx + dy * dy < 0.25);
            }
        picture.objects.emplace_back().mask = detection::encodeMask(pixels, kWidth, kHeight);
    }
    return picture;
}

Batch batchOf(Backend& backend, const detection::AnnotatedPicture& picture,
              const std::vector<float>& truth)
{
    Batch batch;
    batch.samples = 1;
    batch.tensors = {Tensor::zeros({1, kRow, kRow, 3}, DType::F32, backend.allocator())};
    const std::vector<double> pixels = tests::noise("picture 178", kRow * kRow * 3);
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < 3 * kWidth; ++x) {
            const auto at = std::size_t(3 * y * kRow + x);
            batch.tensors[0].f32()[at] = float(pixels[at]);
        }
    PictureNote note;
    note.width = kWidth, note.height = kHeight;
    note.stored = &picture;
    note.corners = truth;
    note.categories = {1, 0, 1};
    note.objects = {0, 1, 2};
    batch.notes = std::vector<PictureNote>{note};
    return batch;
}

} // namespace

class MaskRcnnStepTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stepAsTorchvision()
    {
        const tests::FixtureRows rows = tests::readFixture("maskrcnn_step.txt");
        MaskRcnnConfig config = MaskRcnnConfig::byName("maskrcnn_small", 2);
        config.backbone.stemChannels = 24;
        config.backbone.widths = {24, 48, 96, 128};
        config.channels = kChannels;
        config.proposals.training = {1000000, 1000000};
        config.proposals.samples = config.samples.count = 1000000; // all: nothing is drawn
        config.box = {7, 24};
        config.mask = {14, 12, 2};
        const auto backend = makeCpuBackend();
        MaskRcnn net(config, *backend, Precision::Fp32, 1);
        ParameterSet& parameters = net.parameters();
        tests::fillWithNoise(parameters);

        const detection::AnnotatedPicture picture = pictureOf(rows.at("truth"));
        Tape tape(*backend);
        const LossResult result =
            net.loss(tape, batchOf(*backend, picture, rows.at("truth")), {}, true);
        double expected = 0;
        for (const float part : rows.at("losses"))
            expected += double(part);
        const double loss = double(result.loss.value().f32()[0]);
        QVERIFY2(std::abs(loss / expected - 1) < 1e-5,
                 qPrintable(QString("%1 %2").arg(loss).arg(expected)));

        tape.backward(result.loss);
        QCOMPARE(parameters.parameters().size(), rows.size() - 2);
        tests::compareGradients(parameters, rows);
    }
};

QTEST_GUILESS_MAIN(MaskRcnnStepTest)
#include "maskrcnn_step_test.moc"
