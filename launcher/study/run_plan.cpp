// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/translated.h"
#include "study/run_config.h"

#include "study/dimensions.h"
#include "study/machine_info.h"
#include "study/memory_need.h"
#include "study/study_cells.h"
#include "study/workload_catalog.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>
#include <cmath>
#include <random>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

/// The part of a preset that goes into run.json as it is.
QJsonObject runPart(QJsonObject preset)
{
    for (const QString& key : {u"title"_s, u"description"_s, u"parameters"_s,
                               u"forward_flops_per_sample"_s, u"bytes_per_sample"_s,
                               u"activation_bytes_per_sample"_s, u"data_hint"_s, u"batch_table"_s})
        preset.remove(key);
    return preset;
}

QJsonObject resolveData(const StudySpec& spec, const Workload& workload, const WorkloadScale& scale,
                        const MachineInfo& machine, const QString& generatedDataDir)
{
    QJsonObject data = scale.preset.value("data"_L1).toObject();
    const QJsonObject desk = workload.scales.first().preset.value("data"_L1).toObject();
    const QString generator =
        data.value("generator"_L1)
            .toString(desk.value("generator"_L1).toString(workload.id + u"-v1"_s));
    const bool isWord = spec.data == "generated"_L1 || spec.data == "synthetic"_L1;
    if (isWord) {
        // A preset for files has no sample counts; the desk preset's stand in for made-up data.
        for (const QString& key : {u"train_samples"_s, u"eval_samples"_s})
            if (data.value(key).toInteger() == 0 && desk.contains(key))
                data.insert(key, desk.value(key));
        data.insert(u"source"_s, spec.data);
    } else if (!spec.data.isEmpty()) {
        if (data.value("source"_L1).toString() != "files"_L1) {
            data.insert(u"train_samples"_s, 0);
            data.insert(u"eval_samples"_s, 0);
        }
        data.insert(u"source"_s, u"files"_s);
        const bool isWhole = spec.data.startsWith(u'/') || spec.data.startsWith("~/"_L1);
        data.insert(u"path"_s, !machine.isRemote() ? QFileInfo(spec.data).absoluteFilePath()
                               : isWhole           ? spec.data
                                                   : machine.dataFolder + u'/' + spec.data);
    }
    if (data.value("source"_L1).toString() == "generated"_L1)
        data.insert(u"path"_s, QDir::cleanPath(generatedDataDir + u'/' + generator));
    else if (data.value("source"_L1).toString() == "synthetic"_L1)
        data.remove(u"path"_s);
    data.remove(u"generator"_s);
    data.remove(u"expects"_s);
    return data;
}

/// A folder of its own for each generated set, which the engine tidies up by this name
/// (engine/data/generated_set.h): the generator and a fingerprint of what the set may follow from.
QJsonObject withFolderOfSet(QJsonObject data)
{
    const QString generator = data.take("path"_L1).toString();
    QJsonObject settings = data;
    settings.remove("augment"_L1);
    const QByteArray text = QJsonDocument(settings).toJson(QJsonDocument::Compact);
    const QByteArray hash = QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex();
    data.insert("path"_L1, generator + u'-' + QString::fromLatin1(hash.first(16)));
    return data;
}

/// A recipe with a target for several metrics keeps the others': Mask R-CNN's masks.
QJsonValue targetOf(const Workload& workload, const QJsonValue& preset, double leading)
{
    if (!preset.isObject())
        return leading;
    QJsonObject targets = preset.toObject();
    targets.insert(workload.metric, leading);
    return targets;
}

int batchFor(const StudySpec& spec, const WorkloadScale& scale, int workers)
{
    if (spec.batchPolicy == "table"_L1)
        return batchTableOf(spec, scale).value(workers);
    const int batch = spec.globalBatch > 0 ? spec.globalBatch : scale.globalBatch;
    return spec.batchPolicy == "weak"_L1 ? batch * workers : batch;
}

