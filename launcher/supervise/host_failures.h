// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What mpirun and our ssh agent say when a host is the reason: lost in mid-run, or not able to
// start its daemon. mpirun's own sentence often names no host or a wrong one, the agent's lines
// name it.

#include "base/result.h"

#include <QString>

namespace scalebench {

/// Code empty: no host is to blame. `where` the run was: "in epoch 3 at step 120".
/// Codes: node_lost, mpi_missing, and those of classifySsh().
Failure hostFailure(const QString& launcherText, bool hasTrained, const QString& where);

} // namespace scalebench
