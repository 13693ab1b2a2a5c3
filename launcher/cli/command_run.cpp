// SPDX-License-Identifier: GPL-3.0-or-later
// `scalebench run WORKLOAD` and `scalebench study FILE.json`: the same job, told by options or by a
// file.
#include "base/ordinary_file.h"
#include "cli.h"
#include "library/plan_estimate.h"
#include "machine/machines.h"
#include "machine/this_computer.h"
#include "run_options.h"
#include "study/memory_need.h"
#include "study/run_config.h"
#include "study/study_cells.h"
#include "study/workload_catalog.h"
#include "study_session.h"
#include "supervise/launch_command.h"
#include "supervise/requeue.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

void addOutOption(CommandParser& parser)
{
    parser.addOption(
        {u"out"_s, u"Folder for the results; new or empty (default: in the library)."_s, u"DIR"_s});
}

void addCommonOptions(CommandParser& parser)
{
    parser.addLibraryOption();
    parser.addOption({u"no-pictures"_s, u"Write no charts, only CSV files."_s});
    parser.addOption({u"quiet"_s, u"Print errors only."_s});
}

void addPlanOption(CommandParser& parser)
{
    parser.addOption(
        {u"plan"_s, u"Show the runs with their commands, what is left out, and what time, disk and "
                    "memory it should take; start nothing."_s});
}

/// "Image classification, desk", "resnet, ncf, desk".
QString nameOf(const StudySpec& spec)
{
    const Workload& workload = *WorkloadCatalog::instance().find(spec.workload);
    return u"%1, %2"_s.arg(
        spec.workloads.isEmpty() ? workload.title : spec.workloadIds().join(u", "_s), spec.scale);
}

/// As the window's Plan page: time, energy, disk, memory.
QString expectedText(const QList<RunConfig>& runs, const StudySpec& spec, Library& library)
{
    QStringList machines; // whose runs tell nothing of this computer
    if (const Result<MachineFile> file = MachineFile::open())
        for (const TargetMachine& machine : file.value().machines())
            machines << machine.name;
    const Result<QList<RunSummary>> all = library.runs();
    const QList<RunSummary> history =
        historyOf(all ? all.value() : QList<RunSummary>(), spec.machine, machines);
    const std::pair<QString, QString> parts[] = {{u"how long"_s, estimateText(runs, history, spec)},
                                                 {u"energy"_s, energyText(runs, history, spec)},
                                                 {u"disk"_s, checkpointText(runs)},
                                                 {u"memory"_s, memoryText(runs)}};
    QString text;
    for (const auto& [what, words] : parts)
        if (!words.isEmpty())
            text += u"%1: %2\n"_s.arg(what, words);
    return text;
}

/// What would run, one command each, and every cell that would not.
int showPlan(const QList<RunConfig>& runs, const StudySpec& spec, const MachineInfo& machine,
             Library& library)
{
    const QList<LeftOutCell> leftOut = checkCells(spec, machine).leftOutCells;
    for (const RunConfig& run : runs)
        out(machine.isRemote()
                ? run.runId + u'\n'
                : u"%1\n    %2\n"_s.arg(
                      run.runId,
                      localMpirunCommand(run, machine, u"runs/"_s + run.runId).displayText()));
    for (const LeftOutCell& cell : leftOut)
        out(u"left out: %1\n    %2\n"_s.arg(cell.cell, cell.reason));
    out(expectedText(runs, spec, library));
    out(counted(runs.size(), u"run"_s) +
        (leftOut.isEmpty() ? QString()
                           : u", %1 left out"_s.arg(counted(leftOut.size(), u"cell"_s))) +
        u'\n');
    return kOk;
}

/// What else this computer does just before the start.
void noteOtherWork(const StudySpec& spec, MachineInfo machine)
{
    if (machine.isRemote())
        return;
    measureOtherWork(machine);
    for (const Problem& problem : validate(spec, machine))
        if (problem.code == "machine_busy"_L1)
            error(u"note: "_s + problem.message);
}

