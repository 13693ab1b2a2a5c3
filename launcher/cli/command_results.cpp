// SPDX-License-Identifier: GPL-3.0-or-later
// `scalebench results list|show|export|rebuild`.
#include "analysis/convergence.h"
#include "analysis/effects.h"
#include "analysis/result_files.h"
#include "analysis/speedup_table.h"
#include "base/interruption.h"
#include "base/json_fields.h"
#include "base/plain_text.h"
#include "cli.h"
#include "import/bundle.h"
#include "import/import_store.h"
#include "report/study_report.h"
#include "results_list.h"
#include "results_notes.h"
#include "results_pictures.h"
#include "results_reference.h"
#include "results_trash.h"
#include "run/imported_study.h"
#include "run/input_times.h"
#include "run/marks.h"
#include "run/run_metrics.h"
#include "run/stream_faults.h"
#include "run/study_lock.h"
#include "study_session.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>

#include <algorithm>
#include <limits>
#include <utility>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

/// The best value of every metric that the run has.
static QJsonObject bestByMetric(const RunRecord& run)
{
    QJsonObject values;
    if (!run.evals.isEmpty())
        values.insert(metricsOf(run).first().id, run.bestQuality());
    for (const MetricInfo& metric : metricsOf(run))
        if (const std::optional<double> best = run.bestOf(metric.id))
            values.insert(metric.id, *best);
    return values;
}

static QJsonArray effectsJson(const Study& study)
{
    QJsonArray effects;
    for (const Effect& e : mainEffects(study.runs))
        effects << QJsonObject{{u"workload"_s, e.workload},
                               {u"scale"_s, e.scale},
                               {u"path"_s, e.path},
                               {u"value"_s, e.value},
                               {u"baseline"_s, e.baseline},
                               {u"pairs"_s, e.pairs},
                               {u"time_ratio"_s, orNull(e.ratio)},
                               {u"time_ratio_low"_s, orNull(e.low)},
                               {u"time_ratio_high"_s, orNull(e.high)}};
    return effects;
}

/// As run.json says it; an imported result has none and knows the leading metric's.
static QJsonValue targetJson(const RunConfig& config)
{
    if (const QJsonValue told = config.json.value("target"_L1);
        config.hasTarget() && !told.isUndefined())
        return told;
    return config.target ? QJsonValue(*config.target) : QJsonValue();
}

static QJsonObject studyJson(const Study& study)
{
    QJsonArray runs, speedup;
    for (const RunRecord& r : study.runs)
        runs << QJsonObject{
            {u"run_id"_s, r.config.runId},
            {u"status"_s, runStateName(r.state)},
            {u"origin"_s, r.origin},
            {u"nodes"_s, orNullIfZero(r.config.nodes)},
            {u"workers"_s, orNullIfZero(r.config.workers)},
            {u"precision"_s, r.config.precision},
            {u"global_batch"_s, r.config.globalBatch},
            {u"quality"_s, r.evals.isEmpty() ? QJsonValue() : QJsonValue(r.bestQuality())},
            {u"metric"_s, metricsOf(r).first().id},
            {u"metrics"_s, bestByMetric(r)},
            {u"target"_s, targetJson(r.config)},
            {u"epochs"_s, orNullIfZero(r.epochsToTarget())},
            {u"time_to_train_s"_s, orNullIfZero(hasTime(r) ? r.timeToTrainS() : 0)},
            {u"samples_per_s"_s, orNullIfZero(r.throughput)},
            {u"marks"_s, QJsonArray::fromStringList(runMarks(r))},
            {u"remarks"_s, QJsonArray::fromStringList(runRemarks(r))},
            {u"error"_s, QJsonObject{{u"code"_s, r.failure.code},
                                     {u"message"_s, r.failure.message},
                                     {u"details"_s, r.failure.details}}}};
    for (const SpeedupRow& r : speedupTable(study.runs))
        speedup << QJsonObject{{u"group"_s, r.group},
                               {u"nodes"_s, orNullIfZero(r.nodes)},
                               {u"workers"_s, orNullIfZero(r.workers)},
                               {u"global_batch"_s, r.globalBatch},
                               {u"runs"_s, r.runs},
                               {u"not_converged"_s, r.notConverged},
                               {u"oversubscribed"_s, r.oversubscribed},
                               {u"mean_time_to_train_s"_s, orNull(r.meanTimeS)},
                               {u"speedup"_s, orNull(r.speedup)},
                               {u"efficiency"_s, orNull(r.efficiency)},
                               {u"epochs_ratio"_s, orNull(r.epochsRatio)},
                               {u"step_time_ratio"_s, orNull(r.stepTimeRatio)},
                               {u"throughput_ratio"_s, orNull(r.throughputRatio)},
                               {u"remark"_s, r.remark}};
    return {{u"id"_s, study.id},
            {u"dir"_s, study.dir},
            {u"study"_s, study.spec.toJson()},
            {u"runs"_s, runs},
            {u"speedup"_s, speedup},
            {u"effects"_s, effectsJson(study)},
            {u"findings"_s, QJsonArray::fromStringList(findings(study.runs))},
            {u"convergence"_s, QJsonArray::fromStringList(convergenceRemarks(study.runs))}};
}

