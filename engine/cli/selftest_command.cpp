// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cli/selftest_command.h"

#include "engine/backend/backend.h"
#include "engine/bench/report.h"
#include "engine/core/processors.h"
#include "engine/core/thread_count.h"
#include "engine/device/cuda_loader.h"
#include "engine/report/result_file.h"
#include "engine/report/system_info.h"
#include "engine/selftest/case_list.h"
#include "kernels/check.h"
#include "kernels/cpu_features.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include <unistd.h>

namespace scalebench::cli {
namespace {

using report::Json;
using selftest::Case;
using selftest::CaseList;
using selftest::CaseResult;

struct FamilyCount {
    int cases = 0, passed = 0;
    double worst = 0, ms = 0;
};

/// One changing line on a terminal; nothing in a log.
class Progress
{
public:
    explicit Progress(std::size_t total) : total_(total), shown_(::isatty(STDERR_FILENO) == 1) {}
    ~Progress() { clear(); }
    void show(std::size_t done, const std::string& name) const
    {
        if (shown_)
            std::fprintf(stderr, "\r\033[K[%zu/%zu] %.100s", done, total_, name.c_str());
    }
    void clear() const
    {
        if (shown_)
            std::fputs("\r\033[K", stderr);
    }

private:
    std::size_t total_;
    bool shown_;
};

std::string joined(const std::set<std::string>& names)
{
    std::string text;
    for (const std::string& name : names)
        text += (text.empty() ? "" : ", ") + name;
    return text;
}

CaseList chooseCases(const SelftestOptions& options)
{
    CaseList cases = selftest::allCases();
    std::set<std::string> families;
    for (const Case& c : cases)
        families.insert(c.family);
    if (!options.family.empty() && !families.contains(options.family))
        throw InvalidArgument("--family \"" + options.family + "\" is not known; there are " +
                                  joined(families),
                              "usage");
    std::erase_if(cases, [&](const Case& c) {
        return (!options.family.empty() && c.family != options.family) ||
               (options.precision == "fp32" && (c.dtype == DType::BF16 || c.dtype == DType::F16)) ||
               (options.precision == "bf16" && c.dtype != DType::BF16) ||
               (options.precision == "fp16" && c.dtype != DType::F16);
    });
    return cases;
}

/// Only cases in types that the backend computes in: training does not use others either.
void leaveOutTypes(const Backend& backend, CaseList& cases, bench::Report& results)
{
    const CaseList possible = selftest::casesFor(backend);
    const auto computed = [&](DType dtype) {
        return std::ranges::any_of(possible, [=](const Case& c) { return c.dtype == dtype; });
    };
    for (const Precision precision : {Precision::Bf16, Precision::Fp16}) {
        const DType dtype = precision == Precision::Bf16 ? DType::BF16 : DType::F16;
        if (computed(dtype))
            continue;
        const auto left = std::erase_if(cases, [&](const Case& c) { return c.dtype == dtype; });
        if (left > 0 && precision == Precision::Bf16)
            results.addNote(std::to_string(left) +
                            " bf16 cases left out: " + backend.computePrecision(precision).reason);
    }
}

Json caseJson(const Case& c, const CaseResult& r)
{
    return {{"family", c.family}, {"case", c.name},    {"dtype", dtypeName(c.dtype)},
            {"passed", r.passed}, {"worst", r.worst},  {"comparisons", r.comparisons},
            {"ms", r.ms},         {"detail", r.detail}};
}

void addTable(const std::map<std::string, FamilyCount>& families, bench::Report& results)
{
    for (const auto& [family, count] : families)
        results.addRow({{"family", family},
                        {"cases", count.cases},
                        {"passed", count.passed},
                        {"failed", count.cases - count.passed},
                        {"worst_over_tolerance", count.worst},
                        {"seconds", count.ms / 1e3}});
}

bench::Context contextOf(const SelftestOptions& options, int threads, int argc,
                         const char* const* argv, const Backend& backend)
{
    bench::Context context;
    context.command.assign(argv, argv + argc);
    context.environment = bench::speedEnvironment();
    context.version = std::string("scalebench-engine ") + SB_VERSION;
    context.machine = report::describeNode();
    context.settings = {{"device", options.device},
                        {"backend", backend.describe()},
                        {"threads", threads},
                        {"family", options.family},
                        {"precision", options.precision}};
    return context;
}

int runCases(const SelftestOptions& options, int argc, const char* const* argv)
{
    CaseList cases = chooseCases(options);
    if (options.list) {
        for (const Case& c : cases)
            std::printf("%-14s %-5s %s\n", c.family.c_str(), dtypeName(c.dtype), c.name.c_str());
        return 0;
    }
    std::optional<report::NamedFile> json; // found out before minutes of testing, not after
    if (!options.jsonPath.empty())
        json.emplace(options.jsonPath);
    const int threads = options.threads > 0 ? options.threads : processorCount();
    setComputeThreads(threads);
    const std::unique_ptr<Backend> backend =
        options.device == "cuda" ? device::cudaPlugin().makeBackend(0, false) : makeCpuBackend();
    bench::Report results("selftest", contextOf(options, threads, argc, argv, *backend), stdout);
    results.setColumns({{"family", "family", -1, 14},
                        {"cases", "cases", 0},
                        {"passed", "passed", 0},
                        {"failed", "failed", 0},
                        {"worst_over_tolerance", "worst error/tolerance", 3},
                        {"seconds", "s", 1, 7}});
    results.addNote("Device " + options.device + ": " + backend->describe() + ", " +
                    std::to_string(threads) + (threads == 1 ? " thread" : " threads"));
    leaveOutTypes(*backend, cases, results);
    if (options.seconds > 0)
        std::stable_partition(cases.begin(), cases.end(), [](const Case& c) { return !c.slow; });

    const auto start = std::chrono::steady_clock::now();
    const auto timeIsUp = [&] {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
        return options.seconds > 0 && passed.count() > options.seconds;
    };
    std::size_t leftOut = 0;
    std::map<std::string, FamilyCount> families;
    Json all = Json::array();
    std::vector<std::string> failures;
    {
        const Progress progress(cases.size());
        for (std::size_t i = 0; i < cases.size(); ++i) {
            const Case& c = cases[i];
            if (timeIsUp()) {
                leftOut = cases.size() - i;
                break;
            }
            progress.show(i, c.family + ": " + c.name);
            const CaseResult r = selftest::runCase(c, *backend);
            FamilyCount& count = families[c.family];
            ++count.cases;
            count.passed += r.passed;
            count.worst = std::max(count.worst, r.worst);
            count.ms += r.ms;
            all.push_back(caseJson(c, r));
            if (r.passed)
                continue;
            failures.push_back("FAILED " + c.family + ": " + c.name + ", " + dtypeName(c.dtype) +
                               ": " + r.detail);
            progress.clear();
            std::fprintf(stderr, "%s\n", failures.back().c_str());
        }
    }
    if (leftOut > 0)
        results.addNote(std::to_string(leftOut) + " cases left out: the time was over");
    addTable(families, results);
    if (json) {
        Json document = results.json();
        document["format"] = "scalebench.selftest";
        document["passed"] = failures.empty() && !cases.empty();
        document["cases"] = std::move(all);
        document["left_out"] = leftOut;
        json->write(document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n");
    }
    if (cases.empty()) {
        std::fputs("scalebench-engine: no case was left to run\n", stderr);
        return 3;
    }
    const std::size_t ran = cases.size() - leftOut;
    std::printf("\n%zu of %zu cases passed.\n", ran - failures.size(), ran);
    return failures.empty() ? 0 : 3;
}

} // namespace

int selftestCommand(const SelftestOptions& options, int argc, const char* const* argv)
{
    try {
        if (options.device != "cpu" && options.device != "cuda")
            throw InvalidArgument("--device is cpu or cuda, not \"" + options.device + "\"",
                                  "usage");
        if (!options.precision.empty() && options.precision != "fp32" &&
            options.precision != "bf16" && options.precision != "fp16")
            throw InvalidArgument(
                "--precision is fp32, bf16 or fp16, not \"" + options.precision + "\"", "usage");
        if (options.seconds < 0)
            throw InvalidArgument("--seconds must not be negative", "usage");
        if (options.threads < 0)
            throw InvalidArgument("--threads must be at least 1", "usage");
        if (options.list && !options.jsonPath.empty())
            throw InvalidArgument("--list runs nothing that --json could keep; leave it out",
                                  "usage");
        if (options.device == "cuda")
            if (const std::string& reason = device::cudaUnavailableReason(); !reason.empty())
                throw Unsupported("device \"cuda\" cannot be tested: " + reason,
                                  "device_unavailable");
        return runCases(options, argc, argv);
    } catch (const Error& e) {
        std::fprintf(stderr, "scalebench-engine: %s\n", e.what());
        return e.code() == "usage" ? 2 : 3;
    }
}

std::function<int()> addSelftestCommand(CLI::App& app, int argc, const char* const* argv)
{
    const auto options = std::make_shared<SelftestOptions>();
    CLI::App* command =
        app.add_subcommand("selftest", "Verify the arithmetic of this machine against references");
    command->add_option("--device", options->device, "cpu or cuda (default: cpu)");
    command->add_option("--family", options->family, "One family of ops (default: all)");
    command->add_option("--precision", options->precision, "fp32, bf16 or fp16 (default: all)");
    command->add_option("--threads", options->threads, "Threads (default: all processors)");
    command->add_option("--seconds", options->seconds, "Begin no case after so many seconds");
    command->add_option("--json", options->jsonPath, "Write every case's result as JSON")
        ->type_name("FILE");
    command->add_flag("--list", options->list, "List the cases, run nothing");
    return [options, argc, argv] { return selftestCommand(*options, argc, argv); };
}

} // namespace scalebench::cli
