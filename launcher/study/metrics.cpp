// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/metrics.h"

#include "base/plain_text.h"

#include <algorithm>
#include <limits>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

MetricUnit metricUnit(const QString& word)
{
    if (word == "share"_L1)
        return MetricUnit::Share;
    return word == "bleu"_L1 ? MetricUnit::Bleu : MetricUnit::Score;
}

QString metricUnitWord(MetricUnit unit)
{
    return unit == MetricUnit::Share  ? u"share"_s
           : unit == MetricUnit::Bleu ? u"bleu"_s
                                      : u"score"_s;
}

double mostOf(MetricUnit unit)
{
    switch (unit) {
    case MetricUnit::Share:
        return 1;
    case MetricUnit::Bleu:
        return 100;
    case MetricUnit::Score:
        break;
    }
    return std::numeric_limits<double>::infinity();
}

QString metricText(MetricUnit unit, double value, int digits, const QLocale& locale)
{
    const bool share = unit == MetricUnit::Share;
    const double shown = share ? value * 100 : value;
    // A score between 0 and 1 needs what per cent have before the point.
    const int behind = unit == MetricUnit::Score ? digits + 2 : digits;
    const QString text =
        digits < 0 ? locale.toString(shown, 'g', 6) : locale.toString(shown, 'f', behind);
    return share ? text + u" %"_s : text;
}

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
