// SPDX-License-Identifier: GPL-3.0-or-later
// RetinaNet: sizes and anchors as published, targets and loss against plain double precision, the
// network's gradient against finite differences, shares of workers, frozen layers, detections.

#include <QTest>

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/core/rng.h"
#include "engine/detection/anchors.h"
#include "engine/models/retinanet/retina_detect.h"
#include "engine/models/retinanet/retina_targets.h"
#include "engine/models/retinanet/retinanet.h"
#include "kernels/check.h"
#include "kernels/sigmoid_loss.h"

using namespace scalebench;

namespace {

constexpr int kEdge = 64;

RetinaNetConfig smallConfig(int categories)
{
    RetinaNetConfig config = RetinaNetConfig::byName("retinanet_small", categories);
    config.backbone.frozenNorm = true; // the loss of a picture is its own
    return config;
}

/// Picture i has i objects.
std::vector<PictureNote> notesOf(int pictures)
{
    Rng rng(4, 1);
    std::vector<PictureNote> notes;
    for (int i = 0; i < pictures; ++i) {
        PictureNote note;
        note.picture = i;
        note.width = note.height = kEdge;
        for (int k = 0; k < i; ++k) {
            const float x = 30 * rng.uniform(), y = 30 * rng.uniform();
            note.corners.insert(note.corners.end(),
                                {x, y, x + 8 + 20 * rng.uniform(), y + 8 + 20 * rng.uniform()});
            note.categories.push_back(k % 2);
        }
        notes.push_back(note);
    }
    return notes;
}

Batch batchOf(Backend& backend, const RetinaNetConfig& config,
              const std::vector<PictureNote>& notes)
{
    const auto n = std::int64_t(notes.size());
    Batch batch;
    batch.samples = n;
    batch.tensors = {Tensor::empty({n, kEdge, kEdge, 3}, DType::F32, backend.allocator())};
    for (std::size_t i = 0; i < notes.size(); ++i) {
        Rng rng(9, std::uint64_t(notes[i].picture));
        const auto pixels = batch.tensors[0].f32();
        const std::size_t each = pixels.size() / notes.size();
        for (float& v : pixels.subspan(i * each, each))
            v = rng.normal();
    }
    retinaTargets(config.anchors, detection::makeAnchors(config.anchors, kEdge, kEdge), kEdge,
                  kEdge, notes, backend.allocator(), batch);
    batch.notes = notes;
    return batch;
}

double lossOf(Backend& backend, RetinaNet& net, const Batch& batch, float scale)
{
    Tape tape(backend, Tape::Mode::Inference);
    return double(net.loss(tape, batch, {.scale = scale}, true).loss.value().f32()[0]);
}

std::vector<float> gradientOf(Backend& backend, RetinaNet& net, const Batch& batch, float scale)
{
    Tape tape(backend);
    tape.backward(net.loss(tape, batch, {.scale = scale}, true).loss);
    return {net.parameters().gradients().begin(), net.parameters().gradients().end()};
}

/// The objective of arXiv 1708.02002 from the outputs and the boxes themselves, anchor by anchor.
double plainLoss(const RetinaNetConfig& config, const std::vector<RetinaNet::Level>& levels,
                 const std::vector<PictureNote>& notes)
{
    const std::vector<float> anchors = detection::makeAnchors(config.anchors, kEdge, kEdge);
    const auto overlap = [](const float* a, const float* b) {
        const double w = std::min(a[2], b[2]) - std::max(a[0], b[0]);
        const double h = std::min(a[3], b[3]) - std::max(a[1], b[1]);
        const double both = w > 0 && h > 0 ? w * h : 0;
        const auto area = [](const float* c) { return double(c[2] - c[0]) * double(c[3] - c[1]); };
        return both / (area(a) + area(b) - both);
    };
    double total = 0;
    for (std::size_t n = 0; n < notes.size(); ++n) {
        const std::vector<float>& boxes = notes[n].corners;
        std::vector<double> most(boxes.size() / 4, 0);
        for (std::size_t a = 0; a < anchors.size(); a += 4)
            for (std::size_t o = 0; o < most.size(); ++o)
                most[o] = std::max(most[o], overlap(&anchors[a], &boxes[4 * o]));
        double sum = 0;
        int positives = 0;
        std::size_t first = 0;
        for (const RetinaNet::Level& level : levels) {
            const auto count = std::size_t(level.logits.value().dim(1));
            const auto classes = std::size_t(level.logits.value().dim(2));
            for (std::size_t a = 0; a < count; ++a) {
                const float* anchor = &anchors[4 * (first + a)];
                int object = -1;
                double best = 0;
                bool bestOfBox = false;
                for (std::size_t o = 0; o < most.size(); ++o) {
                    const double iou = overlap(anchor, &boxes[4 * o]);
                    if (iou > best)
                        best = iou, object = int(o);
                    bestOfBox |= iou > 0 && iou > most[o] - 1e-9;
                }
                if (best < 0.5 && !bestOfBox) {
                    if (best >= 0.4)
                        continue;
                    object = -1;
                }
                positives += object >= 0;
                const float* z = level.logits.value().f32().data() + (n * count + a) * classes;
                for (std::size_t c = 0; c < classes; ++c) {
                    const bool hit =
                        object >= 0 && notes[n].categories[std::size_t(object)] == int(c);
                    const double p = 1 / (1 + std::exp(-double(z[c])));
                    const double right = hit ? p : 1 - p;
                    sum -= (hit ? 0.25 : 0.75) * (1 - right) * (1 - right) * std::log(right);
                }
                if (object < 0)
                    continue;
                const float* box = &boxes[4 * std::size_t(object)];
                const double w = anchor[2] - anchor[0], h = anchor[3] - anchor[1];
                const double target[] = {((box[0] + box[2]) / 2 - (anchor[0] + anchor[2]) / 2) / w,
                                         ((box[1] + box[3]) / 2 - (anchor[1] + anchor[3]) / 2) / h,
                                         std::log((box[2] - box[0]) / w),
                                         std::log((box[3] - box[1]) / h)};
                const float* d = level.deltas.value().f32().data() + (n * count + a) * 4;
                for (int i = 0; i < 4; ++i)
                    sum += std::abs(double(d[i]) - target[i]);
            }
            first += count;
        }
        total += sum / std::max(positives, 1);
    }
    return total;
}

} // namespace

class RetinaNetTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hasThePublishedSize()
    {
        const auto backend = makeCpuBackend();
        RetinaNetConfig config = RetinaNetConfig::byName("retinanet_resnext50", 264);
        config.backbone.frozenNorm = true;
        QCOMPARE(RetinaNet(config, *backend, Precision::Fp32, 1).parameters().trainableCount(),
                 37060652);
        config.backbone.frozenStages = 2; // stem and first stage
        RetinaNet frozen(config, *backend, Precision::Fp32, 1);
        QCOMPARE(frozen.parameters().trainableCount(), 36849004);
        std::size_t affine = 0; // scale and shift, and as many running statistics
        for (const BufferInfo& buffer : frozen.parameters().buffers())
            if (buffer.name.find(".bn") != std::string::npos &&
                buffer.name.find("running") == std::string::npos)
                affine += buffer.count;
        QCOMPARE(affine, size_t{68224});
    }

    void anchorsAsPublished()
    {
        const RetinaNetConfig config = RetinaNetConfig::byName("retinanet_resnext50", 264);
        const std::vector<float> anchors = detection::makeAnchors(config.anchors, 800, 800);
        QCOMPARE(anchors.size(), size_t{4 * 120087});
        // torchvision's AnchorGenerator for size 32: ratio 0.5 (wide), 1 and 2.
        const std::vector<float> first = {-23, -11, 23, 11};
        QVERIFY(std::equal(first.begin(), first.end(), anchors.begin()));
        const std::vector<float> square = {-16, -16, 16, 16}, tall = {-11, -23, 11, 23};
        QVERIFY(std::equal(square.begin(), square.end(), anchors.begin() + 4 * 3));
        QVERIFY(std::equal(tall.begin(), tall.end(), anchors.begin() + 4 * 6));
        // The next place is 8 pixels to the right; odd sizes have their last, partial place.
        QCOMPARE(anchors[4 * 9], -15.0f);
        QCOMPARE(detection::anchorCounts(config.anchors, 33, 64),
                 (std::vector<std::int64_t>{5 * 8 * 9, 3 * 4 * 9, 2 * 2 * 9, 1 * 1 * 9, 9}));
    }

    void lossAsPlainDoubles()
    {
        const auto backend = makeCpuBackend();
        const RetinaNetConfig config = smallConfig(2);
        RetinaNet net(config, *backend, Precision::Fp32, 3);
        const std::vector<PictureNote> notes = notesOf(4); // the first without an object
        const Batch batch = batchOf(*backend, config, notes);
        Tape tape(*backend, Tape::Mode::Inference);
        const double expected = plainLoss(config, net.forward(tape, batch.tensors[0], true), notes);
        const double loss = lossOf(*backend, net, batch, 1.0f);
        QVERIFY2(std::abs(loss / expected - 1) < 1e-5,
                 qPrintable(QStringLiteral("%1 %2").arg(loss).arg(expected)));
    }

    void gradientAsFiniteDifferences()
    {
        const auto backend = makeCpuBackend();
        RetinaNetConfig config = RetinaNetConfig::byName("retinanet_small", 2);
        RetinaNet net(config, *backend, Precision::Fp32, 5);
        const Batch batch = batchOf(*backend, config, notesOf(3));
        const std::vector<float> gradient = gradientOf(*backend, net, batch, 0.5f);
        double square = 0;
        for (const float g : gradient)
            square += double(g) * double(g);
        QVERIFY(square > 0);
        const double step = 1e-3 / std::sqrt(square);
        const auto at = [&](double offset) {
            const std::span<float> values = net.parameters().values();
            const std::vector<float> kept(values.begin(), values.end());
            for (size_t i = 0; i < gradient.size(); ++i)
                values[i] += float(offset * double(gradient[i]));
            net.parameters().markValuesChanged();
            const double loss = lossOf(*backend, net, batch, 0.5f);
            std::ranges::copy(kept, values.begin());
            net.parameters().markValuesChanged();
            return loss;
        };
        const double slope = (at(step) - at(-step)) / (2 * step);
        QVERIFY2(std::abs(slope / square - 1) < 0.02, qPrintable(QString::number(slope / square)));
    }

    /// Each picture is divided by its own positives, so halves of a batch add up to the whole.
    void sharesOfWorkersAddUp()
    {
        const auto backend = makeCpuBackend();
        const RetinaNetConfig config = smallConfig(2);
        RetinaNet net(config, *backend, Precision::Fp32, 3);
        const std::vector<PictureNote> notes = notesOf(4);
        const auto whole = gradientOf(*backend, net, batchOf(*backend, config, notes), 0.25f);
        std::vector<double> sum(whole.size(), 0);
        for (std::ptrdiff_t half = 0; half < 2; ++half) {
            const std::vector<PictureNote> part(notes.begin() + 2 * half,
                                                notes.begin() + 2 * half + 2);
            const auto gradient = gradientOf(*backend, net, batchOf(*backend, config, part), 0.25f);
            for (size_t i = 0; i < sum.size(); ++i)
                sum[i] += double(gradient[i]);
        }
        double worst = 0, largest = 0;
        for (size_t i = 0; i < sum.size(); ++i) {
            worst = std::max(worst, std::abs(sum[i] - double(whole[i])));
            largest = std::max(largest, std::abs(double(whole[i])));
        }
        QVERIFY2(worst < 1e-5 * largest, qPrintable(QString::number(worst / largest)));
    }

    /// Frozen layers have no gradient and keep their values; what lies above them has the gradient
    /// that it would have anyway.
    void frozenLayersAreOnlyUsed()
    {
        const auto backend = makeCpuBackend();
        RetinaNetConfig config = smallConfig(2);
        config.backbone.frozenStages = 3;
        RetinaNet net(config, *backend, Precision::Fp32, 3);
        for (const ParameterInfo& parameter : net.parameters().parameters())
            QVERIFY2(!parameter.name.starts_with("backbone.stem") &&
                         !parameter.name.starts_with("backbone.stage1") &&
                         !parameter.name.starts_with("backbone.stage2"),
                     parameter.name.c_str());
        const std::span<float> buffers = net.parameters().bufferValues();
        const std::vector<float> before(buffers.begin(), buffers.end());
        QVERIFY(std::ranges::count(before, 0.0f) < std::ptrdiff_t(before.size()));
        const auto gradient =
            gradientOf(*backend, net, batchOf(*backend, config, notesOf(3)), 1.0f);
        QVERIFY(std::ranges::any_of(gradient, [](float g) { return g != 0; }));
        QVERIFY(std::ranges::equal(before, net.parameters().bufferValues()));
    }

    /// Outputs that say what the targets ask for give the true boxes back, once each.
    void detectsWhatItAskedFor()
    {
        const auto backend = makeCpuBackend();
        const RetinaNetConfig config = smallConfig(2);
        PictureNote note;
        note.width = 60; // narrower than the row
        note.height = kEdge;
        note.corners = {4, 6, 30, 30, 20, 34, 60, 60};
        note.categories = {1, 0};
        const std::vector<PictureNote> notes = {note};
        const Batch batch = batchOf(*backend, config, notes);
        std::vector<RetinaOutputs> outputs;
        for (std::size_t l = 0; l < 5; ++l) {
            const Tensor& labels = batch.tensors[1 + kRetinaTensorsOfLevel * l];
            RetinaOutputs out{
                Tensor::empty({1, labels.dim(1), 2}, DType::F32, backend->allocator()),
                batch.tensors[1 + kRetinaTensorsOfLevel * l + 2]};
            std::ranges::fill(out.logits.f32(), -9.0f);
            for (std::size_t a = 0; a < labels.i32().size(); ++a)
                if (labels.i32()[a] >= 0)
                    out.logits.f32()[2 * a + std::size_t(labels.i32()[a])] = 5.0f;
            outputs.push_back(std::move(out));
        }
        const auto anchors = detection::makeAnchors(config.anchors, kEdge, kEdge);
        const auto found = retinaDetections(outputs, anchors, notes, {});
        QCOMPARE(found.size(), size_t{1});
        QCOMPARE(found[0].size(), size_t{2});
        for (const FoundObject& object : found[0]) {
            const float* box = &note.corners[object.category == 1 ? 0 : 4];
            QVERIFY(std::abs(object.x1 - box[0]) < 1e-3f && std::abs(object.y1 - box[1]) < 1e-3f &&
                    std::abs(object.x2 - box[2]) < 1e-3f && std::abs(object.y2 - box[3]) < 1e-3f);
            QVERIFY(std::abs(object.score - 1 / (1 + std::exp(-5.0f))) < 1e-6f);
        }
        QCOMPARE(retinaDetections(outputs, anchors, notes, {.detections = 1})[0].size(), size_t{1});
    }

    void refusesOtherSizes()
    {
        const auto backend = makeCpuBackend();
        const RetinaNetConfig config = smallConfig(2);
        RetinaNet net(config, *backend, Precision::Fp32, 3);
        Tape tape(*backend, Tape::Mode::Inference);
        QVERIFY_EXCEPTION_THROWN(
            net.forward(tape, Tensor::zeros({1, 60, 64, 3}, DType::F32, backend->allocator()),
                        false),
            InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(RetinaNetConfig::byName("retinanet_vgg", 2), InvalidArgument);
    }
};

QTEST_GUILESS_MAIN(RetinaNetTest)
#include "retinanet_test.moc"