/// Then the engine is asked whether this processor has bf16, or why CUDA cannot be used: that takes
/// a moment.
bool asksEngine(const StudySpec& spec)
{
    const QString bf16 = u"bf16"_s;
    for (const StudySpec& one : spec.split())
        if (one.device == "cuda"_L1 || one.precisions.contains(bf16) ||
            one.settings.value(u"precision"_s).contains(bf16))
            return true;
    return false;
}

/// Checks everything, creates the folder, runs.
int runStudy(StudySpec spec, const CommandParser& parser)
{
    Result<PlanTarget> target = planTarget(spec.machine);
    if (!target)
        return report(target.failure());
    if (asksEngine(spec) && !target.value().info.isRemote())
        probeEngine(target.value().info);
    const MachineInfo& machine = target.value().info;
    int code = kUsage;
    for (const Problem& problem : validate(spec, machine)) {
        if (problem.level == Problem::Level::Error)
            return report({problem.code, problem.message});
        if (!parser.isSet(u"quiet"_s))
            error(u"note: "_s + problem.message);
    }
    const std::shared_ptr<Library> library = parser.openLibrary(&code, Library::IfMissing::Create);
    if (!library)
        return code;
    if (spec.name.isEmpty())
        spec.name = nameOf(spec);
    const auto makeWhole = [&](QString& data) {
        if (!machine.isRemote() && !data.isEmpty() && data != "generated"_L1 &&
            data != "synthetic"_L1)
            data = QFileInfo(data).absoluteFilePath();
    };
    makeWhole(spec.data);
    for (WorkloadPlan& plan : spec.workloads)
        makeWhole(plan.data);
    const QString outDir = parser.value(u"out"_s);
    const QString studyId = library->newStudyId(spec);
    const StudyPlan plan = planStudy(spec, machine, studyId, library->generatedDataDir());
    if (const std::optional<Failure> failure = plan.failure())
        return report(*failure);
    for (const Problem& problem : plan.problems)
        if (problem.code == "memory_too_small"_L1 && !parser.isSet(u"quiet"_s))
            error(u"note: "_s + problem.message); // the others are told already
    if (parser.isSet(u"plan"_s))
        return showPlan(plan.runs, spec, machine, *library);
    const Result<Study> study =
        library->createStudy(spec, plan.runs, studyId, outDir, target.value().machine);
    if (!study)
        return report(study.failure());
    if (!parser.isSet(u"quiet"_s))
        noteOtherWork(spec, machine);
    if (!parser.isSet(u"quiet"_s))
        out(u"Study %1: %2 in %3\n"_s.arg(study.value().id, counted(plan.runs.size(), u"run"_s),
                                          study.value().dir));
    StudySession session(library, study.value().dir,
                         {!parser.isSet(u"no-pictures"_s), parser.isSet(u"quiet"_s)});
    return session.exec();
}

} // namespace

int commandRun(const QStringList& arguments)
{
    CommandParser parser(u"run WORKLOAD[,WORKLOAD…] [options]"_s,
                         u"Trains workloads once per worker count, setting and repeat and compares "
                         "the runs. Several workloads with commas, \"all\" for all."_s);
    addRunOptions(parser);
    addPlanOption(parser);
    addOutOption(parser);
    addCommonOptions(parser);
    parser.addPositionalArgument(u"workload"_s, WorkloadCatalog::instance().ids().join(u", "_s));
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    reportRecipeProblems(WorkloadCatalog::instance());
    const Result<StudySpec> spec = readRunOptions(parser);
    return spec ? runStudy(spec.value(), parser) : report(spec.failure());
}

