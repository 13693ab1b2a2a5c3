// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Results of others as a yardstick.

#include "cli.h"
#include "run/study.h"

namespace scalebench::cli {

/// `scalebench results reference`: the tables of the reference articles.
int listPublished(const CommandParser& parser);
/// `scalebench results show STUDY --rcp FILE`: the epochs of its runs against MLPerf's reference
/// convergence points.
int checkAgainstReference(const CommandParser& parser, const Study& study);

} // namespace scalebench::cli
