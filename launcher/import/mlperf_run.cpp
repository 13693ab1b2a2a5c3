// SPDX-License-Identifier: GPL-3.0-or-later
#include "mlperf_run.h"
#include "base/translated.h"

#include "mlperf_epochs.h"
#include "mlperf_facts.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 kFewestTokens = 4096; // of a batch; one accelerator took 5,120
constexpr double kTolerance = 1e-6;    // 21.799999237 is float32's 21.8 and was accepted

void readRound(const MlperfRun& run, const LogContext& context, ImportedRun& r)
{
    if (run.own) // of nobody's round
        return;
    r.roundFrom = u"log"_s;
    if (run.generation == MlperfGeneration::V05)
        r.round = u"v0.5"_s;
    else if (run.generation == MlperfGeneration::V06)
        r.round = u"v0.6"_s;
    else if (r.round = roundInPath(context.path); !r.round.isEmpty())
        r.roundFrom = u"folder"_s;
    else {
        r.round = roundAt(run.startMs > 0 ? run.startMs : run.lastMs);
        r.roundFrom = u"date"_s;
    }
}

void readNames(const MlperfRun& run, const LogContext& context, ImportedRun& r)
{
    const auto& system = context.system;
    r.benchmark =
        canonicalBenchmark(run.benchmark.isEmpty() ? benchmarkInPath(context.path) : run.benchmark);
    if (r.benchmark.isEmpty())
        r.benchmark = u"unknown"_s;
    // As MLPerf's summariser: a log may be of the code that was taken over from somebody else.
    r.submitter = system ? system->submitter : QString();
    if (r.submitter.isEmpty())
        r.submitter = run.submitter;
    else if (!run.submitter.isEmpty() &&
             run.submitter.compare(r.submitter, Qt::CaseInsensitive) != 0)
        r.remarks << Launcher::tr("the log names \"%1\" as the submitter, %2 \"%3\"")
                         .arg(run.submitter, system->file.section(u'/', -1), r.submitter);
    if (r.submitter.isEmpty())
        r.submitter = submitterInPath(context.path);
    r.division = run.division.isEmpty() && system ? system->division : run.division;
    r.status = run.status.isEmpty() && system ? system->status : run.status;
    r.system = systemInPath(context.path);
    if (r.system.isEmpty())
        r.system = run.platform;
    if (system) {
        r.accelerator = system->accelerator;
        r.framework = system->framework;
        if (!system->problem.isEmpty())
            r.remarks << system->problem;
    }
}

/// From what is nearest to the truth down to what only hints at it.
void readScale(const MlperfRun& run, const LogContext& context, ImportedRun& r)
{
    const auto& system = context.system;
    r.nodes = run.nodes > 0 ? run.nodes : system && !system->wholeCluster ? system->nodes : 0;
    if (r.nodes == 0 && !run.platform.isEmpty())
        r.nodes = nodesInName(run.platform);
    const double quotient =
        run.workerBatch > 0 ? run.globalBatch / (run.workerBatch * run.accumulation) : 0;
    const bool whole = quotient >= 1 && quotient < 1e6 &&
                       std::abs(quotient - std::round(quotient)) < 1e-6 * quotient;
    const auto take = [&r](qint64 count, const QString& from) {
        if (r.accelerators > 0 || count < 1 || count > 1'000'000)
            return;
        r.accelerators = int(count);
        r.acceleratorsFrom = from;
    };
    take(context.accelerators, u"option"_s);
    if (run.own) {
        takeOwnSettings(*run.own, r);
        return;
    }
    if (system && !system->wholeCluster)
        take(system->accelerators(), Launcher::tr("system description"));
    take(qint64(std::max(run.nodes, 1)) * run.acceleratorsPerNode, u"log"_s);
    if (system && !system->wholeCluster && r.accelerators == 0)
        r.processors = system->processorsInAll();
    if (r.processors > 0)
        return;
    if (whole)
        take(std::llround(quotient), Launcher::tr("batch sizes"));
    const QString& name = run.platform.isEmpty() ? r.system : run.platform;
    take(qint64(std::max(r.nodes, 1)) * acceleratorsInName(name), u"name"_s);
    if (r.accelerators == 0 && system && system->wholeCluster)
        r.remarks
            << Launcher::tr(
                   "%1 describes a cluster of %2 nodes, and the log does not say how many of them "
                   "ran; give --accelerators")
                   .arg(system->file)
                   .arg(system->nodes);
}

