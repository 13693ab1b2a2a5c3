// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The options of `scalebench run`: a study told on the command line.

#include "cli.h"
#include "study/study_spec.h"

namespace scalebench::cli {

/// `repeats`: what --repeats says of itself.
void addRunOptions(CommandParser& parser,
                   const QString& repeats =
                       QStringLiteral("Runs per setting, each with the next seed (default: 1)."));
/// The study that the options describe, unchecked by validate(). Failure "usage" with the first
/// thing that is wrong.
Result<StudySpec> readRunOptions(const CommandParser& parser);

} // namespace scalebench::cli
