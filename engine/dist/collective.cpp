// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/collective.h"

#include <cstdio>

namespace scalebench::dist {

const char* collectiveName(CollectiveKind kind)
{
    switch (kind) {
    case CollectiveKind::Barrier:
        return "barrier";
    case CollectiveKind::AllReduce:
        return "all-reduce";
    case CollectiveKind::ReduceScatter:
        return "reduce-scatter";
    case CollectiveKind::AllGather:
        return "all-gather";
    case CollectiveKind::AllToAll:
        return "all-to-all";
    case CollectiveKind::Broadcast:
        return "broadcast";
    case CollectiveKind::GradientAllReduce:
        return "gradient all-reduce";
    case CollectiveKind::GradientReduceScatter:
        return "gradient reduce-scatter";
    case CollectiveKind::Setup:
        return "setup of communication";
    }
    return "collective";
}

namespace {

std::string sizeText(int64_t bytes)
{
    char text[40];
    if (bytes < 10240)
        std::snprintf(text, sizeof text, "%lld bytes", static_cast<long long>(bytes));
    else if (bytes < (int64_t{1} << 20))
        std::snprintf(text, sizeof text, "%.1f KiB", double(bytes) / 1024.0);
    else
        std::snprintf(text, sizeof text, "%.1f MiB", double(bytes) / 1048576.0);
    return text;
}

} // namespace

std::string describe(const Collective& collective)
{
    std::string text = collectiveName(collective.kind);
    if (collective.bucket >= 0)
        text += " of bucket " + std::to_string(collective.bucket);
    if (collective.bytes > 0)
        text += " (" + sizeText(collective.bytes) + ")";
    if (collective.step >= 0)
        text += " in step " + std::to_string(collective.step);
    return text;
}

} // namespace scalebench::dist