/// Looking at results changes nothing, so what a killed supervisor left open is only told.
static bool looksAbandoned(const Study& study)
{
    return !isStudyHeld(study.dir) &&
           std::any_of(study.runs.begin(), study.runs.end(), [](const RunRecord& run) {
               return !isFinal(run.state) && run.state != RunState::Queued;
           });
}

static int showStudy(const CommandParser& parser, const Study& study)
{
    if (parser.json()) {
        printJson(QJsonDocument(studyJson(study)));
        return kOk;
    }
    out(u"%1  %2\n%3\n\n"_s.arg(study.id, study.spec.name, study.dir));
    out(studyTables(study));
    const QList<SpeedupRow> rows = speedupTable(study.runs);
    bool saidUnknown = false; // once for all
    for (const SpeedupRow& row : rows)
        if (!row.baseline && row.runs > 0 &&
            (row.knowsWorkers() || !std::exchange(saidUnknown, true)))
            out(u'\n' +
                (row.group == rows.first().group && row.group == rows.last().group
                     ? QString()
                     : row.group + u": "_s) +
                explainRow(row) + u'\n');
    for (const QString& finding : findings(study.runs) + convergenceRemarks(study.runs))
        out(u'\n' + finding + u'\n');
    for (const RunRecord& run : study.runs)
        if (const QString input = inputTimesText(run); !input.isEmpty())
            out(u"\n%1: input made beside a step: %2\n"_s.arg(run.config.runId, input));
    for (const RunRecord& run : study.runs)
        if (!run.failure.message.isEmpty())
            out(u"\n%1: %2\n"_s.arg(run.config.runId, failureText(run)));
    if (!study.runs.isEmpty() && study.runs.first().origin == imports::originTitle(u"mlperf_log"_s))
        out(u"\n%1\n"_s.arg(imports::originNotice(u"mlperf_log"_s)));
    if (looksAbandoned(study))
        out(u"\nNothing works on this study here, though a run of it has not ended. \"scalebench "
            "resume\" goes on with it, \"scalebench follow\" closes what was interrupted.\n"_s);
    return kOk;
}

static int exportStudy(const CommandParser& parser, const Study& study)
{
    const QString outDir =
        parser.isSet(u"out"_s) ? QFileInfo(parser.value(u"out"_s)).absoluteFilePath() : study.dir;
    if (const Result<void> written = writeCsvFiles(study, outDir); !written)
        return report(written.failure());
    for (const QString& name : scalebench::report::noticesIn(outDir)) // of another study, perhaps
        QFile::remove(outDir + u'/' + name);
    if (const Result<void> noted = imports::writeOriginNotice(study, outDir); !noted)
        return report(noted.failure());
    out(u"Wrote runs.csv, curves.csv and speedup.csv to %1\n"_s.arg(outDir));
    if (parser.isSet(u"no-pictures"_s))
        return kOk;
    watchInterruption();
    if (const Result<void> drawn = renewPictures(study.dir, outDir); !drawn) {
        error(drawn.failure().message);
        return drawn.failure().code == "gui_missing"_L1        ? kOk
               : drawn.failure().code == "export_cancelled"_L1 ? kCancelled
                                                               : kFailed;
    }
    out(u"Drew the charts there too\n"_s);
    return kOk;
}

static int bundleStudy(const CommandParser& parser, const Study& study)
{
    if (parser.value(u"out"_s).isEmpty())
        return report({u"usage"_s, u"results bundle needs --out FILE.zip."_s});
    const Result<imports::BundleWritten> written =
        imports::writeBundle(study.dir, QFileInfo(parser.value(u"out"_s)).absoluteFilePath(),
                             parser.isSet(u"anonymous"_s));
    if (!written)
        return report(written.failure());
    if (parser.json())
        printJson(QJsonDocument(QJsonObject{{u"path"_s, written.value().path},
                                            {u"files"_s, written.value().files},
                                            {u"bytes"_s, written.value().bytes}}));
    else
        out(u"Wrote %1 to %2. \"scalebench import\" takes them into another library.\n"_s.arg(
            counted(written.value().files, u"file"_s), written.value().path));
    return kOk;
}

