// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// `scalebench results show STUDY|RUN --pictures DIR`.

#include "cli.h"

namespace scalebench::cli {

/// Draws the evaluation pictures of a run's folder into DIR, or those of every run of a study that
/// has some into DIR/<run id>/. Returns the exit code.
int drawRunPictures(const CommandParser& parser, Library& library, const QString& studyOrRun);

} // namespace scalebench::cli
