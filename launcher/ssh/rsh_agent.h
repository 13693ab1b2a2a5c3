// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStringList>

namespace scalebench {

/// Body of `scalebench rsh HOST WORDS…`: what mpirun calls in ssh's place.
int runRshAgent(const QStringList& arguments);

} // namespace scalebench
