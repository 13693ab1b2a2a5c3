// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a timed search found, kept between runs: one small JSON file in the user's cache folder,
//   {"version":1, "plans":{"<machine>":{"<problem>":"<choice>", ...}, ...}}
// machine: device, driver and library versions, by which a choice is good or not; problem and
// choice: texts of whoever searched. A file that cannot be read counts as empty, one that cannot be
// written is given up: the memory saves time and nothing else depends on it.

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

namespace scalebench::cuda_backend {

class PlanMemory
{
public:
    /// Reads `path` (empty: nothing is kept) at the first use.
    PlanMemory(std::string path, std::string machine);

    /// $XDG_CACHE_HOME/scalebench/cuda_plans.json, else ~/.cache/...; empty without either.
    static std::string defaultPath();

    std::optional<std::string> find(const std::string& problem);
    /// Written at once, atomically and under a lock (`path`.lock), with what other processes have
    /// written meanwhile, which is known here then too; of one machine at most kLimit problems are
    /// kept.
    void remember(const std::string& problem, const std::string& choice);

    static constexpr std::size_t kLimit = 4096;

private:
    void load();
    void save(const std::string& problem, const std::string& choice);
    void take(const nlohmann::json& plans);

    std::string path_, machine_;
    bool loaded_ = false;
    std::map<std::string, std::string> plans_; ///< of this machine
};

} // namespace scalebench::cuda_backend
