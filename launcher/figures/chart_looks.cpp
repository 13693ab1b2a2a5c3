// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/chart_looks.h"

#include "base/plain_text.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cmath>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr double kMostPoints = 1e8;
constexpr qsizetype kMostListed = 2000; ///< ticks, categories, labels, points of a guide

// ---- what both directions name ------------------------------------------------------------------

struct Text {
    const char* key;
    QString ChartData::*field;
};
constexpr Text kTexts[] = {{"id", &ChartData::id},
                           {"title", &ChartData::title},
                           {"subtitle", &ChartData::subtitle},
                           {"x_label", &ChartData::xLabel},
                           {"y_label", &ChartData::yLabel},
                           {"beyond_ideal", &ChartData::superLinear},
                           {"bars_are", &ChartData::errorText}};
struct Switch {
    const char* key;
    bool ChartData::*field;
};
constexpr Switch kSwitches[] = {{"y_percent", &ChartData::yPercent},
                                {"y_log2", &ChartData::yLog2},
                                {"y_log10", &ChartData::yLog10},
                                {"y_from_zero", &ChartData::yFromZero},
                                {"x_whole", &ChartData::xWholeNumbers},
                                {"x_bytes", &ChartData::xBytes},
                                {"x_clock", &ChartData::xClock},
                                {"ideal_line", &ChartData::idealLine},
                                {"ideal_flat", &ChartData::idealFlat},
                                {"labels_below", &ChartData::labelsBelow},
                                {"generated_data", &ChartData::generatedData}};
struct Bound {
    const char* key;
    std::optional<double> ChartData::*field;
};
constexpr Bound kBounds[] = {{"x_min", &ChartData::xMin},
                             {"y_min", &ChartData::yMin},
                             {"y_max", &ChartData::yMax},
                             {"hatch_from", &ChartData::hatchFrom}};
struct List {
    const char* key;
    QStringList ChartData::*field;
};
constexpr List kLists[] = {{"categories", &ChartData::categories},
                           {"notices", &ChartData::notices},
                           {"notes", &ChartData::marks}};
constexpr const char* kScales[] = {"linear", "log2", "log10", "categories"};
constexpr const char* kKinds[] = {"line", "line_and_points", "bars", "marks"};

// ---- to JSON ------------------------------------------------------------------------------------

QJsonArray numbers(const QVector<double>& values)
{
    QJsonArray list;
    for (const double value : values)
        list << (std::isfinite(value) ? QJsonValue(value) : QJsonValue());
    return list;
}

/// Leaves out what is as everywhere.
void put(QJsonObject& object, const char* key, const QJsonValue& value, const QJsonValue& usual)
{
    if (value != usual)
        object.insert(QLatin1StringView(key), value);
}

QJsonObject looksOf(const ChartSeries& series)
{
    QJsonObject o{{u"name"_s, series.name},
                  {u"points"_s, series.x.size()},
                  {u"kind"_s, QLatin1StringView(kKinds[int(series.kind)])},
                  {u"slot"_s, series.slot}};
    put(o, "id", series.id, series.name);
    put(o, "legend", series.legend, QString());
    put(o, "dash", series.dash, 0);
    put(o, "band", series.band, false);
    put(o, "faint", series.faint, false);
    if (series.flag)
        o.insert(u"flag"_s, QJsonArray{series.flag->x(), series.flag->y()});
    if (!series.pointLabels.isEmpty() && series.pointLabels.size() <= kMostListed)
        o.insert(u"labels"_s, QJsonArray::fromStringList(series.pointLabels));
    return o;
}

// ---- from JSON ----------------------------------------------------------------------------------

QString textOf(const QJsonValue& value)
{
    return chartText(value.toString());
}

QStringList textsOf(const QJsonValue& value)
{
    QStringList texts;
    for (const QJsonValue& text : value.toArray())
        if (texts.size() < kMostListed)
            texts << textOf(text);
    return texts;
}

QVector<double> numbersOf(const QJsonValue& value)
{
    QVector<double> list;
    for (const QJsonValue& number : value.toArray())
        if (list.size() < kMostListed)
            list << number.toDouble(std::nan(""));
    return list;
}

template <typename Enum, size_t N>
Enum named(const QJsonValue& value, const char* const (&names)[N], Enum otherwise)
{
    for (size_t i = 0; i < N; ++i)
        if (value.toString() == QLatin1StringView(names[i]))
            return Enum(i);
    return otherwise;
}

ChartSeries seriesOf(const QJsonObject& o)
{
    ChartSeries series;
    series.name = textOf(o.value("name"_L1));
    series.id = o.contains("id"_L1) ? textOf(o.value("id"_L1)) : series.name;
    series.legend = textOf(o.value("legend"_L1));
    series.slot = std::clamp(o.value("slot"_L1).toInt(), 0, kMostChartSlots);
    series.dash = std::clamp(o.value("dash"_L1).toInt(), 0, kMostChartSlots);
    series.kind = named(o.value("kind"_L1), kKinds, ChartSeries::Kind::LineAndPoints);
    series.band = o.value("band"_L1).toBool();
    series.faint = o.value("faint"_L1).toBool();
    if (const QVector<double> at = numbersOf(o.value("flag"_L1));
        at.size() == 2 && std::isfinite(at[0]) && std::isfinite(at[1]))
        series.flag = QPointF(at[0], at[1]);
    series.pointLabels = textsOf(o.value("labels"_L1));
    return series;
}

