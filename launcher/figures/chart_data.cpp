// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/chart_data.h"

#include "base/csv_writer.h"
#include "figures/chart_csv.h"
#include "figures/chart_looks.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {

class ChartDataTexts
{
    Q_DECLARE_TR_FUNCTIONS(ChartData)
};

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

bool ChartData::hasCounts() const
{
    return std::any_of(series.begin(), series.end(),
                       [](const ChartSeries& s) { return !s.n.isEmpty(); });
}

QString ChartData::errorName() const
{
    return errorText.isEmpty() ? ChartDataTexts::tr("95 %") : errorText;
}

QString ChartData::errorNote() const
{
    if (!hasErrorBars())
        return {};
    int least = 0, most = 0, repeats = 0;
    bool band = false, any = false;
    for (const ChartSeries& s : series) {
        band = band || s.band;
        for (qsizetype i = 0; i < s.yLow.size(); ++i) {
            const int n = s.n.value(i, 0);
            repeats = std::max(repeats, n);
            // A baseline's ratio to itself has none.
            if (!(s.yHigh.value(i, std::nan("")) > s.yLow[i]))
                continue;
            any = true;
            if (n > 0)
                least = least == 0 ? n : std::min(least, n);
            most = std::max(most, n);
        }
    }
    if (!any && !band)
        return repeats > 1 ? ChartDataTexts::tr("no 95 % interval can be told, n = %1").arg(repeats)
                           : QString();
    const QString what =
        errorText.isEmpty() ? ChartDataTexts::tr("95 % interval of the mean") : errorText;
    const QString head =
        band ? ChartDataTexts::tr("Band: %1").arg(what) : ChartDataTexts::tr("Bars: %1").arg(what);
    return most == 0       ? head
           : least == most ? ChartDataTexts::tr("%1, n = %2").arg(head).arg(most)
                           : ChartDataTexts::tr("%1, n = %2 to %3").arg(head).arg(least).arg(most);
}

QStringList ChartData::notes() const
{
    QStringList all{errorNote()};
    all += remarks;
    all += marks;
    all.removeAll(QString());
    return all;
}

static bool anyPositive(const QList<ChartSeries>& series, QVector<double> ChartSeries::*values)
{
    return std::any_of(series.begin(), series.end(), [values](const ChartSeries& s) {
        return std::any_of((s.*values).begin(), (s.*values).end(),
                           [](double v) { return std::isfinite(v) && v > 0; });
    });
}

bool ChartData::canLogX() const
{
    return xScale != XScale::Categories && !xClock && anyPositive(series, &ChartSeries::x);
}

bool ChartData::canLogY() const
{
    const bool anyBars = std::any_of(series.begin(), series.end(), [](const ChartSeries& s) {
        return s.kind == ChartSeries::Kind::Bars;
    });
    return !anyBars && !yPercent && anyPositive(series, &ChartSeries::y);
}

QString ChartData::inOneLine(QString category)
{
    return category.replace(QLatin1Char('\n'), QLatin1Char(' '));
}

QString ChartData::formatX(double x) const
{
    if (xBytes)
        return QLocale().formattedDataSize(static_cast<qint64>(x), 0,
                                           QLocale::DataSizeTraditionalFormat);
    if (xClock)
        return QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(x * 1000))
            .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));

    if (xScale == XScale::Categories) {
        const auto index = static_cast<qsizetype>(std::lround(x));
        return index >= 0 && index < categories.size() ? inOneLine(categories.at(index))
                                                       : QString();
    }
    return QLocale().toString(x, 'g', 6);
}

QString ChartData::placeText(double x) const
{
    return xScale == XScale::Categories || xLabel.isEmpty()
               ? formatX(x)
               : QStringLiteral("%1: %2").arg(xLabel, formatX(x));
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
    QStringList sentences{ChartDataTexts::tr("%1 against %2.").arg(yLabel, xLabel)};
    for (const ChartSeries& s : series) {
        if (s.x.isEmpty())
            continue;
        QString sentence = ChartDataTexts::tr("%1: %n point(s), last %2 at %3.", nullptr,
                                              static_cast<int>(s.x.size()))
                               .arg(s.name, formatY(s.y.last()), formatX(s.x.last()));
        if (s.flag)
            sentence += QLatin1Char(' ') +
                        ChartDataTexts::tr("Target reached at %1.").arg(formatX(s.flag->x()));
        sentences << sentence;
    }
    for (const ChartLine& line : lines)
        sentences << line.label + QLatin1Char('.');
    for (const QString& note : notes())
        sentences << (note.endsWith(QLatin1Char('.')) ? note : note + QLatin1Char('.'));
    return sentences.join(QLatin1Char(' '));
}

QByteArray ChartData::csv() const
{
    const bool errors = hasErrorBars();
    QStringList columns{QStringLiteral("series"), xColumn, yColumn};
    const bool counts = hasCounts();
    if (errors)
        columns << QStringLiteral("low") << QStringLiteral("high");
    if (counts)
        columns << QStringLiteral("n");
    const QString said = marks.join(QStringLiteral("; "));
    if (!said.isEmpty())
        columns << QStringLiteral("marks");
    columns << kLooksColumn;
    QString looks = chartLooks(*this); // once, in the first row
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
            if (counts)
                csv.add(i < s.n.size() ? QString::number(s.n[i]) : QString());
            if (!said.isEmpty())
                csv.add(said);
            csv.add(looks);
            looks.clear();
            csv.endRow();
        }
    }
    return csv.text();
}

ChartData withTextsOf(ChartData chart, const ChartData& other)
{
    for (QString ChartData::*text :
         {&ChartData::title, &ChartData::subtitle, &ChartData::xLabel, &ChartData::yLabel,
          &ChartData::xColumn, &ChartData::yColumn, &ChartData::superLinear, &ChartData::errorText,
          &ChartData::emptyText})
        chart.*text = other.*text;
    for (QStringList ChartData::*texts :
         {&ChartData::categories, &ChartData::notices, &ChartData::remarks, &ChartData::marks})
        chart.*texts = other.*texts;
    chart.lines = other.lines;
    chart.guides = other.guides;
    for (qsizetype i = 0; i < std::min(chart.series.size(), other.series.size()); ++i) {
        ChartSeries& series = chart.series[i];
        for (QString ChartSeries::*text :
             {&ChartSeries::id, &ChartSeries::name, &ChartSeries::legend})
            series.*text = other.series[i].*text;
        series.pointLabels = other.series[i].pointLabels;
    }
    return chart;
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
