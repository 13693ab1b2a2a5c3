// SPDX-License-Identifier: GPL-3.0-or-later
// `scalebench data`: the engine looks at, checks or makes a workload's data.
#include "cli.h"
#include "machine/this_computer.h"
#include "study/machine_info.h"
#include "study/workload_catalog.h"

#include <QDir>
#include <QJsonDocument>
#include <QProcess>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The configuration of a run on that data, as the study planner makes it.
Result<RunConfig> runFor(const QStringList& words, const QString& scale, const MachineInfo& machine)
{
    const bool make = words[0] == "make"_L1;
    StudySpec spec;
    spec.workload = words[1];
    spec.scale = scale;
    spec.precisions = defaultPrecisions(spec.workload, spec.scale);
    spec.workers = {1};
    spec.data = make ? u"generated"_s : words[2];
    const Result<QList<RunConfig>> runs = planRuns(spec, machine, u"data"_s, words[2]);
    if (!runs)
        return runs.failure();
    RunConfig run = runs.value().constFirst();
    if (make)
        run.json = withDataPath(run, QDir(words[2]).absolutePath());
    return run;
}

/// Runs the engine with the configuration on its standard input, on our terminal.
int runEngine(const QString& engine, const QStringList& arguments, const QJsonObject& config)
{
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedChannels);
    process.start(engine, arguments);
    process.write(QJsonDocument(config).toJson());
    process.closeWriteChannel();
    if (!process.waitForFinished(-1) || process.exitStatus() != QProcess::NormalExit)
        return report({u"engine_failed"_s,
                       u"%1 did not end as it should: %2"_s.arg(engine, process.errorString())});
    return process.exitCode();
}

} // namespace

int commandData(const QStringList& arguments)
{
    CommandParser parser(
        u"data info|check|make WORKLOAD PATH [options]"_s,
        u"info: what lies there and how much. check: reads all of it and names what "
        "is damaged.\nmake: writes the workload's generated set into a folder, in "
        "the format of the public sets."_s);
    parser.addOptions(
        {{u"scale"_s, u"desk, lab or mlperf (default: of files lab, else desk)."_s, u"SCALE"_s}});
    parser.addJsonOption();
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    const QStringList words = parser.positionalArguments();
    if (words.size() != 3 || !QStringList{u"info"_s, u"check"_s, u"make"_s}.contains(words[0]))
        return report({u"usage"_s, u"Give info, check or make, a workload and a path: scalebench "
                                   "data check resnet /data/cifar10"_s});
    const Workload* workload = WorkloadCatalog::instance().find(words[1]);
    const bool files = words[0] != "make"_L1 && workload && workload->scale(u"lab"_s);
    const QString scale = parser.isSet(u"scale"_s) ? parser.value(u"scale"_s)
                          : files                  ? u"lab"_s
                                                   : u"desk"_s;
    const MachineInfo machine = probeThisComputer(false);
    if (machine.enginePath.isEmpty())
        return report({u"engine_missing"_s, u"scalebench-engine was not found beside this program "
                                            "or in PATH."_s});
    const Result<RunConfig> run = runFor(words, scale, machine);
    if (!run)
        return report(run.failure());
    QStringList engine{u"data"_s, words[0], u"--config"_s, u"-"_s};
    if (parser.json())
        engine << u"--json"_s;
    return runEngine(machine.enginePath, engine, run.value().json);
}

} // namespace scalebench::cli
