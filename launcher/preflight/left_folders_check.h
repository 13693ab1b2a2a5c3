// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What runs left on hosts, removed when a check finds that those answer again.

#include "preflight/left_folders_check.h"
#include "preflight/preflight.h"

namespace scalebench {

/// Removes what runs left on those of the hosts (reached by ssh from here) that answer now but
/// could not be reached when the runs ended. Waits for it.
void removeLeftFolders(const TargetMachine& machine, const QList<HostReport>& reports);

} // namespace scalebench
