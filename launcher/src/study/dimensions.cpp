// SPDX-License-Identifier: GPL-3.0-or-later
#include "launcher/dimensions.h"

#include "json_fields.h"
#include "launcher/plain_text.h"
#include "launcher/study_spec.h"
#include "launcher/workload_catalog.h"
#include "machines/host_names.h"
#include "recipes/recipe_reader.h"

#include <algorithm>
#include <cmath>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

using Kind = Dimension::Kind;

template <auto member>
void setFlag(StudySpec& s, const QJsonValue& v)
{
    s.options.*member = v.toBool();
}

template <auto member>
void setWhole(StudySpec& s, const QJsonValue& v)
{
    s.*member = v.toInt();
}

template <auto member>
void setOption(StudySpec& s, const QJsonValue& v)
{
    s.options.*member = v.toInt();
}

template <auto member>
void setText(StudySpec& s, const QJsonValue& v)
{
    s.*member = v.toString();
}

Dimension flag(const char* name, const QString& title, void (*apply)(StudySpec&, const QJsonValue&))
{
    const QString key = QString::fromLatin1(name);
    return {u"options."_s + key, title, key, Kind::Flag, 0, 0, {}, {}, u"options."_s + key, apply};
}

Dimension option(const char* name, const QString& title, double least, double most,
                 const QString& unit, void (*apply)(StudySpec&, const QJsonValue&))
{
    const QString key = QString::fromLatin1(name);
    return {u"options."_s + key, title, key, Kind::Whole, least, most, {}, unit,
            u"options."_s + key, apply};
}

Dimension number(const QString& path, const QString& title, const QString& key, double least,
                 double most)
{
    return {path, title, key, Kind::Number, least, most, {}};
}

QList<Dimension> makeTable()
{
    return {
        {u"precision"_s,
         u"Precision"_s,
         u"precision"_s,
         Kind::Word,
         0,
         0,
         {u"fp32"_s, u"bf16"_s, u"fp16"_s},
         {},
         u"precisions"_s,
         [](StudySpec& s, const QJsonValue& v) { s.precisions = {v.toString()}; }},
        {u"batch_policy"_s,
         u"Batch policy"_s,
         u"policy"_s,
         Kind::Word,
         0,
         0,
         {u"strong"_s, u"weak"_s, u"table"_s},
         {},
         u"batch_policy"_s,
         setText<&StudySpec::batchPolicy>},
        {u"global_batch"_s,
         u"Batch"_s,
         u"batch"_s,
         Kind::Whole,
         1,
         1e8,
         {},
         {},
         u"global_batch"_s,
         setWhole<&StudySpec::globalBatch>},
        {u"epochs"_s,
         u"Epochs at most"_s,
         u"epochs"_s,
         Kind::Whole,
         1,
         100'000,
         {},
         {},
         u"epochs"_s,
         setWhole<&StudySpec::epochs>},
        {u"target"_s,
         u"Target"_s,
         u"target"_s,
         Kind::Number,
         0,
         1e6,
         {},
         {},
         u"target"_s,
         [](StudySpec& s, const QJsonValue& v) { s.target = v.toDouble(); }},
        {u"threads_per_worker"_s,
         u"Threads per worker"_s,
         u"threads"_s,
         Kind::Whole,
         1,
         4096,
         {},
         {},
         u"threads_per_worker"_s,
         setWhole<&StudySpec::threadsPerWorker>},
        {u"model.name"_s,
         u"Network"_s,
         u"model"_s,
         Kind::Word,
         0,
         0,
         {},
         {},
         u"model"_s,
         setText<&StudySpec::model>},
        {u"schedule.base_lr"_s,
         u"Learning rate"_s,
         u"lr"_s,
         Kind::Number,
         1e-12,
         1e6,
         {},
         {},
         u"learning_rate"_s,
         [](StudySpec& s, const QJsonValue& v) { s.learningRate = v.toDouble(); }},
        flag("sync_bn", u"Synchronised batch norm"_s, setFlag<&RunOptions::syncBn>),
        flag("overlap", u"Overlap"_s, setFlag<&RunOptions::overlap>),
        flag("shard_optimizer", u"Optimizer state shared out"_s,
             setFlag<&RunOptions::shardOptimizer>),
        flag("fused_optimizer", u"Fused optimizer"_s, setFlag<&RunOptions::fusedOptimizer>),
        flag("async_eval", u"Evaluation beside training"_s, setFlag<&RunOptions::asyncEval>),
        flag("pack_sequences", u"Packed sequences"_s, setFlag<&RunOptions::packSequences>),
        flag("align_batch", u"Aligned batch"_s, setFlag<&RunOptions::alignBatch>),
        flag("cuda_graphs", u"CUDA graphs"_s, setFlag<&RunOptions::cudaGraphs>),
        flag("autotune", u"Autotuning"_s, setFlag<&RunOptions::autotune>),
        option("bucket_mb", u"Bucket size"_s, 1, 4096, u"MB"_s, setOption<&RunOptions::bucketMb>),
        option("grad_accum", u"Gradient accumulation"_s, 1, 1024, {},
               setOption<&RunOptions::gradAccum>),
        option("checkpoint_every", u"Epochs between checkpoints"_s, 0, 1e6, {},
               setOption<&RunOptions::checkpointEvery>),
        option("collective_timeout_s", u"Time-out of a collective"_s, 0, 86'400, u"s"_s,
               setOption<&RunOptions::collectiveTimeoutS>),
        {u"options.allreduce"_s,
         u"Gradient exchange"_s,
         u"allreduce"_s,
         Kind::Word,
         0,
         0,
         {u"auto"_s, u"shm"_s, u"mpi"_s, u"nccl"_s, u"staged"_s},
         {},
         u"options.allreduce"_s,
         [](StudySpec& s, const QJsonValue& v) { s.options.allreduce = v.toString(); }},
        {u"options.input_threads"_s,
         u"Input threads"_s,
         u"input_threads"_s,
         Kind::Whole,
         0,
         4096,
         {}},
        {u"options.memory_limit_mb"_s,
         u"Memory limit"_s,
         u"memory_limit_mb"_s,
         Kind::Whole,
         0,
         1e9,
         {},
         u"MB"_s},
        {u"options.loss_scale"_s, u"Loss scale"_s, u"loss_scale"_s, Kind::Number, -1, 1 << 30, {}},
        number(u"optimizer.momentum"_s, u"Momentum"_s, u"momentum"_s, 0, 0.9999),
        number(u"optimizer.weight_decay"_s, u"Weight decay"_s, u"decay"_s, 0, 1),
        number(u"optimizer.label_smoothing"_s, u"Label smoothing"_s, u"smoothing"_s, 0, 0.9),
        number(u"model.dropout"_s, u"Dropout"_s, u"dropout"_s, 0, 0.99),
    };
}

