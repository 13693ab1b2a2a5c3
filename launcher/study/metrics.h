// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The metrics that tell how good a network is: "top1_accuracy", or several of one workload.

#include <QList>
#include <QLocale>
#include <QString>

#include <optional>

namespace scalebench {

constexpr int kMostMetrics = 16;
constexpr int kLongestMetricName = 64;

/// A metric's value at an evaluation, or the one to be reached.
struct MetricValue {
    QString metric; ///< "ndcg"
    double value = 0;
    bool operator==(const MetricValue&) const = default;
};

enum class MetricUnit {
    Share, ///< 0 to 1, shown as per cent
    Bleu,  ///< 0 to 100
    Score  ///< any number, shown as it is
};
/// Of a recipe's word; Score for one that is not known.
MetricUnit metricUnit(const QString& word);
QString metricUnitWord(MetricUnit unit); ///< "share"
/// The best value there is; infinite for a score.
double mostOf(MetricUnit unit);

/// A metric as a recipe describes it.
struct MetricInfo {
    QString id;    ///< "hit_rate"
    QString title; ///< "Hit rate in the first 10"
    MetricUnit unit = MetricUnit::Share;
    bool lowerIsBetter = false; ///< a loss or a rate of errors
};

/// "81.3 %", "24.1", "0.377": `digits` behind the point of per cent; -1: as few as needed, as for
/// targets.
QString metricText(MetricUnit unit, double value, int digits, const QLocale& locale = QLocale());

/// Whether a text can be a metric's name: 1 to 64 characters, all of them visible.
bool isMetricName(const QString& text);
/// That metric's value in the list.
std::optional<double> valueOf(const QList<MetricValue>& values, const QString& metric);

} // namespace scalebench
