// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_options.h"

#include "machine/machines.h"
#include "study/dimensions.h"
#include "study/workload_catalog.h"

#include <algorithm>
#include <functional>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

void addRunOptions(CommandParser& p, const QString& repeats)
{
    p.addOption(
        {u"scale"_s, u"desk, lab, mlperf or an own recipe's (default: desk)."_s, u"SCALE"_s});
    p.addOption({u"workers"_s, u"Worker counts, one run each (default: 1,2)."_s, u"N,N,…"_s});
    p.addOption({u"machine"_s,
                 u"Target machine, see \"scalebench machines\" (default: this computer)."_s,
                 u"NAME"_s});
    p.addOption({u"shapes"_s,
                 u"Nodes x workers per node, one run each: 1x1,1x2,2x1; or all:4 for every way to "
                 "spread 4 workers."_s,
                 u"NxW,…"_s});
    p.addOption({u"order"_s, u"interleaved (repeats after one another), random or sequential."_s,
                 u"ORDER"_s});
    p.addOption({u"concurrent"_s, u"Do not wait for other studies on the same machine."_s});
    p.addOption({u"retries"_s, u"Try a failed run again this often (default: 0)."_s, u"N"_s});
    p.addOption({u"device"_s, u"cpu or cuda (default: cpu)."_s, u"DEVICE"_s});
    p.addOption({u"precision"_s, u"fp32, bf16 (cuda: fp16); several with commas."_s, u"P,P,…"_s});
    p.addOption({u"data"_s, u"Folder, tar or file with data, \"generated\" or \"synthetic\"."_s,
                 u"DATA"_s});
    p.addOption({u"epochs"_s, u"Train at most this many epochs."_s, u"N"_s});
    p.addOption(
        {u"target"_s, u"Quality to reach (0.84: 84 %; masks keep theirs), or \"none\"."_s, u"X"_s});
    p.addOption({u"batch"_s,
                 u"Global batch; per worker with --batch-policy weak; 1:128,2:256 with table."_s,
                 u"N"_s});
    p.addOption({u"batch-policy"_s,
                 u"strong (global batch fixed), weak (per worker fixed) or table."_s, u"POLICY"_s});
    p.addOption({u"model"_s, u"Network instead of the scale's."_s, u"NAME"_s});
    p.addOption({u"lr"_s, u"Base learning rate."_s, u"X"_s});
    p.addOption({u"seed"_s, u"Seed of the first repeat (default: 1)."_s, u"N"_s});
    p.addOption({u"repeats"_s, repeats, u"N"_s});
    p.addOption(
        {u"threads"_s, u"Threads per worker (default: cores / largest worker count)."_s, u"N"_s});
    p.addOption({u"oversubscribe"_s, u"Allow more workers than processors; marks the runs."_s});
    p.addOption({u"sync-bn"_s, u"Batch-norm statistics over all workers."_s});
    p.addOption({u"overlap"_s, u"Exchange gradients while computing."_s});
    p.addOption({u"bucket-mb"_s, u"Size of a gradient bucket in MB (default: 4)."_s, u"N"_s});
    p.addOption({u"grad-accum"_s, u"Micro-batches per step (default: 1)."_s, u"N"_s});
    p.addOption({u"allreduce"_s, u"auto, shm or mpi; cuda: auto, nccl or staged (default: auto)."_s,
                 u"WAY"_s});
    p.addOption({u"shard-optimizer"_s,
                 u"Each worker updates its share of the parameters, as on the "
                 "processors of one node anyway where possible."_s});
    p.addOption({u"hot-rows"_s,
                 u"Rows of owned tables that every worker keeps, the most frequent (default: 0)."_s,
                 u"N"_s});
    p.addOption({u"fused-optimizer"_s, u"on or off (default: on)."_s, u"ON"_s});
    p.addOption(
        {u"bind-threads"_s,
         u"Bind each worker's threads to cores that share caches and memory, without GPUs: on "
         "or off (default: on)."_s,
         u"ON"_s});
    p.addOption({u"async-eval"_s, u"Evaluate beside the training of the next epoch."_s});
    p.addOption({u"pack-sequences"_s, u"Several short sequences in one row."_s});
    p.addOption(
        {u"align-batch"_s, u"Change the batch a little so that few samples are dropped."_s});
    p.addOption({u"autotune"_s,
                 u"Choose vendor algorithms by timing them, once per machine (device "
                 "cuda; the default)."_s});
    p.addOption({u"no-autotune"_s, u"Take vendor algorithms as their library proposes them."_s});
    p.addOption({u"cuda-graphs"_s, u"Replay a recorded step (device cuda)."_s});
    p.addOption({u"checkpoint-every"_s,
                 u"Epochs between checkpoints; 0: only when stopped (default: 1)."_s, u"N"_s});
    p.addOption({u"collective-timeout"_s,
                 u"Seconds to wait for a lost worker; 0: for ever (default: 120)."_s, u"S"_s});
    p.addOption({u"set"_s,
                 u"Any setting of the recipe by its path, several values with commas: "
                 "schedule.base_lr=0.1,0.2; options.overlap=on,off. WORKLOAD:PATH=… for one "
                 "workload only. Repeatable."_s,
                 u"PATH=V,…"_s});
    p.addOption({u"olympic"_s, u"Five repeats; the best and the worst do not count."_s});
    p.addOption(
        {u"max-minutes"_s, u"Begin no further run after so many minutes of runs."_s, u"N"_s});
    p.addOption({u"stop-after-target"_s,
                 u"Begin no further run of a workload once one has reached its target."_s});
    p.addOption({u"name"_s, u"Name of the study."_s, u"NAME"_s});
}

