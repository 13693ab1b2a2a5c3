// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How a chart is drawn, as JSON: all of it but its points.

#include "figures/chart_data.h"

#include <QJsonObject>
#include <QList>
#include <QString>

namespace scalebench {

inline constexpr qsizetype kLongestChartText = 2000;
inline constexpr int kMostChartSlots = 10'000;

/// One line.
QString chartLooks(const ChartData& chart);
/// A chart as a document of its own: "scalebench.chart", version 1. How it is drawn, and of every
/// series "x", "y" and, where there are any, "low", "high" and "n"; what is no number is null.
QByteArray chartJson(const ChartData& chart);
/// What a foreign file says is bounded and cleaned. The series are named, without points; `points`:
/// how many each has.
ChartData chartOfLooks(const QJsonObject& looks, QList<qsizetype>& points);
/// A text of a foreign file, for people.
QString chartText(const QString& text);

} // namespace scalebench
