// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/mlperf_rules.h"

#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <sstream>

namespace scalebench::test {

using Json = nlohmann::json;

std::vector<std::string> openDivisionProblems(const std::string& log)
{
    std::vector<std::string> problems;
    std::map<std::string, std::vector<std::pair<int, Json>>> byKey;
    std::istringstream in(log);
    int number = 0;
    const std::string prefix = ":::MLLOG ";
    for (std::string line; std::getline(in, line);) {
        const size_t at = line.rfind(prefix);
        if (at == std::string::npos)
            continue;
        const Json record = Json::parse(line.substr(at + prefix.size()), nullptr, false);
        if (record.is_discarded()) {
            problems.push_back("line is not JSON: " + line);
            continue;
        }
        for (const char* field : {"namespace", "time_ms", "event_type", "key", "value", "metadata"})
            if (!record.contains(field))
                problems.push_back("no " + std::string(field) + " in: " + line);
        byKey[record["key"]].emplace_back(number++, record);
    }
    for (const char* key : {"submission_org", "submission_platform", "submission_division",
                            "submission_status", "submission_benchmark", "init_stop", "run_start",
                            "run_stop", "train_samples", "eval_samples"})
        if (byKey[key].size() != 1)
            problems.push_back(std::string(key) + " occurs " + std::to_string(byKey[key].size()) +
                               " times, not once");
    for (const char* key : {"cache_clear", "init_start", "eval_accuracy", "epoch_start",
                            "epoch_stop", "eval_start", "eval_stop"})
        if (byKey[key].empty())
            problems.push_back(std::string(key) + " is missing");
    for (const char* key :
         {"eval_accuracy", "epoch_start", "epoch_stop", "eval_start", "eval_stop"})
        for (const auto& [line, record] : byKey[key])
            if (!record["metadata"].contains("epoch_num"))
                problems.push_back(std::string(key) + " without epoch_num");
    if (!problems.empty())
        return problems;
    const auto one = [&](const char* key) { return byKey[key].front(); };
    if (one("submission_division").second["value"] != "open")
        problems.push_back("division is not open");
    if (!std::set<std::string>{"cloud", "onprem", "preview", "research"}.contains(
            one("submission_status").second["value"]))
        problems.push_back("unknown submission_status");
    if (one("submission_platform").second["value"] == "")
        problems.push_back("empty submission_platform");
    if (one("init_start").first > one("init_stop").first ||
        one("init_stop").first > one("run_start").first ||
        one("run_start").first > one("run_stop").first)
        problems.push_back("init_start, init_stop, run_start, run_stop are out of order");
    const int64_t initMs = one("init_stop").second["time_ms"].get<int64_t>() -
                           one("init_start").second["time_ms"].get<int64_t>();
    if (initMs > int64_t{240} * 60 * 1000)
        problems.push_back("initialisation took more than 240 minutes");
    if (!one("run_stop").second["metadata"].contains("status"))
        problems.push_back("run_stop without status");
    bool below = false;
    for (const auto& [line, record] : byKey["eval_accuracy"])
        below = below || record["value"].get<double>() < 1.0;
    if (!below)
        problems.push_back("no eval_accuracy below 1");
    return problems;
}

} // namespace scalebench::test
