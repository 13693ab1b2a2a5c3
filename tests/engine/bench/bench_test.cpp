// SPDX-License-Identifier: GPL-3.0-or-later
// The micro-benchmarks' bookkeeping: problem lists and formulas against published figures, checks
// that find a wrong element, and files that parse. Speed is never judged here.

#include "engine/bench/bench.h"
#include "engine/bench/collective_bench.h"
#include "engine/bench/deepbench.h"
#include "engine/bench/embedding_bench.h"
#include "engine/bench/memory_bench.h"
#include "engine/bench/op_bench.h"
#include "engine/bench/peak.h"
#include "engine/bench/report.h"
#include "engine/bench/storage_bench.h"
#include "engine/bench/warm_up.h"
#include "kernels/check.h"
#include "kernels/cpu_features.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace scalebench;
using namespace scalebench::bench;

namespace {

Context context()
{
    Context c;
    c.command = {"scalebench-engine", "bench", "a \"quoted\" word"};
    c.environment = {{"OMP_NUM_THREADS", "2"}};
    c.version = "scalebench-engine 1";
    c.machine = {{"host", "here"}};
    return c;
}

Options quick()
{
    Options options;
    options.repeats = 2;
    options.maxSeconds = 5;
    return options;
}

bool isUsageError(const std::function<void()>& call)
{
    try {
        call();
    } catch (const InvalidArgument& e) {
        return e.code() == "usage";
    }
    return false;
}

bool has(const GemmProblem& p)
{
    const auto all = deepbenchGemm();
    return std::any_of(all.begin(), all.end(), [&](const GemmProblem& q) {
        return q.m == p.m && q.n == p.n && q.k == p.k && q.transA == p.transA &&
               q.transB == p.transB;
    });
}

} // namespace

class BenchTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// DeepBench's README: time and TeraFLOPS of the same problem, both rounded to two decimals.
    void gemmOperationsAgreeWithPublishedFigures_data()
    {
        QTest::addColumn<int>("m");
        QTest::addColumn<int>("n");
        QTest::addColumn<int>("k");
        QTest::addColumn<bool>("transA");
        QTest::addColumn<double>("ms");
        QTest::addColumn<double>("tflops");
        QTest::newRow("speech") << 1760 << 128 << 1760 << false << 0.10 << 7.93;
        QTest::newRow("speech 2560") << 2560 << 64 << 2560 << false << 0.16 << 5.31;
        QTest::newRow("large") << 5124 << 9124 << 2560 << true << 29.51 << 8.21;
        QTest::newRow("3072") << 3072 << 128 << 1024 << true << 0.13 << 6.01;
    }
    void gemmOperationsAgreeWithPublishedFigures()
    {
        QFETCH(int, m);
        QFETCH(int, n);
        QFETCH(int, k);
        QFETCH(bool, transA);
        QFETCH(double, ms);
        QFETCH(double, tflops);
        const GemmProblem p{m, n, k, transA, false};
        QVERIFY(has(p));
        const double computedMs = p.flops() / (tflops * 1e12) * 1e3;
        QVERIFY2(std::abs(computedMs - ms) <= 0.005 + 0.015 * ms,
                 qPrintable(QString::number(computedMs)));
    }

    /// 5x5 windows over 4x4 pixels, two of padding: a row's middle results meet all four pixels,
    /// the outer ones three.
    void paddingIsNoWork()
    {
        const ConvProblem p{4, 4, 1, 1, 1, 5, 5, 2, 1};
        QCOMPARE(p.flops(), 2.0 * 16 * 25);
        QCOMPARE(p.flopsWithoutPadding(), 2.0 * 14 * 14);
        const ConvProblem none{9, 8, 3, 2, 5, 3, 2, 0, 2};
        QCOMPARE(none.flopsWithoutPadding(), none.flops());
    }
    void listsAreComplete()
    {
        QCOMPARE(deepbenchGemm().size(), std::size_t(160));
        QCOMPARE(deepbenchConv().size(), std::size_t(94));
        QCOMPARE(deepbenchRnn().size(), std::size_t(52));
        QCOMPARE(deepbenchAllReduce().size(), std::size_t(7));
        QVERIFY(has({7680, 5481, 2560, false, true}));
        QVERIFY(has({512, 8, 500000, true, false}));
        QVERIFY(has({8448, 48000, 2816, true, false}));
        const auto gemm = deepbenchGemm();
        QCOMPARE(
            std::count_if(gemm.begin(), gemm.end(), [](const GemmProblem& p) { return p.transB; }),
            std::ptrdiff_t(10));
        const auto rnn = deepbenchRnn();
        QCOMPARE(std::count_if(rnn.begin(), rnn.end(),
                               [](const RnnProblem& p) { return p.cell == RnnCell::Lstm; }),
                 std::ptrdiff_t(22));
        QCOMPARE(std::accumulate(deepbenchAllReduce().begin(), deepbenchAllReduce().end(),
                                 std::int64_t{}),
                 std::int64_t{133582721});
        // The stem of ResNet-50 on 16 pictures: 16 x 112 x 112 x 64 outputs of 3 x 7 x 7 products.
        const ConvProblem& stem = deepbenchConv()[29];
        QCOMPARE(stem.r, std::int64_t{7});
        QCOMPARE(stem.outH(), std::int64_t{112});
        QCOMPARE(stem.flops(), 2.0 * 16 * 112 * 112 * 64 * 147);
        for (const ConvProblem& p : deepbenchConv())
            QVERIFY(p.outH() > 0 && p.outW() > 0);
    }

    /// doc/PERFORMANCE.md of nccl-tests: factors 2(n-1)/n and (n-1)/n of S/t.
    void busBandwidthIsThatOfNcclTests()
    {
        QCOMPARE(allReduceBusFactor(2), 1.0);
        QCOMPARE(allReduceBusFactor(4), 1.5);
        QCOMPARE(allReduceBusFactor(8), 1.75);
        QCOMPARE(allToAllBusFactor(2), 0.5);
        QCOMPARE(allToAllBusFactor(8), 0.875);
        QCOMPARE(algorithmBandwidth(128e6, 1e-3), 128e9);
        // Lines that nccl-tests' all_reduce_perf printed for 134217728 bytes on 2, 4, 8, 16 GPUs.
        const struct {
            int workers;
            double us, algBw, busBw;
        } printed[] = {{2, 1833.5, 73.20, 73.20},
                       {4, 1119.32, 119.91, 179.87},
                       {8, 1157.6, 115.94, 202.90},
                       {16, 759.11, 176.81, 331.52}};
        for (const auto& line : printed) {
            const double rate = algorithmBandwidth(134217728, line.us * 1e-6) / 1e9;
            QVERIFY(std::abs(rate - line.algBw) < 0.006);
            QVERIFY(std::abs(rate * allReduceBusFactor(line.workers) - line.busBw) < 0.011);
        }
    }

    void aCorruptedSumIsCounted()
    {
        constexpr int kWorkers = 3;
        std::vector<float> sums(1000, 0.0f);
        for (int rank = 0; rank < kWorkers; ++rank)
            for (std::size_t i = 0; i < sums.size(); ++i)
                sums[i] += allReduceInput(rank, std::int64_t(i));
        QCOMPARE(countWrongSums(sums, kWorkers), std::int64_t{0});
        QVERIFY(countWrongSums(sums, kWorkers + 1) > 900); // a missing worker
        sums[17] += 1;
        sums[999] = NAN;
        QCOMPARE(countWrongSums(sums, kWorkers), std::int64_t{2});
    }

    void aMisplacedPartIsCounted()
    {
        constexpr int kWorkers = 4, kRank = 2, kPart = 25;
        std::vector<std::uint32_t> received;
        for (int from = 0; from < kWorkers; ++from)
            for (int i = 0; i < kPart; ++i)
                received.push_back(allToAllInput(from, kRank, i));
        QCOMPARE(countWrongReceived(received, kRank, kWorkers), std::int64_t{0});
        QCOMPARE(countWrongReceived(received, kRank + 1, kWorkers), std::int64_t{kWorkers * kPart});
        std::swap_ranges(received.begin(), received.begin() + kPart, received.begin() + kPart);
        QCOMPARE(countWrongReceived(received, kRank, kWorkers), std::int64_t{2 * kPart});
    }

    void aWrongProductIsCounted()
    {
        SampleCheck check(DType::BF16);
        check.compare(1.004, 1.0, 10); // half a bf16 step
        QCOMPARE(check.wrong(), 0);
        check.compare(1.02, 1.0, 10);
        check.compare(NAN, 1.0, 10);
        QCOMPARE(check.wrong(), 2);
        SampleCheck exact(DType::F32);
        exact.compare(1.00001, 1.0, 1);
        QCOMPARE(exact.wrong(), 1);
        SampleCheck otherwise(DType::F32, 4e-3);
        otherwise.compare(1.003, 1.0, 1, 1.0);
        QCOMPARE(otherwise.wrong(), 0);
        otherwise.compare(1.003, 1.0, 1, 0.5);
        QCOMPARE(otherwise.wrong(), 1);
    }

    void medianAndSpread()
    {
        const Timing t = summarize({5, 1, 2, 4, 3});
        QCOMPARE(t.seconds, 3.0);
        QCOMPARE(t.spread, 2.0 / 3.0);
        QCOMPARE(t.repeats, 5);
        QCOMPARE(summarize({1, 2}).seconds, 1.5);
        QVERIFY(std::isnan(summarize({7}).spread)); // one says nothing of it
        QCOMPARE(summarize({7}).seconds, 7.0);
    }

    void timingStopsWhenAsked()
    {
        std::atomic<bool> stop{false};
        Options options = quick();
        options.stop = &stop;
        options.repeats = 1000000;
        int calls = 0;
        bool stopped = false;
        try {
            timeCalls(options, [&] { stop = ++calls > 5; });
        } catch (const Stopped&) {
            stopped = true;
        }
        QVERIFY(stopped);
        Options limited = quick();
        limited.maxSeconds = 0.05;
        limited.repeats = 1000000;
        QVERIFY(timeCalls(limited, [] { QTest::qSleep(2); }).repeats < 100);
    }

    void optionTexts()
    {
        Options options;
        options.problems = "3,1-2,2";
        QCOMPARE(chooseProblems(options, 5, 2), (std::vector<std::size_t>{0, 1, 2}));
        for (const char* bad : {"0", "6", "a", "1-", "3-1", "1-2-3", ""}) {
            options.problems = std::string(bad) + ",1";
            QVERIFY2(isUsageError([&] { chooseProblems(options, 5, 2); }), bad);
        }
        options.problems.clear();
        options.quick = true;
        QCOMPARE(chooseProblems(options, 5, 2), (std::vector<std::size_t>{0, 2, 4}));
        QCOMPARE(parseSizes("1x2x3,4x5x6", 3, "MxNxK").at(1), (std::vector<std::int64_t>{4, 5, 6}));
        for (const char* bad : {"1x2", "1x2x0", "1x2x-3", "1x2xq", "", "1x2x3x4"})
            QVERIFY2(isUsageError([&] { parseSizes(bad, 3, "MxNxK"); }), bad);
        QCOMPARE(parseBytes("4K"), std::int64_t{4096});
        QCOMPARE(parseBytes("3"), std::int64_t{3});
        QCOMPARE(formatBytes(6 << 20), std::string("6M"));
        for (const char* bad : {"", "K", "-1", "1.5M", "99999999999999999999", "9999999999G"})
            QVERIFY2(isUsageError([&] { parseBytes(bad); }), bad);
    }

    void longAndLargeProblemsAreLeftOutWithTheReason()
    {
        Options options;
        options.maxSeconds = 1;
        QVERIFY(reasonToSkip(options, 1e9, 1e12, 1e6).empty());
        QVERIFY(reasonToSkip(options, 1e13, 1e12, 1e6).find("--max-seconds") != std::string::npos);
        QVERIFY(reasonToSkip(options, 1, 1e12, 1e18).find("memory") != std::string::npos);
    }

    void csvAndJsonHoldTheSame()
    {
        Report report("test", context(), nullptr);
        report.setColumns({{"name", "name"}, {"x", "x", 2}, {"wrong", "wrong", 0}, {"note", ""}});
        report.addRow({{"name", "plain"}, {"x", 1.5}, {"wrong", 0}});
        report.addRow({{"name", "with, comma and \"quote\""}, {"x", NAN}, {"wrong", 3}});
        QCOMPARE(report.csv(), std::string("name,x,wrong,note\nplain,1.5,0,\n"
                                           "\"with, comma and \"\"quote\"\"\",,3,\n"));
        QCOMPARE(report.wrong(), std::int64_t{3});
        QVERIFY(!report.nothingMeasured());
        const QByteArray text = QByteArray::fromStdString(report.json().dump());
        QVERIFY(text.startsWith("{\"command\":[\"scalebench-engine\",\"bench\""));
        QVERIFY(text.indexOf("\"environment\"") < text.indexOf("\"version\"") &&
                text.indexOf("\"version\"") < text.indexOf("\"machine\"") &&
                text.indexOf("\"machine\"") < text.indexOf("\"results\""));
        const QJsonArray rows =
            QJsonDocument::fromJson(text).object()[QStringLiteral("results")].toArray();
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows[0][QStringLiteral("x")].toDouble(), 1.5);
        QVERIFY(rows[1][QStringLiteral("x")].isNull()); // JSON has no NaN
        bool refused = false;
        try {
            report.addRow({{"nme", 1}});
        } catch (const InvalidArgument&) {
            refused = true;
        }
        QVERIFY(refused);
    }

    /// Small problems of each benchmark, odd sizes among them, give rows with right results.
    void opsAreMeasuredAndVerified_data()
    {
        QTest::addColumn<QString>("benchmark");
        QTest::addColumn<QString>("sizes");
        QTest::addColumn<bool>("bf16");
        QTest::addColumn<int>("rows");
        for (const bool bf16 : {false, true}) {
            const char* suffix = bf16 ? "bf16" : "fp32";
            QTest::addRow("gemm %s", suffix) << "gemm"
                                             << "33x65x129:TN,7x1x5:NT,64x32x16" << bf16 << 3;
            QTest::addRow("conv %s", suffix) << "conv"
                                             << "9x8x16x2x16x3x3x2x2" << bf16 << 3;
            QTest::addRow("conv by Winograd's way where it wins, %s", suffix)
                << "conv"
                << "14x14x256x2x256x3x3x2x1" << bf16 << 3;
            QTest::addRow("rnn %s", suffix) << "rnn"
                                            << "24x3x5" << bf16 << 2;
            QTest::addRow("attention %s", suffix) << "attention"
                                                  << "2x3x17x16:causal,1x2x33x16" << bf16 << 4;
        }
    }
    void opsAreMeasuredAndVerified()
    {
        QFETCH(QString, benchmark);
        QFETCH(QString, sizes);
        QFETCH(bool, bf16);
        QFETCH(int, rows);
        if (bf16 && measureComputePeak(DType::BF16, 1).flops == 0)
            QSKIP("this processor has no bf16 arithmetic");
        Options options = quick();
        options.dtype = bf16 ? DType::BF16 : DType::F32;
        options.sizes = sizes.toStdString();
        Report report(benchmark.toStdString(), context(), nullptr);
        const auto run = benchmark == QStringLiteral("gemm")   ? runGemmBench
                         : benchmark == QStringLiteral("conv") ? runConvBench
                         : benchmark == QStringLiteral("rnn")  ? runRnnBench
                                                               : runAttentionBench;
        run(options, report);
        const Json results = report.json()["results"];
        QCOMPARE(int(results.size()), rows);
        for (const Json& row : results) {
            // Nothing was left out; that the machine is busy may be said.
            const std::string note =
                row["note"].is_string() ? row["note"].get<std::string>() : std::string();
            QVERIFY2(!note.starts_with("skipped") && !note.starts_with("unsupported"),
                     row.dump().c_str());
            QVERIFY(row["median_ms"].get<double>() > 0);
            if (row.contains("pass") && row["pass"] == "backward" &&
                benchmark == QStringLiteral("rnn"))
                continue; // timed together with forward, not checked singly
            QVERIFY2(row["checked"].get<int>() > 0 && row["wrong"] == 0, row.dump().c_str());
        }
    }

    /// bf16 numbers that are computed with as fp32 are not called a measurement of bf16.
    void whatIsComputedIsTold()
    {
        Options options = quick();
        options.list = true;
        options.dtype = DType::BF16;
        options.problems = "1";
        Report report("gemm", context(), nullptr);
        runGemmBench(options, report);
        QCOMPARE(report.json()["results"][0]["precision"].get<std::string>(),
                 std::string(kernels::cpu::cpuFeatures().bf16Fast ? "bf16" : "bf16 in fp32"));
    }

    /// DeepBench's list has windows of one pixel with a padding of three.
    void whatNoLayerMayBeIsLeftOut()
    {
        Options options = quick();
        options.problems = "45";
        Report report("conv", context(), nullptr);
        runConvBench(options, report);
        const Json results = report.json()["results"];
        QCOMPARE(int(results.size()), 1);
        QVERIFY2(results[0]["note"].get<std::string>().starts_with("unsupported: "),
                 results[0].dump().c_str());
    }
    void memoryLoopsDoWhatTheyCount()
    {
        StreamArrays arrays(40004, 2);
        QCOMPARE(arrays.countWrong(), std::int64_t{0});
        QCOMPARE(streamArrays(StreamKernel::Copy), 2);
        QCOMPARE(streamArrays(StreamKernel::Triad), 3);
    }

    /// What is looked up and summed is right, and Zipf's ids are as skewed as they should be.
    void embeddingRowsAreRight()
    {
        Options options = quick();
        options.sizes = "100x8x5000,30000x16x2000,1x4x10";
        Report report("embedding", context(), nullptr);
        runEmbeddingBench(options, report);
        QCOMPARE(int(report.rows()), 12);
        QCOMPARE(report.wrong(), std::int64_t{0});

        constexpr int kRows = 1000, kIds = 100000;
        for (const bool zipf : {false, true}) {
            std::vector<int> seen(kRows, 0);
            for (const std::int32_t id : drawIds(kRows, kIds, zipf))
                ++seen.at(std::size_t(id));
            std::ranges::sort(seen, std::ranges::greater{});
            // The most common: 1 of 1000 of uniform ids, ln 2 / ln 1001 of Zipf's.
            const double share = double(seen[0]) / kIds;
            QVERIFY2(std::abs(share - (zipf ? 0.1003 : 0.001)) < (zipf ? 0.005 : 0.0005),
                     std::to_string(share).c_str());
        }
    }

    void storageLeavesNothingBehind()
    {
        const QTemporaryDir dir;
        Options options = quick();
        options.folder = dir.path().toStdString();
        options.fileBytes = 8 << 20;
        Report report("storage", context(), nullptr);
        runStorageBench(options, report);
        QCOMPARE(int(report.rows()), 3);
        QCOMPARE(report.wrong(), std::int64_t{0});
        for (const Json& row : report.json()["results"]) // where one goes around the cache, all do
            QVERIFY2(row["method"] == report.json()["results"].back()["method"],
                     row.dump().c_str());
        const auto everything = QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot;
        QVERIFY(QDir(dir.path()).isEmpty(everything));

        std::atomic<bool> stop{true};
        options.stop = &stop;
        bool stopped = false;
        try {
            runStorageBench(options, report);
        } catch (const Stopped&) {
            stopped = true;
        }
        QVERIFY(stopped);
        QVERIFY(QDir(dir.path()).isEmpty(everything));
        options.stop = nullptr;
        options.folder += "/none";
        QVERIFY(isUsageError([&] { runStorageBench(options, report); }));
    }

    void storageInMemoryIsCalledSo()
    {
        const QTemporaryDir dir(QStringLiteral("/dev/shm/scalebench-XXXXXX"));
        if (!dir.isValid())
            QSKIP("there is no /dev/shm");
        Options options = quick();
        options.folder = dir.path().toStdString();
        options.fileBytes = 8 << 20;
        Report report("storage", context(), nullptr);
        runStorageBench(options, report);
        const Json json = report.json();
        QVERIFY(json["notes"].dump().find("what is measured is memory") != std::string::npos);
        for (const Json& row : json["results"])
            QVERIFY2(row["method"] == "memory", row.dump().c_str());
    }

    /// Steps before the timed ones, where the first so many take memory.
    void warmsUpUntilMemoryIsThere_data()
    {
        QTest::addColumn<int>("growing");
        QTest::addColumn<double>("seconds");
        QTest::addColumn<int>("steps");
        QTest::newRow("none") << 0 << 60.0 << 3;
        QTest::newRow("seven") << 7 << 60.0 << 10;
        QTest::newRow("all") << 1000 << 60.0 << 40;
        QTest::newRow("no time") << 7 << 0.0 << 2;
    }
    void warmsUpUntilMemoryIsThere()
    {
        QFETCH(int, growing);
        QFETCH(double, seconds);
        Options options = quick();
        options.maxSeconds = seconds;
        int steps = 0;
        std::uint64_t requests = 5;
        warmUp(
            options, [&] { requests += std::uint64_t(++steps <= growing); },
            [&] { return requests; });
        QTEST(steps, "steps");
    }
};

QTEST_GUILESS_MAIN(BenchTest)
#include "bench_test.moc"
