// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the processes of a run that goes on are doing on its hosts.

#include "run/suspension_watch.h"
#include "ssh/nodes.h"

namespace scalebench {

/// Those that somebody suspended (SIGSTOP), by the names the machine has for its hosts. Waits for
/// the hosts' answers, a few seconds at most; one that does not answer tells nothing.
QList<SuspendedProcess> suspendedOnNodes(const NodeRun& run);

/// The processes in one host's answer.
QList<SuspendedProcess> parseSuspended(const QString& host, const QByteArray& answer);

} // namespace scalebench
