// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"
#include "launcher/workload_catalog.h"
#include "text_table.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QLocale>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

static QJsonObject toJson(const Workload& workload)
{
    QJsonArray scales;
    for (const WorkloadScale& scale : workload.scales)
        scales << QJsonObject{{u"id"_s, scale.id},
                              {u"title"_s, scale.title},
                              {u"model"_s, scale.model},
                              {u"parameters"_s, scale.parameters},
                              {u"target"_s, scale.target},
                              {u"epochs"_s, scale.epochs},
                              {u"global_batch"_s, scale.globalBatch},
                              {u"data_source"_s, scale.dataSource},
                              {u"data_hint"_s, scale.dataHint}};
    return {{u"id"_s, workload.id},
            {u"title"_s, workload.title},
            {u"domain"_s, workload.domain},
            {u"metric"_s, workload.metric},
            {u"scales"_s, scales}};
}

int commandWorkloads(const QStringList& arguments)
{
    CommandParser parser(u"workloads [options]"_s, u"Lists what can be trained."_s);
    parser.addJsonOption();
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    const QList<Workload>& workloads = WorkloadCatalog::builtin().workloads();
    if (parser.json()) {
        QJsonArray list;
        for (const Workload& workload : workloads)
            list << toJson(workload);
        printJson(QJsonDocument(list));
        return kOk;
    }
    TextTable table({u"workload"_s, u"scale"_s, u"model"_s, u"data"_s, u"parameters"_s, u"target"_s,
                     u"epochs"_s, u"batch"_s},
                    4);
    for (const Workload& workload : workloads)
        for (const WorkloadScale& scale : workload.scales)
            table.add({workload.id, scale.id, scale.model, scale.dataSource,
                       QLocale().toString(scale.parameters), formatPercent(scale.target),
                       QString::number(scale.epochs), QString::number(scale.globalBatch)});
    out(table.text());
    return kOk;
}

} // namespace scalebench::cli
