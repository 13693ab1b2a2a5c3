// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/process_state.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include <unistd.h>

namespace scalebench::dist {
namespace {

struct Stat {
    char state = 0;
    uint64_t startTicks = 0;
};

/// proc_pid_stat(5): the name in brackets may hold anything, so fields count from the last bracket.
/// Returns errno, or 0.
int readStat(int32_t pid, Stat& stat)
{
    const std::string path = "/proc/" + std::to_string(pid) + "/stat";
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "re"),
                                                               &std::fclose);
    if (!file)
        return errno;
    char text[1024] = {};
    const size_t length = std::fread(text, 1, sizeof text - 1, file.get());
    const char* at = length > 0 ? std::strrchr(text, ')') : nullptr;
    if (at == nullptr)
        return ESRCH; // it ended between opening and reading
    unsigned long long start = 0;
    // State is field 3, the start time field 22.
    if (std::sscanf(at + 1,
                    " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d "
                    "%llu",
                    &stat.state, &start) != 2)
        return EINVAL;
    stat.startTicks = start;
    return 0;
}

} // namespace

ProcessId thisProcess()
{
    ProcessId id;
    id.pid = int32_t(::getpid());
    Stat stat;
    if (readStat(id.pid, stat) == 0)
        id.startTicks = stat.startTicks;
    return id;
}

ProcessState stateOf(const ProcessId& process)
{
    if (process.pid <= 0 || process.startTicks == 0)
        return ProcessState::Unknown;
    Stat stat;
    const int failed = readStat(process.pid, stat);
    if (failed == ENOENT || failed == ESRCH)
        return ProcessState::Gone;
    if (failed != 0)
        return ProcessState::Unknown;
    if (stat.startTicks != process.startTicks || stat.state == 'Z' || stat.state == 'X')
        return ProcessState::Gone;
    return stat.state == 'T' || stat.state == 't' ? ProcessState::Stopped : ProcessState::Alive;
}

} // namespace scalebench::dist