void readParts(ChartData& chart, const QJsonObject& looks)
{
    chart.xTicks = numbersOf(looks.value("x_ticks"_L1));
    chart.xTicks.removeIf([](double tick) { return !std::isfinite(tick); });
    for (const QJsonValue& value : looks.value("lines"_L1).toArray())
        if (const QJsonObject line = value.toObject();
            line.value("y"_L1).isDouble() && chart.lines.size() < kMostListed)
            chart.lines << ChartLine{line.value("y"_L1).toDouble(), textOf(line.value("label"_L1))};
    for (const QJsonValue& value : looks.value("guides"_L1).toArray()) {
        const QJsonObject o = value.toObject();
        const ChartGuide guide{textOf(o.value("name"_L1)), numbersOf(o.value("x"_L1)),
                               numbersOf(o.value("y"_L1))};
        if (guide.x.size() == guide.y.size() && chart.guides.size() < kMostListed)
            chart.guides << guide;
    }
    if (const QVector<double> inset = numbersOf(looks.value("inset"_L1));
        inset.size() == 2 && inset[1] > inset[0])
        chart.inset = ChartInset{inset[0], inset[1]};
}

} // namespace

QString chartText(const QString& text)
{
    QStringList lines;
    for (const QString& line : text.left(kLongestChartText).split(u'\n'))
        lines << visibleLine(line);
    return lines.join(u'\n');
}

static QJsonObject looksOf(const ChartData& chart)
{
    QJsonObject o;
    for (const Text& text : kTexts)
        put(o, text.key, chart.*text.field, QString());
    for (const Switch& one : kSwitches)
        put(o, one.key, chart.*one.field, false);
    for (const Bound& bound : kBounds)
        if (const auto& value = chart.*bound.field)
            o.insert(QLatin1StringView(bound.key), *value);
    for (const List& list : kLists)
        put(o, list.key, QJsonArray::fromStringList(chart.*list.field), QJsonArray());
    put(o, "x_scale", QLatin1StringView(kScales[int(chart.xScale)]), u"linear"_s);
    put(o, "stacked", chart.bars == ChartData::Bars::Stacked, false);
    put(o, "ideal_at", chart.idealAt, 1.0);
    put(o, "x_ticks", numbers(chart.xTicks), QJsonArray());
    QJsonArray lines, guides, series;
    for (const ChartLine& line : chart.lines)
        lines << QJsonObject{{u"y"_s, line.y}, {u"label"_s, line.label}};
    for (const ChartGuide& guide : chart.guides)
        guides << QJsonObject{
            {u"name"_s, guide.name}, {u"x"_s, numbers(guide.x)}, {u"y"_s, numbers(guide.y)}};
    for (const ChartSeries& one : chart.series)
        series << looksOf(one);
    put(o, "lines", lines, QJsonArray());
    put(o, "guides", guides, QJsonArray());
    if (chart.inset)
        o.insert(u"inset"_s, QJsonArray{chart.inset->yLow, chart.inset->yHigh});
    o.insert(u"series"_s, series);
    return o;
}

QString chartLooks(const ChartData& chart)
{
    return QString::fromUtf8(QJsonDocument(looksOf(chart)).toJson(QJsonDocument::Compact));
}

QByteArray chartJson(const ChartData& chart)
{
    QJsonObject o = looksOf(chart);
    o.insert(u"format"_s, u"scalebench.chart"_s);
    o.insert(u"version"_s, 1);
    QJsonArray series;
    for (const ChartSeries& one : chart.series) {
        QJsonObject points = looksOf(one);
        points.remove(u"points"_s); // those are here
        points.insert(u"x"_s, numbers(one.x));
        points.insert(u"y"_s, numbers(one.y));
        put(points, "low", numbers(one.yLow), QJsonArray());
        put(points, "high", numbers(one.yHigh), QJsonArray());
        if (!one.n.isEmpty())
            points.insert(u"n"_s, numbers(QVector<double>(one.n.begin(), one.n.end())));
        series << points;
    }
    o.insert(u"series"_s, series);
    return QJsonDocument(o).toJson();
}

ChartData chartOfLooks(const QJsonObject& looks, QList<qsizetype>& points)
{
    ChartData chart;
    for (const Text& text : kTexts)
        chart.*text.field = textOf(looks.value(QLatin1StringView(text.key)));
    for (const Switch& one : kSwitches)
        chart.*one.field = looks.value(QLatin1StringView(one.key)).toBool();
    for (const Bound& bound : kBounds)
        if (const QJsonValue value = looks.value(QLatin1StringView(bound.key)); value.isDouble())
            chart.*bound.field = value.toDouble();
    for (const List& list : kLists)
        chart.*list.field = textsOf(looks.value(QLatin1StringView(list.key)));
    chart.xScale = named(looks.value("x_scale"_L1), kScales, ChartData::XScale::Linear);
    chart.bars =
        looks.value("stacked"_L1).toBool() ? ChartData::Bars::Stacked : ChartData::Bars::Grouped;
    if (const double at = looks.value("ideal_at"_L1).toDouble(1); at > 0)
        chart.idealAt = at;
    readParts(chart, looks);
    for (const QJsonValue& value : looks.value("series"_L1).toArray()) {
        if (chart.series.size() >= kMostChartSlots)
            break;
        chart.series << seriesOf(value.toObject());
        points << qsizetype(
            std::clamp(value.toObject().value("points"_L1).toDouble(), 0.0, kMostPoints));
    }
    return chart;
}

} // namespace scalebench
