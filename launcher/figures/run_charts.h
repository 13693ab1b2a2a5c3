// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which chart shows what of a study: run records in, ChartData out. Pure.

#include "analysis/shape_gaps.h"
#include "analysis/speedup_table.h"
#include "figures/chart_data.h"
#include "figures/run_labels.h"
#include "run/run_metrics.h"
#include "run/run_record.h"
#include "run/study.h"

namespace scalebench {

enum class RunAxis {
    Epoch,
    Samples,
    Step,
    Time, ///< seconds since the run's start
    Clock ///< time of day
};
RunAxis runAxisFromName(const QString& name);
QString runAxisName(RunAxis axis); ///< "epoch", "samples", "step", "time", "clock"
/// All of them with what a list calls them: "by epoch".
QList<std::pair<RunAxis, QString>> runAxisChoices();

/// What must be said with the runs' numbers: "all runs: synthetic data", "disturbed: 2 workers".
QStringList runsMarks(const QList<RunRecord>& runs);
/// runLabels() with what must be said of some of them only: "2 workers (disturbed)".
QStringList markedLabels(const QList<RunRecord>& runs);

/// What a chart of these runs alone must say of the others: "not in this chart: 12 runs of
/// Recommendation". Empty where it has all.
QString leftOutText(const Study& study, const QStringList& shownRuns);

/// Of the study's runs; of the plan where there are none.
QStringList studyWorkloads(const Study& study);

/// Titled and captioned, nothing in it yet.
ChartData studyChart(const Study& study, const QString& id, const QString& title);

/// What an empty chart of points that runs leave says.
QString noPointsText(const Study& study);

/// What the study's runs are measured by, the leading metric first; never empty.
QList<MetricInfo> studyMetrics(const Study& study);
/// Whether charts of that metric are called "Accuracy".
bool isAccuracy(const QString& metric);
/// What the run calls the metric: empty where it is its leading one; none where runs of its
/// workload are not measured by it, and have no line in its chart.
std::optional<QString> metricNameIn(const Study& study, const RunRecord& run,
                                    const MetricInfo& metric, bool leading);
ChartData metricChart(const Study& study, RunAxis axis, const MetricInfo& metric, bool leading);
/// Repeats as the mean of each group with its range, the runs themselves faint below it. Between
/// points values lie on straight lines; a mean is only where all runs of its group have one.
ChartData withBands(ChartData chart);
/// Whether some runs are repeats of one setting.
bool hasRepeats(const Study& study);
/// That of the leading metric, whatever it is.
ChartData accuracyChart(const Study& study, RunAxis axis);
/// Of all runs, or of some of them by their ids, which keep the colours they have among all.
ChartData throughputChart(const Study& study, RunAxis axis, const QStringList& runIds = {});
ChartData lossChart(const Study& study, RunAxis axis, const QStringList& runIds = {});
/// The study with these runs alone; with all where no id is given.
Study withRuns(const Study& study, const QStringList& runIds);
/// What hosts and GPUs told of themselves while runs trained.
enum class HardwareQuantity {
    Processors, ///< share kept busy: by the run, and by anything else where that was not nothing
    Clock,      ///< of the processors
    Memory,
    Network,
    GpuUse, ///< from here on rank 0's GPU, every few seconds
    GpuMemory,
    GpuPower,
    GpuClock,
    GpuTemperature
};
/// Those that some run has, with what a list calls them; the processors always.
QList<std::pair<HardwareQuantity, QString>> hardwareChoices(const Study& study);
/// Where heat or a failing supply held a GPU's clocks down is marked.
ChartData hardwareChart(const Study& study, RunAxis axis, HardwareQuantity quantity);
/// Mean step time per run, stacked: compute, communication, input, other.
ChartData stepSplitChart(const Study& study);
/// What a speedup is a ratio of (resources/docs/analysis.md).
enum class SpeedupOf {
    TimeToTrain,
    EpochTime, ///< as if the number of epochs did not change
    Throughput ///< samples/s; of runs that missed their target too
};
ChartData speedupChart(const Study& study, const QList<SpeedupRow>& rows,
                       SpeedupOf quantity = SpeedupOf::TimeToTrain);
/// The speedup over what as many times the baseline's workers would bring.
ChartData efficiencyChart(const Study& study, const QList<SpeedupRow>& rows,
                          SpeedupOf quantity = SpeedupOf::TimeToTrain);
/// Samples/s of each shape over those of the shape with the fewest nodes, by number of workers.
ChartData shapeChart(const Study& study, const QList<ShapeGap>& gaps);
/// The gaps of a published figure (imports::hasPublishedGaps()).
ChartData publishedGapsChart(const QString& figure);
/// The same as lines to both sides of what own shapes differ by, with their notice.
void overlayGaps(ChartData& chart, const QString& figure);
/// Lays the series of `reference` (the same chart of published results) dashed beside those of
/// `chart`, moved so that the ideal line is one for both and in its unit, with its notices.
/// `name`: of a series that is alone.
void overlayReference(ChartData& chart, const ChartData& reference, const QString& name);
/// The same for times, which may lie decades apart.
void overlayTimes(ChartData& chart, const ChartData& reference, const QString& name);
/// With what would be ideal, and where runs missed their target.
ChartData timeToTargetChart(const Study& study, const QList<SpeedupRow>& rows);
/// Speedup = epochs ratio x step-time ratio, as grouped bars.
ChartData speedupPartsChart(const Study& study, const QList<SpeedupRow>& rows);

/// Why the speedup lacks runs and what to do about it; empty where nothing is missing.
QString speedupNote(const Study& study);

/// Not a number where that is not known.
double axisValue(const RunRecord& run, const EvalPoint& point, RunAxis axis);
double axisValue(const RunRecord& run, const StepPoint& point, RunAxis axis);
/// A metric's value at an evaluation; of the leading one where the name is empty.
std::optional<double> metricValue(const EvalPoint& point, const QString& metric);
/// Where the run meets all of its targets, on that metric's curve.
std::optional<QPointF> targetFlag(const RunRecord& run, RunAxis axis, const QString& metric = {});

QString machineLine(const Study& study); ///< "AMD EPYC, 2 CPU workers · 21 Nov 2026"

} // namespace scalebench