/// What a study says in its own words, not as a setting: how to give it instead.
const QMap<QString, QString>& ownWords()
{
    static const QMap<QString, QString> words{
        {u"workload"_s, u"name several workloads"_s},
        {u"scale"_s, u"give the study or its workload a scale"_s},
        {u"workers"_s, u"use the worker counts (--workers)"_s},
        {u"nodes"_s, u"use shapes (--shapes)"_s},
        {u"hosts"_s, u"choose a machine (--machine)"_s},
        {u"seed"_s, u"use repeats, each with the next seed (--repeats, --seed)"_s},
        {u"repeat"_s, u"use repeats (--repeats)"_s},
        {u"device"_s, u"make a study for each device (--device)"_s},
        {u"data.path"_s, u"give the data (--data)"_s},
        {u"data.source"_s, u"give the data (--data)"_s}};
    return words;
}

QString expected(const Dimension& d)
{
    switch (d.kind) {
    case Kind::Flag:
        return u"on or off"_s;
    case Kind::Word:
        return d.words.isEmpty() ? u"a name"_s : u"one of "_s + d.words.join(u", "_s);
    case Kind::Whole:
    case Kind::Number:
        break;
    }
    return u"%1 from %2 to %3"_s.arg(d.kind == Kind::Whole ? u"a whole number"_s : u"a number"_s)
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
    return a.type() == b.type() && (!a.isString() || !hasControlCharacters(b.toString()));
}

Failure invalid(const QString& path, const QString& allowed, const QJsonValue& value)
{
    return {u"value_invalid"_s,
            u"\"%1\" must be %2, found %3."_s.arg(path, allowed, describeJson(value))};
}

Failure unknownPath(const Workload& workload, const QString& path)
{
    if (const QString instead = ownWords().value(path); !instead.isEmpty())
        return {u"path_unknown"_s,
                u"\"%1\" is not a setting of the recipe: %2."_s.arg(path, instead)};
    return {u"path_unknown"_s,
            u"%1 has no setting \"%2\"%3. \"scalebench workloads %1\" lists them."_s.arg(
                workload.id, visibleLine(path.left(100)),
                didYouMean(path.left(100), pathsOf(workload)))};
}

} // namespace

const QList<Dimension>& knownDimensions()
{
    static const QList<Dimension> table = makeTable();
    return table;
}

const Dimension* findDimension(const QString& path)
{
    const QList<Dimension>& table = knownDimensions();
    const auto it = std::find_if(table.begin(), table.end(),
                                 [&](const Dimension& d) { return d.path == path; });
    return it == table.end() ? nullptr : &*it;
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

QString valueText(const QString& path, const QJsonValue& value)
{
    if (value.isBool())
        return value.toBool() ? u"on"_s : u"off"_s;
    if (value.isNull() || value.isUndefined())
        return u"none"_s;
    const QString text =
        value.isDouble() ? QString::number(value.toDouble(), 'g', QLocale::FloatingPointShortest)
                         : value.toVariant().toStringList().join(u' ');
    const Dimension* known = findDimension(path);
    return known && !known->unit.isEmpty() ? text + u' ' + known->unit : text;
}

QString exactText(const QJsonValue& value)
{
    if (!value.isArray())
        return value.isUndefined() ? QString() : valueText({}, value);
    QStringList items;
    for (const QJsonValue& item : value.toArray())
        items << exactText(item);
    return u'[' + items.join(u' ') + u']';
}

QJsonValue valueFromText(const QString& path, const QString& text)
{
    const Dimension* known = findDimension(path);
    if (known && known->kind == Kind::Word)
        return text;
    if (text == "on"_L1 || text == "true"_L1)
        return true;
    if (text == "off"_L1 || text == "false"_L1)
        return false;
    bool ok = false;
    const double number = text.toDouble(&ok);
    if (ok && std::isfinite(number))
        return std::floor(number) == number && std::abs(number) < 9e15 ? QJsonValue(qint64(number))
                                                                       : QJsonValue(number);
    return text;
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
    if (const QString problem = recipeSettingProblem(path, value); !problem.isEmpty())
        return Failure{u"value_invalid"_s, problem};
    for (const WorkloadScale& scale : workload.scales)
        if (const QJsonValue own = valueAt(scale.preset, path);
            !own.isUndefined() && !sameType(own, value))
            return invalid(path, u"like %1 of the recipe"_s.arg(describeJson(own)), value);
    return {};
}

} // namespace scalebench