void readBatch(const MlperfRun& run, ImportedRun& r)
{
    r.batchUnit = r.benchmark == "transformer"_L1 ? u"tokens"_s : u"samples"_s;
    double batch = run.globalBatch;
    if (batch == 0 && run.inputBatch > 0) {
        const bool each = isBatchPerAccelerator(r.benchmark, qint64(run.inputBatch));
        const bool known = isBatchPerAccelerator(r.benchmark, 1);
        if (!each)
            batch = run.inputBatch;
        else if (r.workers() > 0)
            batch = run.inputBatch * r.workers();
        else
            r.remarks
                << Launcher::tr(
                       "the batch, %1, is that of one accelerator, and how many there were is not "
                       "known; give --accelerators")
                       .arg(qint64(run.inputBatch));
        if (!each && known)
            r.remarks << Launcher::tr(
                             "the batch, %1, was taken as the global one: it is too large for one "
                             "accelerator")
                             .arg(qint64(run.inputBatch));
    }
    if (batch > 0 && batch < 2e9)
        r.globalBatch = qint64(batch);
    // A handful of sentences; some count them in place of their tokens.
    if (r.globalBatch > 0 && r.globalBatch < kFewestTokens)
        r.batchUnit = u"samples"_s;
}

// ---- quality -----------------------------------------------------------------------------------

struct Targets {
    std::optional<double> leading;
    QList<MetricValue> further; ///< by the log's names
};

Targets targetsOf(const MlperfRun& run, const BenchmarkFacts& facts)
{
    // The log's own where the rules have one too: elsewhere a smaller value may be the better one.
    QList<MetricValue> list = facts.targets;
    if (run.generation == MlperfGeneration::V05 && !run.targets.isEmpty())
        list = run.targets;
    if (run.own) { // what was asked for, the leading one first
        list = run.own->targets;
        std::stable_partition(list.begin(), list.end(), [&facts](const MetricValue& target) {
            return target.metric == facts.metric;
        });
    }
    Targets targets;
    for (const MetricValue& target : list)
        if (!targets.leading)
            targets.leading = target.value;
        else
            targets.further << target;
    return targets;
}

bool meets(const MlperfEval& eval, const Targets& targets, double tolerance = kTolerance)
{
    const auto reaches = [tolerance](double value, double target) {
        return value >= target - tolerance * std::abs(target);
    };
    return targets.leading && reaches(eval.value, *targets.leading) &&
           std::all_of(targets.further.begin(), targets.further.end(), [&](const MetricValue& t) {
               const auto value = valueOf(eval.metrics, t.metric);
               return value && reaches(*value, t.value);
           });
}

/// Without the evaluations of checkpoints that were scored when the run had ended, as MLPerf's own
/// check of convergence: unless only they tell that it converged.
MlperfRun untilItsEnd(const MlperfRun& run, const Targets& targets)
{
    MlperfRun kept = run;
    kept.evals.removeIf([](const MlperfEval& eval) { return eval.late; });
    const qsizetype late = run.evals.size() - kept.evals.size();
    const bool enough = targets.leading
                            ? std::any_of(kept.evals.begin(), kept.evals.end(),
                                          [&](const MlperfEval& e) { return meets(e, targets); })
                            : !kept.evals.isEmpty();
    if (late == 0 || (!enough && run.success != false))
        return run;
    kept.remarks << Launcher::tr("evaluations after run_stop, which do not count: %1").arg(late);
    return kept;
}

/// Our names of what a detector's log has under others.
QString ourMetric(const QString& name, const QString& leading, bool first)
{
    if (name == "SEGM"_L1)
        return u"mask_map"_s;
    return first ? leading : name;
}

void readEvals(const MlperfRun& run, const BenchmarkFacts& facts, const EpochCount& count,
               ImportedRun& r)
{
    for (const MlperfEval& eval : run.evals) {
        EvalPoint p;
        p.epoch = count.passesAt(eval).value_or(double(r.evals.size() + 1));
        const auto samples = count.countsSamples() ? count.counted(eval) : eval.samples;
        p.samples = qint64(samples.value_or(0));
        p.seconds = run.startMs > 0 ? (eval.timeMs - run.startMs) / 1000 : 0;
        p.value = eval.value * r.qualityScale;
        bool leads = true;
        for (const MetricValue& value : eval.metrics)
            p.metrics << MetricValue{
                run.own ? value.metric
                        : ourMetric(value.metric, facts.metric, std::exchange(leads, false)),
                value.value * r.qualityScale};
        r.evals << p;
    }
}