namespace {

/// Reads options into the spec; keeps the first thing that is wrong.
class SpecReader
{
public:
    explicit SpecReader(const CommandParser& parser) : m_parser(parser) {}

    Result<StudySpec> read()
    {
        const QStringList words = m_parser.positionalArguments();
        if (words.size() != 1)
            return Failure{u"usage"_s,
                           words.isEmpty()
                               ? u"Which workload? Known: %1; several with commas, or "
                                 "\"all\"."_s.arg(WorkloadCatalog::instance().ids().join(u", "_s))
                               : u"\"%1\" is one word too many."_s.arg(words[1])};
        checkOptionsOnce();
        text(u"scale"_s, m_spec.scale);
        readWorkloads(words.first());
        text(u"device"_s, m_spec.device);
        list(u"precision"_s, [this](const QStringList& items) { m_spec.precisions = items; });
        list(u"workers"_s, [this](const QStringList& items) {
            m_spec.workers.clear();
            for (const QString& item : items)
                m_spec.workers << int(whole(u"workers"_s, item));
        });
        text(u"machine"_s, m_spec.machine);
        if (isSet(u"workers"_s) && isSet(u"shapes"_s))
            fail(u"Give one of --workers and --shapes: a shape says how many workers there are."_s);
        readShapes();
        text(u"order"_s, m_spec.order);
        number(u"retries"_s, m_spec.retries);
        m_spec.exclusive = !isSet(u"concurrent"_s);
        text(u"data"_s, m_spec.data);
        atLeastOne(u"epochs"_s, m_spec.epochs);
        readTarget();
        text(u"batch-policy"_s, m_spec.batchPolicy);
        readBatch();
        text(u"model"_s, m_spec.model);
        if (isSet(u"lr"_s))
            m_spec.learningRate = decimal(u"lr"_s);
        if (isSet(u"seed"_s)) {
            const qint64 seed = whole(u"seed"_s, value(u"seed"_s), qint64{1} << 53);
            if (seed < 0)
                fail(u"--seed must not be negative."_s);
            m_spec.seed = quint64(seed);
        }
        if (isSet(u"olympic"_s) && isSet(u"repeats"_s))
            fail(u"--olympic is --repeats 5; give one of them."_s);
        m_spec.repeats = isSet(u"olympic"_s) ? 5 : 1;
        number(u"repeats"_s, m_spec.repeats);
        atLeastOne(u"max-minutes"_s, m_spec.maxMinutes);
        m_spec.stopAfterTarget = isSet(u"stop-after-target"_s);
        atLeastOne(u"threads"_s, m_spec.threadsPerWorker);
        m_spec.oversubscribe = isSet(u"oversubscribe"_s);
        m_spec.options.syncBn = isSet(u"sync-bn"_s);
        m_spec.options.overlap = isSet(u"overlap"_s);
        number(u"bucket-mb"_s, m_spec.options.bucketMb);
        number(u"grad-accum"_s, m_spec.options.gradAccum);
        text(u"allreduce"_s, m_spec.options.allreduce);
        readSwitches(m_spec.options);
        text(u"name"_s, m_spec.name);
        if (isSet(u"hot-rows"_s))
            readSetting(u"options.hot_rows=%1"_s.arg(whole(u"hot-rows"_s, value(u"hot-rows"_s))));
        for (const QString& setting : m_parser.values(u"set"_s))
            readSetting(setting);
        if (!m_failure && !m_permuted.isEmpty())
            permute();
        return m_failure ? Result<StudySpec>(*m_failure) : m_spec;
    }

private:
    /// "resnet", "resnet,ncf", "all"; "resnet:lab" is one at a scale of its own.
    void readWorkloads(const QString& word)
    {
        const QStringList names =
            word == "all"_L1 ? WorkloadCatalog::instance().ids() : word.split(u',');
        if (names.size() > 1 && names.contains(u"all"_s))
            fail(u"\"all\" is every workload already: give it alone, or name them."_s);
        for (const QString& name : names) {
            const WorkloadPlan plan{name.section(u':', 0, 0).trimmed(), name.section(u':', 1)};
            if (plan.workload.isEmpty())
                fail(u"\"%1\" has an empty name between its commas."_s.arg(word));
            m_spec.workloads << plan;
        }
        m_spec.workload = m_spec.workloads.first().workload;
        if (m_spec.workloads.size() > 1) {
            m_spec.precisions.clear();
            return;
        }
        if (!m_spec.workloads.first().scale.isEmpty())
            m_spec.scale = m_spec.workloads.first().scale;
        m_spec.workloads.clear();
        m_spec.precisions = defaultPrecisions(m_spec.workload, m_spec.scale);
    }

