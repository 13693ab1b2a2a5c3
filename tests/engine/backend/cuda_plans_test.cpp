// SPDX-License-Identifier: GPL-3.0-or-later
// How plans of the vendor libraries are chosen, remembered and kept, and what is done where they
// refuse to fuse, against the emulation's stand-ins (tests/support/cuda_emulation/vendor.h).

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <sys/wait.h>
#include <unistd.h>

#include <bit>
#include <cmath>

#include "engine/backend/cuda/cuda_backend.h"
#include "engine/backend/cuda/plan_memory.h"
#include "engine/backend/cuda/tuning.h"
#include "engine/backend/plan_cache.h"
#include "support/cuda_emulation/vendor.h"
#include "support/file_content.h"

using namespace scalebench;
using namespace scalebench::cuda_backend;
using scalebench::test::contentOf;

namespace {

using Runs = std::vector<std::string>;

void write(const QString& path, const QByteArray& text)
{
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
}

/// Numbers that f32, bf16 and f16 hold exactly.
Tensor onDevice(Backend& backend, Shape shape, int seed, DType dtype = DType::F32)
{
    CachingAllocator host;
    Tensor t = Tensor::empty(std::move(shape), DType::F32, host);
    for (float& v : t.f32()) {
        seed = (seed * 75 + 74) % 65537;
        v = float(seed % 17 - 8) / 8.0f;
    }
    if (dtype == DType::F32)
        return backend.upload(t);
    Tensor half = Tensor::empty(t.shape(), dtype, host);
    for (std::size_t i = 0; i < t.f32().size(); ++i) // bf16: the upper half of f32
        half.bf16()[i] = bf16_t(std::bit_cast<std::uint32_t>(t.f32()[i]) >> 16);
    return backend.upload(half);
}

std::vector<float> values(Backend& backend, const Tensor& t)
{
    const Tensor host = backend.download(t);
    if (host.dtype() == DType::F32)
        return {host.f32().begin(), host.f32().end()};
    std::vector<float> all;
    for (const bf16_t v : host.bf16())
        all.push_back(std::bit_cast<float>(std::uint32_t(v) << 16));
    return all;
}

float largestDifference(const std::vector<float>& a, const std::vector<float>& b)
{
    float most = a.size() == b.size() ? 0.0f : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

/// One that searches at once.
std::unique_ptr<Backend> searching()
{
    std::unique_ptr<Backend> backend = makeCudaBackend(0, true);
    backend->setShapesRepeat(true);
    return backend;
}

} // namespace

class CudaPlansTest : public QObject
{
    Q_OBJECT

private slots:
    void init()
    {
        folder_ = std::make_unique<QTemporaryDir>();
        QVERIFY(QDir(folder_->path()).mkdir("scalebench"));
        qputenv("XDG_CACHE_HOME", folder_->path().toUtf8());
        emulation::setFastestCandidate(-1);
        emulation::setCublasLtEpilogues(true);
        emulation::setCudnnFusion(true);
        emulation::takeVendorRuns();
    }

    // --- What is remembered

    void theMemoryIsInTheCacheFolder()
    {
        QCOMPARE(PlanMemory::defaultPath(),
                 folder_->filePath("scalebench/cuda_plans.json").toStdString());
        qputenv("XDG_CACHE_HOME", "relative");
        qputenv("HOME", "/home/somebody");
        QCOMPARE(PlanMemory::defaultPath(),
                 std::string("/home/somebody/.cache/scalebench/cuda_plans.json"));
    }

    void whatIsRememberedIsFoundByTheNextProcess()
    {
        PlanMemory first(path().toStdString(), "machine A");
        QVERIFY(!first.find("problem"));
        first.remember("problem", "choice");
        QCOMPARE(first.find("problem"), std::optional<std::string>("choice"));
        PlanMemory second(path().toStdString(), "machine A");
        QCOMPARE(second.find("problem"), std::optional<std::string>("choice"));
        QVERIFY(!PlanMemory(path().toStdString(), "machine B").find("problem"));
    }

    void twoProcessesKeepBothTheirPlans()
    {
        PlanMemory one(path().toStdString(), "m"), other(path().toStdString(), "m");
        QVERIFY(!one.find("1") && !other.find("2")); // both have read the empty file
        one.remember("1", "a");
        other.remember("2", "b");
        PlanMemory later(path().toStdString(), "m");
        QVERIFY(later.find("1") && later.find("2"));
    }

