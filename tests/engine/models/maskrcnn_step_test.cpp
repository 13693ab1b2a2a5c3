// SPDX-License-Identifier: GPL-3.0-or-later
// One training step of a small Mask R-CNN against the same network put together from torchvision's
// parts (fixtures/make_maskrcnn_step.py): the loss and the gradient of every parameter.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "engine/models/maskrcnn/maskrcnn.h"
#include "tests/engine/models/fixture_rows.h"

using namespace scalebench;

namespace {

constexpr int kRow = 128, kWidth = 96, kHeight = 120, kChannels = 16;

/// The formula that the fixture's script has too: of -1..1.
std::vector<double> noise(const std::string& name, std::size_t count)
{
    int key = 0;
    for (std::size_t i = 0; i < name.size(); ++i)
        key += int(i + 1) * int(name[i]);
    key %= 9973;
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) {
        const double v = std::sin(12.9898 * double(i + 1) + 78.233 * key) * 43758.5453;
        values.push_back(2 * (v - std::floor(v)) - 1);
    }
    return values;
}

void fillIn(ParameterSet& parameters)
{
    for (std::size_t p = 0; p < parameters.parameters().size(); ++p) {
        const ParameterInfo& info = parameters.parameters()[p];
        const bool weight = info.name.ends_with("weight");
        const std::vector<double> drawn = noise(info.name, info.count);
        const double bound = weight && info.shape.size() > 1
                                 ? std::sqrt(3.0 / (double(info.count) / double(info.shape[0])))
                                 : 0.1;
        const double middle = info.name.find(".bn") != std::string::npos && weight ? 1 : 0;
        std::ranges::transform(drawn, parameters.value(int(p)).f32().begin(),
                               [&](double v) { return float(middle + bound * v); });
    }
    parameters.markValuesChanged();
}

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
    const std::vector<double> pixels = noise("images", kRow * kRow * 3);
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
        fillIn(parameters);

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
        for (std::size_t p = 0; p < parameters.parameters().size(); ++p) {
            const std::string& name = parameters.parameters()[p].name;
            const std::vector<float>& row = rows.at(QByteArray::fromStdString(name));
            const std::span<float> gradient = parameters.gradient(int(p)).f32();
            const std::vector<double> along = noise(name + "@", gradient.size());
            double square = 0, product = 0, length = 0;
            for (std::size_t i = 0; i < gradient.size(); ++i) {
                square += double(gradient[i]) * double(gradient[i]);
                product += double(gradient[i]) * along[i];
                length += along[i] * along[i];
            }
            const double norm = double(row[0]);
            const double norms = std::abs(std::sqrt(square) / norm - 1);
            const double products = std::abs(product - double(row[1])) / (norm * std::sqrt(length));
            QVERIFY2(norms < 1e-4 && products < 1e-4,
                     qPrintable(QString("%1: %2 %3")
                                    .arg(QString::fromStdString(name))
                                    .arg(norms)
                                    .arg(products)));
        }
    }
};

QTEST_GUILESS_MAIN(MaskRcnnStepTest)
#include "maskrcnn_step_test.moc"