    /// Of two values for one option the parser would keep the last, in silence.
    void checkOptionsOnce()
    {
        const QStringList given = m_parser.optionNames();
        for (const QString& option : given) {
            // Asking a flag for its values is complained of by Qt 6.8 (Debian 13).
            if (option == "set"_L1 || given.count(option) < 2 || m_parser.values(option).size() < 2)
                continue;
            const auto isOfOption = [&](const Dimension& d) { return d.option == option; };
            const QList<Dimension>& known = knownDimensions();
            const auto path = std::find_if(known.begin(), known.end(), isOfOption);
            fail(u"--%1 is given twice; give it once%2."_s.arg(
                option, path == known.end()
                            ? QString()
                            : u", or --set %1=V,V for runs of several values"_s.arg(path->path)));
        }
    }

    /// Whether the option that says the same as a path was given.
    bool isSaid(const QString& path) const
    {
        const Dimension* known = findDimension(path);
        return known && m_parser.optionNames().contains(known->option);
    }

    /// "schedule.base_lr=0.1,0.2", "ncf:epochs=3", "model.top=[512,256],[256]".
    void readSetting(const QString& text)
    {
        const QString left = text.section(u'=', 0, 0).trimmed();
        const QString right = text.section(u'=', 1);
        const QString path = left.section(u':', -1);
        if (!text.contains(u'=') || path.isEmpty() || right.trimmed().isEmpty())
            return fail(u"--set takes PATH=VALUE,…, for example schedule.base_lr=0.1,0.2; \"%1\" "
                        "is none."_s.arg(text));
        Settings* settings = &m_spec.settings;
        if (const QString only = left.section(u':', 0, -2); !only.isEmpty()) {
            const auto it =
                std::find_if(m_spec.workloads.begin(), m_spec.workloads.end(),
                             [&](const WorkloadPlan& plan) { return plan.workload == only; });
            if (it == m_spec.workloads.end())
                return fail(u"--set %1: \"%2\" is none of this study's several workloads."_s.arg(
                    text, only));
            settings = &it->settings;
        }
        if (settings->contains(path) || isSaid(path))
            return fail(u"--set %1: \"%2\" is given twice; put all its values into one list."_s.arg(
                text, path));
        QList<QJsonValue> values;
        for (const QString& item : valuesInText(right)) {
            const QJsonValue value = valueFromText(path, item);
            if (item.isEmpty())
                return fail(u"--set %1 has an empty value between its commas."_s.arg(text));
            if (values.contains(value))
                return fail(u"--set %1 has the value %2 twice; use --repeats for several runs of "
                            "it."_s.arg(text, item));
            values << value;
        }
        settings->insert(path, values);
        if (path == "precision"_L1)
            m_spec.precisions.clear();
    }

    void readSwitches(RunOptions& o)
    {
        o.shardOptimizer = isSet(u"shard-optimizer"_s);
        o.asyncEval = isSet(u"async-eval"_s);
        o.packSequences = isSet(u"pack-sequences"_s);
        o.alignBatch = isSet(u"align-batch"_s);
        o.cudaGraphs = isSet(u"cuda-graphs"_s);
        o.autotune = !isSet(u"no-autotune"_s);
        if (!o.autotune && isSet(u"autotune"_s))
            fail(u"--autotune and --no-autotune contradict each other."_s);
        o.fusedOptimizer = onUnlessOff(u"fused-optimizer"_s);
        o.bindThreads = onUnlessOff(u"bind-threads"_s);
        number(u"checkpoint-every"_s, o.checkpointEvery);
        number(u"collective-timeout"_s, o.collectiveTimeoutS);
    }

