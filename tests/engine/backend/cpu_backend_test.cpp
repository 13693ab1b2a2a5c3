// SPDX-License-Identifier: GPL-3.0-or-later
#include <QTest>

#include "engine/backend/backend.h"
#include "kernels/check.h"
#include "kernels/conv2d.h"
#include "kernels/conv_transpose2d.h"
#include "kernels/cpu_features.h"

using namespace scalebench;

class CpuBackendTest : public QObject
{
    Q_OBJECT
    std::unique_ptr<Backend> backend_ = makeCpuBackend();

    Tensor filled(Shape shape, float value)
    {
        Tensor t = Tensor::empty(std::move(shape), DType::F32, backend_->allocator());
        for (float& v : t.f32())
            v = value;
        return t;
    }

private slots:
    void precisionSaysWhatItDoes()
    {
        const auto fp32 = backend_->computePrecision(Precision::Fp32);
        QVERIFY(fp32.precision == Precision::Fp32);
        const auto bf16 = backend_->computePrecision(Precision::Bf16);
        const auto features = kernels::cpu::cpuFeatures();
        QCOMPARE(bf16.precision == Precision::Bf16, features.bf16Fast);
        QVERIFY(!bf16.reason.empty());
        QVERIFY(bf16.activationType() == (features.bf16Fast ? DType::BF16 : DType::F32));
        if (qgetenv("ONEDNN_MAX_CPU_ISA") == "AVX2") {
            QVERIFY(!features.bf16Fast);
            QVERIFY(bf16.reason.find("fp32") != std::string::npos);
        }
        QVERIFY(parsePrecision("bf16") == Precision::Bf16);
        QVERIFY_EXCEPTION_THROWN(parsePrecision("fp64"), InvalidArgument);
        QVERIFY(backend_->describe().starts_with("cpu (oneDNN"));
    }

    void packedWeightsFollowTheVersion()
    {
        Conv2dParams p;
        p.H = p.W = 4, p.C = 16, p.K = 16;
        const Tensor x = filled({1, 4, 4, 16}, 1.0f);
        Tensor w = filled({16, 16, 1, 1}, 1.0f);
        QCOMPARE(backend_->convolution().conv2dForward(p, x, {w, 1}, {}).f32()[0], 16.0f);
        for (float& v : w.f32())
            v = 2.0f;
        QCOMPARE(backend_->convolution().conv2dForward(p, x, {w, 1}, {}).f32()[0], 16.0f); // kept
        QCOMPARE(backend_->convolution().conv2dForward(p, x, {w, 2}, {}).f32()[0],
                 32.0f); // packed again
        QCOMPARE(backend_->convolution().conv2dBackwardData(p, x, {w, 2}).f32()[0], 32.0f);
    }

    /// Pictures of another size use the weight that is packed already, where the library wants the
    /// same layout for both. A weight that changed behind its version's back shows it.
    void anotherPictureSizePacksNothing()
    {
        Conv2dParams p, q;
        p.C = p.K = q.C = q.K = 32, p.R = p.S = q.R = q.S = 3, p.padding = q.padding = 1;
        p.H = p.W = 8, q.H = q.W = 12;
        const kernels::cpu::Conv2dPlan one(p, true), other(q, true);
        const bool same = one.forwardLayout() == other.forwardLayout();
        Tensor w = filled({32, 32, 3, 3}, 1.0f);
        const auto middle = [&](const Conv2dParams& params) {
            const Tensor x = filled({1, params.H, params.W, 32}, 1.0f);
            const Tensor y = backend_->convolution().conv2dForward(params, x, {w, 7}, {});
            return y.f32()[std::size_t((params.W + 1) * 32)];
        };
        QCOMPARE(middle(p), 288.0f);
        for (float& v : w.f32())
            v = 2.0f;
        QCOMPARE(middle(q), same ? 288.0f : 576.0f);
        QVERIFY(kernels::cpu::newWeightLayout() != kernels::cpu::newWeightLayout());
    }

    /// More layouts of one weight than are kept: the results stay right.
    void manyLayoutsOfOneWeight()
    {
        const Tensor w = filled({4, 8, 2, 2}, 1.0f);
        for (int round = 0; round < 2; ++round)
            for (int edge = 1; edge <= 40; ++edge) {
                ConvTranspose2dParams p;
                p.N = 1, p.H = p.W = edge, p.C = 4, p.K = 8, p.stride = 2;
                const Tensor x = filled({1, edge, edge, 4}, 1.0f);
                const Tensor y = backend_->convolution().convTranspose2dForward(p, x, {w, 3}, {});
                QCOMPARE(y.f32()[0], 4.0f);
                QCOMPARE(y.f32().back(), 4.0f); // four channels
            }
    }

