// SPDX-License-Identifier: GPL-3.0-or-later
#include "preflight/left_folders_check.h"

#include "ssh/left_folders.h"

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

void removeLeftFolders(const TargetMachine& machine, const QList<HostReport>& reports)
{
    if (machine.kind != TargetMachine::Kind::Ssh)
        return;
    QStringList hosts;
    for (const HostReport& report : reports) {
        const bool reached =
            std::any_of(report.checks.begin(), report.checks.end(), [](const HostCheck& check) {
                return check.test == "login"_L1 && check.level == HostCheck::Level::Ok;
            });
        if (reached)
            hosts << report.host;
    }
    removeLeft(machine, hosts);
}

} // namespace scalebench
