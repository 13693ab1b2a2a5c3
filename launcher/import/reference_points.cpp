// SPDX-License-Identifier: GPL-3.0-or-later
#include "reference_points.h"
#include "base/translated.h"

#include "base/json_fields.h"
#include "base/plain_text.h"

#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kMostRecords = 1000;
constexpr int kMostValues = 10'000;

Failure damagedPoints(const QString& fileName, const QString& record, const QString& what)
{
    return {u"rcp_damaged"_s,
            Launcher::tr("%1: the record \"%2\" %3. Take the file from the public checker "
                         "again.")
                .arg(fileName, visibleLine(record.left(80)), what)};
}

/// A text of the file in one line, as it may stand in a table.
QString lineOf(const QString& text, qsizetype most)
{
    return visibleLine(text.simplified().left(most));
}

/// "Epochs to converge" or "samples to converge", in any spelling.
QString valuesKey(const QJsonObject& record)
{
    for (const QString& key : record.keys())
        if (key.endsWith("to converge"_L1, Qt::CaseInsensitive))
            return key;
    return {};
}

} // namespace

double ReferencePoint::mean() const
{
    QList<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    if (sorted.size() > 2)
        sorted = sorted.mid(1, sorted.size() - 2);
    return sorted.isEmpty()
               ? 0
               : std::accumulate(sorted.begin(), sorted.end(), 0.0) / double(sorted.size());
}

double ReferencePoint::deviation() const
{
    if (values.size() < 2)
        return 0;
    const double m = std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
    double squares = 0;
    for (const double value : values)
        squares += (value - m) * (value - m);
    return std::sqrt(squares / double(values.size() - 1));
}

Result<QList<ReferencePoint>> parseReferencePoints(const QByteArray& json, const QString& fileName)
{
    const Result<QJsonObject> parsed = parseJsonObject(json, fileName);
    if (!parsed)
        return parsed.failure();
    QList<ReferencePoint> points;
    const QJsonObject& file = parsed.value();
    for (auto it = file.begin(); it != file.end(); ++it) {
        const QJsonObject record = it.value().toObject();
        ReferencePoint point;
        point.name = lineOf(it.key(), 200);
        point.benchmark = lineOf(record.value("Benchmark"_L1).toString(), 80);
        point.creator = lineOf(record.value("Creator"_L1).toString(), 80);
        point.precision = lineOf(record.value("Precision"_L1).toString(), 40);
        point.globalBatch = record.value("BS"_L1).toInteger();
        const QString key = valuesKey(record);
        point.unit = key.startsWith("samples"_L1, Qt::CaseInsensitive) ? u"samples"_s : u"epochs"_s;
        const QJsonArray values = record.value(key).toArray();
        if (point.benchmark.isEmpty() || point.globalBatch < 1 || values.isEmpty() ||
            values.size() > kMostValues)
            return damagedPoints(
                fileName, it.key(),
                Launcher::tr("has no \"Benchmark\", \"BS\" and \"Epochs to converge\""));
        for (const QJsonValue& value : values) {
            if (!value.isDouble() || !(value.toDouble() > 0))
                return damagedPoints(
                    fileName, it.key(),
                    Launcher::tr("has %1 among its epochs").arg(describeJson(value)));
            point.values << value.toDouble();
        }
        if (points.size() >= kMostRecords)
            return damagedPoints(fileName, it.key(), Launcher::tr("is one too many"));
        points << point;
    }
    std::sort(points.begin(), points.end(), [](const ReferencePoint& a, const ReferencePoint& b) {
        return a.globalBatch < b.globalBatch;
    });
    return points;
}

bool isReferenceFile(const QByteArray& json)
{
    const Result<QJsonObject> parsed = parseJsonObject(json, {});
    if (!parsed || parsed.value().isEmpty())
        return false;
    const QJsonObject first = parsed.value().begin().value().toObject();
    return first.contains("BS"_L1) && !valuesKey(first).isEmpty();
}

} // namespace scalebench::imports
