// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/dimensions.h"

#include "base/host_names.h"
#include "base/json_fields.h"
#include "base/per_language.h"
#include "base/plain_text.h"
#include "base/translated.h"
#include "study/recipe_reader.h"
#include "study/study_spec.h"
#include "study/workload_catalog.h"

#include <QJsonDocument>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {
using Kind = Dimension::Kind;

template <class T>
T valueOf(const QJsonValue& v)
{
    if constexpr (std::is_same_v<T, bool>)
        return v.toBool();
    else if constexpr (std::is_same_v<T, int>)
        return v.toInt();
    else if constexpr (std::is_same_v<T, QString>)
        return v.toString();
    else if constexpr (std::is_same_v<T, QStringList>)
        return {v.toString()};
    else
        return v.toDouble(); // std::optional<double>
}

/// A field of the study itself, and of a workload's own entry where that has one.
template <auto field>
Dimension ofStudy(Dimension d, const QString& studyKey, const QString& option)
{
    using T = std::remove_cvref_t<decltype(std::declval<StudySpec&>().*field)>;
    d.studyKey = studyKey;
    d.option = option;
    d.apply = [](StudySpec& s, const QJsonValue& v) { s.*field = valueOf<T>(v); };
    d.clear = [](StudySpec& s) { s.*field = StudySpec().*field; };
    return d;
}

template <auto field, auto own>
Dimension ofWorkload(Dimension d, const QString& studyKey, const QString& option)
{
    d = ofStudy<field>(d, studyKey, option);
    d.clearOwn = [](WorkloadPlan& plan) { plan.*own = WorkloadPlan().*own; };
    return d;
}

/// A member of RunOptions, whose name in study.json, run.json and on the command line is one.
template <auto member>
Dimension ofOptions(Dimension d)
{
    using T = std::remove_cvref_t<decltype(std::declval<RunOptions&>().*member)>;
    d.studyKey = d.path;
    d.option = d.path.section(u'.', -1).replace(u'_', u'-');
    d.apply = [](StudySpec& s, const QJsonValue& v) { s.options.*member = valueOf<T>(v); };
    d.clear = [](StudySpec& s) { s.options.*member = RunOptions().*member; };
    return d;
}

template <auto member>
Dimension flag(const QString& key, const QString& title)
{
    return ofOptions<member>({u"options."_s + key, title, key, Kind::Flag, 0, 0, {}});
}

Dimension onlyIn(const QString& device, Dimension d)
{
    d.onlyDevice = device;
    return d;
}

Dimension byWorkload(Dimension d)
{
    d.byWorkload = true;
    return d;
}

template <auto member>
Dimension option(const QString& key, const QString& title, double least, double most,
                 const QString& unit = {})
{
    return ofOptions<member>({u"options."_s + key, title, key, Kind::Whole, least, most, {}, unit});
}

Dimension word(const QString& path, const QString& title, const QString& key,
               const QStringList& words = {})
{
    return {path, title, key, Kind::Word, 0, 0, words};
}

Dimension whole(const QString& path, const QString& title, const QString& key, double least,
                double most, const QString& unit = {})
{
    return {path, title, key, Kind::Whole, least, most, {}, unit};
}

Dimension number(const QString& path, const QString& title, const QString& key, double least,
                 double most)
{
    return {path, title, key, Kind::Number, least, most, {}};
}

Dimension precision()
{
    Dimension d = ofWorkload<&StudySpec::precisions, &WorkloadPlan::precisions>(
        word(u"precision"_s, Launcher::tr("Precision"), u"precision"_s,
             {u"fp32"_s, u"bf16"_s, u"fp16"_s}),
        u"precisions"_s, u"precision"_s);
    d.clear = [](StudySpec& s) { s.precisions.clear(); }; // the recipe's
    return d;
}

/// Two fields say it: a value, or that there is none.
Dimension target()
{
    Dimension d = number(u"target"_s, Launcher::tr("Target"), u"target"_s, 0, 1e6);
    d.studyKey = d.option = u"target"_s;
    d.apply = [](StudySpec& s, const QJsonValue& v) { s.target = v.toDouble(); };
    d.clear = [](StudySpec& s) {
        s.target.reset();
        s.noTarget = false;
    };
    d.clearOwn = [](WorkloadPlan& plan) {
        plan.target.reset();
        plan.noTarget = false;
    };
    return d;
}

