// SPDX-License-Identifier: GPL-3.0-or-later
// Mask R-CNN as a whole: sizes as published, gradients against finite differences, shares of
// workers, pictures without objects, pictures learned by heart.

#include <QTest>

#include <algorithm>
#include <any>
#include <cmath>
#include <vector>

#include "engine/core/rng.h"
#include "engine/detection/mask_paste.h"
#include "engine/models/maskrcnn/maskrcnn.h"
#include "engine/optim/optimizer.h"
#include "kernels/check.h"

using namespace scalebench;

namespace {

constexpr int kEdge = 64;

/// Small and with fixed batch norm: a picture's loss does not depend on the others.
MaskRcnnConfig tiny(int categories)
{
    MaskRcnnConfig c = MaskRcnnConfig::byName("maskrcnn_small", categories);
    c.backbone.frozenNorm = true;
    c.channels = 16;
    c.box = {7, 24};
    c.mask = {7, 12, 1};
    return c;
}

/// Pictures with a dark rectangle or a bright ellipse on noise; what is stored lies as it is seen.
struct Pictures {
    std::vector<detection::AnnotatedPicture> stored;
    std::vector<float> pixels; ///< [n,edge,edge,3]

    Pictures(int n, int objects, std::uint64_t seed)
    {
        Rng rng(seed);
        for (int i = 0; i < n; ++i) {
            detection::AnnotatedPicture& picture = stored.emplace_back();
            picture.id = i, picture.width = picture.height = kEdge;
            std::vector<float> image(std::size_t(kEdge) * kEdge * 3);
            for (float& v : image)
                v = 0.3f * rng.normal();
            for (int k = 0; k < objects; ++k)
                picture.objects.push_back(draw(image, 4 + 30 * k, rng));
            pixels.insert(pixels.end(), image.begin(), image.end());
        }
    }

    Batch batch(Backend& backend, std::size_t begin, std::size_t count) const
    {
        Batch batch;
        const auto n = std::int64_t(count);
        batch.tensors = {Tensor::empty({n, kEdge, kEdge, 3}, DType::F32, backend.allocator())};
        const std::size_t each = pixels.size() / stored.size();
        std::copy_n(pixels.begin() + std::ptrdiff_t(begin * each), count * each,
                    batch.tensors[0].f32().begin());
        batch.samples = n;
        std::vector<PictureNote> notes;
        for (std::size_t i = begin; i < begin + count; ++i)
            notes.push_back(note(i));
        batch.notes = std::move(notes);
        return batch;
    }

    PictureNote note(std::size_t i) const
    {
        PictureNote note;
        note.picture = std::int64_t(i);
        note.width = note.height = kEdge;
        note.stored = &stored[i];
        note.randomKey = 100 + i;
        for (const detection::AnnotatedObject& object : stored[i].objects) {
            const detection::Box& box = object.box;
            for (const double v : {box.x, box.y, box.x + box.width, box.y + box.height})
                note.corners.push_back(float(v));
            note.categories.push_back(object.category);
            note.objects.push_back(std::int32_t(note.objects.size()));
        }
        return note;
    }

private:
    static detection::AnnotatedObject draw(std::vector<float>& image, int left, Rng& rng)
    {
        detection::AnnotatedObject object;
        object.category = std::int32_t(rng.below(2));
        const int w = 16 + int(rng.below(9)), h = 16 + int(rng.below(20));
        const int x0 = left, y0 = int(rng.below(std::uint32_t(kEdge - h)));
        std::vector<std::uint8_t> mask(std::size_t(kEdge) * kEdge, 0);
        for (int y = y0; y < y0 + h; ++y)
            for (int x = x0; x < x0 + w; ++x) {
                const double dx = (x + 0.5 - x0) / w - 0.5, dy = (y + 0.5 - y0) / h - 0.5;
                if (object.category == 1 && dx * dx + dy * dy > 0.25)
                    continue;
                const std::size_t at = std::size_t(y) * kEdge + std::size_t(x);
                mask[at] = 1;
                for (std::size_t c = 0; c < 3; ++c)
                    image[3 * at + c] = object.category == 1 ? 1.5f : -1.5f;
            }
        object.mask = detection::encodeMask(mask, kEdge, kEdge);
        object.box = {double(x0), double(y0), double(w), double(h)};
        object.area = double(detection::maskArea(object.mask));
        return object;
    }
};

double lossOf(Backend& backend, MaskRcnn& net, const Batch& batch)
{
    Tape tape(backend, Tape::Mode::Inference);
    return net.loss(tape, batch, {}, true).sums.get().lossSum;
}

std::vector<float> gradientOf(Backend& backend, MaskRcnn& net, const Batch& batch, float scale,
                              std::vector<int>* ready = nullptr)
{
    Tape tape(backend);
    LossParams params;
    params.scale = scale;
    const LossResult result = net.loss(tape, batch, params, true);
    tape.backward(result.loss, [&](int index) {
        if (ready)
            ready->push_back(index);
    });
    const std::span<float> g = net.parameters().gradients();
    return {g.begin(), g.end()};
}

} // namespace

class MaskRcnnTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hasThePublishedSize()
    {
        const auto backend = makeCpuBackend();
        MaskRcnn net(MaskRcnnConfig::byName("maskrcnn_resnet50", 80), *backend, Precision::Fp32, 1);
        const ParameterSet& parameters = net.parameters();
        QCOMPARE(parameters.trainableCount(), 44125173);
        const auto count = [&](const QString& prefix) {
            std::int64_t n = 0;
            for (const ParameterInfo& p : parameters.parameters())
                if (QString::fromStdString(p.name).startsWith(prefix))
                    n += std::int64_t(p.count);
            return n;
        };
        QCOMPARE(count("fpn."), 3344384);
        QCOMPARE(count("rpn."), 593935);
        QCOMPARE(count("box."), 14310805);
        QCOMPARE(count("mask."), 2643537);
        // Stem and first stage are fixed, as is every batch norm's scale and shift.
        std::int64_t frozen = 0, affine = 0;
        for (const BufferInfo& buffer : parameters.buffers())
            if (buffer.shape.size() == 4)
                frozen += std::int64_t(buffer.count);
            else if (!QString::fromStdString(buffer.name).contains("running"))
                affine += std::int64_t(buffer.count);
        QCOMPARE(count("backbone.") + frozen, 23454912);
        QCOMPARE(parameters.trainableCount() + frozen, 44347573);
        QCOMPARE(affine, 53120);
    }

    void knowsItsNetworks()
    {
        const auto backend = makeCpuBackend();
        MaskRcnn small(MaskRcnnConfig::byName("maskrcnn_small", 6), *backend, Precision::Fp32, 1);
        QVERIFY(small.parameters().trainableCount() < 1500000);
        MaskRcnn middle(MaskRcnnConfig::byName("maskrcnn_resnet18", 6), *backend, Precision::Fp32,
                        1);
        QVERIFY(middle.parameters().trainableCount() < 44125173);
        QVERIFY_EXCEPTION_THROWN(MaskRcnnConfig::byName("maskrcnn_vgg", 80), InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(MaskRcnnConfig::byName("maskrcnn_small", 0), InvalidArgument);
    }

    void gradientAsFiniteDifferences()
    {
        const auto backend = makeCpuBackend();
        MaskRcnnConfig config = tiny(2);
        // Nothing is chosen by numbers that a small step could change: the true boxes and fixed
        // regions are all that is looked at.
        config.proposals.training = {1, 1, 0.7, 1000};
        MaskRcnn net(config, *backend, Precision::Fp32, 5);
        const Pictures pictures(2, 2, 7);
        const Batch batch = pictures.batch(*backend, 0, 2);
        std::vector<int> ready;
        const std::vector<float> gradient = gradientOf(*backend, net, batch, 1, &ready);
        QCOMPARE(ready.size(), net.parameters().parameters().size());
        double square = 0;
        for (const float g : gradient)
            square += double(g) * double(g);
        QVERIFY(square > 0);
        const double step = 2e-3 / std::sqrt(square);
        const auto at = [&](double offset) {
            const std::span<float> values = net.parameters().values();
            const std::vector<float> kept(values.begin(), values.end());
            for (size_t i = 0; i < gradient.size(); ++i)
                values[i] += float(offset * double(gradient[i]));
            net.parameters().markValuesChanged();
            const double loss = lossOf(*backend, net, batch);
            std::ranges::copy(kept, values.begin());
            net.parameters().markValuesChanged();
            return loss;
        };
        const double slope = (at(step) - at(-step)) / (2 * step);
        QVERIFY2(std::abs(slope / square - 1) < 0.02, qPrintable(QString::number(slope / square)));
    }

    /// Each picture's loss is its own: two workers with half the batch each have together the
    /// gradient of one, also where one of them has no object at all.
    void sharesOfWorkersAddUp_data()
    {
        QTest::addColumn<int>("objects");
        QTest::newRow("two objects") << 2;
        QTest::newRow("none") << 0;
    }

    void sharesOfWorkersAddUp()
    {
        QFETCH(int, objects);
        const auto backend = makeCpuBackend();
        MaskRcnn net(tiny(2), *backend, Precision::Fp32, 5);
        const Pictures pictures(4, objects, 7);
        const std::vector<float> whole =
            gradientOf(*backend, net, pictures.batch(*backend, 0, 4), 0.25f);
        std::vector<float> sum = gradientOf(*backend, net, pictures.batch(*backend, 0, 2), 0.25f);
        const std::vector<float> second =
            gradientOf(*backend, net, pictures.batch(*backend, 2, 2), 0.25f);
        double worst = 0, largest = 0;
        for (std::size_t i = 0; i < sum.size(); ++i) {
            worst =
                std::max(worst, std::abs(double(sum[i]) + double(second[i]) - double(whole[i])));
            largest = std::max(largest, std::abs(double(whole[i])));
        }
        QVERIFY2(worst < 1e-5 * largest, qPrintable(QString("%1 of %2").arg(worst).arg(largest)));
    }

    void picturesWithoutObjectsTrain()
    {
        const auto backend = makeCpuBackend();
        MaskRcnn net(tiny(2), *backend, Precision::Fp32, 5);
        const Pictures pictures(2, 0, 7);
        std::vector<int> ready;
        const std::vector<float> gradient =
            gradientOf(*backend, net, pictures.batch(*backend, 0, 2), 1, &ready);
        QCOMPARE(ready.size(), net.parameters().parameters().size());
        QVERIFY(std::ranges::any_of(gradient, [](float g) { return g != 0; }));
        QVERIFY(std::ranges::all_of(gradient, [](float g) { return std::isfinite(g); }));
        // Nothing is known of masks.
        for (std::size_t i = 0; i < net.parameters().parameters().size(); ++i)
            if (net.parameters().parameters()[i].name.starts_with("mask."))
                QVERIFY(std::ranges::all_of(net.parameters().gradient(int(i)).f32(),
                                            [](float g) { return g == 0; }));
    }

    void refusesForeignObjects()
    {
        const auto backend = makeCpuBackend();
        MaskRcnn net(tiny(1), *backend, Precision::Fp32, 5);
        const Pictures pictures(4, 2, 7); // of two categories
        QVERIFY_EXCEPTION_THROWN(lossOf(*backend, net, pictures.batch(*backend, 0, 4)),
                                 InvalidArgument);
    }

    void boxesStayInTheirPicture()
    {
        const auto backend = makeCpuBackend();
        MaskRcnn net(tiny(2), *backend, Precision::Fp32, 5);
        const Pictures pictures(2, 2, 7);
        const Batch batch = pictures.batch(*backend, 0, 2);
        std::vector<PictureNote> notes = std::any_cast<std::vector<PictureNote>>(batch.notes);
        notes[1].width = 40, notes[1].height = 30;
        DetectOptions options;
        options.scoreThreshold = 0.0;
        const auto found = net.detect(*backend, batch.tensors[0], notes, options);
        QCOMPARE(found.size(), size_t{2});
        QVERIFY(found[1].size() > 20);
        for (const FoundObject& object : found[1]) {
            QVERIFY(object.x1 >= 0 && object.y1 >= 0 && object.x2 <= 40 && object.y2 <= 30);
            QCOMPARE(object.mask.size(), size_t{14 * 14});
        }
        // Fewer notes than rows: the batch was filled up.
        notes.pop_back();
        QCOMPARE(net.detect(*backend, batch.tensors[0], notes, options).size(), size_t{1});
    }

    void bf16AgreesWithFp32()
    {
        const auto backend = makeCpuBackend();
        MaskRcnn exact(tiny(2), *backend, Precision::Fp32, 5);
        MaskRcnn rough(tiny(2), *backend, Precision::Bf16, 5);
        const Pictures pictures(2, 2, 7);
        const Batch batch = pictures.batch(*backend, 0, 2);
        const double a = lossOf(*backend, exact, batch), b = lossOf(*backend, rough, batch);
        QVERIFY2(std::abs(a - b) < 0.03 * a, qPrintable(QString("%1 %2").arg(a).arg(b)));
    }

    void learnsPicturesByHeart()
    {
        const auto backend = makeCpuBackend();
        MaskRcnnConfig config = tiny(2);
        config.backbone.frozenNorm = false;
        MaskRcnn net(config, *backend, Precision::Fp32, 5);
        const Pictures pictures(4, 2, 11);
        Batch batch = pictures.batch(*backend, 0, 4);
        const auto adam =
            makeOptimizer(*backend, net.parameters(), optimizerDefaults(OptimizerKind::Adam));
        for (int step = 0; step < 150; ++step) {
            auto notes = std::any_cast<std::vector<PictureNote>>(batch.notes);
            for (PictureNote& note : notes)
                ++note.randomKey;
            batch.notes = notes;
            gradientOf(*backend, net, batch, 0.25f);
            adam->step(step < 120 ? 3e-3 : 6e-4);
        }
        DetectOptions options;
        options.scoreThreshold = 0.5;
        const auto found =
            net.detect(*backend, batch.tensors[0],
                       std::any_cast<std::vector<PictureNote>>(batch.notes), options);
        for (std::size_t i = 0; i < 4; ++i)
            for (const detection::AnnotatedObject& truth : pictures.stored[i].objects) {
                double best = 0;
                for (const FoundObject& object : found[i])
                    if (object.category == truth.category) {
                        const float corners[] = {object.x1, object.y1, object.x2, object.y2};
                        best = std::max(
                            best, detection::maskIou(
                                      detection::pasteMask(object.mask, 14, corners, kEdge, kEdge),
                                      truth.mask, false));
                    }
                QVERIFY2(best > 0.75, qPrintable(QString("picture %1: %2").arg(i).arg(best)));
            }
    }
};

QTEST_GUILESS_MAIN(MaskRcnnTest)
#include "maskrcnn_test.moc"
