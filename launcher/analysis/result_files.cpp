// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/result_files.h"

#include "analysis/chart_files.h"
#include "analysis/effects.h"
#include "analysis/speedup_table.h"
#include "base/csv_writer.h"
#include "base/file_io.h"
#include "base/interruption.h"
#include "base/sentences_language.h"
#include "base/staged_folder.h"
#include "base/translated.h"
#include "machine/this_computer.h"
#include "run/imported_study.h"
#include "run/run_metrics.h"
#include "run/run_series.h"
#include "study/dimensions.h"

#include <QElapsedTimer>
#include <QFile>
#include <QJsonArray>
#include <QProcess>
#include <QProcessEnvironment>

#include <cmath>
#include <utility>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

QStringList columnsOf(const char* names)
{
    return QString::fromLatin1(names).split(u',');
}

double orNothing(double value, bool known)
{
    return known ? value : std::nan("");
}

/// Where 0 is not a number that was measured or set, but none.
double aboveZero(double value)
{
    return orNothing(value, value > 0);
}

QString metricOf(const RunRecord& run)
{
    const QString told = run.setup.value("metric"_L1).toString();
    return told.isEmpty() ? metricsOf(run).first().id : told;
}

} // namespace

QByteArray runsCsv(const Study& study)
{
    const RunSeries series(study.runs);
    // Behind the columns that every study has, one for each further path in which its runs differ.
    static const QStringList columns{u"precision"_s,          u"model.name"_s,  u"batch"_s,
                                     u"threads_per_worker"_s, u"data.source"_s, u"batch_policy"_s,
                                     u"schedule.base_lr"_s,   u"device"_s,      u"epochs"_s};
    QStringList paths = series.differingPaths();
    paths.removeIf([](const QString& path) { return columns.contains(path); });
    CsvWriter csv(
        columnsOf("study,run_id,workload,scale,device,precision,nodes,workers,global_batch,seed,"
                  "repeat,status,quality,target,epochs,time_to_train_s,samples_per_s,model,"
                  "threads_per_worker,compute_precision,data,batch_policy,learning_rate,"
                  "oversubscribed,epochs_at_most,error_code,error_message,resumed,elapsed_s,"
                  "series,marks,remarks") +
        paths);
    for (int i = 0; i < study.runs.size(); ++i) {
        const RunRecord& run = study.runs[i];
        const RunConfig& c = run.config;
        csv.add(study.id).add(c.runId).add(c.workload).add(c.scale).add(c.device).add(c.precision);
        csv.add(aboveZero(c.nodes)).add(aboveZero(c.workers));
        csv.add(aboveZero(c.globalBatch));
        // An imported result that tells no seed has 0.
        csv.add(run.origin.isEmpty() || c.seed > 0 ? QString::number(c.seed) : QString());
        csv.add(c.repeat);
        csv.add(runStateName(run.state));
        csv.add(orNothing(run.bestQuality(), !run.evals.isEmpty()));
        csv.add(orNothing(c.target.value_or(0), c.target.has_value()));
        csv.add(aboveZero(run.epochsToTarget())).add(aboveZero(run.timeToTrainS()));
        csv.add(aboveZero(run.throughput)).add(c.model).add(aboveZero(c.threadsPerWorker));
        csv.add(run.setup.value("compute_precision"_L1).toString()).add(c.dataSource);
        csv.add(c.batchPolicy).add(aboveZero(c.learningRate)).add(c.oversubscribed);
        csv.add(aboveZero(c.epochs));
        csv.add(run.failure.code).add(run.failure.message);
        csv.add(run.resumes);
        csv.add(aboveZero(run.elapsedS()));
        csv.add(series.label(series.seriesOf(i))).add(runMarks(run).join(u"; "_s));
        csv.add(runRemarks(run).join(u' '));
        for (const QString& path : paths)
            csv.add(exactText(valueAt(c.json, path)));
        csv.endRow();
    }
    return csv.text();
}

