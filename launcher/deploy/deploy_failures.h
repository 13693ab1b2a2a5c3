// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a host answers when the engine could not be installed on it, as a sentence.

#include "preflight/bundle_archive.h"
#include "preflight/probe.h"

namespace scalebench {

/// `state`: the word that resources/remote/install.sh ends with.
Failure deployFailure(const QString& host, const QString& state, const ProbeAnswer& answer,
                      const BundleInfo& bundle);

} // namespace scalebench
