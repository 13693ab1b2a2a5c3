// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Studies made up in memory or on disk, for the tests of the workbench. Their numbers are invented.

#include "app/watched_application.h"
#include "run/study.h"
#include "settings/theme_manager.h"
#include "settings/workbench_init.h"
#include "study/machine_info.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

namespace scalebench::test {

/// Settings of a test never meet the user's.
inline void initGuiTest()
{
    static QTemporaryDir config;
    qputenv("XDG_CONFIG_HOME", config.path().toUtf8());
    qputenv("XDG_DATA_HOME", config.path().toUtf8());
    QCoreApplication::setOrganizationName(QStringLiteral("Scalebench"));
    QCoreApplication::setApplicationName(QStringLiteral("WorkbenchTest"));
    initWorkbench();
    ThemeManager::instance().apply(ThemeChoice::Light);
}

inline MachineInfo machineWith(int cores)
{
    MachineInfo machine;
    machine.cores = cores;
    machine.cpuModel = QStringLiteral("Test CPU");
    machine.mpirunPath = QStringLiteral("/usr/bin/mpirun");
    machine.mpirunVersion = QStringLiteral("4.1.4");
    machine.enginePath = QStringLiteral("/opt/scalebench/scalebench-engine");
    return machine;
}

inline RunRecord inventedRun(int workers, int repeat = 1, int epochs = 6)
{
    RunRecord run;
    run.config.runId = QStringLiteral("invented-%1-%2").arg(workers).arg(repeat);
    run.config.workload = QStringLiteral("resnet");
    run.config.scale = QStringLiteral("desk");
    run.config.model = QStringLiteral("resnet20");
    run.config.device = QStringLiteral("cpu");
    run.config.precision = QStringLiteral("fp32");
    run.config.dataSource = QStringLiteral("generated");
    run.config.batchPolicy = QStringLiteral("strong");
    run.config.globalBatch = 128;
    run.config.workers = workers;
    run.config.repeat = repeat;
    run.config.seed = static_cast<quint64>(repeat);
    run.config.epochs = 12;
    run.config.target = 0.80;
    run.state = RunState::Completed;
    const double epochSeconds = 6.0 / std::pow(workers, 0.9) * (1 + 0.01 * repeat);
    for (int e = 1; e <= epochs; ++e) {
        for (int k = 1; k <= 4; ++k) {
            StepPoint step;
            step.epoch = e - 1 + k / 4.0;
            step.step = (e - 1) * 40 + k * 10;
            step.samples = step.step * 128;
            step.seconds = step.epoch * epochSeconds;
            step.loss = 2.3 * std::exp(-step.epoch / 3);
            step.samplesPerSecond = 5120 / epochSeconds;
            step.stepMs = epochSeconds * 1000 / 40;
            step.commMs = workers > 1 ? step.stepMs * 0.08 : 0;
            step.inputMs = step.stepMs * 0.01;
            step.otherMs = step.stepMs * 0.02;
            step.computeMs = step.stepMs - step.commMs - step.inputMs - step.otherMs;
            run.steps << step;
        }
        EvalPoint eval;
        eval.epoch = e;
        eval.samples = e * 5120;
        eval.seconds = e * epochSeconds;
        eval.value = e == epochs ? 0.82 : 0.79 * (1 - std::exp(-e / 2.0));
        run.evals << eval;
    }
    run.runStartMs = 1000;
    run.runStopMs = 1000 + epochs * epochSeconds * 1000;
    run.stopStatus = QStringLiteral("success");
    run.stopReason = QStringLiteral("target_reached");
    run.throughput = 5120 / epochSeconds;
    return run;
}

inline Study inventedStudy(const QList<int>& workers, int repeats = 1)
{
    Study study;
    study.id = QStringLiteral("invented");
    study.spec.name = QStringLiteral("Invented study");
    study.spec.workers = workers;
    for (int repeat = 1; repeat <= repeats; ++repeat) {
        for (const int count : workers)
            study.runs << inventedRun(count, repeat);
    }
    return study;
}

} // namespace scalebench::test

/// As QTEST_MAIN; besides, the program fails where an event kept the window's thread for longer
/// than promised (app/watched_application.h names it on stderr).
#define SB_WATCHED_TEST_MAIN(Test)                                                                 \
    int main(int argc, char** argv)                                                                \
    {                                                                                              \
        scalebench::WatchedApplication app(argc, argv);                                            \
        app.setAttribute(Qt::AA_Use96Dpi, true);                                                   \
        if (!qEnvironmentVariableIsSet("SCALEBENCH_EVENT_LIMIT_MS"))                               \
            app.setLimitMs(scalebench::WatchedApplication::kLimitMs);                              \
        Test test;                                                                                 \
        QTEST_SET_MAIN_SOURCE_PATH                                                                 \
        return app.exitCode(QTest::qExec(&test, argc, argv));                                      \
    }