QByteArray curvesCsv(const Study& study)
{
    CsvWriter csv(columnsOf("run_id,epoch,samples,seconds,metric,value,marks"));
    for (const RunRecord& run : study.runs) {
        const QString marks = runMarks(run).join(u"; "_s);
        // A table may tell a quality, but not after how many epochs.
        const bool isTable = run.origin == imports::originTitle(u"csv"_s);
        const auto row = [&](double epoch, qint64 samples, double seconds, const QString& metric,
                             double value) {
            csv.add(run.config.runId).add(orNothing(epoch, !isTable || epoch > 0));
            csv.add(samples > 0 || (epoch == 0 && !isTable) ? QString::number(samples) : QString());
            csv.add(orNothing(seconds, !isTable || seconds > 0)).add(metric).add(value);
            csv.add(marks);
            csv.endRow();
        };
        const QString leading = metricOf(run);
        for (const EvalPoint& p : run.evals) {
            row(p.epoch, p.samples, p.seconds, leading, p.value);
            for (const MetricValue& metric : p.metrics)
                if (metric.metric != leading)
                    row(p.epoch, p.samples, p.seconds, metric.metric, metric.value);
        }
        for (const StepPoint& p : run.steps) {
            row(p.epoch, p.samples, p.seconds, u"train_loss"_s, p.loss);
            // Where the time of a step went is told of own runs, and all of it.
            const bool own = p.stepMs > 0 || run.origin.isEmpty();
            for (const auto& [metric, value] : {std::pair{u"learning_rate"_s, p.learningRate},
                                                {u"samples_per_s"_s, p.samplesPerSecond},
                                                {u"step_ms"_s, p.stepMs},
                                                {u"compute_ms"_s, p.computeMs},
                                                {u"comm_ms"_s, p.commMs}})
                if (own || value > 0)
                    row(p.epoch, p.samples, p.seconds, metric, value);
            if (p.rowsMs > 0)
                row(p.epoch, p.samples, p.seconds, u"rows_ms"_s, p.rowsMs);
            if (own) {
                row(p.epoch, p.samples, p.seconds, u"input_ms"_s, p.inputMs);
                row(p.epoch, p.samples, p.seconds, u"other_ms"_s, p.otherMs);
            }
            if (p.hasInputTimes()) {
                row(p.epoch, p.samples, p.seconds, u"read_ms"_s, p.readMs);
                row(p.epoch, p.samples, p.seconds, u"decode_ms"_s, p.decodeMs);
                row(p.epoch, p.samples, p.seconds, u"augment_ms"_s, p.augmentMs);
            }
        }
        for (const EpochSummary& p : run.epochs) {
            if (p.trainLoss > 0)
                row(p.epoch, p.samples, p.seconds, u"epoch_train_loss"_s, p.trainLoss);
            if (p.samplesPerSecond > 0)
                row(p.epoch, p.samples, p.seconds, u"epoch_samples_per_s"_s, p.samplesPerSecond);
            if (p.evalS > 0)
                row(p.epoch, p.samples, p.seconds, u"epoch_eval_s"_s, p.evalS);
        }
    }
    return csv.text();
}

QByteArray speedupCsv(const Study& study, const Baseline& baseline)
{
    CsvWriter csv(columnsOf(
        "group,nodes,workers,global_batch,runs,not_converged,mean_time_to_train_s,time_low_s,"
        "time_high_s,mean_epochs,mean_samples_per_s,speedup,speedup_low,speedup_high,efficiency,"
        "epochs_ratio,step_time_ratio,throughput_ratio,baseline,oversubscribed,remark"));
    for (const SpeedupRow& r : speedupTable(study.runs, baseline)) {
        csv.add(r.group)
            .add(orNothing(r.nodes, r.nodes > 0))
            .add(orNothing(r.workers, r.knowsWorkers()))
            .add(orNothing(r.globalBatch, r.globalBatch > 0))
            .add(r.runs)
            .add(r.notConverged);
        csv.add(r.meanTimeS).add(r.timeLowS).add(r.timeHighS).add(r.meanEpochs);
        csv.add(r.meanSamplesPerSecond).add(r.speedup).add(r.speedupLow).add(r.speedupHigh);
        csv.add(r.efficiency).add(r.epochsRatio).add(r.stepTimeRatio).add(r.throughputRatio);
        csv.add(r.baseline).add(r.oversubscribed).add(r.remark);
        csv.endRow();
    }
    return csv.text();
}

QByteArray effectsCsv(const QList<Effect>& effects)
{
    CsvWriter csv(columnsOf("workload,scale,path,value,baseline,pairs,time_ratio,time_ratio_low,"
                            "time_ratio_high,sentence,marks"));
    for (const Effect& e : effects) {
        csv.add(e.workload).add(e.scale).add(e.path).add(e.value).add(e.baseline).add(e.pairs);
        csv.add(e.ratio).add(e.low).add(e.high).add(effectText(e));
        csv.add(e.marks.join(u"; "_s));
        csv.endRow();
    }
    return csv.text();
}

