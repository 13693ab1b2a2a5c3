// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The metrics that tell how good a network is: "top1_accuracy", or several of one workload.

#include <QList>
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

/// Whether a text can be a metric's name: 1 to 64 characters, all of them visible.
bool isMetricName(const QString& text);
/// That metric's value in the list.
std::optional<double> valueOf(const QList<MetricValue>& values, const QString& metric);

} // namespace scalebench
