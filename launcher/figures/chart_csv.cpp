// SPDX-License-Identifier: GPL-3.0-or-later
#include "figures/chart_csv.h"

#include "base/json_fields.h"
#include "base/plain_text.h"
#include "base/translated.h"
#include "figures/chart_looks.h"
#include "import/csv_table.h"

#include <QFileInfo>
#include <QJsonObject>
#include <QMap>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Reads the rows into series.
class Rows
{
public:
    Rows(const imports::CsvTable& table, ChartData& chart)
        : m_table(table),
          m_chart(chart),
          m_low(table.column(u"low"_s)),
          m_high(table.column(u"high"_s)),
          m_n(table.column(u"n"_s))
    {
        for (const QString& category : std::as_const(chart.categories))
            m_categories << ChartData::inOneLine(category);
    }

    /// As the looks count them; false: the rows are more or fewer.
    bool read(const QList<qsizetype>& points)
    {
        if (std::accumulate(points.begin(), points.end(), qsizetype(0)) != m_table.rows.size())
            return false;
        qsizetype row = 0;
        for (qsizetype s = 0; s < points.size(); ++s)
            for (qsizetype i = 0; i < points[s]; ++i)
                point(m_chart.series[s], row++);
        return true;
    }
    /// By the names alone.
    void readNames()
    {
        QMap<QString, qsizetype> series;
        for (qsizetype row = 0; row < m_table.rows.size(); ++row) {
            const QString name = visibleLine(m_table.rows[row][0].left(kLongestChartText));
            if (!series.contains(name)) {
                series.insert(name, m_chart.series.size());
                ChartSeries one;
                one.id = one.name = name;
                one.slot = int(std::min<qsizetype>(m_chart.series.size(), kMostChartSlots));
                if (m_chart.xScale == ChartData::XScale::Categories)
                    one.kind = ChartSeries::Kind::Bars;
                m_chart.series << one;
            }
            point(m_chart.series[series.value(name)], row);
        }
    }

private:
    double number(qsizetype row, qsizetype column) const
    {
        return column < 0 ? std::nan("") : m_table.number(row, column).value_or(std::nan(""));
    }

    double xOf(const ChartSeries& series, qsizetype row)
    {
        if (m_chart.xScale != ChartData::XScale::Categories)
            return number(row, 1);
        QString cell = m_table.rows[row][1].left(kLongestChartText);
        if (cell.startsWith(u'\'')) // what keeps a spreadsheet from running it
            cell.remove(0, 1);
        // Two may be called the same: a series has them in their order.
        const qsizetype from = series.x.isEmpty() ? 0 : qsizetype(series.x.last()) + 1;
        const QString name = ChartData::inOneLine(cell); // older files have the axis' lines
        qsizetype at = m_categories.indexOf(name, from);
        if (at < 0)
            at = m_categories.indexOf(name);
        if (at < 0) {
            m_chart.categories << chartText(cell);
            m_categories << name;
            at = m_categories.size() - 1;
        }
        return double(at);
    }

    void point(ChartSeries& series, qsizetype row)
    {
        series.x << xOf(series, row);
        series.y << number(row, 2);
        if (m_low >= 0 && m_high >= 0) {
            series.yLow << number(row, m_low);
            series.yHigh << number(row, m_high);
        }
        if (m_n >= 0)
            if (const double n = number(row, m_n); n >= 0 && n < 1e9)
                series.n << int(n);
    }

    const imports::CsvTable& m_table;
    ChartData& m_chart;
    QStringList m_categories; ///< in one line each
    qsizetype m_low, m_high, m_n;
};

/// A series that has none at any point has none at all.
void dropEmptyBounds(ChartData& chart)
{
    for (ChartSeries& series : chart.series) {
        const auto none = [](const QVector<double>& values) {
            return std::none_of(values.begin(), values.end(),
                                [](double value) { return std::isfinite(value); });
        };
        if (none(series.yLow) && none(series.yHigh)) {
            series.yLow.clear();
            series.yHigh.clear();
        }
    }
}

bool allNumbers(const imports::CsvTable& table)
{
    for (qsizetype row = 0; row < table.rows.size(); ++row)
        if (!table.rows[row][1].isEmpty() && !table.number(row, 1))
            return false;
    return true;
}

ChartData plainChart(const imports::CsvTable& table, const QString& fileName)
{
    ChartData chart;
    chart.id = chart.title = QFileInfo(fileName).completeBaseName().left(200);
    chart.xLabel = visibleLine(table.header[1].left(200));
    chart.yLabel = visibleLine(table.header[2].left(200));
    if (!allNumbers(table))
        chart.xScale = ChartData::XScale::Categories;
    return chart;
}

} // namespace

Result<ChartData> chartOfCsv(const QByteArray& bytes, const QString& fileName)
{
    const QByteArray header = bytes.left(bytes.indexOf('\n')).trimmed();
    const bool own = header.endsWith("," + kLooksColumn.toUtf8());
    const Result<imports::CsvTable> table = imports::parseCsv(
        bytes, fileName, own ? imports::CsvDialect{u',', false} : imports::CsvDialect{});
    if (!table)
        return table.failure();
    if (!imports::isChartTable(table.value()) || table.value().rows.isEmpty())
        return Failure{
            u"chart_damaged"_s,
            Launcher::tr("%1 is no chart's CSV: it has no columns series, x and y.").arg(fileName)};
    const qsizetype at = table.value().column(kLooksColumn);
    const QByteArray text = at < 3 ? QByteArray() : table.value().rows[0][at].toUtf8();
    ChartData chart = plainChart(table.value(), fileName);
    bool read = false;
    if (const Result<QJsonObject> looks = parseJsonObject(text, fileName);
        !text.isEmpty() && looks) {
        QList<qsizetype> points;
        ChartData drawn = chartOfLooks(looks.value(), points);
        read = Rows(table.value(), drawn).read(points);
        if (read)
            chart = drawn;
    }
    if (!read) // taken out, or the rows are others by now
        Rows(table.value(), chart).readNames();
    chart.xColumn = visibleLine(table.value().header[1].left(200));
    chart.yColumn = visibleLine(table.value().header[2].left(200));
    if (const qsizetype marks = table.value().column(u"marks"_s);
        marks > 2 && chart.marks.isEmpty())
        chart.marks =
            QStringList{visibleLine(table.value().rows[0][marks].left(kLongestChartText))};
    chart.marks.removeAll(QString());
    dropEmptyBounds(chart);
    return chart;
}

} // namespace scalebench
