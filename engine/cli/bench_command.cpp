// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cli/bench_command.h"

#include "engine/bench/bench.h"
#include "engine/bench/collective_bench.h"
#include "engine/bench/device_bench.h"
#include "engine/bench/disturbance.h"
#include "engine/bench/report.h"
#include "engine/bench/single_benchmarks.h"
#include "engine/bench/step_bench.h"
#include "engine/core/processors.h"
#include "engine/core/thread_count.h"
#include "engine/device/cuda_devices.h"
#include "engine/device/cuda_loader.h"
#include "engine/dist/mpi/mpi_communicator.h"
#include "engine/report/system_info.h"
#include "engine/train/load_run_config.h"
#include "kernels/check.h"
#include "kernels/cpu_features.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <set>
#include <string>

namespace scalebench::cli {
namespace {

using report::Json;

std::atomic<bool> g_stop{false};

void onSignal(int)
{
    g_stop = true;
}

void stopOnSignals()
{
    std::signal(SIGINT, onSignal);
    std::signal(SIGTERM, onSignal);
    std::signal(SIGUSR1, onSignal);               // what mpirun hands on to workers
    if (std::signal(SIGHUP, onSignal) == SIG_IGN) // nohup
        std::signal(SIGHUP, SIG_IGN);
}

struct Arguments {
    std::string benchmark;
    std::string precision = "fp32";
    std::string device = "cpu";
    std::string allReduce = "auto";
    std::optional<int> threads, repeats;
    std::optional<double> maxSeconds;
    std::string fileSize = "1G";
    std::string csvPath, jsonPath;
    std::optional<report::NamedFile> csv, json; ///< of these, looked at
    std::string runFile;                        ///< step: run.json
    std::optional<RunConfig> run;               ///< step
    bool fileSizeGiven = false, folderGiven = false, checkOnly = false;
    bench::Options options;
    std::vector<std::string> command;
};

[[noreturn]] void usage(const std::string& message)
{
    throw InvalidArgument(message, "usage");
}

bool isCollective(const std::string& benchmark)
{
    return benchmark == "allreduce" || benchmark == "alltoall";
}

/// Found out before minutes of measuring, not after.
void nameFiles(Arguments& a)
{
    if (!a.csvPath.empty())
        a.csv.emplace(a.csvPath);
    if (!a.jsonPath.empty())
        a.json.emplace(a.jsonPath);
    if (a.csv && a.json && a.csv->isSameAs(*a.json))
        usage("--csv and --json name the same file; give each its own");
    if ((a.csv || a.json) && a.options.list)
        usage("--list measures nothing that --csv or --json could keep; leave them out");
}

/// The run that step measures decides on precision and threads.
void readRun(Arguments& a)
{
    if (a.runFile.empty())
        usage(
            "bench step needs --run FILE, a run.json; `scalebench bench step WORKLOAD` makes one");
    std::ifstream in(a.runFile);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in)
        usage(a.runFile + " cannot be read");
    a.run = train::parseRunConfig(text);
    a.precision = a.run->precision;
    a.threads = a.run->threadsPerWorker;
    if (!a.maxSeconds)
        a.maxSeconds = 30;
}

void resolve(Arguments& a)
{
    bench::Options& o = a.options;
    if (a.benchmark == "step")
        readRun(a);
    else if (!a.runFile.empty())
        usage("--run belongs to step");
    if (a.precision != "fp32" && a.precision != "bf16")
        usage("--precision is fp32 or bf16, not \"" + a.precision + "\"");
    o.dtype = a.precision == "bf16" ? DType::BF16 : DType::F32;
    o.threads = a.threads.value_or(isCollective(a.benchmark) ? 1 : processorCount());
    o.repeats = a.repeats.value_or(o.quick ? 5 : 10);
    o.maxSeconds = a.maxSeconds.value_or(o.quick ? 0.5 : 2);
    if (o.threads < 1 || o.threads > 4096)
        usage("--threads must be from 1 to 4096");
    if (o.repeats < 1)
        usage("--repeats must be at least 1");
    if (!(o.maxSeconds > 0))
        usage("--max-seconds must be more than 0");
    o.fileBytes = o.quick && !a.fileSizeGiven ? 64 << 20 : bench::parseBytes(a.fileSize);
    if (a.device != "cpu" && a.device != "cuda")
        usage("--device is cpu or cuda, not \"" + a.device + "\"");
    static const std::set<std::string> onDevices{"gemm", "conv", "attention", "memory",
                                                 "allreduce"};
    if (a.device == "cuda" && !onDevices.contains(a.benchmark))
        usage("--device cuda measures gemm, conv, attention, memory and allreduce");
    if (a.device == "cuda")
        if (const std::string& reason = device::cudaUnavailableReason(); !reason.empty())
            throw Unsupported("device \"cuda\" cannot be measured: " + reason,
                              "device_unavailable");
    if (a.allReduce != "auto" && a.allReduce != "staged")
        usage("--allreduce is auto or staged, not \"" + a.allReduce + "\"");
    if (a.allReduce != "auto" && (a.benchmark != "allreduce" || a.device != "cuda"))
        usage("--allreduce belongs to allreduce --device cuda");
    if ((a.folderGiven || a.fileSizeGiven) && a.benchmark != "storage")
        usage("--dir and --file-size belong to storage");
    const bool compute = a.benchmark == "step" || a.benchmark == "gemm" || a.benchmark == "conv" ||
                         a.benchmark == "rnn" || a.benchmark == "attention";
    if (!o.problems.empty() && !o.sizes.empty())
        usage("give --problem or --sizes, not both");
    if (!o.problems.empty() && !compute)
        usage("--problem belongs to gemm, conv, rnn and attention");
    if (a.benchmark == "step" && (!o.problems.empty() || !o.sizes.empty()))
        usage("step takes neither --problem nor --sizes: its run says everything");
    if (!o.sizes.empty() && a.benchmark == "storage")
        usage("storage takes --file-size, not --sizes");
    if (a.precision == "bf16" && !compute)
        usage(a.benchmark + " measures fp32 only");
    bench::checkProblems(a.benchmark, o);
    if (const char* cap = std::getenv("SCALEBENCH_MAX_CPU_ISA");
        cap != nullptr && !std::set<std::string>{"sse", "avx2", "avx512"}.contains(cap))
        usage("SCALEBENCH_MAX_CPU_ISA is sse, avx2 or avx512, not \"" + std::string(cap) +
              "\": nothing would be capped");
    nameFiles(a);
}

bench::Context contextOf(const Arguments& a, int workers)
{
    bench::Context context;
    context.command = a.command;
    context.environment = bench::speedEnvironment();
    context.version = std::string("scalebench-engine ") + SB_VERSION;
    context.machine = report::describeNode();
    context.machine["kernels"] = kernels::cpu::cpuFeatures().library;
    context.machine["instruction_set"] = kernels::cpu::cpuFeatures().isa;
    context.settings = {{"precision", a.precision},
                        {"threads", a.options.threads},
                        {"workers", workers},
                        {"repeats", a.options.repeats},
                        {"max_seconds", a.options.maxSeconds},
                        {"quick", a.options.quick},
                        {"sizes", a.options.sizes},
                        {"problems", a.options.problems}};
    if (a.benchmark == "storage") {
        context.settings["folder"] = a.options.folder;
        context.settings["file_bytes"] = a.options.fileBytes;
    }
    return context;
}

void runSingle(const Arguments& a, bench::Report& results)
{
    if (a.device == "cuda") {
        // Algorithms chosen by timing, as long runs have them.
        const std::unique_ptr<Backend> backend = device::cudaPlugin().makeBackend(0, true);
        results.addNote("Device: " + backend->describe());
        return bench::runDeviceBench(a.benchmark, a.options, *backend, results);
    }
    if (a.benchmark == "step")
        return bench::runStepBench(a.options, *a.run, results);
    bench::findSingleBenchmark(a.benchmark)->run(a.options, results);
}

/// Results are written and judged by one worker.
int finish(bench::Report& results)
{
    results.finish();
    if (results.nothingMeasured()) {
        std::fputs("scalebench-engine: nothing was measured: every problem was left out, with the "
                   "reason beside it\n",
                   stderr);
        return 3;
    }
    const std::int64_t wrong = results.wrong();
    if (wrong == 0)
        return 0;
    std::fprintf(stderr, "scalebench-engine: %lld results are wrong: see the column \"wrong\"\n",
                 static_cast<long long>(wrong));
    return 3;
}

constexpr int kStopped = 130; ///< as a shell tells of SIGINT

int tellStopped(bench::Report& results)
{
    if (results.rows() > 0) // else what an earlier benchmark left stays
        results.finish(false);
    if (results.rowsWritten() > 0)
        std::fprintf(stderr, "scalebench-engine: stopped; %zu rows were measured and written\n",
                     results.rowsWritten());
    else
        std::fputs("scalebench-engine: stopped; no results were written\n", stderr);
    return kStopped;
}

void runOnDevice(const Arguments& a, dist::Communicator& communicator, bench::Report& results)
{
    const CudaPlugin& plugin = device::cudaPlugin();
    const int number = device::chooseGpu(communicator, device::cudaDriver().devices).number;
    const std::unique_ptr<Backend> backend = plugin.makeBackend(number, false);
    const std::unique_ptr<dist::DeviceGroup> group =
        plugin.makeGroup(*backend, communicator, dist::parseAllReduceKind(a.allReduce));
    bench::runDeviceAllReduceBench(a.options, communicator, *backend, *group, results);
}

int runCollective(const Arguments& a)
{
    if (!dist::startedByMpi())
        usage("bench " + a.benchmark + " needs 2 or more workers under mpirun; `scalebench bench " +
              a.benchmark + " --workers 2` starts them");
    const auto mpi = std::make_unique<dist::MpiScope>();
    auto communicator = dist::makeMpiCommunicator();
    stopOnSignals(); // MPI may have set its own
    const bool first = communicator->rank() == 0;
    bench::Report results(a.benchmark, contextOf(a, communicator->size()),
                          first ? stdout : nullptr);
    if (first)
        results.setFiles(a.csv, a.json);
    int code = 0;
    const bench::DisturbanceWatch watch(first && communicator->localSize() > 1);
    try {
        if (a.device == "cuda")
            runOnDevice(a, *communicator, results);
        else if (a.benchmark == "allreduce")
            bench::runAllReduceBench(a.options, *communicator, results);
        else
            bench::runAllToAllBench(a.options, *communicator, results);
        double ownS[] = {watch.ownSeconds()};
        communicator->allReduceSum(std::span<double>(ownS));
        if (first && !a.options.list)
            watch.finish(ownS[0], communicator->localSize() * a.options.threads, results);
        code = first ? finish(results) : 0;
    } catch (const bench::Stopped&) { // all workers agreed
        code = first ? tellStopped(results) : kStopped;
    } catch (const InvalidArgument&) { // all workers see the same options
        throw;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "scalebench-engine: [worker %d] %s\n", communicator->rank(), e.what());
        communicator->abort(3);
    }
    return code;
}

