// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What an `eval_accuracy` record says, ours or another MLPerf log's.

#include "study/metrics.h"

#include <QJsonObject>
#include <QJsonValue>

namespace scalebench {

struct EvalValues {
    double value = 0;           ///< of the leading metric
    QList<MetricValue> metrics; ///< of all; empty where only the leading one is known
};

/// `value`: a number, a text with one, or an object of them, which may lie in another object.
/// Our own records name all metrics in `metadata.metrics`, and in `metadata.out_of` the highest
/// value of a leading one that is no share of 1 (BLEU: 100). What is no finite number under a name
/// is left out.
EvalValues readEvalValues(const QJsonValue& value, const QJsonObject& metadata);

} // namespace scalebench
