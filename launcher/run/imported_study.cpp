// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/imported_study.h"

#include "base/checked_names.h"
#include "base/file_io.h"
#include "base/json_fields.h"
#include "base/translated.h"
#include "run/study_files.h"
#include "study/dimensions.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QMap>

#include <algorithm>
#include <limits>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

std::optional<double> ImportedRun::minutes() const
{
    return startMs > 0 && stopMs > startMs ? std::optional((stopMs - startMs) / 60'000)
                                           : std::nullopt;
}

std::optional<double> ImportedRun::lastQuality() const
{
    return evals.isEmpty() ? std::nullopt : std::optional(evals.last().value / qualityScale);
}

bool ImportedRun::followsBatch() const
{
    return (batchPolicy == "weak"_L1 || batchPolicy == "table"_L1) && globalBatch > 0 &&
           learningRate > 0;
}

QString originTitle(const QString& kind)
{
    if (kind == "mlperf_log"_L1)
        return Launcher::tr("imported: MLPerf log");
    if (kind == "scalebench_log"_L1)
        return Launcher::tr("imported: Scalebench log");
    if (kind == "tensorboard"_L1)
        return Launcher::tr("imported: TensorBoard events");
    if (kind == "csv"_L1)
        return Launcher::tr("imported: CSV");
    if (kind == "bundle"_L1)
        return Launcher::tr("imported: bundle");
    return Launcher::tr("imported");
}

QString originNotice(const QString& kind)
{
    if (kind != "mlperf_log"_L1)
        return {};
    return Launcher::tr(
        "From a public MLPerf Training log. What is computed from it here is not verified by "
        "MLCommons Association. The MLPerf name and logo are registered and unregistered "
        "trademarks of MLCommons Association.");
}

/// What was asked for, as far as a stream of our own engine says it.
static QJsonObject ownSettings(const ImportedRun& run)
{
    QJsonObject json;
    for (auto it = run.settings.begin(); it != run.settings.end(); ++it)
        json = withValueAt(json, it.key(), it.value());
    // The rate may follow the batch, of which the stream tells nothing: their ratio is the same
    // with and without that.
    if (run.learningRate > 0 && run.globalBatch > 0)
        json = withValueAt(json, u"schedule.base_lr"_s,
                           QString::number(run.learningRate / double(run.globalBatch), 'g', 9));
    return json;
}

/// What tells a table's runs apart beside the fields of a configuration, as its further paths.
static QJsonObject tableSettings(const ImportedRun& run)
{
    QJsonObject json;
    for (auto it = run.settings.begin(); it != run.settings.end(); ++it)
        json = withValueAt(json, it.key(), it.value());
    const std::pair<QString, QString> facts[] = {
        {u"table.system"_s, run.system},
        {u"table.submitter"_s, run.submitter},
        {u"table.file"_s, // two of one name are two
         QFileInfo(run.source.path).fileName() + u' ' + run.source.sha256.left(8)}};
    for (const auto& [path, text] : facts)
        if (!text.isEmpty())
            json = withValueAt(json, path, text);
    if (run.learningRate > 0 && !run.followsBatch())
        json = withValueAt(json, u"schedule.base_lr"_s, run.learningRate);
    return json;
}

RunRecord toRunRecord(const ImportedRun& run, const ImportedStudy& study, const QString& studyDir)
{
    RunRecord record;
    RunConfig& c = record.config;
    c.runId = run.runId;
    c.study = study.id;
    c.workload = run.workload;
    c.scale = !run.scale.isEmpty()  ? run.scale
              : run.round.isEmpty() ? study.kind
                                    : u"mlperf-"_s + run.round;
    c.model = run.model;
    c.batchPolicy = run.batchPolicy;
    c.learningRate = run.learningRate;
    c.oversubscribed = run.oversubscribed;
    if (study.kind == "csv"_L1)
        c.json = tableSettings(run);
    else if (study.kind == "scalebench_log"_L1)
        c.json = ownSettings(run);
    if (const int epochs = run.settings.value(u"epochs"_s).toInt(); epochs > 0)
        c.epochs = epochs; // at most
    c.device = run.accelerator;
    c.precision = run.precision;
    c.nodes = run.nodes; // 0: not told
    c.workers = run.workers();
    c.threadsPerWorker = run.threads;
    c.globalBatch = int(std::min<qint64>(run.globalBatch, std::numeric_limits<int>::max()));
    c.target = run.target;
    c.furtherTargets = run.furtherTargets;
    c.seed = run.seed.value_or(0);
    c.dataSource = run.dataSource;
    record.origin = originTitle(study.kind);
    record.runDir = runDirOf(studyDir, run.runId);
    record.state = run.converged ? RunState::Completed
                   : run.damaged ? RunState::Failed
                                 : RunState::NotConverged;
    record.failure = run.failure;
    const bool dated = run.startMs > kUndatedStartMs;
    record.createdMs = dated ? qint64(run.startMs) : run.importedMs;
    record.startedMs = dated ? qint64(run.startMs) : 0;
    record.finishedMs = dated ? qint64(run.stopMs) : 0;
    record.runStartMs = run.startMs;
    record.runStopMs = run.stopMs;
    record.evals = run.evals;
    record.steps = run.steps;
    record.throughput = run.throughput;
    if (run.evals.isEmpty() && run.epochUnit == "epochs"_L1)
        record.epochsTold = run.epochs.value_or(0);
    record.setup = {{u"metric"_s, run.metric},       {u"origin"_s, record.origin},
                    {u"source"_s, run.source.path},  {u"source_sha256"_s, run.source.sha256},
                    {u"submitter"_s, run.submitter}, {u"system"_s, run.system},
                    {u"framework"_s, run.framework}};
    if (!run.computePrecision.isEmpty())
        record.setup.insert(u"compute_precision"_s, run.computePrecision);
    if (run.epochUnit == "samples"_L1)
        record.setup.insert(u"epoch_unit"_s, u"million_samples"_s);
    record.marksTold = run.marks;
    for (const QString& text : run.remarks)
        record.warnings << Failure{u"import_remark"_s, text};
    return record;
}

bool isImportedStudy(const QString& dir)
{
    return QFileInfo::exists(dir + u"/record.json"_s) && !QFileInfo::exists(dir + u"/study.json"_s);
}

bool isUnpackedBundle(const QString& dir)
{
    return QFileInfo::exists(dir + u"/bundle.json"_s) && QFileInfo::exists(dir + u"/study.json"_s);
}

Result<Study> loadImportedStudy(const QString& dir)
{
    const Result<QByteArray> bytes = readFileBelow(dir, u"record.json"_s, kMostFileBytes);
    if (!bytes)
        return bytes.failure();
    const Result<ImportedStudy> imported =
        parseImportedStudy(bytes.value(), dir + u"/record.json"_s);
    if (!imported)
        return imported.failure();
    Study study;
    study.id = imported.value().id;
    study.dir = QFileInfo(dir).absoluteFilePath();
    study.spec.name = imported.value().name;
    for (const ImportedRun& run : imported.value().runs)
        study.runs << toRunRecord(run, imported.value(), study.dir);
    QMap<QString, int> repeats; // of one scale
    for (RunRecord& run : study.runs) {
        const RunConfig& c = run.config;
        if (c.workers < 1) // of which scale is not known
            continue;
        run.config.repeat =
            ++repeats[u"%1 %2 %3 %4"_s.arg(c.device).arg(c.nodes).arg(c.workers).arg(
                c.globalBatch)];
    }
    if (!study.runs.isEmpty()) {
        study.spec.workload = study.runs.first().config.workload;
        study.spec.scale = study.runs.first().config.scale;
        study.spec.device = study.runs.first().config.device;
    }
    return study;
}

Result<RunRecord> loadImportedRun(const QString& dir, const QString& runId)
{
    const Result<Study> study = loadImportedStudy(dir);
    if (!study)
        return study.failure();
    for (const RunRecord& run : study.value().runs)
        if (run.config.runId == runId)
            return run;
    return Failure{u"not_found"_s, Launcher::tr("%1 has no run \"%2\".").arg(dir, runId)};
}

} // namespace scalebench::imports