int run(Arguments& a)
{
    stopOnSignals();
    a.options.stop = &g_stop;
    resolve(a);
    if (a.checkOnly)
        return 0;
    setComputeThreads(a.options.threads);
    if (isCollective(a.benchmark))
        return runCollective(a);
    bench::Report results(a.benchmark, contextOf(a, 1), stdout);
    results.setFiles(a.csv, a.json);
    const bench::DisturbanceWatch watch(a.options.threads > 1);
    try {
        runSingle(a, results);
    } catch (const bench::Stopped&) {
        return tellStopped(results);
    }
    if (!a.options.list)
        watch.finish(watch.ownSeconds(), a.options.threads, results);
    return finish(results);
}

/// One worker speaks for all that fail alike.
bool isSilentWorker()
{
    const char* rank = std::getenv("OMPI_COMM_WORLD_RANK");
    return rank != nullptr && std::string_view(rank) != "0";
}

int runGuarded(Arguments& a)
{
    try {
        return run(a);
    } catch (const Error& e) {
        if (!isSilentWorker())
            std::fprintf(stderr, "scalebench-engine: %s\n", e.what());
        return e.code() == "usage" || e.code() == "invalid_argument" ? 2 : 3;
    } catch (const std::bad_alloc&) {
        std::fputs("scalebench-engine: out of memory; use smaller --sizes\n", stderr);
        return 3;
    }
}

} // namespace

