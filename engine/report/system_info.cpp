// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/system_info.h"

#include "engine/report/result_file.h"

#include "kernels/check.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

#include <sys/utsname.h>
#include <unistd.h>

namespace scalebench::report {
namespace {

std::string firstLine(const std::string& path)
{
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    return line;
}

/// "key : value" or "KEY=value" files into pairs, first of each key.
std::string valueOf(const std::string& path, const std::string& key, char separator)
{
    std::ifstream in(path);
    for (std::string line; std::getline(in, line);) {
        const size_t at = line.find(separator);
        if (at == std::string::npos)
            continue;
        std::string name = line.substr(0, at);
        name.erase(name.find_last_not_of(" \t") + 1);
        if (name != key)
            continue;
        std::string value = line.substr(at + 1);
        value.erase(0, value.find_first_not_of(" \t\""));
        value.erase(value.find_last_not_of(" \t\"") + 1);
        return value;
    }
    return {};
}

int64_t kiloBytes(const std::string& key)
{
    return std::atoll(valueOf("/proc/meminfo", key, ':').c_str()) * 1024;
}

Json interestingFlags()
{
    static const std::set<std::string> kWanted = {
        "sse4_2",      "avx",         "avx2",     "fma",      "f16c",
        "avx512f",     "avx512bw",    "avx512vl", "avx512dq", "avx512_vnni",
        "avx512_bf16", "avx512_fp16", "amx_bf16", "amx_int8", "amx_tile"};
    Json flags = Json::array();
    std::istringstream in(valueOf("/proc/cpuinfo", "flags", ':'));
    for (std::string flag; in >> flag;)
        if (kWanted.contains(flag))
            flags.push_back(flag);
    return flags;
}

Json caches()
{
    Json list = Json::array();
    for (int i = 0; i < 8; ++i) {
        const std::string base =
            "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/";
        const std::string size = firstLine(base + "size");
        if (size.empty())
            break;
        list.push_back({{"level", std::atoi(firstLine(base + "level").c_str())},
                        {"type", firstLine(base + "type")},
                        {"size", size},
                        {"shared_cpus", firstLine(base + "shared_cpu_list")}});
    }
    return list;
}

int countDistinct(const std::string& firstKey, const std::string& secondKey)
{
    std::ifstream in("/proc/cpuinfo");
    std::set<std::string> seen;
    std::string first;
    for (std::string line; std::getline(in, line);) {
        if (line.starts_with(firstKey))
            first = line.substr(line.find(':') + 1);
        if (secondKey.empty() ? line.starts_with(firstKey) : line.starts_with(secondKey))
            seen.insert(secondKey.empty() ? first : first + "/" + line.substr(line.find(':') + 1));
    }
    return std::max<int>(1, int(seen.size()));
}

} // namespace

std::string cpuModel()
{
    std::string model = valueOf("/proc/cpuinfo", "model name", ':');
    if (model.empty())
        model = valueOf("/proc/cpuinfo", "Model", ':');
    return model.empty() ? "unknown CPU" : model;
}

int cpuSockets()
{
    return countDistinct("physical id", {});
}

Json describeNode()
{
    Json node = Json::object();
    utsname name{};
    ::uname(&name);
    node["host"] = name.nodename;
    node["os"] = valueOf("/etc/os-release", "PRETTY_NAME", '=');
    node["kernel"] = std::string(name.sysname) + " " + name.release;
    node["architecture"] = name.machine;
    Json cpu = {{"model", cpuModel()},
                {"sockets", cpuSockets()},
                {"cores", countDistinct("physical id", "core id")},
                {"logical_cpus", ::sysconf(_SC_NPROCESSORS_ONLN)},
                {"flags", interestingFlags()},
                {"caches", caches()}};
    const std::string policy = "/sys/devices/system/cpu/cpu0/cpufreq/";
    if (const std::string governor = firstLine(policy + "scaling_governor"); !governor.empty())
        cpu["governor"] = governor;
    if (const std::string most = firstLine(policy + "cpuinfo_max_freq"); !most.empty())
        cpu["max_mhz"] = std::atoll(most.c_str()) / 1000;
    if (const std::string now = valueOf("/proc/cpuinfo", "cpu MHz", ':'); !now.empty())
        cpu["mhz_at_start"] = std::atof(now.c_str());
    if (const std::string turbo = firstLine("/sys/devices/system/cpu/intel_pstate/no_turbo");
        !turbo.empty())
        cpu["turbo"] = turbo == "0";
    if (const std::string hypervisor = firstLine("/sys/hypervisor/type"); !hypervisor.empty())
        cpu["hypervisor"] = hypervisor;
    node["cpu"] = std::move(cpu);
    node["memory_bytes"] = kiloBytes("MemTotal");
    node["memory_available_bytes"] = kiloBytes("MemAvailable");
    double load[3] = {};
    if (::getloadavg(load, 3) == 3)
        node["load_average"] = {load[0], load[1], load[2]};
    return node;
}

void writeSystemJson(const std::string& path, const Json& software, const std::vector<Json>& nodes)
{
    const Json document = {
        {"format", "scalebench.system"}, {"version", 1}, {"software", software}, {"nodes", nodes}};
    replaceFile(path, document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

} // namespace scalebench::report
