// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_series.h"

#include "base/translated.h"
#include "study/dimensions.h"
#include "study/study_spec.h"

#include <QCoreApplication>
#include <QHash>
#include <QSet>

#include <algorithm>
#include <array>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Names of a run, and what a series runs along.
bool isIgnored(const QString& path)
{
    static const QSet<QString> ignored{u"format"_s,
                                       u"version"_s,
                                       u"study"_s,
                                       u"run_id"_s,
                                       u"seed"_s,
                                       u"repeat"_s,
                                       u"nodes"_s,
                                       u"workers"_s,
                                       u"hosts"_s,
                                       u"oversubscribed"_s,
                                       u"global_batch"_s,
                                       u"options.collective_timeout_s"_s,
                                       u"options.checkpoint_every"_s};
    return ignored.contains(path);
}

/// Weak and table: the rate grows with the batch.
bool followsBatch(const RunConfig& c)
{
    return (c.batchPolicy == "weak"_L1 || c.batchPolicy == "table"_L1) && c.globalBatch > 0 &&
           c.learningRate > 0;
}

/// Every path of the run but those a series runs along.
QMap<QString, QString> readParts(const RunConfig& c)
{
    QMap<QString, QString> parts;
    const QMap<QString, QJsonValue> leaves = leavesOf(c.json);
    for (auto it = leaves.begin(); it != leaves.end(); ++it)
        if (!isIgnored(it.key()))
            parts.insert(it.key(), exactText(it.value()));
    // Runs of an engine that did not know an option yet are compared with those of today.
    const QJsonObject options = RunOptions().toJson();
    for (auto it = options.begin(); c.json.contains("options"_L1) && it != options.end(); ++it)
        if (const QString path = u"options."_s + it.key();
            !isIgnored(path) && !parts.contains(path))
            parts.insert(path, exactText(it.value()));
    // What has no run.json, an imported result, has these.
    parts.insert(u"workload"_s, c.workload);
    parts.insert(u"scale"_s, c.scale);
    parts.insert(u"model.name"_s, c.model);
    parts.insert(u"device"_s, c.device);
    parts.insert(u"precision"_s, c.precision);
    parts.insert(u"batch_policy"_s, c.batchPolicy);
    parts.insert(u"data.source"_s, c.dataSource);
    parts.insert(u"threads_per_worker"_s, QString::number(c.threadsPerWorker));
    if (c.dataSource == "generated"_L1) // the same wherever it lies
        parts.remove(u"data.path"_s);
    // Their ratio is what was asked for.
    if (followsBatch(c))
        parts.insert(u"schedule.base_lr"_s,
                     QString::number(c.learningRate / c.globalBatch, 'g', 9));
    return parts;
}

/// The same, remembered: the window asks several times a second while many runs train.
QMap<QString, QString> partsOf(const RunConfig& c)
{
    struct Known {
        QJsonObject json; ///< compared by address first
        QStringList further;
        QMap<QString, QString> parts;
    };
    constexpr qsizetype kMostKnown = 4000;
    static thread_local QHash<QString, Known> known;
    const QStringList further{c.workload,
                              c.scale,
                              c.model,
                              c.device,
                              c.precision,
                              c.batchPolicy,
                              c.dataSource,
                              QString::number(c.threadsPerWorker),
                              QString::number(c.globalBatch),
                              QString::number(c.learningRate, 'g', 17)};
    if (const auto it = known.constFind(c.runId);
        it != known.cend() && it->further == further && it->json == c.json)
        return it->parts;
    if (known.size() >= kMostKnown)
        known.clear();
    return known.insert(c.runId, {c.json, further, readParts(c)})->parts;
}

QString keyOf(const QMap<QString, QString>& parts)
{
    QString key;
    for (auto it = parts.begin(); it != parts.end(); ++it)
        key += it.key() + u'=' + it.value() + u'\n';
    return key;
}

/// The system of an imported log, one for each size of it; a table's tells series apart anyway.
QString systemOfLog(const RunRecord& run)
{
    return run.origin.isEmpty() || !run.config.json.isEmpty()
               ? QString()
               : run.setup.value("system"_L1).toString();
}

/// The batch as the policy fixes it.
int fixedBatch(const RunConfig& c)
{
    return c.batchPolicy == "weak"_L1 ? c.globalBatch / std::max(1, c.workers) : c.globalBatch;
}

