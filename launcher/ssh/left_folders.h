// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Run folders that are still on hosts, because those could not be reached when the run ended. This
// user's list of them (left_on_hosts.json, 0600) is gone through when the hosts are used or checked
// again. What is removed has the marker of its run and is in no use.

#include "ssh/nodes.h"

namespace scalebench {

/// `isSafe`: nothing lies there that is not here. Else it stays until the run is resumed or its
/// folder here is gone.
void rememberLeft(const NodeRun& run, const QStringList& hosts, bool isSafe);
/// They are removed, or the run uses them again.
void forgetLeft(const NodeRun& run);
/// Removes what earlier runs left on these hosts of the machine.
void removeLeft(const TargetMachine& machine, const QStringList& hosts);

} // namespace scalebench