Result<void> writeCsvFiles(const Study& study, const QString& outDir, const Baseline& baseline)
{
    const EnglishText english; // whatever the window speaks
    if (Result<void> made = makeFolder(outDir); !made)
        return made;
    const std::pair<QString, QByteArray> files[] = {
        {u"runs.csv"_s, runsCsv(study)},
        {u"curves.csv"_s, curvesCsv(study)},
        {u"speedup.csv"_s, speedupCsv(study, baseline)}};
    const QString effectsFile = outDir + u"/effects.csv"_s;
    const QList<Effect> effects = mainEffects(study.runs);
    if (effects.isEmpty())
        QFile::remove(effectsFile); // of an older state
    else if (Result<void> written = writeFileAtomically(effectsFile, effectsCsv(effects)); !written)
        return written;
    for (const auto& [name, text] : files)
        if (Result<void> written = writeFileAtomically(outDir + u'/' + name, text); !written)
            return written;
    return {};
}

/// What the workbench said last, without its name and the full stop.
static QString lastSentence(const QString& told)
{
    QString line = told.trimmed().section(u'\n', -1).trimmed();
    if (line.startsWith("scalebench-gui: "_L1))
        line.remove(0, 16);
    return line.endsWith(u'.') ? line.chopped(1) : line;
}

/// `failed` makes the sentence of why it did not do its work.
static Result<void> runWorkbench(const QStringList& arguments, QString (*failed)(const QString&))
{
    const QString program = findProgram(u"scalebench-gui"_s);
    if (program.isEmpty())
        return Failure{u"gui_missing"_s,
                       failed(Launcher::tr("the workbench scalebench-gui is not installed"))};
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(u"QT_QPA_PLATFORM"_s, u"offscreen"_s);
    process.setProcessEnvironment(environment);
    process.setStandardInputFile(QProcess::nullDevice());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments + QStringList{u"--language"_s, sentencesLanguage()});
    constexpr int kHangMs = 600'000; // hundreds of pictures on a busy machine take minutes
    constexpr int kLookMs = 100;
    QElapsedTimer clock;
    clock.start();
    while (!process.waitForFinished(kLookMs) && process.state() != QProcess::NotRunning &&
           clock.elapsed() < kHangMs && !isInterrupted()) {
    }
    if (isInterrupted() || process.state() != QProcess::NotRunning ||
        process.error() == QProcess::FailedToStart) {
        const QString reason = systemText(process.errorString());
        process.kill();
        process.waitForFinished(2000);
        if (isInterrupted())
            return interruptedFailure();
        return Failure{u"pictures_failed"_s,
                       failed(Launcher::tr("%1 did not end (%2)").arg(program, reason))};
    }
    if (process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0)
        return {};
    const QString told = QString::fromUtf8(process.readAll());
    QString why =
        Launcher::tr("%1 ended with code %2").arg(program, QString::number(process.exitCode()));
    if (const QString reason = lastSentence(told); !reason.isEmpty())
        why = Launcher::tr("%1: %2").arg(why, reason);
    return Failure{u"pictures_failed"_s, failed(why), told};
}

Result<void> writePictures(const QString& studyDir, const QString& outDir,
                           const QStringList& options)
{
    return runWorkbench(QStringList{u"--export"_s, studyDir, u"--out"_s, outDir} + options,
                        [](const QString& why) {
                            return Launcher::tr("The pictures were not made: %1.").arg(why);
                        });
}

Result<void> renewPictures(const QString& studyDir, const QString& outDir)
{
    const Result<std::unique_ptr<StagedFolder>> staged = StagedFolder::in(outDir);
    if (!staged)
        return staged.failure();
    if (const Result<void> drawn = writePictures(studyDir, staged.value()->path()); !drawn)
        return staged.value()->told(drawn.failure());
    const Result<QStringList> moved = staged.value()->moveOut(chartFilesIn(outDir));
    return moved ? Result<void>() : moved.failure();
}

Result<void> writePdf(const QString& htmlFile, const QString& pdfFile)
{
    return runWorkbench({u"--print"_s, htmlFile, u"--out"_s, pdfFile}, [](const QString& why) {
        return Launcher::tr("The PDF was not made: %1.").arg(why);
    });
}

Result<void> drawChartFile(const QString& chartFile, const QString& pictureFile)
{
    return runWorkbench({u"--draw"_s, chartFile, u"--out"_s, pictureFile}, [](const QString& why) {
        return Launcher::tr("The pictures were not made: %1.").arg(why);
    });
}

} // namespace scalebench
