// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/eval_values.h"

#include <cmath>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

/// Logs of MLPerf v0.6 write some numbers as texts.
static std::optional<double> numberIn(const QJsonValue& value)
{
    bool ok = value.isDouble();
    const double number = value.isString() ? value.toString().toDouble(&ok) : value.toDouble();
    return ok && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

/// The numbers of an object and of the objects directly in it, up to the most that a reader takes.
static void collect(const QJsonObject& object, int deeper, QList<MetricValue>& values)
{
    for (auto it = object.begin(); it != object.end() && values.size() < kMostMetrics; ++it) {
        if (it.value().isObject() && deeper > 0) {
            collect(it.value().toObject(), deeper - 1, values);
            continue;
        }
        const std::optional<double> number = numberIn(it.value());
        if (number && isMetricName(it.key()) && !valueOf(values, it.key()))
            values << MetricValue{it.key(), *number};
    }
}

EvalValues readEvalValues(const QJsonValue& value, const QJsonObject& metadata)
{
    EvalValues read;
    collect(metadata.value("metrics"_L1).toObject(), 0, read.metrics);
    if (!value.isObject()) {
        // BLEU of 100, which MLPerf's logs give as a share.
        const double outOf = numberIn(metadata.value("out_of"_L1)).value_or(1);
        read.value = numberIn(value).value_or(0) * (outOf > 0 && outOf <= 1e6 ? outOf : 1);
        return read;
    }
    QList<MetricValue> nested;
    collect(value.toObject(), 1, nested);
    if (!nested.isEmpty())
        read.value = nested.first().value;
    if (read.metrics.isEmpty() && nested.size() > 1)
        read.metrics = nested;
    return read;
}

} // namespace scalebench