void readQuality(const MlperfRun& run, const BenchmarkFacts& facts, const Targets& targets,
                 ImportedRun& r)
{
    r.metric = facts.metric;
    double most = targets.leading.value_or(0);
    for (const MlperfEval& eval : run.evals)
        most = std::max(most, eval.value);
    r.qualityScale = facts.unit == MetricUnit::Bleu && most > 0 && most <= 1 ? 100 : 1;
    // What only the tolerance lets pass is a target reached in every table of ours too.
    const bool tolerated = std::any_of(run.evals.begin(), run.evals.end(),
                                       [&](const MlperfEval& e) { return meets(e, targets); }) &&
                           std::none_of(run.evals.begin(), run.evals.end(),
                                        [&](const MlperfEval& e) { return meets(e, targets, 0); });
    const double factor = r.qualityScale * (tolerated ? 1 - kTolerance : 1);
    if (targets.leading)
        r.target = *targets.leading * factor;
    for (const MetricValue& target : targets.further)
        r.furtherTargets << MetricValue{ourMetric(target.metric, target.metric, false),
                                        target.value * factor};
}

// ---- the verdict -------------------------------------------------------------------------------

void decide(const MlperfRun& run, const Targets& targets, ImportedRun& r)
{
    const bool reached = std::any_of(run.evals.begin(), run.evals.end(),
                                     [&](const MlperfEval& eval) { return meets(eval, targets); });
    const auto open = r.division.compare(u"open"_s, Qt::CaseInsensitive) == 0;
    const auto not_converged = [&r](const QString& why) { r.failure = {u"not_converged"_s, why}; };
    if (run.startMs == 0)
        not_converged(Launcher::tr("The log has no run_start, so there is no time to train."));
    else if (run.stopMs == 0)
        not_converged(
            Launcher::tr("The log has no run_stop: the run was cut off or had not ended."));
    else if (run.stopMs <= run.startMs)
        not_converged(Launcher::tr("The log's run_stop is not later than its run_start."));
    else if (run.success == false)
        not_converged(
            run.stopStatus.isEmpty()
                ? Launcher::tr("The log says that the run did not succeed.")
                : Launcher::tr("The log says \"%1\" at the end of the run.").arg(run.stopStatus));
    else if (run.evals.isEmpty())
        not_converged(Launcher::tr("The log has no eval_accuracy."));
    else if (targets.leading && !reached && !(open && run.success == true))
        not_converged(Launcher::tr("The quality target, %1, was not reached: %2 is the best value.")
                          .arg(*targets.leading)
                          .arg(std::max_element(run.evals.begin(), run.evals.end(),
                                                [](const MlperfEval& a, const MlperfEval& b) {
                                                    return a.value < b.value;
                                                })
                                   ->value));
    else if (!targets.leading && !run.success)
        not_converged(Launcher::tr(
            "The log does not say whether the run succeeded, and no target is known."));
    else
        r.converged = true;
}

} // namespace

ImportedRun interpretRun(const MlperfRun& logged, const LogContext& context)
{
    ImportedRun r;
    r.source.path = context.path;
    readRound(logged, context, r);
    readNames(logged, context, r);
    readScale(logged, context, r);
    readBatch(logged, r);
    const BenchmarkFacts facts = benchmarkFacts(r.benchmark, r.round, r.globalBatch);
    const Targets targets = targetsOf(logged, facts);
    const MlperfRun run = untilItsEnd(logged, targets);
    r.remarks = run.remarks + r.remarks;
    r.title = facts.title;
    r.workload = facts.workload;
    r.seed = run.seed;
    r.startMs = run.startMs;
    r.stopMs = run.stopMs;
    if (!run.own)
        r.throughput = run.throughput;
    const EpochCount count(run, r.benchmark);
    r.epochUnit = count.countsSamples() ? u"samples"_s : u"epochs"_s;
    r.epochs = count.atEnd();
    readQuality(run, facts, targets, r);
    readEvals(run, facts, count, r);
    decide(run, targets, r);
    // A target of the closed division says nothing about a run of the open one that ended well.
    if (r.converged && targets.leading &&
        std::none_of(run.evals.begin(), run.evals.end(),
                     [&](const MlperfEval& eval) { return meets(eval, targets); })) {
        r.target.reset();
        r.furtherTargets.clear();
    }
    return r;
}

} // namespace scalebench::imports