/// Linear scaling rule: weak grows with the workers, a table with the batch relative to the
/// smallest worker count's, the recipe's table with the batch relative to the recipe's. An explicit
/// rate is the one of the smallest batch.
double rateFor(const StudySpec& spec, const WorkloadScale& scale, int workers, int smallest)
{
    const double preset =
        scale.preset.value("schedule"_L1).toObject().value("base_lr"_L1).toDouble();
    const double rate = spec.learningRate.value_or(preset);
    if (spec.batchPolicy == "weak"_L1)
        return rate * workers;
    if (spec.batchPolicy != "table"_L1)
        return rate;
    const QMap<int, int> table = batchTableOf(spec, scale);
    // A recipe's rate is the one of its own batch.
    const bool recipes = spec.batchTable.isEmpty() && !spec.learningRate;
    const int of = recipes ? scale.globalBatch : table.value(smallest);
    return rate * table.value(workers) / std::max(1, of);
}

/// Fewer epochs than the preset's compress its warm-up and milestones in proportion, or the
/// schedule would not fit; more epochs leave them alone.
void fitSchedule(QJsonObject& schedule, int epochs, int presetEpochs)
{
    if (epochs <= 0 || presetEpochs <= 0 || epochs >= presetEpochs)
        return;
    const double factor = double(epochs) / presetEpochs;
    // Lengths in steps shrink alike: an epoch has as many steps as before.
    for (const QString& key :
         {u"warmup"_s, u"warmup_epochs"_s, u"decay_start"_s, u"decay_length"_s})
        if (schedule.contains(key))
            schedule.insert(key, schedule.value(key).toDouble() * factor);
    QJsonArray milestones;
    for (const QJsonValue& milestone : schedule.value("milestones"_L1).toArray())
        milestones << milestone.toDouble() * factor;
    schedule.insert(u"milestones"_s, milestones);
}

/// One run of the matrix.
struct Cell {
    int repeat = 1;
    int combination = 0;
    Shape shape;
};

/// What a combination's runs have in common, and the shapes they are made in.
struct Row {
    const Combination* combination = nullptr;
    QList<Shape> shapes;
};

/// Interleaved: drift of the machine hits all cells alike; sequential: all repeats of a cell
/// together; random: a shuffle that the study's seed decides.
QList<Cell> orderedCells(const StudySpec& spec, const QList<Row>& rows)
{
    QList<Cell> cells;
    const bool sequential = spec.order == "sequential"_L1;
    for (int outer = 1; outer <= (sequential ? 1 : spec.repeats); ++outer)
        for (int row = 0; row < rows.size(); ++row)
            for (const Shape& shape : rows[row].shapes)
                for (int inner = 1; inner <= (sequential ? spec.repeats : 1); ++inner)
                    cells << Cell{sequential ? inner : outer, row, shape};
    if (spec.order == "random"_L1) {
        std::mt19937_64 generator(spec.seed);
        for (qsizetype i = cells.size() - 1; i > 0; --i) // std::shuffle differs between libraries
            cells.swapItemsAt(i, qsizetype(generator() % quint64(i + 1)));
    }
    return cells;
}

/// What every run.json of the study has alike.
struct PlanContext {
    const MachineInfo& machine;
    QString studyId;
    QString dataDir;
    int largestPerNode = 1; ///< of all shapes of the study
};

QJsonArray firstHosts(const MachineInfo& machine, int nodes)
{
    QJsonArray hosts;
    for (const HostSlots& host : machine.hosts.first(nodes))
        hosts << host.name;
    return hosts;
}