    void nothingIsAllocatedInTheSecondRound()
    {
        Conv2dParams p;
        p.N = 2, p.H = p.W = 8, p.C = 16, p.K = 32, p.R = p.S = 3, p.stride = 2, p.padding = 1;
        const Tensor w = filled({32, 16, 3, 3}, 0.1f);
        const Tensor x = filled({2, 8, 8, 16}, 1.0f);
        Tensor dw = filled({32, 16, 3, 3}, 0.0f);
        auto round = [&] {
            const Tensor y = backend_->convolution().conv2dForward(p, x, {w, 9}, {});
            backend_->convolution().conv2dBackwardWeight(p, x, y, dw, false);
            return backend_->convolution().conv2dBackwardData(p, y, {w, 9});
        };
        round();
        const auto before = backend_->allocator().stats().systemRequests;
        round();
        QCOMPARE(backend_->allocator().stats().systemRequests, before);
    }

    void sumKeepsSharedTerms()
    {
        const Tensor a = filled({4}, 1.0f), b = filled({4}, 2.0f);
        const Tensor s = backend_->elementwise().sum({a, b, b});
        QCOMPARE(s.f32()[0], 5.0f);
        QCOMPARE(a.f32()[0], 1.0f); // a is still held here
        Tensor own = filled({4}, 3.0f);
        const void* memory = own.data();
        std::vector<Tensor> terms;
        terms.push_back(std::move(own));
        terms.push_back(a);
        QCOMPARE(backend_->elementwise().sum(std::move(terms)).data(), memory);
    }

    void wrongCallsAreNamed()
    {
        Conv2dParams p;
        p.H = p.W = 4, p.C = 16, p.K = 16;
        const Tensor w = filled({16, 16, 1, 1}, 1.0f);
        try {
            backend_->convolution().conv2dForward(p, filled({1, 4, 4, 8}, 1.0f), {w, 3}, {});
            QFAIL("accepted");
        } catch (const InvalidArgument& e) {
            const QString text(e.what());
            QVERIFY(text.contains("conv2d") && text.contains("[1,4,4,8]") && text.contains("NHWC"));
        }
        const Tensor logits = filled({2, 3}, 0.0f);
        Tensor labels = Tensor::zeros({2}, DType::I32, backend_->allocator());
        Tensor grad;
        labels.i32()[1] = 3;
        QVERIFY_EXCEPTION_THROWN(
            backend_->loss().softmaxCrossEntropy(logits, labels, 0.0f, 1.0f, false, grad),
            InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(backend_->elementwise().gather(logits, 1, labels), // 3 of 3
                                 InvalidArgument);
        QVERIFY_EXCEPTION_THROWN(backend_->elementwise().cast(logits, DType::U8), Unsupported);
        QVERIFY_EXCEPTION_THROWN(backend_->elementwise().reluForward(labels), Unsupported);
        QVERIFY_EXCEPTION_THROWN(
            backend_->matmul().linearForward({}, logits, {w, 1}, Tensor(), nullptr),
            InvalidArgument);
    }

    void bf16WithoutHardwareSaysSo()
    {
        if (qgetenv("ONEDNN_MAX_CPU_ISA") != "AVX2")
            QSKIP("only with oneDNN held to AVX2");
        Conv2dParams p;
        p.H = p.W = 4, p.C = 16, p.K = 16, p.dtype = DType::BF16;
        const Tensor x = backend_->elementwise().cast(filled({1, 4, 4, 16}, 1.0f), DType::BF16);
        try {
            backend_->convolution().conv2dForward(p, x, {filled({16, 16, 1, 1}, 1.0f), 4}, {});
            QFAIL("accepted");
        } catch (const Unsupported& e) {
            QVERIFY(QString(e.what()).contains("conv2d x=bf16[1,4,4,16] NHWC"));
        }
    }

    void profileCountsCalls()
    {
        backend_->setProfiling(true);
        backend_->elementwise().reluForward(filled({4}, 1.0f));
        backend_->elementwise().reluForward(filled({4}, 1.0f));
        const auto profile = backend_->profile();
        backend_->setProfiling(false);
        QCOMPARE(profile.size(), std::size_t(1));
        QCOMPARE(profile[0].calls, std::int64_t(2));
    }
};

QTEST_APPLESS_MAIN(CpuBackendTest)
#include "cpu_backend_test.moc"
