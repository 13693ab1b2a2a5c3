// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A plan as the command that a person would type for it.

#include <QStringList>

#include <optional>

namespace scalebench {

struct RunConfig;
struct StudySpec;

/// Words of `scalebench run …` (without the program) that plan the same runs, only with what
/// differs from the defaults; cli/run_options.h reads them. Nothing where options cannot say it
/// (a batch table, target or data of one of several workloads, a value with a comma): then
/// `scalebench study FILE` does.
std::optional<QStringList> runArguments(const StudySpec& spec);

/// The study of one run of a plan alone: what it varies with the values of this run, its threads
/// and its seed. Nothing where the run is not of this plan.
std::optional<StudySpec> cellSpec(const StudySpec& spec, const RunConfig& run);
/// The command that runs that cell again, as runArguments().
std::optional<QStringList> cellArguments(const StudySpec& spec, const RunConfig& run);

} // namespace scalebench