QString shownText(const QString& path, const QString& value)
{
    static const QSet<QString> bare{u"workload"_s,       u"scale"_s,        u"device"_s,
                                    u"precision"_s,      u"model.name"_s,   u"machine"_s,
                                    u"batch_policy"_s,   u"data.source"_s,  u"schedule.name"_s,
                                    u"optimizer.name"_s, u"origin"_s,       u"system"_s,
                                    u"table.series"_s,   u"table.system"_s, u"table.submitter"_s};
    if (path == "table.file"_L1) // without its checksum
        return value.section(u' ', 0, -2);
    if (bare.contains(path))
        return value;
    if (path == "threads_per_worker"_L1)
        return value == "1"_L1 ? Launcher::tr("1 thread") : Launcher::tr("%1 threads").arg(value);
    return (path == "batch"_L1 ? path : dimensionKey(path)) + u' ' + value;
}

/// Paths in the order in which a label names them.
QStringList orderedPaths(const QSet<QString>& paths)
{
    QStringList order{u"machine"_s,     u"model.name"_s,        u"device"_s,
                      u"precision"_s,   u"batch_policy"_s,      u"batch"_s,
                      u"data.source"_s, u"threads_per_worker"_s};
    for (const Dimension& d : knownDimensions())
        if (!order.contains(d.path))
            order << d.path;
    QStringList rest = paths.values();
    rest.sort();
    for (const QString& path : rest)
        if (!order.contains(path))
            order << path;
    order.removeIf([&](const QString& path) { return !paths.contains(path); });
    return order;
}

/// The path that may have brought this one along: a shorter run has shorter lengths, another
/// network settings of its own.
QString causeOf(const QString& path)
{
    static const QSet<QString> lengths{u"schedule.warmup"_s, u"schedule.warmup_epochs"_s,
                                       u"schedule.milestones"_s, u"schedule.decay_start"_s,
                                       u"schedule.decay_length"_s};
    if (lengths.contains(path))
        return u"epochs"_s;
    for (const QString& cause : {u"model.name"_s, u"data.source"_s})
        if (path != cause && path.startsWith(cause.section(u'.', 0, 0) + u'.'))
            return cause;
    return {};
}

} // namespace

QString precisionText(const RunRecord& run)
{
    const QString computed = run.setup.value("compute_precision"_L1).toString();
    if (computed.isEmpty() || computed == run.config.precision)
        return run.config.precision;
    return Launcher::tr("%1 (computed in %2)").arg(run.config.precision, computed);
}

RunSeries::RunSeries(const QList<RunRecord>& runs)
{
    QList<QMap<QString, QString>> parts;
    QStringList keys;
    // A precision is what was computed; a run that has not begun is taken to do as the others.
    QMap<QString, QString> computed;
    for (const RunRecord& run : runs)
        if (const QString text = precisionText(run);
            text != run.config.precision && run.state != RunState::Unreadable)
            computed.insert(run.config.precision, text);
    // Series, place: where one place ran with several batches or on several systems, these differ.
    QMap<QString, QMap<QString, QSet<int>>> batches;
    QMap<QString, QMap<QString, QSet<QString>>> systems;
    for (const RunRecord& run : runs) {
        if (run.state == RunState::Unreadable) {
            parts << QMap<QString, QString>();
            keys << QString();
            continue;
        }
        parts << partsOf(run.config);
        if (!run.origin.isEmpty()) // what others measured is never averaged with own runs
            parts.last().insert(u"origin"_s, run.origin);
        if (run.setup.isEmpty() && computed.contains(run.config.precision))
            parts.last().insert(u"precision"_s, computed.value(run.config.precision));
        else
            parts.last().insert(u"precision"_s, precisionText(run));
        keys << keyOf(parts.last());
        const RunConfig& c = run.config;
        const QString place = u"%1x%2"_s.arg(c.nodes).arg(c.workers);
        if (c.globalBatch > 0) // told
            batches[keys.last()][place] << c.globalBatch;
        if (const QString system = systemOfLog(run); !system.isEmpty())
            systems[keys.last()][place] << system;
    }
    QMap<QString, int> known;
    for (int i = 0; i < runs.size(); ++i) {
        if (runs[i].state == RunState::Unreadable) {
            m_seriesOf << -1;
            continue;
        }
        const RunConfig& config = runs[i].config;
        const QString key = keys[i];
        if (systems[key].value(u"%1x%2"_s.arg(config.nodes).arg(config.workers)).size() > 1) {
            parts[i].insert(u"system"_s, systemOfLog(runs[i]));
            keys[i] += u"system="_s + systemOfLog(runs[i]);
        }
        const auto& places = batches[key];
        const bool several = std::any_of(places.begin(), places.end(),
                                         [](const QSet<int>& set) { return set.size() > 1; });
        if (several && runs[i].config.batchPolicy != "table"_L1 && runs[i].config.globalBatch > 0) {
            const QString batch = QString::number(fixedBatch(runs[i].config));
            parts[i].insert(u"batch"_s, batch);
            keys[i] += u"batch="_s + batch;
        }
        if (!known.contains(keys[i])) {
            known.insert(keys[i], int(m_series.size()));
            Series series{parts[i], parts[i], 0, {}, {}, {}};
            if (runs[i].config.learningRate > 0)
                series.shown.insert(u"schedule.base_lr"_s,
                                    valueText({}, runs[i].config.learningRate));
            if (followsBatch(runs[i].config))
                series.rateBatch = runs[i].config.globalBatch;
            m_series << series;
        }
        m_seriesOf << known.value(keys[i]);
    }
    nameSeries();
}