/// With the one that says what to do.
static qsizetype mostWords(const QString& what)
{
    static const QStringList kAlone{u"list"_s, u"reference"_s, u"rebuild"_s, u"empty-trash"_s},
        kOfOneStudy{u"show"_s, u"export"_s, u"bundle"_s};
    return kAlone.contains(what)        ? 1
           : kOfOneStudy.contains(what) ? 2
                                        : std::numeric_limits<qsizetype>::max();
}

int commandResults(const QStringList& arguments)
{
    CommandParser parser(
        u"results list | show STUDY | export STUDY [--out DIR] | bundle STUDY --out FILE | "
        "reference | "
        "rebuild | tag STUDY [+TAG|~TAG…] | note STUDY [TEXT] | trash [STUDY…] | restore STUDY… | "
        "empty-trash --yes"_s,
        u"Lists, shows and exports finished and running studies. STUDY is an id, the "
        "beginning of one, a folder or \"latest\"."_s);
    parser.addJsonOption();
    parser.addLibraryOption();
    parser.addOption(
        {u"out"_s, u"export: where the files go (default: the study's folder)."_s, u"DIR"_s});
    parser.addOption(
        {u"anonymous"_s, u"bundle: without names of hosts and users, paths and commands."_s});
    parser.addOption({u"no-pictures"_s, u"export: write CSV files only."_s});
    parser.addOption({u"rcp"_s,
                      u"show: check the epochs of the runs against MLPerf's reference convergence "
                      "points in this file."_s,
                      u"FILE"_s});
    parser.addOption({u"pictures"_s,
                      u"show: draw evaluation pictures of the runs, with what was found and what "
                      "is there, into this folder. Also of one run: give its folder."_s,
                      u"DIR"_s});
    parser.addOption({u"tag"_s, u"list: only studies that have this tag."_s, u"TAG"_s});
    parser.addOption({u"yes"_s, u"empty-trash: yes, delete them for good."_s});
    parser.addPositionalArgument(u"what"_s,
                                 u"list, show, export, bundle, reference, rebuild, tag, note, "
                                 "trash, restore or empty-trash"_s);
    parser.addPositionalArgument(u"study"_s, u"for show and export (default: latest)"_s);
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    const QStringList words = parser.positionalArguments();
    const QString what = words.value(0, u"list"_s);
    static const QStringList known{u"list"_s,    u"show"_s,      u"export"_s,     u"bundle"_s,
                                   u"rebuild"_s, u"reference"_s, u"tag"_s,        u"note"_s,
                                   u"trash"_s,   u"restore"_s,   u"empty-trash"_s};
    if (!known.contains(what))
        return report({u"usage"_s, u"\"%1\" is not possible with results. Known: %2."_s.arg(
                                       what, known.join(u", "_s))});
    if (const qsizetype most = mostWords(what); words.size() > most)
        return report({u"usage"_s, u"\"%1\" is one word too many for results %2."_s.arg(
                                       visibleLine(words[most]), what)});
    if (what == "reference"_L1)
        return listPublished(parser);
    int code = kOk;
    const std::shared_ptr<Library> library = parser.openLibrary(&code);
    if (!library)
        return code;
    if (what == "list"_L1)
        return listStudies(parser, *library);
    if (what == "tag"_L1)
        return tagStudy(parser, *library, words.mid(1));
    if (what == "note"_L1)
        return noteStudy(parser, *library, words.mid(1));
    if (what == "trash"_L1)
        return trashStudies(parser, *library, words.mid(1));
    if (what == "restore"_L1)
        return restoreStudies(parser, *library, words.mid(1));
    if (what == "empty-trash"_L1)
        return emptyTheTrash(parser, *library, parser.isSet(u"yes"_s));
    if (what == "rebuild"_L1) {
        const Result<int> found = library->rebuild();
        if (!found)
            return report(found.failure());
        if (parser.json())
            printJson(QJsonDocument(QJsonObject{{u"studies"_s, found.value()}}));
        else
            out(u"The index of %1 was made anew: %2.\n"_s.arg(
                library->dir(), counted(found.value(), u"study"_s, u"studies"_s)));
        return kOk;
    }
    if (what == "show"_L1 && parser.isSet(u"pictures"_s))
        return drawRunPictures(parser, *library, words.value(1, u"latest"_s));
    const Result<QString> dir = library->findStudyDir(words.value(1, u"latest"_s));
    if (!dir)
        return report(dir.failure());
    const Result<Study> study = loadStudy(dir.value());
    if (!study)
        return report(study.failure());
    if (parser.isSet(u"rcp"_s))
        return checkAgainstReference(parser, study.value());
    if (what == "bundle"_L1)
        return bundleStudy(parser, study.value());
    return what == "show"_L1 ? showStudy(parser, study.value())
                             : exportStudy(parser, study.value());
}

} // namespace scalebench::cli
