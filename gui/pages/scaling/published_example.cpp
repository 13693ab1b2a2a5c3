// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/scaling/published_example.h"

#include <QCoreApplication>

namespace scalebench {

namespace {

/// Minutes per epoch and epochs to target as published.
struct Published {
    const char* name;
    int gpus, batch;
    double minutesPerEpoch;
    int epochs;
    double target;
};

constexpr Published kPublished[] = {
    {"Image classification", 1, 512, 16.21, 83, 0.749},
    {"Image classification", 4, 1664, 4.56, 63, 0.749},
    {"Image classification", 8, 1664, 2.2002, 63, 0.749},
    {"Object detection (heavy)", 1, 2, 179.183, 11, 0.377},
    {"Object detection (heavy)", 4, 4, 44.315, 18, 0.377},
    {"Object detection (heavy)", 8, 4, 24.9895, 13, 0.377},
    {"Object detection (SSD)", 1, 152, 4.080, 49, 0.212},
    {"Object detection (SSD)", 4, 152, 1.115, 49, 0.212},
    {"Object detection (SSD)", 8, 152, 0.5628, 49, 0.212},
    {"Translation (GNMT)", 1, 512, 39.98, 5, 0.2180},
    {"Translation (GNMT)", 4, 512, 12.31, 5, 0.2180},
    {"Translation (GNMT)", 8, 1024, 6.4, 3, 0.2180},
    {"Translation (Transformer)", 1, 5120, 60.34, 8, 0.25},
    {"Translation (Transformer)", 4, 5120, 22.38, 4, 0.25},
    {"Translation (Transformer)", 8, 5120, 7.648, 4, 0.25},
    {"Recommendation (NCF)", 1, 1048576, 0.13538, 13, 0.635},
    {"Recommendation (NCF)", 4, 1048576, 0.07692, 13, 0.635},
    {"Recommendation (NCF)", 8, 1048576, 0.04846, 13, 0.635},
};

RunRecord record(const Published& p)
{
    RunRecord run;
    run.config.runId = QStringLiteral("%1 x%2").arg(QString::fromLatin1(p.name)).arg(p.gpus);
    run.config.workload = QStringLiteral("published");
    run.config.model = QString::fromLatin1(p.name);
    run.config.device = QStringLiteral("cuda");
    run.config.precision = QStringLiteral("fp16");
    run.config.batchPolicy = QStringLiteral("table");
    run.config.workers = p.gpus;
    run.config.globalBatch = p.batch;
    run.config.epochs = p.epochs;
    run.config.target = p.target;
    run.state = RunState::Completed;
    const double seconds = p.minutesPerEpoch * 60 * p.epochs;
    run.runStartMs = 1;
    run.runStopMs = 1 + seconds * 1000;
    run.stopStatus = QStringLiteral("success");
    run.stopReason = QStringLiteral("target_reached");
    EvalPoint reached;
    reached.epoch = p.epochs;
    reached.seconds = seconds;
    reached.value = p.target;
    run.evals << reached;
    return run;
}

} // namespace

Study publishedExample()
{
    Study study;
    study.id = QStringLiteral("published-dgx-1");
    study.spec.name = QCoreApplication::translate("PublishedExample",
                                                  "Example: published DGX-1 results (reference)");
    study.spec.workload = QStringLiteral("published");
    for (const Published& p : kPublished)
        study.runs << record(p);
    return study;
}

QString publishedExampleNotice()
{
    return QCoreApplication::translate("PublishedExample",
                                       "Published MLPerf v0.5 results of a DGX-1 with 8 V100, for "
                                       "reference: other software, other "
                                       "data, not measured here. Note how the gains above 8\u00d7 "
                                       "come from fewer epochs, not from "
                                       "hardware.");
}

} // namespace scalebench
