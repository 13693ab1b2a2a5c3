// SPDX-License-Identifier: GPL-3.0-or-later
// `scalebench data`: the engine looks at, checks or makes a workload's data.
#include "base/interruption.h"
#include "cli.h"
#include "machine/this_computer.h"
#include "study/data_run.h"
#include "study/dimensions.h"

#include <QJsonDocument>
#include <QProcess>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Runs the engine with the configuration on its standard input, on our terminal. Interrupted, it
/// removes what it had begun to make.
int runEngine(const QString& engine, const QStringList& arguments, const QJsonObject& config)
{
    watchInterruption();
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedChannels);
    process.start(engine, arguments);
    process.write(QJsonDocument(config).toJson());
    process.closeWriteChannel();
    while (process.state() != QProcess::NotRunning && !process.waitForFinished(100))
        if (isInterrupted())
            process.terminate();
    if (isInterrupted())
        return kCancelled;
    if (process.error() == QProcess::FailedToStart || process.exitStatus() != QProcess::NormalExit)
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
        "is damaged (of text, ratings and clicks the first fault).\nmake: writes the workload's "
        "generated set into a folder, in "
        "the format of the public sets."_s);
    parser.addOptions(
        {{u"scale"_s, u"desk, lab or mlperf (default: of files lab, else desk); of make desk."_s,
          u"SCALE"_s},
         {u"set"_s,
          u"A setting of the recipe by its path, such as the names of the files: "
          "data.source_language=fr. Repeatable."_s,
          u"PATH=V"_s}});
    parser.addJsonOption();
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    const QStringList words = parser.positionalArguments();
    if (words.size() != 3 || !QStringList{u"info"_s, u"check"_s, u"make"_s}.contains(words[0]))
        return report({u"usage"_s, u"Give info, check or make, a workload and a path: scalebench "
                                   "data check resnet /data/cifar10"_s});
    DataRequest request{words[0], words[1], parser.value(u"scale"_s), words[2]};
    for (const QString& setting : parser.values(u"set"_s)) {
        const QString path = setting.section(u'=', 0, 0).trimmed();
        const QString value = setting.section(u'=', 1).trimmed();
        if (path.isEmpty() || value.isEmpty() || request.settings.contains(path))
            return report({u"usage"_s, u"--set takes PATH=VALUE, each path once, for example "
                                       "data.source_language=fr; \"%1\" is none."_s.arg(setting)});
        request.settings.insert(path, {valueFromText(path, value)});
    }
    const MachineInfo machine = probeThisComputer(false);
    if (machine.enginePath.isEmpty())
        return report({u"engine_missing"_s, u"scalebench-engine was not found beside this program "
                                            "or in PATH."_s});
    const Result<QJsonObject> run = dataRun(request, machine);
    if (!run)
        return report(run.failure());
    QStringList engine{u"data"_s, words[0], u"--config"_s, u"-"_s};
    if (parser.json())
        engine << u"--json"_s;
    return runEngine(machine.enginePath, engine, run.value());
}

} // namespace scalebench::cli
