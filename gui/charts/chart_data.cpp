// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_data.h"

#include "base/csv_writer.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {

QString text(const char* source, int n = -1)
{
    return QCoreApplication::translate("ChartData", source, nullptr, n);
}

} // namespace

bool ChartData::isEmpty() const
{
    return std::all_of(series.begin(), series.end(),
                       [](const ChartSeries& s) { return s.x.isEmpty(); });
}

bool ChartData::hasErrorBars() const
{
    return std::any_of(series.begin(), series.end(),
                       [](const ChartSeries& s) { return !s.yLow.isEmpty(); });
}

QString ChartData::formatX(double x) const
{
    if (xScale == XScale::Categories) {
        const auto index = static_cast<qsizetype>(std::lround(x));
        return index >= 0 && index < categories.size() ? categories.at(index) : QString();
    }
    return QLocale().toString(x, 'g', 6);
}

QString ChartData::formatY(double y) const
{
    return yPercent ? QLocale().toString(y * 100, 'f', 2) + QStringLiteral(" %")
                    : QLocale().toString(y, 'g', 5);
}

QString ChartData::description() const
{
    if (isEmpty())
        return emptyText;
    QStringList sentences{text("%1 against %2.").arg(yLabel, xLabel)};
    for (const ChartSeries& s : series) {
        if (s.x.isEmpty())
            continue;
        QString sentence = text("%1: %n point(s), last %2 at %3.", static_cast<int>(s.x.size()))
                               .arg(s.name, formatY(s.y.last()), formatX(s.x.last()));
        if (s.flag)
            sentence += QLatin1Char(' ') + text("Target reached at %1.").arg(formatX(s.flag->x()));
        sentences << sentence;
    }
    for (const ChartLine& line : lines)
        sentences << line.label + QLatin1Char('.');
    return sentences.join(QLatin1Char(' '));
}

QByteArray ChartData::csv() const
{
    const bool errors = hasErrorBars();
    QStringList columns{QStringLiteral("series"), xColumn, yColumn};
    if (errors)
        columns << QStringLiteral("low") << QStringLiteral("high");
    CsvWriter csv(columns);
    const auto bound = [](const QList<double>& bounds, qsizetype i) {
        return i < bounds.size() ? bounds[i] : std::nan("");
    };
    for (const ChartSeries& s : series) {
        for (qsizetype i = 0; i < s.x.size(); ++i) {
            csv.add(s.name);
            xScale == XScale::Categories ? csv.add(formatX(s.x[i])) : csv.add(s.x[i]);
            csv.add(s.y[i]);
            if (errors)
                csv.add(bound(s.yLow, i)).add(bound(s.yHigh, i));
            csv.endRow();
        }
    }
    return csv.text();
}

std::optional<ChartInset> insetOfLow(const QList<ChartSeries>& series)
{
    static constexpr double kLow = 0.3; // of the highest
    double highest = 0, low = 0;
    const auto top = [](const ChartSeries& s) {
        double most = 0;
        for (const double y : s.y)
            most = std::isfinite(y) ? std::max(most, y) : most;
        return most;
    };
    for (const ChartSeries& s : series)
        highest = std::max(highest, top(s));
    for (const ChartSeries& s : series)
        if (top(s) <= kLow * highest)
            low = std::max(low, top(s));
    if (low <= 0)
        return std::nullopt;
    return ChartInset{0, low * 1.12};
}

} // namespace scalebench
