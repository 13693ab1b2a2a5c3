// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_command.h"

#include "study/dimensions.h"
#include "study/run_config.h"
#include "study/study_cells.h"
#include "study/study_spec.h"

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

class Command
{
public:
    explicit Command(const StudySpec& spec) : m_spec(spec) {}

    std::optional<QStringList> words()
    {
        m_words << u"run"_s << workloads();
        sizes();
        what();
        options();
        for (auto it = m_spec.settings.begin(); it != m_spec.settings.end(); ++it)
            setting({}, it.key(), it.value());
        for (const WorkloadPlan& plan : m_spec.workloads)
            ofWorkload(plan);
        text("name", m_spec.name, {});
        return m_possible ? std::optional(m_words) : std::nullopt;
    }

private:
    QString workloads() const
    {
        if (m_spec.workloads.isEmpty())
            return m_spec.workload;
        QStringList names;
        for (const WorkloadPlan& plan : m_spec.workloads)
            names << (plan.scale.isEmpty() ? plan.workload : plan.workload + u':' + plan.scale);
        return names.join(u',');
    }

    void sizes()
    {
        text("scale", m_spec.scale, m_default.scale);
        text("machine", m_spec.machine, {});
        QStringList counts, shapes;
        for (const int workers : m_spec.workers)
            counts << QString::number(workers);
        for (const Shape& shape : m_spec.shapes)
            shapes << shape.text();
        if (shapes.isEmpty())
            add("workers", counts.join(u','));
        else
            add("shapes", shapes.join(u','));
        text("order", m_spec.order, m_default.order);
        flag("concurrent", !m_spec.exclusive);
        number("retries", m_spec.retries, 0);
        flag("oversubscribe", m_spec.oversubscribe);
        if (m_spec.repeats == 5)
            add("olympic");
        else
            number("repeats", m_spec.repeats, 1);
        if (m_spec.seed != m_default.seed)
            add("seed", QString::number(m_spec.seed));
        number("max-minutes", m_spec.maxMinutes, 0);
        flag("stop-after-target", m_spec.stopAfterTarget);
    }

    void what()
    {
        text("device", m_spec.device, m_default.device);
        const QStringList preset = m_spec.workloads.size() > 1
                                       ? QStringList()
                                       : defaultPrecisions(m_spec.workload, m_spec.scale);
        if (!m_spec.precisions.isEmpty() && m_spec.precisions != preset)
            add("precision", m_spec.precisions.join(u','));
        text("data", m_spec.data, {});
        text("model", m_spec.model, {});
        number("epochs", m_spec.epochs, 0);
        if (m_spec.noTarget)
            add("target", u"none"_s);
        else if (m_spec.target)
            add("target", exactText(*m_spec.target));
        if (m_spec.learningRate)
            add("lr", exactText(*m_spec.learningRate));
        text("batch-policy", m_spec.batchPolicy, m_default.batchPolicy);
        if (m_spec.batchPolicy == "table"_L1) {
            QStringList pairs;
            for (auto it = m_spec.batchTable.begin(); it != m_spec.batchTable.end(); ++it)
                pairs << u"%1:%2"_s.arg(it.key()).arg(it.value());
            if (!pairs.isEmpty())
                add("batch", pairs.join(u','));
        } else {
            number("batch", m_spec.globalBatch, 0);
        }
        number("threads", m_spec.threadsPerWorker, 0);
    }

    void options()
    {
        const RunOptions& o = m_spec.options;
        const RunOptions& d = m_default.options;
        flag("sync-bn", o.syncBn);
        flag("overlap", o.overlap);
        number("bucket-mb", o.bucketMb, d.bucketMb);
        number("grad-accum", o.gradAccum, d.gradAccum);
        text("allreduce", o.allreduce, d.allreduce);
        flag("shard-optimizer", o.shardOptimizer);
        if (!o.fusedOptimizer)
            add("fused-optimizer", u"off"_s);
        if (!o.bindThreads)
            add("bind-threads", u"off"_s);
        flag("async-eval", o.asyncEval);
        flag("pack-sequences", o.packSequences);
        flag("align-batch", o.alignBatch);
        flag("cuda-graphs", o.cudaGraphs);
        flag("no-autotune", !o.autotune);
        number("checkpoint-every", o.checkpointEvery, d.checkpointEvery);
        number("collective-timeout", o.collectiveTimeoutS, d.collectiveTimeoutS);
    }

