// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/study_report.h"

#include "analysis/baseline_check.h"
#include "analysis/speedup_table.h"
#include "base/plain_text.h"
#include "base/translated.h"
#include "report/html.h"
#include "report/report_findings.h"
#include "run/run_metrics.h"
#include "run/run_series.h"
#include "study/dimensions.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QLocale>
#include <QMap>

#include <algorithm>
#include <cmath>

namespace scalebench::report {

using namespace Qt::Literals::StringLiterals;

namespace {

QString numberOrNothing(double value, int digits)
{
    return std::isfinite(value) ? QLocale().toString(value, 'f', digits) : QString();
}

QString duration(double seconds)
{
    return std::isfinite(seconds) && seconds > 0 ? formatDuration(seconds) : QString();
}

QString rate(double samplesPerSecond)
{
    return samplesPerSecond > 0 ? numberOrNothing(samplesPerSecond, samplesPerSecond < 100 ? 1 : 0)
                                : QString();
}

/// What each series gains, side by side.
QString gainsHtml(const QList<SpeedupRow>& rows)
{
    QMap<int, bool> counts;
    QMap<QString, QMap<int, QString>> gains;
    for (const SpeedupRow& r : rows) {
        if (!std::isfinite(r.speedup) || !(r.speedup > 0))
            continue;
        QString& gain = gains[r.group][r.workers]; // over several shapes the first speaks
        if (gain.isEmpty())
            gain = r.baseline ? u"1"_s : numberOrNothing(r.speedup, 2) + QChar(0xd7);
        counts.insert(r.workers, true);
    }
    if (gains.size() < 2 || counts.size() < 2)
        return {};
    QStringList columns{Launcher::tr("series")};
    for (auto it = counts.begin(); it != counts.end(); ++it)
        columns << QString::number(it.key());
    HtmlTable table(Launcher::tr("Speed of each series over that of its baseline"), columns);
    for (auto it = gains.begin(); it != gains.end(); ++it) {
        QStringList cells{it.key()};
        for (auto count = counts.begin(); count != counts.end(); ++count)
            cells << it.value().value(count.key());
        table.add(cells);
    }
    return element("h2", Launcher::tr("Speedup by workers")) + table.html();
}

/// The analogue of the published tables of time and speedup.
QString speedupHtml(const Study& study, const Baseline& baseline)
{
    const QList<SpeedupRow> rows = speedupTable(study.runs, baseline);
    const bool overNodes =
        std::any_of(rows.begin(), rows.end(), [](const SpeedupRow& r) { return r.nodes > 1; });
    HtmlTable table(
        Launcher::tr("Means of the completed runs of each series and number of workers"),
        {Launcher::tr("series"), Launcher::tr("workers"), Launcher::tr("nodes"),
         Launcher::tr("batch"), Launcher::tr("runs"), Launcher::tr("mean time"),
         Launcher::tr("± s"), Launcher::tr("epochs"), Launcher::tr("per epoch"),
         Launcher::tr("samples/s"), Launcher::tr("speedup"), Launcher::tr("efficiency"),
         Launcher::tr("by epochs"), Launcher::tr("by step time"), Launcher::tr("note")});
    for (const SpeedupRow& r : rows)
        table.add({r.group, QString::number(r.workers),
                   overNodes && r.nodes > 0 ? QString::number(r.nodes) : QString(),
                   r.globalBatch > 0 ? QString::number(r.globalBatch) : QString(),
                   QString::number(r.runs), duration(r.meanTimeS),
                   numberOrNothing(r.timeHighS - r.meanTimeS, 1), numberOrNothing(r.meanEpochs, 1),
                   r.meanEpochs > 0 ? duration(r.meanTimeS / r.meanEpochs) : QString(),
                   rate(r.meanSamplesPerSecond), numberOrNothing(r.speedup, 2),
                   std::isfinite(r.efficiency) ? numberOrNothing(r.efficiency * 100, 0) + u" %"_s
                                               : QString(),
                   numberOrNothing(r.epochsRatio, 2), numberOrNothing(r.stepTimeRatio, 2),
                   r.remark});
    return table.html() + gainsHtml(rows);
}

QString runsHtml(const Study& study)
{
    HtmlTable table(Launcher::tr("Every run, and how it ended"),
                    {Launcher::tr("run"), Launcher::tr("state"), Launcher::tr("quality"),
                     Launcher::tr("target"), Launcher::tr("epochs"), Launcher::tr("time to train"),
                     Launcher::tr("samples/s"), Launcher::tr("note")});
    for (const RunRecord& run : study.runs)
        table.add({run.config.runId, runStateTitle(run.state).toLower(),
                   run.evals.isEmpty() ? QString() : bestText(run, 1, QLocale()),
                   targetText(run.config, 1, QLocale()),
                   run.epochsToTarget() > 0 ? numberOrNothing(run.epochsToTarget(), 1) : QString(),
                   duration(run.timeToTrainS()), rate(run.throughput),
                   runMarks(run).join(u", "_s)});
    QString html = table.html();
    QStringList remarks;
    for (const RunRecord& run : study.runs) {
        for (const QString& sentence : runRemarks(run))
            remarks << run.config.runId + u": "_s + sentence;
        if (!run.failure.message.isEmpty())
            remarks << run.config.runId + u": "_s + run.failure.message;
    }
    return html + bulletList(remarks);
}

/// Where a step's time goes and what storage must deliver: means over epochs and ranks.
QString stepsHtml(const Study& study)
{
    HtmlTable table(Launcher::tr("Means over epochs and ranks"),
                    {Launcher::tr("run"), Launcher::tr("step, ms"), Launcher::tr("compute, ms"),
                     Launcher::tr("exchange, ms"), Launcher::tr("input, ms"),
                     Launcher::tr("other, ms"), Launcher::tr("read, MB/s")});
    for (const RunRecord& run : study.runs) {
        if (run.splits.isEmpty())
            continue;
        const auto mean = [&](double EpochSplit::*part) {
            double sum = 0;
            for (const EpochSplit& split : run.splits)
                sum += split.*part;
            return numberOrNothing(sum / double(run.splits.size()), 2);
        };
        double bytes = 0, seconds = 0;
        for (const EpochSummary& epoch : run.epochs) {
            bytes += double(epoch.bytesRead);
            seconds += epoch.trainS + epoch.evalS;
        }
        table.add(
            {run.config.runId, mean(&EpochSplit::stepMs), mean(&EpochSplit::computeMs),
             mean(&EpochSplit::commMs), mean(&EpochSplit::inputMs), mean(&EpochSplit::otherMs),
             seconds > 0 && bytes > 0 ? numberOrNothing(bytes / seconds / 1e6, 2) : QString()});
    }
    return table.isEmpty() ? QString()
                           : element("h2", Launcher::tr("Where a step's time goes")) + table.html();
}

QStringList devicesOf(const Study& study)
{
    QStringList devices;
    for (const RunRecord& run : study.runs)
        if (!run.workers.isEmpty() && !run.workers.first().deviceName.isEmpty() &&
            !devices.contains(run.workers.first().deviceName))
            devices << run.workers.first().deviceName;
    return devices;
}

/// What all runs have in common, and what they differ in.
QString settingsHtml(const Study& study)
{
    QMap<QString, QStringList> values;
    for (const RunRecord& run : study.runs) {
        const QMap<QString, QJsonValue> leaves = leavesOf(run.config.json);
        for (auto it = leaves.begin(); it != leaves.end(); ++it)
            if (const QString text = exactText(it.value()); !values[it.key()].contains(text))
                values[it.key()] << text;
    }
    static const QStringList names{u"format"_s, u"version"_s, u"run_id"_s, u"study"_s,
                                   u"data.path"_s}; // where it lies tells nothing to a reader
    HtmlTable table(Launcher::tr("What the runs were told to do"),
                    {Launcher::tr("setting"), Launcher::tr("path"), Launcher::tr("values")});
    for (auto it = values.begin(); it != values.end(); ++it)
        if (!names.contains(it.key()))
            table.add({dimensionTitle(it.key()) == it.key() ? QString() : dimensionTitle(it.key()),
                       it.key(), it.value().join(u", "_s)});
    return table.isEmpty() ? QString() : element("h2", Launcher::tr("Settings")) + table.html();
}

/// What a run does, and what its time is of.
QString trainingSentence(const Study& study)
{
    const auto targets = std::count_if(study.runs.begin(), study.runs.end(),
                                       [](const RunRecord& r) { return r.config.hasTarget(); });
    if (targets == study.runs.size())
        return Launcher::tr(
            "Every run trains one network until its quality target is reached; time to "
            "train counts from the first byte of the data that is read to the "
            "evaluation that reaches the target, evaluations included.");
    if (targets == 0)
        return Launcher::tr("Every run trains one network for a number of epochs, as no quality "
                            "target was set; time to train counts from the first byte of the data "
                            "that is read to the end of the last epoch, evaluations included.");
    return Launcher::tr(
        "Every run trains one network until its quality target is reached, or for a "
        "number of epochs where it has none; time to train counts from the first "
        "byte of the data that is read to that end, evaluations included.");
}

QString methodHtml(const Study& study, const ReportView& view)
{
    const bool imported = !study.runs.isEmpty() && !study.runs.first().origin.isEmpty();
    QStringList sentences;
    if (!imported)
        sentences << trainingSentence(study);
    sentences
        << Launcher::tr(
               "The time of a worker count is the mean of its completed runs; from five runs "
               "up the best and the worst are left out (olympic mean). Intervals are 95 % "
               "Student intervals; from five runs up those of a trimmed mean (Tukey and "
               "McLaughlin). Speedup is the mean time of the baseline (%1) over "
               "that of the worker count, and the product of the ratio of epochs and the "
               "ratio of the time of an epoch. Runs that failed, did not converge or had more "
               "workers than processors count for neither.")
               .arg(baselineText(view.baseline));
    if (view.quantity == "epoch"_L1)
        sentences << Launcher::tr("The charts of speedup and efficiency are of the time of an "
                                  "epoch.");
    else if (view.quantity == "throughput"_L1)
        sentences << Launcher::tr("The charts of speedup and efficiency are of samples/s.");
    return element("h2", Launcher::tr("Method")) + element("p", sentences.join(u' '));
}

} // namespace

QString systemHtml(const Study& study, const QJsonObject& system)
{
    HtmlTable table(Launcher::tr("Hosts that trained"),
                    {Launcher::tr("host"), Launcher::tr("processors"), Launcher::tr("model"),
                     Launcher::tr("memory, GB"), Launcher::tr("GPUs"), Launcher::tr("system"),
                     Launcher::tr("kernel")});
    const QJsonArray nodes = system.value("nodes"_L1).toArray();
    for (const QJsonValue& value : nodes) {
        const QJsonObject node = value.toObject();
        const QJsonObject cpu = node.value("cpu"_L1).toObject();
        QStringList gpus;
        for (const QJsonValue& gpu : node.value("gpus"_L1).toArray())
            gpus << gpu.toObject().value("name"_L1).toString();
        table.add({node.value("host"_L1).toString(),
                   QString::number(cpu.value("logical_cpus"_L1).toInt()),
                   cpu.value("model"_L1).toString(),
                   numberOrNothing(node.value("memory_bytes"_L1).toDouble() / 1e9, 0),
                   gpus.join(u", "_s), node.value("os"_L1).toString(),
                   node.value("kernel"_L1).toString()});
    }
    QString html = element("h2", Launcher::tr("System"));
    if (table.isEmpty())
        return html +
               element("p", study.runs.isEmpty() || study.runs.first().origin.isEmpty()
                                ? Launcher::tr("No run has described its system yet.")
                                : Launcher::tr("Imported results; the system is that of "
                                               "their authors.")) +
               bulletList(devicesOf(study));
    html += table.html();
    QStringList versions;
    const QJsonObject software = system.value("software"_L1).toObject();
    for (auto it = software.begin(); it != software.end(); ++it)
        if (it.value().isString())
            versions << it.key() + u": "_s + it.value().toString();
    return html + element("p", versions.join(u"; "_s));
}

QString reportHtml(const Study& study, const QJsonObject& system, const QList<Picture>& pictures,
                   const ReportView& view)
{
    const QString name = study.spec.name.isEmpty() ? study.id : study.spec.name;
    qint64 ms = 0;
    for (const RunRecord& run : study.runs)
        ms = std::max(ms, run.finishedMs);
    QString html = element("h1", name);
    QStringList facts{Launcher::tr("study %1").arg(study.id),
                      study.runs.size() == 1 ? Launcher::tr("1 run")
                                             : Launcher::tr("%1 runs").arg(study.runs.size())};
    if (ms > 0)
        facts << QLocale().toString(QDateTime::fromMSecsSinceEpoch(ms), u"yyyy-MM-dd HH:mm"_s);
    facts << u"Scalebench "_s + QLatin1StringView(SB_VERSION);
    html += element("p", facts.join(u" · "_s));
    html +=
        element("h2", Launcher::tr("Findings")) + bulletList(reportFindings(study, view.baseline));
    for (const Picture& picture : pictures) // which have their titles in them
        html += u"<div><img src=\"%1\" alt=\"%2\" width=\"740\"/></div>\n"_s.arg(
            htmlText(picture.source), htmlText(picture.title));
    html += element("h2", Launcher::tr("Time to train and speedup")) +
            speedupHtml(study, view.baseline);
    html += element("h2", Launcher::tr("Runs")) + runsHtml(study);
    html += stepsHtml(study) + systemHtml(study, system) + methodHtml(study, view) +
            settingsHtml(study);
    html += u"<p class=\"note\">"_s +
            htmlText(Launcher::tr(
                "Result not verified by MLCommons Association. The charts' numbers are in "
                "runs.csv, curves.csv and speedup.csv beside this report; the bundle "
                "beside it opens in another Scalebench (scalebench import).")) +
            u"</p>\n"_s;
    return htmlPage(name, html);
}

} // namespace scalebench::report