QJsonObject runJson(const PlanContext& context, const Row& row, const Shape& shape, int repeat)
{
    const StudySpec& spec = row.combination->spec;
    const MachineInfo& machine = context.machine;
    const Workload& workload = *WorkloadCatalog::instance().find(spec.workload);
    const WorkloadScale& scale = *workload.scale(spec.scale);
    int smallest = row.shapes.first().workers();
    for (const Shape& other : row.shapes)
        smallest = std::min(smallest, other.workers());
    const int workers = shape.workers();
    const int batch = batchFor(spec, scale, workers);
    const quint64 seed = spec.seed + quint64(repeat - 1);
    const QString precision = spec.precisions.first();
    const QJsonObject data = resolveData(spec, workload, scale, machine, context.dataDir);

    QJsonObject json = runPart(scale.preset);
    if (!spec.model.isEmpty())
        json = withValueAt(json, u"model.name"_s, spec.model);
    QJsonObject schedule = json.value("schedule"_L1).toObject();
    schedule.insert(u"base_lr"_s, rateFor(spec, scale, workers, smallest));
    fitSchedule(schedule, spec.epochs, scale.epochs);
    json.insert(u"format"_s, u"scalebench.run"_s);
    json.insert(u"version"_s, 1);
    json.insert(u"study"_s, context.studyId);
    json.insert(u"run_id"_s, u"%1-%2-%3-%4-%5-b%6%7-s%8-r%9"_s.arg(
                                 spec.workload, spec.scale, spec.device, precision, shape.text(),
                                 QString::number(batch), idPart(row.combination->chosen),
                                 QString::number(seed), QString::number(repeat)));
    json.insert(u"workload"_s, spec.workload);
    json.insert(u"scale"_s, spec.scale);
    json.insert(u"data"_s, data);
    json.insert(u"device"_s, spec.device);
    json.insert(u"precision"_s, precision);
    json.insert(u"nodes"_s, shape.nodes);
    json.insert(u"workers"_s, workers);
    if (!machine.hosts.isEmpty())
        json.insert(u"hosts"_s, firstHosts(machine, shape.nodes));
    if (!machine.hostName.isEmpty())
        json.insert(u"machine"_s, machine.hostName);
    // A core's second thread gains nothing where both multiply, and takes half of its caches.
    const int cores = machine.physicalCores > 0 ? machine.physicalCores : machine.cores;
    json.insert(u"threads_per_worker"_s, spec.threadsPerWorker > 0
                                             ? spec.threadsPerWorker
                                             : std::max(1, cores / context.largestPerNode));
    json.insert(u"batch_policy"_s, spec.batchPolicy);
    json.insert(u"global_batch"_s, batch);
    json.insert(u"schedule"_s, schedule);
    if (spec.epochs > 0)
        json.insert(u"epochs"_s, spec.epochs);
    if (spec.noTarget || data.value("source"_L1).toString() == "synthetic"_L1)
        json.insert(u"target"_s, QJsonValue::Null);
    else if (spec.target)
        json.insert(u"target"_s, targetOf(workload, json.value("target"_L1), *spec.target));
    json.insert(u"seed"_s, qint64(seed));
    json.insert(u"repeat"_s, repeat);
    json.insert(u"options"_s, spec.options.toJson());
    const bool cuda = spec.device == "cuda"_L1;
    const int places = cuda ? int(machine.gpus.size()) : machine.cores;
    if (!(cuda && machine.isRemote()) && places > 0 && shape.workersPerNode > places)
        json.insert(u"oversubscribed"_s, true);
    for (auto it = spec.settings.begin(); it != spec.settings.end(); ++it)
        json = withValueAt(json, it.key(), it.value().first());
    const QJsonObject set = json.value("data"_L1).toObject();
    if (set.value("source"_L1).toString() == "generated"_L1)
        json.insert("data"_L1, withFolderOfSet(set));
    return json;
}

} // namespace

int workersPerHost(const MachineInfo& machine)
{
    if (machine.hosts.isEmpty())
        return machine.cores;
    int least = machine.hosts.first().count;
    for (const HostSlots& host : machine.hosts)
        least = std::min(least, host.count);
    return std::max(1, least);
}

QMap<int, int> batchTableOf(const StudySpec& spec, const WorkloadScale& scale)
{
    return spec.batchTable.isEmpty() ? scale.batchTable : spec.batchTable;
}

Result<QList<Shape>> shapesOn(const MachineInfo& machine, const StudySpec& spec, int workers)
{
    const int hosts = machine.slurm ? workers : std::max(1, int(machine.hosts.size()));
    const int perHost =
        spec.oversubscribe && !machine.isRemote() ? workers : workersPerHost(machine);
    const QList<Shape> fitting = shapesOf(workers, hosts, perHost);
    if (!fitting.isEmpty())
        return fitting;
    return Failure{
        u"workers_too_many"_s,
        Launcher::tr("%1 workers cannot be spread evenly over %n host(s) of at most %2 each. Use "
                     "other counts, give shapes, or more slots per host.",
                     nullptr, hosts)
            .arg(workers)
            .arg(perHost)};
}

