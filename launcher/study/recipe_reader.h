// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One recipe file to a checked workload, and a user's additions to a known one.

#include "base/result.h"
#include "study/workload_catalog.h"

namespace scalebench {

/// Failure "recipe_invalid" names file, place in the JSON and what is allowed there.
Result<Workload> readRecipe(const QByteArray& json, const QString& fileName);

/// Adds the models and scales of `more` to a workload of the same id. Nothing is added where one is
/// there already and means something else.
Result<void> addRecipe(Workload& workload, const Workload& more, const QString& fileName);

/// The settings that every workload's recipe has, by path: "optimizer.momentum", "eval_every".
QStringList recipePaths();
/// Why one of them, or one of the workload's own ("data.negatives"), cannot have this value, as a
/// sentence; empty where it can, or where the schema knows nothing of the path. Of no workload:
/// those that every one has.
QString recipeSettingProblem(const QString& workload, const QString& path, const QJsonValue& value);

} // namespace scalebench
