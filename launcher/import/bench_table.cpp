// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench_table.h"
#include "base/translated.h"

#include "base/json_fields.h"
#include "base/plain_text.h"
#include "collective_table.h"
#include "csv_table.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <optional>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype kLongestText = 200;

/// The rows of our own benchmark, whichever file they are in: cells by column.
class BenchRows
{
public:
    static Result<BenchRows> read(const QByteArray& bytes, const QString& fileName)
    {
        BenchRows rows;
        if (bytes.trimmed().startsWith('{')) {
            const Result<QJsonObject> json = parseJsonObject(bytes, fileName);
            if (!json)
                return json.failure();
            if (json.value().value("format"_L1).toString() != "scalebench.bench"_L1)
                return Failure{
                    u"bench_damaged"_s,
                    Launcher::tr("%1 is no file of `scalebench bench --json`.").arg(fileName)};
            rows.m_benchmark = cleaned(json.value().value("benchmark"_L1).toString());
            rows.m_json = json.value().value("results"_L1).toArray();
            return rows;
        }
        const Result<CsvTable> table = parseCsv(bytes, fileName, {u',', false});
        if (!table)
            return table.failure();
        rows.m_csv = table.value();
        return rows;
    }

    QString benchmark() const { return m_benchmark; }
    qsizetype count() const { return m_csv ? m_csv->rows.size() : m_json.size(); }
    QString text(qsizetype row, const QString& column) const
    {
        if (!m_csv)
            return cleaned(m_json.at(row).toObject().value(column).toString());
        const qsizetype at = m_csv->column(column);
        return at < 0 ? QString() : cleaned(m_csv->rows[row][at]);
    }
    double number(qsizetype row, const QString& column) const
    {
        if (!m_csv)
            return m_json.at(row).toObject().value(column).toDouble(std::nan(""));
        const qsizetype at = m_csv->column(column);
        return at < 0 ? std::nan("") : m_csv->number(row, at).value_or(std::nan(""));
    }

private:
    static QString cleaned(const QString& text) { return visibleLine(text.left(kLongestText)); }

    QString m_benchmark;
    QJsonArray m_json;
    std::optional<CsvTable> m_csv;
};

/// Adds points to the curve that they are of, which is made where there is none yet.
class Curves
{
public:
    void add(const CollectiveCurve& of, const CollectivePoint& point)
    {
        if (!(point.bytes > 0) || !(point.busGBs > 0))
            return;
        for (CollectiveCurve& curve : m_curves)
            if (curve.what == of.what && curve.inPlace == of.inPlace &&
                curve.isLimit == of.isLimit) {
                curve.points << point;
                return;
            }
        m_curves << of;
        m_curves.last().points << point;
    }

    Result<QList<CollectiveCurve>> finished(const QString& fileName)
    {
        if (m_curves.isEmpty())
            return Failure{u"bench_damaged"_s,
                           Launcher::tr("%1 has no bandwidth of a collective.").arg(fileName)};
        for (CollectiveCurve& curve : m_curves)
            std::sort(curve.points.begin(), curve.points.end(),
                      [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
        return m_curves;
    }

private:
    QList<CollectiveCurve> m_curves;
};

Result<QList<CollectiveCurve>> curvesOfBench(const BenchRows& rows, const QString& fileName)
{
    Curves curves;
    for (qsizetype row = 0; row < rows.count(); ++row) {
        const double bytes = rows.number(row, u"bytes"_s);
        const auto workers = int(rows.number(row, u"workers"_s));
        const bool in = rows.text(row, u"place"_s) == "in"_L1;
        const QString of = Launcher::tr("%n worker(s)", nullptr, workers);
        const auto rate = [&](const QString& whose) {
            return CollectivePoint{bytes, rows.number(row, whose + u"_algbw_gb_per_s"_s),
                                   rows.number(row, whose + u"_busbw_gb_per_s"_s),
                                   rows.number(row, whose + u"_wrong"_s) > 0};
        };
        curves.add({rows.benchmark(), of + u", Scalebench"_s, {}, in, false, {}}, rate(u"ours"_s));
        curves.add({rows.benchmark(), of + u", MPI"_s, {}, in, false, {}}, rate(u"mpi"_s));
        const double copy = rows.number(row, u"copy_gb_per_s"_s);
        if (!in)
            curves.add({rows.benchmark(), of, {}, false, true, {}}, {bytes, copy, copy, false});
    }
    return curves.finished(fileName);
}

Result<QList<CollectiveCurve>> curvesOfNccl(const CollectiveTable& table, const QString& fileName)
{
    Curves curves;
    QString of = Launcher::tr("%n rank(s)", nullptr, table.ranks);
    if (!table.device.isEmpty())
        of += u", "_s + visibleLine(table.device);
    for (const CollectiveRow& row : table.rows)
        for (const bool in : {false, true})
            if (const auto& time = in ? row.inPlace : row.outOfPlace)
                curves.add({table.collective,
                            of,
                            table.hosts == 1 ? table.device : QString(),
                            in,
                            false,
                            {}},
                           {double(row.bytes), time->algorithmGBs, time->busGBs, time->isWrong()});
    return curves.finished(fileName);
}

} // namespace

Result<QList<CollectiveCurve>> readCollectives(const QByteArray& bytes, const QString& fileName)
{
    if (isCollectiveTable(bytes.left(8192))) {
        const Result<CollectiveTable> table = parseCollectiveTable(bytes, fileName);
        return table ? curvesOfNccl(table.value(), fileName) : table.failure();
    }
    const Result<BenchRows> rows = BenchRows::read(bytes, fileName);
    return rows ? curvesOfBench(rows.value(), fileName) : rows.failure();
}

Result<QList<StorageRate>> readStorageRates(const QByteArray& bytes, const QString& fileName)
{
    const Result<BenchRows> rows = BenchRows::read(bytes, fileName);
    if (!rows)
        return rows.failure();
    QList<StorageRate> rates;
    for (qsizetype row = 0; row < rows.value().count(); ++row)
        if (const double rate = rows.value().number(row, u"gb_per_s"_s);
            rate > 0 && !rows.value().text(row, u"pattern"_s).isEmpty())
            rates << StorageRate{rows.value().text(row, u"pattern"_s),
                                 rows.value().text(row, u"method"_s), rate};
    if (rates.isEmpty())
        return Failure{u"bench_damaged"_s,
                       Launcher::tr("%1 has no rate of `scalebench bench storage`.").arg(fileName)};
    return rates;
}

} // namespace scalebench::imports