    /// Its own fields, as settings by their paths.
    void ofWorkload(const WorkloadPlan& plan)
    {
        m_possible = m_possible && plan.data.isEmpty() && plan.batchTable.isEmpty() &&
                     !plan.target && !plan.noTarget;
        QList<QJsonValue> precisions;
        for (const QString& precision : plan.precisions)
            precisions << precision;
        Settings all = plan.settings;
        const auto own = [&](const char* path, const QList<QJsonValue>& values) {
            if (!values.isEmpty() && !all.contains(QLatin1StringView(path)))
                all.insert(QLatin1StringView(path), values);
        };
        own("precision", precisions);
        if (!plan.model.isEmpty())
            own("model.name", {plan.model});
        if (!plan.batchPolicy.isEmpty())
            own("batch_policy", {plan.batchPolicy});
        if (plan.globalBatch > 0)
            own("global_batch", {plan.globalBatch});
        if (plan.epochs > 0)
            own("epochs", {plan.epochs});
        if (plan.learningRate)
            own("schedule.base_lr", {*plan.learningRate});
        for (auto it = all.begin(); it != all.end(); ++it)
            setting(plan.workload + u':', it.key(), it.value());
    }

    void setting(const QString& workload, const QString& path, const QList<QJsonValue>& values)
    {
        QStringList texts;
        for (const QJsonValue& value : values) {
            const QString text =
                value.isBool() ? (value.toBool() ? u"on"_s : u"off"_s) : exactText(value);
            m_possible = m_possible && !text.contains(u',') && valueFromText(path, text) == value;
            texts << text;
        }
        add("set", workload + path + u'=' + texts.join(u','));
    }

    void add(const char* option, const QString& value = {})
    {
        m_words << u"--"_s + QLatin1StringView(option);
        if (!value.isNull())
            m_words << value;
    }
    void flag(const char* option, bool on)
    {
        if (on)
            add(option);
    }
    void text(const char* option, const QString& value, const QString& byDefault)
    {
        if (value != byDefault && !value.isEmpty())
            add(option, value);
    }
    void number(const char* option, int value, int byDefault)
    {
        if (value != byDefault)
            add(option, QString::number(value));
    }

    const StudySpec& m_spec;
    const StudySpec m_default;
    QStringList m_words;
    bool m_possible = true;
};

} // namespace

std::optional<QStringList> runArguments(const StudySpec& spec)
{
    return Command(spec).words();
}

/// Whether the run is one of this combination: its id ends with what was chosen.
static bool isOf(const Combination& combination, const RunConfig& run)
{
    const StudySpec& one = combination.spec;
    if (one.workload != run.workload || one.scale != run.scale ||
        one.precisions.value(0) != run.precision)
        return false;
    const QString end =
        u"-b%1%2-s%3-r%4"_s.arg(QString::number(run.globalBatch), idPart(combination.chosen),
                                QString::number(run.seed), QString::number(run.repeat));
    const int asked = one.globalBatch * (one.batchPolicy == "weak"_L1 ? run.workers : 1);
    return run.runId.endsWith(end) &&
           (one.globalBatch == 0 || one.batchPolicy == "table"_L1 ||
            one.settings.contains(u"global_batch"_s) || asked == run.globalBatch);
}

std::optional<StudySpec> cellSpec(const StudySpec& spec, const RunConfig& run)
{
    const Result<QList<Combination>> all = combinationsOf(spec);
    if (!all)
        return std::nullopt;
    for (const Combination& combination : all.value()) {
        if (!isOf(combination, run))
            continue;
        StudySpec cell = combination.spec;
        cell.name.clear();
        if (spec.shapes.isEmpty())
            cell.workers = {run.workers};
        else
            cell.shapes = {{run.nodes, run.workersPerNode()}};
        cell.repeats = 1;
        cell.seed = run.seed;
        cell.order = StudySpec().order;
        cell.maxMinutes = 0;
        cell.stopAfterTarget = false;
        cell.threadsPerWorker = run.threadsPerWorker; // the plan's largest count decided
        if (cell.batchPolicy == "table"_L1 && !cell.settings.contains(u"schedule.base_lr"_s))
            cell.learningRate = run.learningRate; // the plan's smallest count decided
        return cell;
    }
    return std::nullopt;
}

std::optional<QStringList> cellArguments(const StudySpec& spec, const RunConfig& run)
{
    const std::optional<StudySpec> cell = cellSpec(spec, run);
    return cell ? runArguments(*cell) : std::nullopt;
}

} // namespace scalebench