    bool isSet(const QString& option) const { return m_parser.isSet(option); }
    QString value(const QString& option) const { return m_parser.value(option); }
    void fail(const Failure& failure)
    {
        if (!m_failure)
            m_failure = failure;
    }
    void fail(const QString& message) { fail(Failure{u"usage"_s, message}); }
    bool onUnlessOff(const QString& option)
    {
        const QString chosen = isSet(option) ? value(option) : u"on"_s;
        if (chosen != "on"_L1 && chosen != "off"_L1)
            fail(u"--%1 takes on or off, not \"%2\"."_s.arg(option, chosen));
        return chosen == "on"_L1;
    }
    void text(const QString& option, QString& to)
    {
        if (isSet(option))
            to = value(option);
    }
    qint64 whole(const QString& option, const QString& text, qint64 most = 2'000'000'000)
    {
        bool ok = false;
        const qint64 n = text.trimmed().toLongLong(&ok);
        if (!ok || std::abs(n) > most)
            fail(u"--%1 takes whole numbers%2; \"%3\" is none."_s.arg(
                option, ok ? u" up to %1"_s.arg(most) : QString(), text));
        return n;
    }
    double decimal(const QString& option)
    {
        bool ok = false;
        const double x = value(option).toDouble(&ok);
        if (!ok || !qIsFinite(x))
            fail(u"--%1 takes a number; \"%2\" is none."_s.arg(option, value(option)));
        return x;
    }
    void number(const QString& option, int& to)
    {
        if (isSet(option))
            to = int(whole(option, value(option)));
    }
    void atLeastOne(const QString& option, int& to)
    {
        number(option, to);
        if (isSet(option) && to < 1)
            fail(u"--%1 must be at least 1."_s.arg(option));
    }
    void list(const QString& option, const std::function<void(const QStringList&)>& take)
    {
        if (!isSet(option))
            return;
        QStringList items;
        for (const QString& item : value(option).split(u','))
            items << item.trimmed();
        take(items);
    }
    void readShapes()
    {
        for (const QString& item :
             isSet(u"shapes"_s) ? value(u"shapes"_s).split(u',') : QStringList()) {
            if (item.startsWith("all:"_L1)) {
                const int workers = int(whole(u"shapes"_s, item.mid(4)));
                if (workers < 1)
                    return fail(u"--shapes all:N needs at least 1 worker."_s);
                m_permuted << workers;
                continue;
            }
            const std::optional<Shape> shape = Shape::fromText(item);
            if (!shape)
                return fail(
                    u"--shapes takes nodes x workers per node such as 2x4, or all:8; \"%1\" "
                    "is none."_s.arg(item));
            m_spec.shapes << *shape;
        }
    }
    void readTarget()
    {
        if (value(u"target"_s) == "none"_L1)
            m_spec.noTarget = true;
        else if (isSet(u"target"_s))
            m_spec.target = decimal(u"target"_s);
    }
    void readBatch()
    {
        if (!isSet(u"batch"_s))
            return;
        if (m_spec.batchPolicy != "table"_L1) {
            atLeastOne(u"batch"_s, m_spec.globalBatch);
            return;
        }
        for (const QString& item : value(u"batch"_s).split(u',')) {
            if (item.count(u':') != 1)
                return fail(u"With --batch-policy table, --batch takes WORKERS:BATCH pairs such as "
                            "1:128,2:256; \"%1\" is none."_s.arg(item));
            const int workers = int(whole(u"batch"_s, item.section(u':', 0, 0)));
            if (m_spec.batchTable.contains(workers))
                return fail(u"--batch has a batch for %1 workers twice."_s.arg(workers));
            m_spec.batchTable.insert(workers, int(whole(u"batch"_s, item.section(u':', 1))));
        }
    }

    /// all:N needs the machine's hosts.
    void permute()
    {
        const Result<PlanTarget> target = planTarget(m_spec.machine);
        if (!target)
            return fail(target.failure());
        for (const int workers : m_permuted) {
            const Result<QList<Shape>> every = shapesOn(target.value().info, m_spec, workers);
            if (!every)
                return fail(every.failure());
            for (const Shape& shape : every.value())
                if (!m_spec.shapes.contains(shape))
                    m_spec.shapes << shape;
        }
    }

    QList<int> m_permuted; ///< worker counts whose every shape is wanted
    const CommandParser& m_parser;
    StudySpec m_spec;
    std::optional<Failure> m_failure;
};

} // namespace

Result<StudySpec> readRunOptions(const CommandParser& parser)
{
    return SpecReader(parser).read();
}

} // namespace scalebench::cli
