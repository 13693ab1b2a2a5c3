// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cli/data_command.h"

#include "engine/core/processors.h"
#include "engine/core/visible_text.h"
#include "engine/data/generated_set.h"
#include "engine/train/agreement.h"
#include "engine/train/load_run_config.h"
#include "engine/workloads/workload.h"
#include "kernels/check.h"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

namespace scalebench::cli {
namespace {

using Json = nlohmann::ordered_json;

struct DataOptions {
    std::string action; ///< "info", "check", "make"
    std::string config; ///< a run.json; "-": standard input
    bool json = false;
};

// A signal handler may only touch this.
std::atomic<bool> g_interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

/// While a set is made: it is left whole or not at all.
void watchSignals()
{
    struct sigaction action {
    };
    action.sa_handler = [](int) { g_interrupted = true; };
    action.sa_flags = SA_RESTART;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        ::sigaction(signal, &action, nullptr);
}

void stopWhereAsked(int64_t, int64_t)
{
    if (g_interrupted)
        throw Error("stopped", "interrupted: what was made so far was removed");
}

/// Problems that are named; the rest is counted.
constexpr size_t kMostNamed = 50;

/// As a shell says that Ctrl+C ended it.
constexpr int kInterrupted = 130;

std::string contentOf(const std::string& path)
{
    std::ostringstream text;
    if (path == "-") {
        text << std::cin.rdbuf();
        return text.str();
    }
    std::ifstream in(path, std::ios::binary);
    if (!in)
        throw InvalidArgument("cannot read " + path, "usage");
    text << in.rdbuf();
    return text.str();
}

Json factsOf(const RunConfig& config, workloads::Workload& workload)
{
    const workloads::DataSizes sizes = workload.measure();
    Json facts = {{"workload", config.workload},
                  {"source", dataSourceName(config.data.source)},
                  {"path", config.data.path},
                  {"train_samples", sizes.trainSamples},
                  {"eval_samples", sizes.evalSamples}};
    for (const auto& [name, value] : workload.dataFacts())
        facts[name] = value;
    facts["remarks"] = workload.remarks();
    return facts;
}

/// What a check finds wrong: all of it is counted, the first is named.
struct Problems {
    int64_t count = 0;
    std::set<std::string> named;

    void tell(const std::string& text)
    {
        ++count;
        if (named.size() < kMostNamed)
            named.insert(text);
    }
};

void addProblems(const Problems& problems, Json& facts)
{
    facts["damaged"] = problems.count;
    facts["messages"] = problems.named;
    if (problems.count > int64_t(problems.named.size()))
        facts["messages"].push_back(
            "and " + std::to_string(problems.count - int64_t(problems.named.size())) + " more");
}

/// Reads all of it.
void examine(workloads::Workload& workload, Problems& problems, Json& facts)
{
    facts["bytes_read"] = workload.examine(
        processorCount(), [&problems](const std::string& text) { problems.tell(text); });
    addProblems(problems, facts);
}

void print(const Json& facts, bool asJson)
{
    if (asJson) {
        std::puts(facts.dump(2, ' ', true, Json::error_handler_t::replace).c_str());
        return;
    }
    for (const auto& [name, value] : facts.items())
        if (!value.is_array())
            std::printf(
                "%-18s %s\n", name.c_str(),
                visibleLine(value.is_string() ? value.get<std::string>() : value.dump()).c_str());
    for (const char* list : {"remarks", "messages"})
        if (facts.contains(list))
            for (const Json& line : facts[list])
                std::printf("%s\n", visibleLine(line.get<std::string>()).c_str());
}

/// What is told when a made set took the place of one with other settings; empty: it did not.
std::string replacement(const std::string& before, const std::string& after)
{
    std::string differences;
    std::istringstream lines(before);
    for (std::string line; std::getline(lines, line);) {
        const std::string key = line.substr(0, line.find(": "));
        const std::string now = data::lineOfLabel(after, key);
        if (!now.empty() && line != key + ": " + now)
            differences += (differences.empty() ? "" : "; ") + line + ", now " + now;
    }
    if (before.empty() || before == after)
        return {};
    return "This replaced the generated set that was there, which had other settings" +
           (differences.empty() ? "." : " (" + differences + ").");
}

int act(const DataOptions& options, RunConfig config)
{
    if (options.action == "make" && config.data.source != DataSource::Generated)
        throw InvalidArgument(
            "only generated data can be made; the configuration has data from \"" +
                std::string(dataSourceName(config.data.source)) + "\"",
            "usage");
    config.globalBatch = 1; // no set is too small to be looked at
    const auto workload = config.recipe->make(config);
    const std::string before = data::labelOfGenerated(config.data.path);
    if (config.data.source == DataSource::Generated)
        workload->prepareNode(processorCount(), stopWhereAsked);
    const bool check = options.action == "check";
    Problems problems;
    if (check)
        workload->tellProblems([&problems](const std::string& text) { problems.tell(text); });
    Json facts;
    try {
        facts = factsOf(config, *workload);
    } catch (const Error&) {
        if (problems.count > 0) { // why so little is left that it cannot be measured
            addProblems(problems, facts);
            print(facts, options.json);
        }
        throw;
    }
    if (check)
        examine(*workload, problems, facts);
    if (options.action == "make")
        if (const std::string told = replacement(before, data::labelOfGenerated(config.data.path));
            !told.empty())
            facts["remarks"].push_back(told);
    print(facts, options.json);
    return problems.count == 0 ? 0 : 2;
}

int dataCommand(const DataOptions& options)
{
    std::string made; // its lock must not stay beside a user's folder
    int code = 0;
    try {
        const RunConfig config = train::parseRunConfig(contentOf(options.config));
        if (options.action == "make" && config.data.source == DataSource::Generated) {
            made = config.data.path;
            watchSignals();
        }
        code = act(options, config);
    } catch (const Error& e) {
        std::string message = e.what();
        if (const std::string file = "run.json: ";
            options.config == "-" && message.starts_with(file))
            message.erase(0, file.size()); // the user wrote settings, and no file
        std::fprintf(stderr, "scalebench-engine: %s\n", visibleLine(message).c_str());
        code = e.code() == "stopped" ? kInterrupted : train::exitCodeOf(e.code());
    }
    if (!made.empty())
        data::removeLockFile(made);
    return code;
}

} // namespace

std::function<int()> addDataCommand(CLI::App& app)
{
    const auto options = std::make_shared<DataOptions>();
    CLI::App* command =
        app.add_subcommand("data", "Look at, check or make the data that a run.json names");
    command->add_option("action", options->action, "info, check (reads all of it) or make")
        ->required()
        ->check(CLI::IsMember({"info", "check", "make"}));
    command->add_option("--config", options->config, "The run.json; - is standard input")
        ->required()
        ->type_name("FILE");
    command->add_flag("--json", options->json, "Print JSON");
    return [options] { return dataCommand(*options); };
}

} // namespace scalebench::cli
