// SPDX-License-Identifier: GPL-3.0-or-later
// SSD: sizes as published, the multibox loss against PyTorch, the network's gradient against finite
// differences, shares of workers.

#include <QFile>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "engine/core/rng.h"
#include "engine/models/ssd/multibox_loss.h"
#include "engine/models/ssd/ssd.h"
#include "kernels/check.h"

using namespace scalebench;

namespace {

using Rows = std::map<QByteArray, std::vector<float>>;

/// fixtures/multibox.txt, see make_multibox.py.
Rows multiboxFixture()
{
    QFile file(QStringLiteral(SB_SOURCE_DIR "/tests/engine/models/fixtures/multibox.txt"));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("no fixture");
    Rows rows;
    for (const QByteArray& line : file.readAll().split('\n')) {
        QByteArrayList fields = line.split(' ');
        const QByteArray name = fields.takeFirst();
        for (const QByteArray& field : fields)
            rows[name].push_back(field.toFloat());
    }
    return rows;
}

Tensor floats(Backend& backend, const std::vector<float>& values, const Shape& shape)
{
    Tensor t = Tensor::empty(shape, DType::F32, backend.allocator());
    std::ranges::copy(values, t.f32().begin());
    return t;
}

Tensor labelsOf(Backend& backend, const std::vector<float>& values, const Shape& shape)
{
    Tensor t = Tensor::empty(shape, DType::I32, backend.allocator());
    std::ranges::transform(values, t.i32().begin(), [](float v) { return std::int32_t(v); });
    return t;
}

double largestDifference(std::span<const float> a, std::span<const float> b)
{
    double worst = a.size() == b.size() ? 0 : 1e9;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        worst = std::max(worst, std::abs(double(a[i]) - double(b[i])));
    return worst;
}

/// Makes a variable whose gradient can be looked at: sums of all its uses arrive at `seen`.
Variable watched(Tape& tape, const Tensor& value, Tensor& seen)
{
    Backend& backend = tape.backend();
    return tape.record("watched", value, true, [&backend, &seen](std::vector<Tensor> grads) {
        seen = backend.elementwise().sum(std::move(grads));
    });
}

/// A batch of the network: a box in every picture but the last.
Batch batchOf(Backend& backend, const Ssd& net, std::int64_t n, std::uint64_t seed)
{
    const std::int64_t edge = net.config().boxes.imageSize;
    const auto boxes = std::int64_t(net.defaultBoxes().size() / 4);
    Batch batch;
    batch.tensors = {Tensor::empty({n, edge, edge, 3}, DType::F32, backend.allocator()),
                     Tensor::empty({n, boxes}, DType::I32, backend.allocator()),
                     Tensor::empty({n, boxes, 4}, DType::F32, backend.allocator())};
    batch.samples = n;
    Rng rng(seed);
    for (float& v : batch.tensors[0].f32())
        v = rng.normal();
    for (std::int64_t i = 0; i < n; ++i) {
        detection::TrueBoxes truth;
        if (i + 1 < n || n == 1) {
            const float x = 0.1f * float(i), y = 0.15f;
            truth.corners = {x, y, x + 0.4f, y + 0.3f};
            truth.categories = {std::int32_t(rng.below(std::uint32_t(net.config().categories)))};
        }
        const auto of = [&](auto all) {
            const std::size_t each = all.size() / std::size_t(n);
            return all.subspan(std::size_t(i) * each, each);
        };
        detection::assignBoxes(net.defaultBoxes(), truth, 0.5f, of(batch.tensors[1].i32()),
                               of(batch.tensors[2].f32()));
    }
    return batch;
}

double lossOf(Backend& backend, Ssd& net, const Batch& batch)
{
    Tape tape(backend, Tape::Mode::Inference);
    return net.loss(tape, batch, {}, true).sums.get().lossSum;
}

} // namespace

class SsdTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hasThePublishedSize()
    {
        const auto backend = makeCpuBackend();
        const Ssd net(SsdConfig::byName("ssd_resnet34", 80), *backend, Precision::Fp32, 1);
        QCOMPARE(const_cast<Ssd&>(net).parameters().trainableCount(), 19972534);
        QCOMPARE(net.defaultBoxes().size(), size_t{4 * 8732});
        QCOMPARE(net.config().boxes.count(), 8732);
        // The first box of the first map: 21 pixels around the middle of the first 8; the last of
        // the last, 315 high, is cut to the picture's height.
        const std::vector<float>& boxes = net.defaultBoxes();
        const float expected[] = {-6.5f / 300, -6.5f / 300, 14.5f / 300, 14.5f / 300};
        QVERIFY(largestDifference(std::span(boxes).first(4), expected) < 1e-6);
        const float high = 0.5f * std::min(1.0f, 261.0f / 300 * std::sqrt(2.0f));
        QVERIFY(std::abs(boxes[boxes.size() - 1] - (0.5f + high)) < 1e-6f);
        const auto parameters = [&](const char* name, int categories) {
            Ssd other(SsdConfig::byName(name, categories), *backend, Precision::Fp32, 1);
            return other.parameters().trainableCount();
        };
        QVERIFY(parameters("ssd_small", 6) < 1200000);
        QVERIFY(parameters("ssd_resnet18", 80) < 19972534);
        QVERIFY_EXCEPTION_THROWN(SsdConfig::byName("ssd_vgg", 80), InvalidArgument);
    }

    void looksAtPicturesOf300()
    {
        const auto backend = makeCpuBackend();
        Ssd net(SsdConfig::byName("ssd_resnet18", 3), *backend, Precision::Fp32, 1);
        Tape tape(*backend, Tape::Mode::Inference);
        const Ssd::Output out = net.forward(
            tape, Tensor::zeros({1, 300, 300, 3}, DType::F32, backend->allocator()), false);
        QCOMPARE(out.logits.value().shape(), (Shape{1, 8732, 4}));
        QCOMPARE(out.deltas.value().shape(), (Shape{1, 8732, 4}));
    }

    void lossAsPyTorch()
    {
        const auto backend = makeCpuBackend();
        const Rows rows = multiboxFixture();
        const auto size = [&](size_t i) { return std::int64_t(rows.at("sizes")[i]); };
        const Shape forLogits{size(0), size(1), size(2)}, forDeltas{size(0), size(1), 4};
        Tape tape(*backend);
        Tensor gradLogits, gradDeltas;
        const Variable logits =
            watched(tape, floats(*backend, rows.at("logits"), forLogits), gradLogits);
        const Variable deltas =
            watched(tape, floats(*backend, rows.at("deltas"), forDeltas), gradDeltas);
        MultiboxParams params;
        params.scale = 1.0f / float(size(0));
        const LossResult result = multiboxLoss(
            tape, logits, deltas, labelsOf(*backend, rows.at("labels"), {size(0), size(1)}),
            floats(*backend, rows.at("targets"), forDeltas), params);
        const float expected = rows.at("loss")[0];
        QVERIFY(std::abs(result.loss.value().f32()[0] - expected) < 1e-5f * expected);
        tape.backward(result.loss);
        QVERIFY(largestDifference(gradLogits.f32(), rows.at("grad_logits")) < 1e-6);
        QVERIFY(largestDifference(gradDeltas.f32(), rows.at("grad_deltas")) < 1e-6);
    }

    /// Each picture is divided by its own positives: two workers with half the batch each and the
    /// scale of the whole have together the gradient of one.
    void sharesOfWorkersAddUp()
    {
        const auto backend = makeCpuBackend();
        const Rows rows = multiboxFixture();
        const auto n = std::int64_t(rows.at("sizes")[0]), a = std::int64_t(rows.at("sizes")[1]),
                   c = std::int64_t(rows.at("sizes")[2]);
        std::vector<float> gradients;
        double sum = 0;
        for (std::int64_t half = 0; half < 2; ++half) {
            const auto part = [&](const char* name) {
                const std::vector<float>& all = rows.at(name);
                const auto each = std::ptrdiff_t(all.size() / 2);
                return std::vector<float>(all.begin() + half * each,
                                          all.begin() + (half + 1) * each);
            };
            Tape tape(*backend);
            Tensor gradLogits, gradDeltas;
            const LossResult result = multiboxLoss(
                tape, watched(tape, floats(*backend, part("logits"), {n / 2, a, c}), gradLogits),
                watched(tape, floats(*backend, part("deltas"), {n / 2, a, 4}), gradDeltas),
                labelsOf(*backend, part("labels"), {n / 2, a}),
                floats(*backend, part("targets"), {n / 2, a, 4}),
                {.negativesPerPositive = 3, .scale = 1.0f / float(n)});
            sum += double(result.loss.value().f32()[0]);
            tape.backward(result.loss);
            gradients.insert(gradients.end(), gradLogits.f32().begin(), gradLogits.f32().end());
        }
        QVERIFY(std::abs(sum - double(rows.at("loss")[0])) < 1e-4);
        QVERIFY(largestDifference(gradients, rows.at("grad_logits")) < 1e-6);
    }

    void refusesForeignTargets()
    {
        const auto backend = makeCpuBackend();
        Ssd net(SsdConfig::byName("ssd_small", 2), *backend, Precision::Fp32, 1);
        Batch batch = batchOf(*backend, net, 1, 3);
        batch.tensors[1].i32()[5] = 3;
        QVERIFY_EXCEPTION_THROWN(lossOf(*backend, net, batch), InvalidArgument);
        batch.tensors[0] = Tensor::zeros({1, 64, 64, 3}, DType::F32, backend->allocator());
        QVERIFY_EXCEPTION_THROWN(lossOf(*backend, net, batch), InvalidArgument);
    }

    void gradientAsFiniteDifferences()
    {
        const auto backend = makeCpuBackend();
        Ssd net(SsdConfig::byName("ssd_small", 3), *backend, Precision::Fp32, 5);
        const Batch batch = batchOf(*backend, net, 3, 7);
        Tape tape(*backend);
        const LossResult result = net.loss(tape, batch, {}, true);
        tape.backward(result.loss);
        ParameterSet& parameters = net.parameters();
        const std::vector<float> gradient(parameters.gradients().begin(),
                                          parameters.gradients().end());
        double square = 0;
        for (const float g : gradient)
            square += double(g) * double(g);
        QVERIFY(square > 0);
        // Along the gradient the loss changes by its length.
        const double step = 1e-3 / std::sqrt(square);
        const auto at = [&](double offset) {
            const std::span<float> values = parameters.values();
            const std::vector<float> kept(values.begin(), values.end());
            for (size_t i = 0; i < gradient.size(); ++i)
                values[i] += float(offset * double(gradient[i]));
            parameters.markValuesChanged();
            const double loss = lossOf(*backend, net, batch);
            std::ranges::copy(kept, values.begin());
            parameters.markValuesChanged();
            return loss;
        };
        const double slope = (at(step) - at(-step)) / (2 * step);
        QVERIFY2(std::abs(slope / square - 1) < 0.02, qPrintable(QString::number(slope / square)));
    }

    void bf16AgreesWithFp32()
    {
        const auto backend = makeCpuBackend();
        double losses[2] = {};
        for (int i = 0; i < 2; ++i) {
            Ssd net(SsdConfig::byName("ssd_small", 3), *backend,
                    i == 0 ? Precision::Fp32 : Precision::Bf16, 5);
            const Batch batch = batchOf(*backend, net, 2, 7);
            Tape tape(*backend);
            const LossResult result = net.loss(tape, batch, {}, true);
            losses[i] = result.sums.get().lossSum;
            tape.backward(result.loss);
        }
        QVERIFY(std::abs(losses[1] / losses[0] - 1) < 0.05);
    }

    void picturesWithoutObjectsTrainOn()
    {
        const auto backend = makeCpuBackend();
        Ssd net(SsdConfig::byName("ssd_small", 3), *backend, Precision::Fp32, 5);
        Batch batch = batchOf(*backend, net, 2, 7);
        std::ranges::fill(batch.tensors[1].i32(), 0);
        Tape tape(*backend);
        const LossResult result = net.loss(tape, batch, {}, true);
        QCOMPARE(result.sums.get().lossSum, 0.0);
        tape.backward(result.loss);
        for (const float g : net.parameters().gradients())
            QCOMPARE(g, 0.0f);
    }
};

QTEST_GUILESS_MAIN(SsdTest)
#include "ssd_test.moc"