Result<QList<Shape>> resolveShapes(const StudySpec& spec, const MachineInfo& machine)
{
    if (!spec.shapes.isEmpty())
        return spec.shapes;
    QList<Shape> shapes;
    for (const int workers : spec.workers) {
        if (!machine.isRemote()) {
            shapes << Shape{1, workers};
            continue;
        }
        const Result<QList<Shape>> fitting = shapesOn(machine, spec, workers);
        if (!fitting)
            return fitting.failure();
        shapes << fitting.value().first();
    }
    return shapes;
}

/// The shapes of every combination that are not left out.
static Result<QList<Row>> rowsOf(const CheckedCells& checked, const MachineInfo& machine)
{
    QList<Row> rows;
    for (int c = 0; c < checked.combinations.size(); ++c) {
        const Combination& combination = checked.combinations[c];
        Row row{&combination, {}};
        const QList<StudySpec> units = onePerShape(combination.spec);
        for (int u = 0; u < units.size(); ++u) {
            if (checked.leftOut.contains({c, u}))
                continue;
            const Result<QList<Shape>> shapes = resolveShapes(units[u], machine);
            if (!shapes)
                return shapes.failure();
            row.shapes += shapes.value();
        }
        rows << row;
    }
    return rows;
}

/// `checked` holds no error.
static Result<QList<RunConfig>> runsOf(const StudySpec& spec, const CheckedCells& checked,
                                       const MachineInfo& machine, const QString& studyId,
                                       const QString& generatedDataDir)
{
    const Result<QList<Row>> rows = rowsOf(checked, machine);
    if (!rows)
        return rows.failure();
    PlanContext context{machine, studyId,
                        machine.folder.isEmpty() ? QFileInfo(generatedDataDir).absoluteFilePath()
                                                 : machine.folder + u"/data"_s};
    for (const Row& row : rows.value())
        for (const Shape& shape : row.shapes)
            context.largestPerNode = std::max(context.largestPerNode, shape.workersPerNode);

    QList<RunConfig> runs;
    for (const Cell& cell : orderedCells(spec, rows.value())) {
        const QJsonObject json =
            runJson(context, rows.value()[cell.combination], cell.shape, cell.repeat);
        const Result<RunConfig> config = RunConfig::fromObject(json, u"run.json"_s);
        if (!config)
            return config.failure();
        runs << config.value();
    }
    return runs;
}

std::optional<Failure> StudyPlan::failure() const
{
    for (const Problem& problem : problems)
        if (problem.level == Problem::Level::Error)
            return Failure{problem.code, problem.message};
    return std::nullopt;
}

StudyPlan planStudy(const StudySpec& spec, const MachineInfo& machine, const QString& studyId,
                    const QString& generatedDataDir)
{
    const CheckedCells checked = checkCells(spec, machine);
    StudyPlan plan{checked.problems, {}};
    if (plan.failure())
        return plan;
    const Result<QList<RunConfig>> runs = runsOf(spec, checked, machine, studyId, generatedDataDir);
    if (runs)
        plan.runs = runs.value();
    else
        plan.problems.prepend(
            {Problem::Level::Error, QString(), runs.failure().code, runs.failure().message});
    std::optional<Problem> memory;
    for (const RunConfig& run : std::as_const(plan.runs)) {
        if (run.device != "cpu"_L1)
            continue;
        const std::optional<Problem> problem = memoryProblem(run, machine.memoryBytes);
        // One speaks for the others alike.
        if (problem && (!memory || problem->level < memory->level))
            memory = problem;
    }
    if (memory)
        plan.problems.prepend(*memory);
    return plan;
}

Result<QList<RunConfig>> planRuns(const StudySpec& spec, const MachineInfo& machine,
                                  const QString& studyId, const QString& generatedDataDir)
{
    const StudyPlan plan = planStudy(spec, machine, studyId, generatedDataDir);
    if (const std::optional<Failure> failure = plan.failure())
        return *failure;
    return plan.runs;
}

} // namespace scalebench