const RunSeries::Series& RunSeries::at(int series) const
{
    static const Series none{};
    return series < 0 ? none : m_series[series];
}

void RunSeries::nameSeries()
{
    const QString workload = u"workload"_s, scale = u"scale"_s;
    QMap<QString, QSet<QString>> scalesOf;
    for (const Series& s : std::as_const(m_series))
        scalesOf[s.parts.value(workload)] << s.parts.value(scale);
    const bool workloads = scalesOf.size() > 1;
    // Of one workload and scale, the paths in which its series differ.
    QMap<QString, QList<const Series*>> groups;
    const auto groupOf = [&](const Series& s) {
        return s.parts.value(workload) + u'\n' + s.parts.value(scale);
    };
    for (const Series& s : std::as_const(m_series))
        groups[groupOf(s)] << &s;
    QMap<QString, QStringList> differing;
    for (auto it = groups.begin(); it != groups.end(); ++it) {
        QMap<QString, QSet<QString>> values;
        QSet<QString> paths;
        for (const Series* s : it.value())
            for (const QString& path : s->parts.keys())
                paths << path;
        for (const Series* s : it.value())
            for (const QString& path : std::as_const(paths))
                values[path] << s->parts.value(path);
        paths.removeIf([&](const QString& path) { return values[path].size() < 2; });
        // What its cause tells already need not be said.
        const auto isTold = [&](const QString& path) {
            const QString cause = causeOf(path);
            QMap<QString, QSet<QString>> by;
            for (const Series* s : it.value())
                by[s->parts.value(cause)] << s->parts.value(path);
            return paths.contains(cause) &&
                   std::all_of(by.begin(), by.end(),
                               [](const QSet<QString>& set) { return set.size() == 1; });
        };
        QStringList named = orderedPaths(paths);
        named.removeIf(isTold);
        differing.insert(it.key(), named);
        for (const QString& path : orderedPaths(paths))
            if (!m_differing.contains(path))
                m_differing << path;
    }
    QList<std::array<QString, 3>> names;
    for (const Series& s : std::as_const(m_series)) {
        QStringList label;
        if (scalesOf[s.parts.value(workload)].size() > 1)
            label << s.parts.value(scale);
        for (const QString& path : differing.value(groupOf(s)))
            if (s.shown.contains(path))
                label << shownText(path, s.shown.value(path));
        const QString variant = label.join(u", "_s);
        if (workloads)
            label.prepend(s.parts.value(workload));
        const QString text = label.join(u", "_s);
        names << std::array{text, variant, text.isEmpty() ? s.parts.value(u"precision"_s) : text};
    }
    for (int i = 0; i < names.size(); ++i) {
        m_series[i].difference = names[i][0];
        m_series[i].variant = names[i][1];
        m_series[i].label = names[i][2];
    }
    tellNamesakesApart();
}

void RunSeries::addToNames(int series, const QString& text)
{
    Series& s = m_series[series];
    for (QString* name : {&s.difference, &s.variant, &s.label})
        *name += (name->isEmpty() ? QString() : u" "_s) + text;
}

QMap<QString, QList<int>> RunSeries::byLabel() const
{
    QMap<QString, QList<int>> series;
    for (int i = 0; i < m_series.size(); ++i)
        series[m_series[i].label] << i;
    return series;
}

/// Charts and tables know a series by its label. Two may show the same: a rate that follows the
/// batch is told at its first run, and files of two folders may have one name.
void RunSeries::tellNamesakesApart()
{
    for (const QList<int>& same : byLabel())
        for (const int series : same)
            if (same.size() > 1 && m_series[series].rateBatch > 0)
                addToNames(series, Launcher::tr("at batch %1").arg(m_series[series].rateBatch));
    for (const QList<int>& same : byLabel())
        for (qsizetype k = 1; k < same.size(); ++k)
            addToNames(same[k], u"(%1)"_s.arg(k + 1));
}

} // namespace scalebench
