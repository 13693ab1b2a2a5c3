// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backend/cuda/plan_memory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

namespace scalebench::cuda_backend {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr int kVersion = 1;
constexpr std::size_t kMachines = 16;

/// The "plans" of a file of this version, else an empty object.
Json readPlans(const std::string& path)
{
    std::ifstream in(path);
    const Json file = Json::parse(in, nullptr, false);
    if (!file.is_object() || file.value("version", Json()) != Json(kVersion))
        return Json::object();
    const auto plans = file.find("plans");
    return plans != file.end() && plans->is_object() ? *plans : Json::object();
}

/// Of all processes of a user, as long as it lives; without one where the file system has no locks
/// or somebody holds it for seconds.
class FileLock
{
public:
    explicit FileLock(const std::string& path)
        : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600))
    {
        for (int tries = 0; file_ >= 0 && tries < 500; ++tries) {
            if (::flock(file_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
                return;
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }
    ~FileLock()
    {
        if (file_ >= 0)
            ::close(file_);
    }
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;

private:
    int file_;
};

/// The same folder, so that the rename stays inside one file system.
bool replaceFile(const std::string& path, const std::string& text)
{
    const std::string temporary = path + "." + std::to_string(getpid());
    std::error_code error;
    {
        std::ofstream out(temporary, std::ios::trunc);
        out << text << '\n';
        out.flush();
        if (!out) {
            fs::remove(temporary, error);
            return false;
        }
    }
    fs::rename(temporary, path, error);
    if (error)
        fs::remove(temporary, error);
    return !error;
}

} // namespace

PlanMemory::PlanMemory(std::string path, std::string machine)
    : path_(std::move(path)), machine_(std::move(machine))
{
}

std::string PlanMemory::defaultPath()
{
    const char* cache = std::getenv("XDG_CACHE_HOME");
    const char* home = std::getenv("HOME");
    fs::path folder;
    if (cache != nullptr && cache[0] == '/') // the specification ignores relative ones
        folder = cache;
    else if (home != nullptr && home[0] != '\0')
        folder = fs::path(home) / ".cache";
    else
        return {};
    return (folder / "scalebench" / "cuda_plans.json").string();
}

void PlanMemory::load()
{
    if (std::exchange(loaded_, true) || path_.empty())
        return;
    const Json plans = readPlans(path_);
    const auto mine = plans.find(machine_);
    if (mine != plans.end() && mine->is_object())
        take(*mine);
}

/// What others have found; what this one knows stays, as it may be in use.
void PlanMemory::take(const Json& plans)
{
    for (const auto& [problem, choice] : plans.items())
        if (choice.is_string())
            plans_.try_emplace(problem, choice.get<std::string>());
}

std::optional<std::string> PlanMemory::find(const std::string& problem)
{
    load();
    const auto it = plans_.find(problem);
    return it == plans_.end() ? std::nullopt : std::optional(it->second);
}

void PlanMemory::remember(const std::string& problem, const std::string& choice)
{
    load();
    plans_[problem] = choice;
    if (!path_.empty())
        save(problem, choice);
}

void PlanMemory::save(const std::string& problem, const std::string& choice)
{
    std::error_code error;
    fs::create_directories(fs::path(path_).parent_path(), error);
    if (error)
        return;
    const FileLock lock(path_ + ".lock"); // other ranks have found something too
    Json plans = readPlans(path_);
    if (!plans.contains(machine_) && plans.size() >= kMachines)
        plans.clear();
    Json& mine = plans[machine_];
    if (!mine.is_object() || (mine.size() >= kLimit && !mine.contains(problem)))
        mine = Json::object();
    mine[problem] = choice;
    take(mine);
    const Json file = {{"version", kVersion}, {"plans", plans}};
    (void)replaceFile(path_, file.dump(1, ' ', false, Json::error_handler_t::replace));
}

} // namespace scalebench::cuda_backend
