// SPDX-License-Identifier: GPL-3.0-or-later
// `scalebench bench step WORKLOAD`: some training steps of one run, told with the options of
// `scalebench run`, op by op. The engine gets the run as `run` would write it.
#include "base/plain_text.h"
#include "cli.h"
#include "machine/machines.h"
#include "run_options.h"
#include "study/machine_info.h"

#include <QFileInfo>

#include <sys/mman.h>
#include <unistd.h>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The run as a file without a name, which the engine opens and which ends with it; empty when the
/// system has none to give.
QString fileFor(const RunConfig& run)
{
    const int file = ::memfd_create("run.json", 0); // stays open in the engine
    if (file < 0)
        return {};
    const QByteArray text = QJsonDocument(run.json).toJson();
    if (::write(file, text.constData(), size_t(text.size())) != text.size()) {
        ::close(file);
        return {};
    }
    return u"/proc/self/fd/%1"_s.arg(file);
}

Result<RunConfig> oneRun(StudySpec spec, const CommandParser& parser, const MachineInfo& machine,
                         const QString& generatedDataDir)
{
    if (!parser.isSet(u"workers"_s))
        spec.workers = {1};
    if (!parser.isSet(u"threads"_s))
        spec.threadsPerWorker = 1;
    if (!spec.data.isEmpty() && spec.data != "generated"_L1 && spec.data != "synthetic"_L1)
        spec.data = QFileInfo(spec.data).absoluteFilePath();
    const Result<QList<RunConfig>> runs =
        planRuns(spec, machine, u"bench-step"_s, generatedDataDir);
    if (!runs)
        return runs.failure();
    if (runs.value().size() != 1 || runs.value().first().workers != 1)
        return Failure{
            u"usage"_s,
            u"bench step measures one run of one worker; these options describe %1."_s.arg(
                runs.value().size() != 1
                    ? counted(runs.value().size(), u"run"_s)
                    : u"one of %1 workers"_s.arg(runs.value().first().workers))};
    return runs.value().first();
}

} // namespace

int commandBenchStep(const QStringList& arguments)
{
    CommandParser parser(u"bench step WORKLOAD [options]"_s,
                         u"Some training steps, op by op, against the peaks measured here: where "
                         "the time goes. The options are those of \"scalebench run\", of one run "
                         "with one worker on this computer."_s);
    addRunOptions(parser, u"Steps to measure (default: 10)."_s);
    parser.addOption(
        {u"max-seconds"_s, u"Of measuring, after two steps to warm up (default: 30)."_s, u"S"_s});
    parser.addOption({u"csv"_s, u"Write the rows as CSV."_s, u"FILE"_s});
    parser.addOption({u"json"_s, u"Write everything as JSON."_s, u"FILE"_s});
    parser.addLibraryOption();
    parser.addPositionalArgument(u"workload"_s, u"As for \"scalebench run\"."_s);
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    Result<StudySpec> spec = readRunOptions(parser);
    if (!spec)
        return report(spec.failure());
    spec.value().repeats = 1; // --repeats are the steps
    const Result<PlanTarget> target = planTarget(spec.value().machine);
    if (!target)
        return report(target.failure());
    const MachineInfo& machine = target.value().info;
    if (machine.isRemote())
        return report({u"usage"_s, u"bench step measures this computer, not --machine %1; give the "
                                   "command there."_s.arg(visibleLine(spec.value().machine))});
    if (machine.enginePath.isEmpty())
        return report({u"engine_missing"_s, u"scalebench-engine was not found beside this program "
                                            "or in PATH."_s});
    int code = kUsage;
    const std::shared_ptr<Library> library = parser.openLibrary(&code, Library::IfMissing::Create);
    if (!library)
        return code;
    const Result<RunConfig> run =
        oneRun(spec.value(), parser, machine, library->generatedDataDir());
    if (!run)
        return report(run.failure());
    const QString file = fileFor(run.value());
    if (file.isEmpty())
        return report({u"system"_s, u"No memory for the description of the run."_s});
    LaunchCommand command;
    command.program = machine.enginePath;
    command.arguments << u"bench"_s << u"step"_s << u"--run="_s + file;
    for (const QString& name : {u"repeats"_s, u"max-seconds"_s, u"csv"_s, u"json"_s})
        if (parser.isSet(name))
            command.arguments << u"--%1=%2"_s.arg(name, parser.value(name));
    return runProgram(command);
}

} // namespace scalebench::cli
