// SPDX-License-Identifier: GPL-3.0-or-later
#include "results_reference.h"

#include "base/json_fields.h"
#include "base/ordinary_file.h"
#include "import/published_results.h"
#include "import/reference_check.h"
#include "text_table.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

static QJsonObject publishedJson(const imports::PublishedResult& r)
{
    const auto count = [](const auto& value) {
        return value ? QJsonValue(qint64(*value)) : QJsonValue(QJsonValue::Null);
    };
    return {{u"figure"_s, r.figure},
            {u"version"_s, r.round},
            {u"workload"_s, r.workload},
            {u"system"_s, r.system},
            {u"accelerator"_s, r.accelerator},
            {u"nodes"_s, count(r.nodes)},
            {u"gpus_per_node"_s, count(r.gpusPerNode)},
            {u"gpus"_s, count(r.gpus)},
            {u"global_batch"_s, count(r.globalBatch)},
            {u"metric"_s, r.metric},
            {u"target"_s, r.target},
            {u"epochs"_s, orNull(r.epochs)},
            {u"minutes_per_epoch"_s, orNull(r.minutesPerEpoch)},
            {u"minutes"_s, orNull(r.minutes)},
            {u"speedup"_s, orNull(r.speedup)},
            {u"speedup_against"_s, r.speedupAgainst},
            {u"gap_percent"_s, orNull(r.gapPercent)},
            {u"precision"_s, r.precision},
            {u"source"_s, r.source},
            {u"note"_s, r.note}};
}

int listPublished(const CommandParser& parser)
{
    if (parser.json()) {
        QJsonArray list;
        for (const imports::PublishedResult& r : imports::publishedResults())
            list << publishedJson(r);
        printJson(QJsonDocument(
            QJsonObject{{u"notice"_s, imports::publishedNotice()}, {u"results"_s, list}}));
        return kOk;
    }
    const auto number = [](const std::optional<double>& value, int digits) {
        return value ? QString::number(*value, 'g', digits) : u"-"_s;
    };
    for (const imports::PublishedFigure& figure : imports::publishedFigures()) {
        TextTable table({u"workload"_s, u"version"_s, u"system"_s, u"GPUs"_s, u"batch"_s,
                         u"epochs"_s, u"minutes"_s, u"speedup"_s, u"gap %"_s},
                        3);
        for (const imports::PublishedResult& r : imports::publishedResults())
            if (r.figure == figure.id)
                table.add(
                    {r.workload, r.round, r.system, r.gpus ? QString::number(*r.gpus) : u"-"_s,
                     r.globalBatch ? QString::number(*r.globalBatch) : u"-"_s, number(r.epochs, 4),
                     number(r.minutes, 6), number(r.speedup, 4), number(r.gapPercent, 3)});
        out(figure.title + u" ("_s + figure.id + u")\n"_s + table.text() + u'\n');
    }
    out(imports::publishedNotice() + u'\n');
    return kOk;
}

int checkAgainstReference(const CommandParser& parser, const Study& study)
{
    const QString path = parser.value(u"rcp"_s);
    const Result<QByteArray> bytes = readFile(path, kMostJsonBytes);
    if (!bytes)
        return report({u"usage"_s, bytes.failure().message});
    const auto check = imports::checkAgainstPoints(study.runs, bytes.value(), path);
    if (!check)
        return report(check.failure());
    const QStringList& remarks = check.value().remarks;
    if (parser.json()) {
        printJson(QJsonDocument(QJsonObject{{u"compared"_s, check.value().compared},
                                            {u"remarks"_s, QJsonArray::fromStringList(remarks)}}));
        return kOk;
    }
    for (const QString& remark : remarks)
        out(remark + u'\n');
    out(check.value().summary + u'\n');
    return kOk;
}

} // namespace scalebench::cli