    /// Really two, at the same time: nothing that one wrote is lost to the other.
    void processesAtTheSameTimeKeepAllPlans()
    {
        constexpr int kPlans = 60;
        std::vector<pid_t> children;
        for (const char* name : {"a", "b"}) {
            const pid_t child = ::fork();
            QVERIFY(child >= 0);
            if (child == 0) {
                PlanMemory memory(path().toStdString(), "m");
                for (int i = 0; i < kPlans; ++i)
                    memory.remember(name + std::to_string(i), "choice");
                ::_exit(0);
            }
            children.push_back(child);
        }
        for (const pid_t child : children) {
            int status = -1;
            QCOMPARE(::waitpid(child, &status, 0), child);
            QCOMPARE(status, 0);
        }
        PlanMemory later(path().toStdString(), "m");
        for (const char* name : {"a", "b"})
            for (int i = 0; i < kPlans; ++i)
                QVERIFY2(later.find(name + std::to_string(i)), name);
    }

    void aDamagedFileCountsAsEmpty_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("empty") << QByteArray("");
        QTest::newRow("cut off") << QByteArray(R"({"version":1,"plans":{"m":{"p":"c")");
        QTest::newRow("no object") << QByteArray("[1,2]");
        QTest::newRow("another version") << QByteArray(R"({"version":2,"plans":{"m":{"p":"c"}}})");
        QTest::newRow("no version") << QByteArray(R"({"plans":{"m":{"p":"c"}}})");
        QTest::newRow("plans are no object") << QByteArray(R"({"version":1,"plans":[1]})");
        QTest::newRow("machine is no object") << QByteArray(R"({"version":1,"plans":{"m":3}})");
        QTest::newRow("choice is no text")
            << QByteArray(R"({"version":1,"plans":{"m":{"p":{"c":1}}}})");
    }

    void aDamagedFileCountsAsEmpty()
    {
        QFETCH(QByteArray, text);
        write(path(), text);
        PlanMemory memory(path().toStdString(), "m");
        QVERIFY(!memory.find("p"));
        memory.remember("p", "new");
        QCOMPARE(PlanMemory(path().toStdString(), "m").find("p"),
                 std::optional<std::string>("new"));
    }

    void aFolderThatCannotBeWrittenIsNoError()
    {
        PlanMemory memory("/proc/no/plans.json", "m");
        memory.remember("p", "c");
        QCOMPARE(memory.find("p"), std::optional<std::string>("c"));
    }

    void theLastUsedPlansAreKept()
    {
        PlanCache<int, std::string> cache(2);
        cache.add(1, "one");
        cache.add(2, "two");
        QVERIFY(cache.find(1) != nullptr); // 2 is the one not used for longest
        cache.add(3, "three");
        QVERIFY(cache.find(2) == nullptr);
        QCOMPARE(*cache.find(1), std::string("one"));
        QCOMPARE(*cache.find(3), std::string("three"));
        QCOMPARE(cache.size(), std::size_t(2));
    }

    // --- The timed search

    void withoutAutotuneTheHeuristicsDecide()
    {
        emulation::setFastestCandidate(2);
        const auto backend = makeCudaBackend(0, false);
        product(*backend);
        QCOMPARE(emulation::takeVendorRuns(), Runs{"cublaslt 0"});
        QVERIFY(!QFile::exists(path()));
    }

    void theFastestProductIsFoundAndRemembered()
    {
        emulation::setFastestCandidate(1);
        const auto expected = [&] {
            const auto plain = makeCudaBackend(0, false);
            return product(*plain);
        }();
        const auto backend = searching();
        QCOMPARE(product(*backend), expected);
        emulation::takeVendorRuns();
        product(*backend); // the same plan, no search
        QCOMPARE(emulation::takeVendorRuns(), Runs{"cublaslt 1"});

        const auto next = searching();
        QCOMPARE(product(*next), expected);
        QCOMPARE(emulation::takeVendorRuns(), Runs{"cublaslt 1"});
        QVERIFY(contentOf(path()).contains("cublasLt"));

        QByteArray text = contentOf(path()); // choices that this library cannot make sense of
        const qsizetype at = text.indexOf("5ca1ab1e");
        QVERIFY(at > 0);
        write(path(), text.replace(at, 8, "ffffffff"));
        const auto doubtful = searching();
        QCOMPARE(product(*doubtful), expected);
        QVERIFY(emulation::takeVendorRuns().size() > 1); // searched again
    }

    /// Sentences of any length: a problem that may never come back is not searched for.
    void whereShapesChangeASearchWaitsUntilItPays()
    {
        emulation::setFastestCandidate(1);
        const auto backend = makeCudaBackend(0, true);
        for (int use = 1; use < SearchTime::kSearchAfter; ++use) {
            product(*backend);
            QCOMPARE(emulation::takeVendorRuns(), Runs{"cublaslt 0"});
        }
        product(*backend);
        QVERIFY(emulation::takeVendorRuns().size() > 1);
        product(*backend);
        QCOMPARE(emulation::takeVendorRuns(), Runs{"cublaslt 1"});
    }

    void aSearchAddsToAGradientOnce()
    {
        const auto plain = makeCudaBackend(0, false), tuned = searching();
        QCOMPARE(accumulated(*tuned), accumulated(*plain));
    }

