// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Parts of study.json, read and written.

#include "base/json_fields.h"
#include "study/study_spec.h"

namespace scalebench {

/// A list of texts, 10,000 at most.
QStringList shortList(JsonFields& fields, const QString& key, const QStringList& fallback = {});
QMap<int, int> readBatchTable(JsonFields& fields);
/// null: none.
void readTarget(JsonFields& fields, std::optional<double>& target, bool& none);
/// `what`: the object's place in the file, "workloads[1]."; empty: the study itself.
Settings readSettings(JsonFields& fields, const QString& what);
QList<WorkloadPlan> readWorkloads(JsonFields& fields);

QJsonObject toJson(const Settings& settings);
QJsonObject toJson(const QMap<int, int>& batchTable);
QJsonValue toJson(const WorkloadPlan& plan);

} // namespace scalebench
