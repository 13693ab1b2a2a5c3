// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the charts over worker counts share: their axis, their lines, and what they say while empty.

#include "analysis/speedup_table.h"
#include "figures/chart_data.h"
#include "run/study.h"

#include <QList>
#include <QString>
#include <QStringList>

#include <functional>

namespace scalebench {

/// Column of times in minutes; in seconds otherwise.
inline const QString kMinutesColumn = QStringLiteral("time_to_train_min");

/// Ticks and limits of the worker axis.
void setWorkerAxis(ChartData& chart, const QList<SpeedupRow>& rows);
/// Both axes of a speedup are linear up to a factor of two and logarithmic beyond, which keeps the
/// ideal line straight.
void setSpeedupScale(ChartData& chart);
/// A group's settings as a category has them, one in each line: "lr 0.1,\nadam".
QString settingsInLines(QString settings);
QStringList groupsOf(const QList<SpeedupRow>& rows);

/// A line of a chart over worker counts: a group, and where runs went over several nodes also how
/// many workers each node had, so that scale-up and scale-out are told apart.
struct WorkerLine {
    QString group;
    int perNode = 0; ///< 0: not told apart

    bool has(const SpeedupRow& row) const;
};
QList<WorkerLine> workerLines(const QList<SpeedupRow>& rows);

struct RowValue {
    double y, low, high;
    QString label;
    int n = 0; ///< runs behind it
};
/// One series per line over the worker counts; runs on an unknown number are told of.
void addGroupSeries(ChartData& chart, const QList<SpeedupRow>& rows, const QString& onlyName,
                    const std::function<RowValue(const SpeedupRow&)>& valueOf);
/// The line of a study that has one stands for the machine that it ran on.
void nameMachine(ChartData& chart, const Study& study);
/// Why times to train are not there yet.
QString noTimesText(const Study& study);
QString timesText(double ratio); ///< "1.93×"
/// "4 workers"; where shapes differ also "4 workers on 2 nodes".
QString shapeText(int workers, int nodes, bool overNodes);

} // namespace scalebench