int commandResume(const QStringList& arguments)
{
    CommandParser parser(u"resume STUDY [RUN…] [options]"_s,
                         u"Goes on with the failed and cancelled runs of a study folder: from the "
                         "last checkpoint where there is one, else from the start."_s);
    addCommonOptions(parser);
    parser.addOption({u"failed"_s, u"Only the failed ones; those that were cancelled stay so."_s});
    parser.addOption({u"disturbed"_s,
                      u"Instead, run those again, from the start, that ended but were not alone on "
                      "their hosts; the streams they had stay beside the new ones."_s});
    parser.addPositionalArgument(u"study"_s, u"Folder or id of a study; \"latest\"."_s);
    parser.addPositionalArgument(u"run"_s, u"Only these runs (ids)."_s, u"[RUN…]"_s);
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    QStringList runIds = parser.positionalArguments();
    if (runIds.isEmpty())
        return report({u"usage"_s, u"Which study? Give its folder or id."_s});
    int code = kUsage;
    const std::shared_ptr<Library> library = parser.openLibrary(&code);
    if (!library)
        return code;
    const QString named = runIds.takeFirst();
    const Result<QString> found = QFileInfo(named).isDir() || named.contains(u'/')
                                      ? Result<QString>(QFileInfo(named).absoluteFilePath())
                                      : library->findStudyDir(named);
    if (!found)
        return report(found.failure());
    const QString& folder = found.value();
    if (parser.isSet(u"disturbed"_s) && parser.isSet(u"failed"_s))
        return report({u"usage"_s, u"Give one of --failed and --disturbed."_s});
    const Requeue which = parser.isSet(u"disturbed"_s) ? Requeue::Disturbed
                          : parser.isSet(u"failed"_s)  ? Requeue::Failed
                                                       : Requeue::Unfinished;
    const Result<QStringList> queued = requeueRuns(folder, runIds, which);
    if (!queued)
        return report(queued.failure());
    if (!parser.isSet(u"quiet"_s))
        out(u"Resuming %1 in %2\n"_s.arg(counted(queued.value().size(), u"run"_s), folder));
    StudySession session(library, folder,
                         {!parser.isSet(u"no-pictures"_s), parser.isSet(u"quiet"_s)});
    return session.exec();
}

int commandFollow(const QStringList& arguments)
{
    CommandParser parser(u"follow STUDY [options]"_s,
                         u"Shows a study that is going on, wherever it runs, until it has ended; "
                         "Ctrl-C only leaves it. Where the process that watched over it was "
                         "killed, goes on with the runs that wait. With --stop, "
                         "--stop-after-run, --pause or --continue, tells it so first."_s);
    addCommonOptions(parser);
    parser.addOption({u"stop"_s, u"Stop it now; what was measured is kept."_s});
    parser.addOption({u"stop-after-run"_s, u"Let the current run end, then stop."_s});
    parser.addOption({u"pause"_s, u"Start no further run until --continue."_s});
    parser.addOption({u"continue"_s, u"Go on after --pause."_s});
    parser.addPositionalArgument(u"study"_s, u"Folder or id of a study; \"latest\"."_s);
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    if (parser.positionalArguments().size() != 1)
        return report({u"usage"_s, u"Which study? Give its folder or id."_s});
    QStringList wishes;
    for (const QString& wish : {u"stop"_s, u"stop-after-run"_s, u"pause"_s, u"continue"_s})
        if (parser.isSet(wish))
            wishes << u"--"_s + wish;
    if (wishes.size() > 1)
        return report({u"usage"_s, u"Give one of %1."_s.arg(wishes.join(u" and "_s))});
    int code = kUsage;
    const std::shared_ptr<Library> library = parser.openLibrary(&code);
    if (!library)
        return code;
    const Result<QString> folder = library->findStudyDir(parser.positionalArguments().first());
    if (!folder)
        return report(folder.failure());
    StudySession session(library, folder.value(),
                         {!parser.isSet(u"no-pictures"_s), parser.isSet(u"quiet"_s), true});
    for (const QString& wish : std::as_const(wishes))
        session.ask(wish.mid(2));
    return session.exec();
}

int commandStudy(const QStringList& arguments)
{
    CommandParser parser(u"study FILE.json [options]"_s,
                         u"Runs the study that a file describes."_s);
    addPlanOption(parser);
    addOutOption(parser);
    addCommonOptions(parser);
    parser.addPositionalArgument(u"file"_s, u"A study.json."_s);
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    if (parser.positionalArguments().size() != 1)
        return report({u"usage"_s, u"Give one study file."_s});
    const QString path = parser.positionalArguments().first();
    const Result<QByteArray> bytes = readFile(path, kMostJsonBytes);
    if (!bytes)
        return report({u"usage"_s, bytes.failure().message});
    const Result<StudySpec> spec = StudySpec::fromJson(bytes.value(), path);
    return spec ? runStudy(spec.value(), parser) : report(spec.failure());
}

} // namespace scalebench::cli
