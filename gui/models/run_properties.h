// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What there is to say of runs and studies, as pairs for a table: facts first, then all settings.

#include "run/study.h"
#include "study/machine_info.h"

#include <QJsonObject>

namespace scalebench {

using PropertyPairs = QList<std::pair<QString, QString>>;

/// `system`: what the run's hosts told of themselves.
PropertyPairs runProperties(const RunRecord& run, const QJsonObject& system = {});
/// Of several runs only what tells them apart, their values side by side.
PropertyPairs runDifferences(const QList<RunRecord>& runs);
PropertyPairs studyProperties(const Study& study);
PropertyPairs computerProperties(const MachineInfo& computer);

} // namespace scalebench