Dimension collectiveTimeout()
{
    Dimension d = option<&RunOptions::collectiveTimeoutS>(
        u"collective_timeout_s"_s, Launcher::tr("Time-out of a collective"), 0, 86'400, u"s"_s);
    d.option = u"collective-timeout"_s;
    return d;
}

QList<Dimension> makeTable()
{
    using S = StudySpec;
    using W = WorkloadPlan;
    using O = RunOptions;
    return {
        precision(),
        ofWorkload<&S::batchPolicy, &W::batchPolicy>(word(u"batch_policy"_s,
                                                          Launcher::tr("Batch policy"), u"policy"_s,
                                                          {u"strong"_s, u"weak"_s, u"table"_s}),
                                                     u"batch_policy"_s, u"batch-policy"_s),
        ofWorkload<&S::globalBatch, &W::globalBatch>(
            whole(u"global_batch"_s, Launcher::tr("Batch"), u"batch"_s, 1, 1e8), u"global_batch"_s,
            u"batch"_s),
        ofWorkload<&S::epochs, &W::epochs>(
            whole(u"epochs"_s, Launcher::tr("Epochs at most"), u"epochs"_s, 1, 100'000),
            u"epochs"_s, u"epochs"_s),
        target(),
        ofStudy<&S::threadsPerWorker>(whole(u"threads_per_worker"_s,
                                            Launcher::tr("Threads per worker"), u"threads"_s, 1,
                                            4096),
                                      u"threads_per_worker"_s, u"threads"_s),
        ofWorkload<&S::model, &W::model>(word(u"model.name"_s, Launcher::tr("Network"), u"model"_s),
                                         u"model"_s, u"model"_s),
        ofWorkload<&S::learningRate, &W::learningRate>(
            number(u"schedule.base_lr"_s, Launcher::tr("Learning rate"), u"lr"_s, 1e-12, 1e6),
            u"learning_rate"_s, u"lr"_s),
        byWorkload(flag<&O::syncBn>(u"sync_bn"_s, Launcher::tr("Synchronised batch norm"))),
        flag<&O::overlap>(u"overlap"_s, Launcher::tr("Overlap")),
        flag<&O::shardOptimizer>(u"shard_optimizer"_s, Launcher::tr("Optimizer state shared out")),
        flag<&O::fusedOptimizer>(u"fused_optimizer"_s, Launcher::tr("Fused optimizer")),
        onlyIn(u"cpu"_s,
               flag<&O::bindThreads>(u"bind_threads"_s, Launcher::tr("Threads bound to cores"))),
        flag<&O::asyncEval>(u"async_eval"_s, Launcher::tr("Evaluation beside training")),
        byWorkload(flag<&O::packSequences>(u"pack_sequences"_s, Launcher::tr("Packed sequences"))),
        flag<&O::alignBatch>(u"align_batch"_s, Launcher::tr("Aligned batch")),
        onlyIn(u"cuda"_s, flag<&O::cudaGraphs>(u"cuda_graphs"_s, Launcher::tr("CUDA graphs"))),
        onlyIn(u"cuda"_s, flag<&O::autotune>(u"autotune"_s, Launcher::tr("Autotuning"))),
        option<&O::bucketMb>(u"bucket_mb"_s, Launcher::tr("Bucket size"), 1, 4096, u"MB"_s),
        option<&O::gradAccum>(u"grad_accum"_s, Launcher::tr("Gradient accumulation"), 1, 1024),
        option<&O::checkpointEvery>(u"checkpoint_every"_s,
                                    Launcher::tr("Epochs between checkpoints"), 0, 1e6),
        collectiveTimeout(),
        ofOptions<&O::allreduce>(word(u"options.allreduce"_s, Launcher::tr("Gradient exchange"),
                                      u"allreduce"_s,
                                      {u"auto"_s, u"shm"_s, u"mpi"_s, u"nccl"_s, u"staged"_s})),
        byWorkload(
            whole(u"options.hot_rows"_s, Launcher::tr("Hot rows"), u"hot_rows"_s, 0, 1 << 30)),
        whole(u"options.input_threads"_s, Launcher::tr("Input threads"), u"input_threads"_s, 0,
              4096),
        whole(u"options.memory_limit_mb"_s, Launcher::tr("Memory limit"), u"memory_limit_mb"_s, 0,
              1e9, u"MB"_s),
        number(u"options.loss_scale"_s, Launcher::tr("Loss scale"), u"loss_scale"_s, -1, 1 << 30),
        number(u"optimizer.momentum"_s, Launcher::tr("Momentum"), u"momentum"_s, 0, 0.9999),
        number(u"optimizer.weight_decay"_s, Launcher::tr("Weight decay"), u"decay"_s, 0, 1),
        number(u"optimizer.label_smoothing"_s, Launcher::tr("Label smoothing"), u"smoothing"_s, 0,
               0.9),
        number(u"model.dropout"_s, Launcher::tr("Dropout"), u"dropout"_s, 0, 0.99),
    };
}

/// What a study says in its own words, not as a setting: how to give it instead.
const QMap<QString, QString>& ownWords()
{
    static PerLanguage<QMap<QString, QString>> words;
    return words.get([] {
        return QMap<QString, QString>{
            {u"workload"_s, Launcher::tr("name several workloads")},
            {u"scale"_s, Launcher::tr("give the study or its workload a scale")},
            {u"workers"_s, Launcher::tr("use the worker counts (--workers)")},
            {u"nodes"_s, Launcher::tr("use shapes (--shapes)")},
            {u"hosts"_s, Launcher::tr("choose a machine (--machine)")},
            {u"seed"_s, Launcher::tr("use repeats, each with the next seed (--repeats, --seed)")},
            {u"repeat"_s, Launcher::tr("use repeats (--repeats)")},
            {u"device"_s, Launcher::tr("make a study for each device (--device)")},
            {u"data.path"_s, Launcher::tr("give the data (--data)")},
            {u"data.source"_s, Launcher::tr("give the data (--data)")}};
    });
}

QString expected(const Dimension& d)
{
    switch (d.kind) {
    case Kind::Flag:
        return Launcher::tr("on or off");
    case Kind::Word:
        return d.words.isEmpty() ? Launcher::tr("a name")
                                 : Launcher::tr("one of %1").arg(d.words.join(u", "_s));
    case Kind::Whole:
    case Kind::Number:
        break;
    }
    return (d.kind == Kind::Whole ? Launcher::tr("a whole number from %1 to %2")
                                  : Launcher::tr("a number from %1 to %2"))
        .arg(d.least)
        .arg(d.most, 0, 'g', 10);
}

bool fits(const Dimension& d, const QJsonValue& value)
{
    const double x = value.toDouble();
    switch (d.kind) {
    case Kind::Flag:
        return value.isBool();
    case Kind::Word:
        return value.isString() && !value.toString().isEmpty() &&
               !hasControlCharacters(value.toString()) &&
               (d.words.isEmpty() || d.words.contains(value.toString()));
    case Kind::Whole:
        return value.isDouble() && std::floor(x) == x && x >= d.least && x <= d.most;
    case Kind::Number:
        return value.isDouble() && x >= d.least && x <= d.most;
    }
    return false;
}

bool sameType(const QJsonValue& a, const QJsonValue& b)
{
    if (a.type() != b.type())
        return false;
    const QJsonArray list = b.toArray(), like = a.toArray();
    return (!a.isString() || !hasControlCharacters(b.toString())) &&
           (like.isEmpty() || std::all_of(list.begin(), list.end(), [&](const QJsonValue& item) {
                return sameType(like.first(), item);
            }));
}

/// Lists as they are typed, long ones as "[40,60,80,…]".
QString described(const QJsonValue& value)
{
    constexpr qsizetype kMost = 60;
    if (!value.isArray())
        return describeJson(value);
    const QString text = visibleLine(
        QString::fromUtf8(QJsonDocument(value.toArray()).toJson(QJsonDocument::Compact)));
    const qsizetype cut = text.lastIndexOf(u',', kMost);
    return text.size() <= kMost ? text : text.left(cut > 0 ? cut : kMost) + u",…]"_s;
}

Failure invalid(const QString& path, const QString& allowed, const QJsonValue& value)
{
    return {u"value_invalid"_s,
            Launcher::tr("\"%1\" must be %2, found %3.").arg(path, allowed, described(value))};
}

/// " (did you mean "a" or "b"?)"; empty where nothing is near.
QString didYouMeanPath(const Workload& workload, const QString& path)
{
    const QStringList near = nearestPaths(workload, path);
    return near.isEmpty() ? QString()
                          : u' ' + Launcher::tr("(did you mean \"%1\"?)")
                                       .arg(near.join(u"\" %1 \""_s.arg(Launcher::tr("or"))));
}

Failure unknownPath(const Workload& workload, const QString& path)
{
    if (const QString instead = ownWords().value(path); !instead.isEmpty())
        return {u"path_unknown"_s,
                Launcher::tr("\"%1\" is not a setting of the recipe: %2.").arg(path, instead)};
    return {u"path_unknown"_s,
            Launcher::tr("%1 has no setting \"%2\"%3. \"scalebench workloads %1\" lists them.")
                .arg(workload.id, visibleLine(path.left(100)),
                     didYouMeanPath(workload, path.left(100)))};
}

} // namespace

const QList<Dimension>& knownDimensions()
{
    static PerLanguage<QList<Dimension>> tables;
    return tables.get(makeTable);
}

const Dimension* findDimension(const QString& path)
{
    const QList<Dimension>& table = knownDimensions();
    const auto it = std::find_if(table.begin(), table.end(),
                                 [&](const Dimension& d) { return d.path == path; });
    return it == table.end() ? nullptr : &*it;
}

bool makesDifference(const QString& path, const Workload& workload, const QString& device)
{
    const Dimension* known = findDimension(path);
    if (!known)
        return true;
    return (known->onlyDevice.isEmpty() || known->onlyDevice == device) &&
           (!known->byWorkload || workload.switches.contains(known->key));
}

QStringList wordsOn(const QString& path, const QString& device)
{
    static const QMap<QString, QString> onlyOn{{u"fp16"_s, u"cuda"_s},
                                               {u"nccl"_s, u"cuda"_s},
                                               {u"staged"_s, u"cuda"_s},
                                               {u"shm"_s, u"cpu"_s},
                                               {u"mpi"_s, u"cpu"_s}};
    const Dimension* known = findDimension(path);
    QStringList words = known ? known->words : QStringList();
    words.removeIf([&](const QString& word) { return onlyOn.value(word, device) != device; });
    return words;
}

QString dimensionTitle(const QString& path)
{
    const Dimension* known = findDimension(path);
    return known ? known->title : path;
}

QString dimensionKey(const QString& path)
{
    const Dimension* known = findDimension(path);
    return known ? known->key : path.section(u'.', -1);
}

QStringList pathsOf(const Workload& workload)
{
    QStringList paths;
    for (const Dimension& d : knownDimensions())
        if (!d.path.startsWith("model."_L1) || d.path == "model.name"_L1)
            paths << d.path;
    paths << recipePaths();
    for (const WorkloadScale& scale : workload.scales)
        for (const QString& part : {u"model"_s, u"data"_s})
            for (const QString& leaf : leavesOf(scale.preset.value(part).toObject()).keys())
                if (const QString path = part + u'.' + leaf; !ownWords().contains(path))
                    paths << path;
    paths.sort();
    paths.removeDuplicates();
    return paths;
}

Result<void> checkSetting(const Workload& workload, const QString& path, const QJsonValue& value)
{
    if (!pathsOf(workload).contains(path))
        return unknownPath(workload, path);
    if (const Dimension* known = findDimension(path))
        return fits(*known, value) ? Result<void>() : invalid(path, expected(*known), value);
    QString problem = recipeSettingProblem({}, path, value);
    for (const WorkloadScale& scale : workload.scales)
        if (const QJsonValue own = valueAt(scale.preset, path);
            problem.isEmpty() && !own.isUndefined() && !sameType(own, value))
            return invalid(path, Launcher::tr("like %1 of the recipe").arg(described(own)), value);
    if (problem.isEmpty())
        problem = recipeSettingProblem(workload.id, path, value);
    return problem.isEmpty() ? Result<void>() : Failure{u"value_invalid"_s, problem};
}

} // namespace scalebench
