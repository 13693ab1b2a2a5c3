// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the numbers of a run's evaluations are: which metrics, in which unit, and how people read
// them.

#include "study/metrics.h"

#include <QLocale>
#include <QString>

namespace scalebench {

struct RunConfig;
struct RunRecord;

/// Of a workload, the leading one first: a share called "Quality" where this build does not know
/// it, a score for those of MLPerf's benchmarks that are measured by a loss.
QList<MetricInfo> metricsOf(const QString& workload);
/// The same, and behind them those that only the run's stream names.
QList<MetricInfo> metricsOf(const RunRecord& run);
MetricUnit leadingUnit(const QString& workload);

/// A value of the leading metric: "81.3 %", "24.1".
QString qualityText(const QString& workload, double value, int digits = 1,
                    const QLocale& locale = QLocale());
/// Digits behind the point for a number of epochs; imported runs stand at parts of one.
int epochDigits(double epochs);
/// All targets: "80.0 %", or "50.0 %, ndcg 30.0 %" where there are several; empty without one.
QString targetText(const RunConfig& run, int digits = 1, const QLocale& locale = QLocale());
/// The best of every metric that has a target, in the same form; of the leading one without target.
QString bestText(const RunRecord& run, int digits = 1, const QLocale& locale = QLocale());

} // namespace scalebench
