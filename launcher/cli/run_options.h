// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The options of `scalebench run`: a study told on the command line.

#include "cli.h"
#include "study/study_spec.h"

namespace scalebench::cli {

void addRunOptions(CommandParser& parser);
/// The study that the options describe, unchecked by validate(). Failure "usage" with the first
/// thing that is wrong.
Result<StudySpec> readRunOptions(const CommandParser& parser);

} // namespace scalebench::cli
