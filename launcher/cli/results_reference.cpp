// SPDX-License-Identifier: GPL-3.0-or-later
#include "results_reference.h"

#include "analysis/convergence.h"
#include "base/ordinary_file.h"
#include "base/plain_text.h"
#include "import/published_results.h"
#include "import/reference_points.h"
#include "text_table.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

static QJsonValue orNull(const std::optional<double>& value)
{
    return value ? QJsonValue(*value) : QJsonValue(QJsonValue::Null);
}

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
                         u"epochs"_s, u"minutes"_s, u"speedup"_s},
                        3);
        for (const imports::PublishedResult& r : imports::publishedResults())
            if (r.figure == figure.id)
                table.add({r.workload, r.round, r.system,
                           r.gpus ? QString::number(*r.gpus) : u"-"_s,
                           r.globalBatch ? QString::number(*r.globalBatch) : u"-"_s,
                           number(r.epochs, 4), number(r.minutes, 6), number(r.speedup, 4)});
        out(figure.title + u" ("_s + figure.id + u")\n"_s + table.text() + u'\n');
    }
    out(imports::publishedNotice() + u'\n');
    return kOk;
}

/// The points of a run's benchmark with its batch.
static EpochsReference referenceFor(const RunRecord& run,
                                    const QList<imports::ReferencePoint>& points)
{
    for (const imports::ReferencePoint& point : points)
        if (point.benchmark == run.config.workload && point.globalBatch == run.config.globalBatch &&
            point.unit == "epochs"_L1)
            return {point.name, point.values};
    return {};
}

int checkAgainstReference(const CommandParser& parser, const Study& study)
{
    const QString path = parser.value(u"rcp"_s);
    const Result<QByteArray> bytes = readFile(path, kMostJsonBytes);
    if (!bytes)
        return report({u"usage"_s, bytes.failure().message});
    const auto points = imports::parseReferencePoints(bytes.value(), path);
    if (!points)
        return report(points.failure());
    int compared = 0;
    QStringList remarks;
    for (const RunRecord& run : study.runs) {
        const EpochsReference reference = referenceFor(run, points.value());
        if (reference.epochs.isEmpty() || run.state != RunState::Completed)
            continue;
        ++compared;
        const QString remark = convergenceRemark(run.config.runId, run.epochsToTarget(),
                                                 evaluationStep(run), reference);
        if (!remark.isEmpty())
            remarks << remark;
    }
    if (parser.json()) {
        printJson(QJsonDocument(QJsonObject{{u"compared"_s, compared},
                                            {u"remarks"_s, QJsonArray::fromStringList(remarks)}}));
        return kOk;
    }
    for (const QString& remark : std::as_const(remarks))
        out(remark + u'\n');
    QStringList batches;
    for (const imports::ReferencePoint& point : points.value())
        batches << u"%1 batch %2"_s.arg(point.benchmark, QString::number(point.globalBatch));
    out(compared == 0
            ? u"No completed run has the benchmark and batch of a reference point: the file has %1.\n"_s
                  .arg(visibleLine(batches.join(u", "_s)))
            : u"%1 run(s) compared, %2 suspicious.\n"_s.arg(compared).arg(remarks.size()));
    return kOk;
}

} // namespace scalebench::cli
