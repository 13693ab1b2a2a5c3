// SPDX-License-Identifier: GPL-3.0-or-later
#include "launcher/metrics.h"

#include "launcher/plain_text.h"

#include <algorithm>

namespace scalebench {

bool isMetricName(const QString& text)
{
    return !text.isEmpty() && text.size() <= kLongestMetricName && visibleLine(text) == text &&
           std::none_of(text.begin(), text.end(), [](QChar c) { return c.isSpace(); });
}

std::optional<double> valueOf(const QList<MetricValue>& values, const QString& metric)
{
    for (const MetricValue& value : values)
        if (value.metric == metric)
            return value.value;
    return std::nullopt;
}

} // namespace scalebench
