// SPDX-License-Identifier: GPL-3.0-or-later
#include "import/published_studies.h"

#include <QMap>
#include <QSet>

#include <utility>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

static const QString kIdStart = u"published-"_s;

/// The workload's id in the catalogue; benchmarks that it lacks keep their own.
static QString workloadOf(const PublishedResult& r)
{
    static const QMap<QString, QString> kIds{{u"resnet50"_s, u"resnet"_s},
                                             {u"ssd_resnet34"_s, u"ssd"_s}};
    return kIds.value(r.workload, r.workload);
}

static std::optional<double> minutesOf(const PublishedResult& r)
{
    if (r.minutes)
        return r.minutes;
    if (r.minutesPerEpoch && r.epochs)
        return *r.minutesPerEpoch * *r.epochs;
    return {};
}

static RunRecord runOf(const PublishedResult& r, double minutes, bool severalAccelerators)
{
    RunRecord run;
    RunConfig& c = run.config;
    c.workload = workloadOf(r);
    c.runId = u"%1 x%2 %3"_s.arg(c.workload).arg(*r.gpus).arg(r.accelerator);
    if (severalAccelerators)
        c.model = r.accelerator;
    c.device = u"cuda"_s;
    c.precision = r.precision.section(u' ', 0, 0);
    c.batchPolicy = u"table"_s;
    c.nodes = r.nodes.value_or(0);
    c.workers = *r.gpus;
    c.globalBatch = int(r.globalBatch.value_or(0));
    bool ok = false;
    if (const double target = r.target.section(u'|', 0, 0).toDouble(&ok); ok)
        c.target = target;
    run.origin = u"published"_s;
    run.state = RunState::Completed;
    run.runStartMs = 1;
    run.runStopMs = 1 + minutes * 60'000;
    run.stopStatus = u"success"_s;
    run.stopReason = u"target_reached"_s;
    WorkerInfo worker;
    worker.deviceName = r.system + u", "_s + r.accelerator;
    run.workers << worker;
    if (r.epochs) {
        c.epochs = int(*r.epochs);
        EvalPoint reached;
        reached.epoch = *r.epochs;
        reached.seconds = minutes * 60;
        reached.value = c.target.value_or(0);
        run.evals << reached;
    }
    return run;
}

Study publishedStudy(const QString& figure)
{
    QSet<QString> accelerators;
    QList<const PublishedResult*> rows;
    for (const PublishedResult& r : publishedResults())
        if (r.figure == figure && r.gpus && minutesOf(r)) {
            rows << &r;
            accelerators << r.accelerator;
        }
    Study study;
    study.id = kIdStart + figure;
    for (const PublishedFigure& known : publishedFigures())
        if (known.id == figure)
            study.spec.name = known.title;
    study.spec.workload.clear();
    for (const PublishedResult* row : std::as_const(rows))
        study.runs << runOf(*row, *minutesOf(*row), accelerators.size() > 1);
    return study;
}

QList<PublishedFigure> publishedStudies()
{
    QList<PublishedFigure> figures = publishedFigures();
    figures.removeIf([](const PublishedFigure& figure) {
        // Records and single logs are of systems that have little in common.
        return figure.id == "v2.0-records"_L1 || figure.id == "mlperf-logs"_L1;
    });
    return figures;
}

bool hasPublishedGaps(const QString& figure)
{
    return figure == "scale-up-out"_L1;
}

QString publishedFigureOf(const Study& study)
{
    return study.dir.isEmpty() && study.id.startsWith(kIdStart) ? study.id.mid(kIdStart.size())
                                                                : QString();
}

} // namespace scalebench::imports