    void theFastestConvolutionIsFoundAndRemembered()
    {
        emulation::setFastestCandidate(1);
        const auto plain = makeCudaBackend(0, false);
        const std::vector<float> expected = convolution(*plain, DType::F32);
        // TF32, engines that do not repeat and those that fail are not chosen.
        QCOMPARE(emulation::takeVendorRuns(), Runs{"cudnn 0"});
        const auto tuned = searching();
        QCOMPARE(convolution(*tuned, DType::F32), expected);
        emulation::takeVendorRuns();
        const auto next = searching();
        QCOMPARE(convolution(*next, DType::F32), expected);
        QCOMPARE(emulation::takeVendorRuns(), Runs{"cudnn 1"});
    }

    // --- Where the libraries do not fuse

    void productsWithoutEpilogues_data()
    {
        QTest::addColumn<int>("activation");
        QTest::addColumn<bool>("half");
        for (const bool half : {false, true})
            for (const Activation a : {Activation::None, Activation::Relu, Activation::GeluErf,
                                       Activation::GeluTanh, Activation::Sigmoid})
                QTest::addRow("%s %s", activationName(a), half ? "bf16" : "f32") << int(a) << half;
    }

    void productsWithoutEpilogues()
    {
        QFETCH(int, activation);
        QFETCH(bool, half);
        const auto backend = makeCudaBackend(0, false), other = makeCudaBackend(0, false);
        const auto fused = linear(*backend, Activation(activation), half);
        emulation::setCublasLtEpilogues(false);
        const auto apart = linear(*other, Activation(activation), half);
        QVERIFY2(largestDifference(fused, apart) < (half ? 0.06f : 1e-5f),
                 qPrintable(QString::number(largestDifference(fused, apart))));
    }

    void convolutionsWithoutFusion()
    {
        for (const DType dtype : {DType::F32, DType::BF16}) {
            const auto backend = makeCudaBackend(0, false), other = makeCudaBackend(0, false);
            emulation::setCudnnFusion(true);
            const auto fused = convolution(*backend, dtype);
            emulation::setCudnnFusion(false);
            const auto apart = convolution(*other, dtype);
            QVERIFY(largestDifference(fused, apart) < (dtype == DType::F32 ? 1e-6f : 0.05f));
        }
    }

private:
    QString path() const { return folder_->filePath("scalebench/cuda_plans.json"); }

    static std::vector<float> product(Backend& backend)
    {
        const Tensor a = onDevice(backend, {33, 20}, 1), b = onDevice(backend, {20, 7}, 2);
        return values(backend, backend.matmul().matmul({}, a, b));
    }

    static std::vector<float> accumulated(Backend& backend)
    {
        const Tensor x = onDevice(backend, {6, 5}, 1), w = onDevice(backend, {3, 5}, 2),
                     dy = onDevice(backend, {6, 3}, 3), dw = onDevice(backend, {3, 5}, 4);
        LinearGradients gradients;
        gradients.weight = dw;
        gradients.accumulateWeight = true;
        backend.matmul().linearBackward({}, x, {w, 1}, Tensor(), dy, false, gradients);
        return values(backend, dw);
    }

    /// Output, what is kept, and all gradients.
    static std::vector<float> linear(Backend& backend, Activation a, bool half)
    {
        const DType dtype = half ? DType::BF16 : DType::F32;
        const Tensor x = onDevice(backend, {6, 8}, 1, dtype), w = onDevice(backend, {16, 8}, 2),
                     b = onDevice(backend, {16}, 3), dy = onDevice(backend, {6, 16}, 4, dtype);
        const LinearArgs args{a, dtype};
        Tensor kept;
        const Tensor y = backend.matmul().linearForward(args, x, {w, 1}, b, &kept);
        LinearGradients gradients;
        gradients.weight = onDevice(backend, {16, 8}, 5);
        gradients.bias = onDevice(backend, {16}, 6);
        const Tensor dx =
            backend.matmul().linearBackward(args, x, {w, 1}, kept, dy, true, gradients);
        std::vector<float> all;
        for (const Tensor& t : {y, dx, gradients.weight, gradients.bias})
            for (const float v : values(backend, t))
                all.push_back(v);
        return all;
    }

    static std::vector<float> convolution(Backend& backend, DType dtype)
    {
        Conv2dParams p;
        p.N = 2, p.H = 6, p.W = 5, p.C = 4, p.K = 8, p.R = p.S = 3, p.padding = 1;
        p.dtype = dtype, p.bias = p.relu = true;
        const Tensor x = onDevice(backend, {2, 6, 5, 4}, 1, dtype),
                     w = onDevice(backend, {8, 4, 3, 3}, 2), b = onDevice(backend, {8}, 3);
        return values(backend, backend.convolution().conv2dForward(p, x, {w, 1}, b));
    }

    std::unique_ptr<QTemporaryDir> folder_;
};

QTEST_GUILESS_MAIN(CudaPlansTest)
#include "cuda_plans_test.moc"
