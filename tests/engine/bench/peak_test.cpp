// SPDX-License-Identifier: GPL-3.0-or-later
// The measured peak against two other ways of knowing it: instructions a cycle, which processors
// have in whole numbers and simple fractions, and a matrix product, which cannot be faster. No
// speed is judged; a machine that is busy gets several tries. Runs as the processor is and capped
// (SCALEBENCH_MAX_CPU_ISA).

#include "engine/bench/bench.h"
#include "engine/bench/disturbance.h"
#include "engine/bench/op_bench.h"
#include "engine/bench/peak.h"
#include "engine/core/processors.h"
#include "kernels/cpu_level.h"
#include "kernels/matmul.h"

#include <QTest>

#include <algorithm>

using namespace scalebench;
using namespace scalebench::bench;

namespace {

constexpr int kTries = 8;
constexpr double kUnsteady = 1.04; ///< a quiet core's tries lie within 1 %

/// Operations per second of the best of some products of 512 x 512 x 512, as many as are done.
double bestProduct(DType dtype)
{
    constexpr std::int64_t kEdge = 512;
    MatmulParams p;
    p.M = p.N = p.K = kEdge;
    p.inputType = p.outputType = dtype;
    const kernels::cpu::MatmulPlan plan(p);
    const std::size_t bytes = std::size_t(kEdge * kEdge) * dtypeBytes(dtype);
    const Buffer a(bytes), b(bytes), c(bytes), workspace(plan.workspaceBytes());
    fillRandom(a.data(), kEdge * kEdge, dtype, 1);
    fillRandom(b.data(), kEdge * kEdge, dtype, 2);
    Options options;
    options.repeats = 1;
    double best = 0;
    for (int i = 0; i < 5; ++i) {
        const Timing t = timeCalls(
            options, [&] { plan.run(a.data(), b.data(), nullptr, c.data(), workspace.data()); });
        best = std::max(best, 2.0 * kEdge * kEdge * kEdge / t.seconds);
    }
    return isSplit(plan.implementation()) ? best / kSplitFewer : best;
}

} // namespace

class PeakTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theCapHolds()
    {
        using kernels::cpu::CpuLevel;
        const QByteArray cap = qgetenv("SCALEBENCH_MAX_CPU_ISA");
        const CpuLevel level = kernels::cpu::cpuLevel();
        if (cap == "sse")
            QCOMPARE(int(level), int(CpuLevel::Sse));
        if (cap == "avx2")
            QVERIFY(level <= CpuLevel::Avx2);
        const std::string method = measureComputePeak(DType::F32, 1).method;
#if defined(__x86_64__)
        const char* const starts[] = {"SSE", "AVX2", "AVX-512"};
        QVERIFY2(method.starts_with(starts[int(level)]), method.c_str());
#else
        QVERIFY(!method.empty());
#endif
        if (!cap.isEmpty())
            QVERIFY2(measureComputePeak(DType::BF16, 1).flops == 0, "bf16 is beyond every cap");
    }

    /// A loop with stores beside its multiply-adds came to 0.7 a cycle where the processor has 2.
    void instructionsACycleAreWhatProcessorsHave_data()
    {
        types();
    }
    void instructionsACycleAreWhatProcessorsHave()
    {
        QFETCH(int, dtype);
        ComputePeak peak;
        double least = 0, most = 0;
        for (int i = 0; i < kTries; ++i) {
            peak = measureComputePeak(DType(dtype), 1);
            if (peak.flops == 0)
                QSKIP("this processor has no such instructions");
            if (peak.clockHz == 0)
                QSKIP("the clock cannot be measured on this kind of processor");
            if (peak.plausible())
                break;
            least = i == 0 ? peak.perCycle : std::min(least, peak.perCycle);
            most = std::max(most, peak.perCycle);
        }
        // A wrong loop is wrong by the same factor each time. What else runs on the core, also in
        // another virtual machine on its second thread, takes another part of it each time.
        const QString tries = QStringLiteral("%1 to %2 a cycle").arg(least).arg(most);
        if (!peak.plausible() && most > kUnsteady * least)
            QSKIP(qPrintable("this core is shared with something that comes and goes: " + tries));
        // Tiles lose more than half of their speed beside any other thread, for minutes.
        if (peak.ofTiles() && most > 0.01 && most < 1.0 / 22)
            QSKIP(qPrintable("another thread computes on this core: " + tries));
        QVERIFY2(peak.plausible(), qPrintable(tries));
        QVERIFY2(peak.ofTiles() || peak.perCycle > 0.4,
                 qPrintable(QStringLiteral("%1 a cycle").arg(peak.perCycle)));
    }

    void noProductIsFasterThanThePeak_data()
    {
        types();
    }
    void noProductIsFasterThanThePeak()
    {
        QFETCH(int, dtype);
        double peak = 0, product = 0;
        bool tiles = false;
        for (int i = 0; i < kTries; ++i) {
            const ComputePeak now = measureComputePeak(DType(dtype), 1);
            const double measured = now.flops;
            if (measured == 0)
                QSKIP("this processor has no such instructions");
            tiles = now.ofTiles();
            // Both only ever lose by what disturbs them.
            peak = std::max(peak, measured);
            product = std::max(product, bestProduct(DType(dtype)));
        }
        QVERIFY2(product < 1.03 * peak,
                 qPrintable(QStringLiteral("%1 of %2").arg(product).arg(peak)));
        // Tiles wait for operands: 0.16 to 0.3 of them are had of such a product, half of it beside
        // another thread.
        QVERIFY2(product > (tiles ? 0.06 : 0.25) * peak, "the peak is no limit but something else");
    }

    /// Threads that take turns have no more units than the processors.
    void moreThreadsThanProcessorsHaveNoHigherPeak()
    {
        const int processors = processorCount();
        const ComputePeak peak = measureComputePeak(DType::F32, 4 * processors);
        QCOMPARE(peak.threads, processors);
        Options options;
        options.threads = processors + 1;
        Report report("gemm", {}, nullptr);
        addComputePeak(options, report);
        const std::string notes = report.json()["notes"].dump();
        QVERIFY2(notes.find("More threads than processors") != std::string::npos, notes.c_str());
    }

    void aPeakBetweenIsDoubtful()
    {
        ComputePeak peak{36.6e9, "AVX2 FMA", 3.24e9, 36.6 / 16 / 3.24};
        QVERIFY(!peak.plausible());
        peak.perCycle = 1.97;
        QVERIFY(peak.plausible());
        peak.perCycle = 1.0 / 16;
        QVERIFY(peak.plausible());
        peak.method = "SSE multiply and add"; // three units for the two
        for (const double pairs : {1.27, 1.5, 2.0}) {
            peak.perCycle = pairs;
            QVERIFY(peak.plausible());
        }
        for (const double doubtful : {0.7, 1.15, 1.7}) {
            peak.perCycle = doubtful;
            QVERIFY(!peak.plausible());
        }
        peak.perCycle = 1.0 / 16;
        peak.method = "AMX bf16"; // at a lower clock, and beside another thread
        QVERIFY(peak.plausible());
        peak.perCycle = 1.0 / 20;
        QVERIFY(peak.plausible());
        for (const double doubtful : {1.0 / 32, 1.0 / 12, 0.5}) {
            peak.perCycle = doubtful;
            QVERIFY(!peak.plausible());
        }
    }

    /// "173 % of peak, spread 64 %" was printed without a word.
    void doubtfulAndUnsteadyFiguresSaySo()
    {
        Timing timing;
        timing.spread = 0.64;
        const std::string both = remarkOf(timing, 1.73);
        QVERIFY2(both.find("173 % of the peak") != std::string::npos, both.c_str());
        QVERIFY2(both.find("spread 64 %") != std::string::npos, both.c_str());
        timing.spread = 0.1;
        QCOMPARE(remarkOf(timing, 0.97), std::string());
        QCOMPARE(remarkOf(timing, 0), std::string());
        timing.lost = 0.3;
        QVERIFY(remarkOf(timing, 0).find("30 % of the time") != std::string::npos);
        std::map<std::string, Json> row = {{"note", "first"}};
        addRemark(row, timing, 0);
        QVERIFY(row["note"].get<std::string>().starts_with("first; disturbed"));
    }

    void otherLoadIsTold()
    {
        report::HostLoad load;
        load.seconds = 10;
        load.processors = 2;
        load.own = 1;
        const Json quiet = loadJson(load, 3, {3e9, 3.1e9}, {}, 1);
        QVERIFY(!quiet["disturbed"].get<bool>());
        load.others = 0.6;
        QVERIFY2(!loadJson(load, 3, {3e9, 3e9}, {}, 1)["disturbed"].get<bool>(),
                 "one is left for others");
        const Json crowded = loadJson(load, 3, {3e9, 3e9}, {}, 2);
        QVERIFY(crowded["disturbed"].get<bool>());
        QVERIFY(loadSentence(crowded).find("0.60 of 2 processors") != std::string::npos);
        QVERIFY(loadSentence(crowded).ends_with("These figures were disturbed."));
        load.others = 0;
        QVERIFY(loadJson(load, 3, {3e9, 2e9}, {}, 1)["disturbed"].get<bool>());
        const Json near = loadJson(load, 3, {3e9, 3e9}, {60, 70}, 1);
        QVERIFY(!near["disturbed"].get<bool>());
        QVERIFY(loadSentence(near).ends_with("and back 60 ns before, 70 after"));
        QVERIFY2(loadJson(load, 3, {3e9, 3e9}, {60, 330}, 1)["disturbed"].get<bool>(),
                 "a hypervisor moved the processors apart");
        QVERIFY(!loadJson(load, 3, {3e9, 3e9}, {0, 330}, 1).contains("handover_ns"));
        load.stolen = 0.2;
        QVERIFY(loadJson(load, 3, {3e9, 3e9}, {}, 1)["disturbed"].get<bool>());
    }

private:
    static void types()
    {
        QTest::addColumn<int>("dtype");
        QTest::newRow("fp32") << int(DType::F32);
        QTest::newRow("bf16") << int(DType::BF16);
    }
};

QTEST_APPLESS_MAIN(PeakTest)
#include "peak_test.moc"
