// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A plan as the command that a person would type for it.

#include <QStringList>

#include <optional>

namespace scalebench {

struct StudySpec;

/// Words of `scalebench run …` (without the program) that plan the same runs, only with what
/// differs from the defaults; cli/run_options.h reads them. Nothing where options cannot say it
/// (a batch table, target or data of one of several workloads, a value with a comma): then
/// `scalebench study FILE` does.
std::optional<QStringList> runArguments(const StudySpec& spec);

} // namespace scalebench