std::function<int()> addBenchCommand(CLI::App& app, int argc, const char* const* argv)
{
    const auto a = std::make_shared<Arguments>();
    a->command.assign(argv, argv + argc);
    CLI::App* bench = app.add_subcommand("bench", "Measure single operations, memory and storage");
    bench
        ->add_option(
            "benchmark", a->benchmark,
            "gemm, conv, rnn, attention, embedding, allreduce, alltoall, memory, storage or "
            "step")
        ->required()
        ->check(CLI::IsMember({"gemm", "conv", "rnn", "attention", "embedding", "allreduce",
                               "alltoall", "memory", "storage", "step"}));
    bench->add_option("--run", a->runFile, "step: the run.json of the run to measure")
        ->type_name("FILE");
    bench->add_option("--precision", a->precision, "fp32 or bf16 (default: fp32)");
    bench->add_option(
        "--device", a->device,
        "cpu or, for gemm, conv, attention, memory and allreduce, cuda (default: cpu)");
    bench->add_option("--allreduce", a->allReduce, "cuda: auto (NCCL) or staged");
    bench->add_option("--threads", a->threads, "Threads (default: all processors)");
    bench->add_option("--repeats", a->repeats, "Timed calls per problem (default: 10)");
    bench->add_option("--max-seconds", a->maxSeconds,
                      "Per problem; longer ones are left out (default: 2)");
    bench->add_option("--problem", a->options.problems,
                      "Numbers in the list of problems: 1,4-7 (default: all)");
    bench->add_option("--sizes", a->options.sizes,
                      "Own problems: gemm MxNxK[:TN], conv WxHxCxNxKxSxRx(PADDING+1)xSTRIDE, "
                      "rnn HIDDENxBATCHxSTEPS, attention BATCHxHEADSxSEQUENCExDEPTH[:causal], "
                      "embedding ROWSxDIMxIDS, "
                      "others bytes (4K,1M); several with commas");
    bench->add_flag("--quick", a->options.quick, "A small sample of the problems, short");
    bench->add_flag("--list", a->options.list, "List the problems, measure nothing");
    bench->add_flag("--check", a->checkOnly, "Check the options, measure nothing");
    CLI::Option* folder =
        bench->add_option("--dir", a->options.folder, "storage: folder to measure (default: here)");
    CLI::Option* size = bench->add_option("--file-size", a->fileSize,
                                          "storage: size of the large file (default: 1G)");
    bench->add_option("--csv", a->csvPath, "Write the rows as CSV")->type_name("FILE");
    bench->add_option("--json", a->jsonPath, "Write everything as JSON")->type_name("FILE");
    return [a, size, folder] {
        a->fileSizeGiven = size->count() > 0;
        a->folderGiven = folder->count() > 0;
        return runGuarded(*a);
    };
}

} // namespace scalebench::cli
