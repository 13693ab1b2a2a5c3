// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// From the text of run.json to a RunConfig.

#include "engine/config/run_config.h"

#include <string>
#include <string_view>

namespace scalebench::train {

/// Parses and checks what can be checked without the machine. Throws InvalidArgument (`usage`,
/// `batch`) naming the key, what it holds and what is expected; unknown keys are refused.
RunConfig parseRunConfig(std::string_view json);
/// Reads `folder`/run.json. InvalidArgument (`usage`) when it is missing.
RunConfig loadRunConfig(const std::string& folder);

} // namespace scalebench::train
