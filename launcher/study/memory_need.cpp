// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/memory_need.h"

#include "base/translated.h"
#include "study/dimensions.h"
#include "study/workload_catalog.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kFloat = 4;

/// Values that the optimizer keeps for each parameter.
int stateOf(const QJsonObject& run)
{
    const QString name = valueAt(run, u"optimizer.name"_s).toString();
    if (name.startsWith("adam"_L1) || name == "lamb"_L1)
        return 2;
    return name == "sgd"_L1 && valueAt(run, u"optimizer.momentum"_s).toDouble(0.9) == 0 ? 0 : 1;
}

QList<qint64> numbers(const QJsonValue& value, qint64 most)
{
    QList<qint64> list;
    for (const QJsonValue& item : value.toArray())
        list << std::clamp<qint64>(item.toInteger(), 0, most);
    return list;
}

qint64 perceptron(qint64 in, QList<qint64> sizes, qint64 last)
{
    qint64 parameters = 0;
    sizes << last;
    for (const qint64 out : std::as_const(sizes)) {
        parameters += (in + 1) * out;
        in = out;
    }
    return parameters;
}

qint64 sum(const QList<qint64>& numbers)
{
    return std::accumulate(numbers.begin(), numbers.end(), qint64{0});
}

/// As placeTables() of the engine: the largest first, each to the worker with the least work and
/// rows; where that is above `allowed` (0: any), even shares in blocks of 256 rows.
qint64 mostRows(QList<qint64> rows, int workers, qint64 allowed)
{
    constexpr qint64 kRowBlock = 256;
    std::sort(rows.begin(), rows.end(), std::greater<>());
    const qint64 all = sum(rows);
    QList<qint64> load(workers, 0), held(workers, 0);
    for (const qint64 table : std::as_const(rows)) {
        const auto least = std::min_element(load.begin(), load.end());
        *least += table * rows.size() + all;
        held[least - load.begin()] += table;
    }
    const qint64 most = *std::max_element(held.begin(), held.end());
    if (allowed <= 0 || most <= allowed)
        return most;
    return std::min(most, (all / workers / kRowBlock + 1) * kRowBlock);
}

/// A DLRM of run.json.
struct DlrmSizes {
    static constexpr int kTables = 26, kCounts = 13, kPairs = (kTables + 1) * kTables / 2;
    QList<qint64> rows; ///< of each table; empty: unknown
    QList<qint64> bottom, top;
    qint64 dim = 1;
    bool owned = true, sparse = true;
    qint64 hotRows = 0;
    int state = 0;

    explicit DlrmSizes(const QJsonObject& run)
        : rows(numbers(valueAt(run, u"data.table_rows"_s), qint64{1} << 31)),
          bottom(numbers(valueAt(run, u"model.bottom"_s), 1 << 16)),
          top(numbers(valueAt(run, u"model.top"_s), 1 << 16)),
          dim(std::clamp<qint64>(valueAt(run, u"model.dim"_s).toInteger(), 1, 1 << 16)),
          owned(valueAt(run, u"model.tables"_s).toString(u"owned"_s) == "owned"_L1),
          sparse(valueAt(run, u"model.sparse_gradients"_s).toBool(true)),
          hotRows(std::clamp<qint64>(valueAt(run, u"options.hot_rows"_s).toInteger(), 0, 1 << 30)),
          state(stateOf(run))
    {
        if (rows.size() == 1)
            rows.resize(kTables, rows.first());
        if (rows.size() != kTables)
            rows.clear();
        const qint64 cap = valueAt(run, u"data.max_rows"_s).toInteger();
        for (qint64& table : rows)
            table = cap > 0 ? std::min(table, cap) : table;
    }
    qint64 rowBytes() const { return kFloat * dim * ((sparse ? 1 : 2) + state); }
    qint64 dense() const
    {
        return perceptron(kCounts, bottom, dim) + perceptron(dim + kPairs, top, 1);
    }
};

qint64 dlrmBytes(const DlrmSizes& sizes, int workers, qint64 allowance)
{
    if (sizes.rows.isEmpty())
        return 0;
    const bool shared = sizes.owned && workers > 1;
    const qint64 held =
        mostRows(sizes.rows, shared ? workers : 1, shared ? allowance / sizes.rowBytes() : 0);
    // Copies of hot rows have a gradient that is summed whole, and how many touched it.
    const qint64 hot = shared ? std::min(sizes.hotRows, sum(sizes.rows)) : 0;
    return kFloat * sizes.dense() * (2 + sizes.state) + (held + hot) * sizes.rowBytes() +
           hot * kFloat * (sizes.dim + 1);
}

/// Floats of one sample of DLRM from the batch to the loss and back.
qint64 dlrmFloats(const DlrmSizes& sizes)
{
    constexpr qint64 kVectors = DlrmSizes::kTables + 1;
    // Rows as they came and in order, beside the counts' vector, and the gradient of all three.
    const qint64 rows = 6 * kVectors * sizes.dim;
    const qint64 products = 2 * (kVectors * kVectors + sizes.dim + DlrmSizes::kPairs);
    const qint64 layers = 2 * (sum(sizes.bottom) + sizes.dim + sum(sizes.top) + 1);
    return rows + products + layers;
}

struct NetworkFigures {
    qint64 parameters = 0;
    double activationBytes = 0; ///< of a unit of the batch; 0: not known
};

/// What the recipes say of the run's network: its scale's, or those of a network of that name.
NetworkFigures figuresOf(const QJsonObject& run)
{
    const Workload* workload =
        WorkloadCatalog::instance().find(run.value("workload"_L1).toString());
    const WorkloadScale* scale =
        workload ? workload->scale(run.value("scale"_L1).toString()) : nullptr;
    if (!scale)
        return {};
    const QString name = valueAt(run, u"model.name"_s).toString(scale->model);
    const WorkloadModel* model = workload->model(name);
    const bool usual = name == scale->model;
    NetworkFigures figures;
    if (usual && scale->parameters > 0)
        figures.parameters = scale->parameters;
    else if (model)
        figures.parameters = model->parameters;
    // Of other sizes nothing was measured.
    QJsonObject sizes = run.value("model"_L1).toObject();
    QJsonObject usualSizes = scale->preset.value("model"_L1).toObject();
    for (const auto& key : {"name"_L1, "dropout"_L1}) {
        sizes.remove(key);
        usualSizes.remove(key);
    }
    if (sizes == usualSizes && usual)
        figures.activationBytes = scale->activationBytes.value_or(0);
    else if (sizes == usualSizes && model)
        figures.activationBytes = model->activationBytes.value_or(0);
    return figures;
}

} // namespace

qint64 networkBytesPerWorker(const QJsonObject& run, int workers, qint64 allowance)
{
    const QString id = run.value("workload"_L1).toString();
    if (id == "dlrm"_L1)
        return dlrmBytes(DlrmSizes(run), std::max(1, workers), allowance);
    return figuresOf(run).parameters * kFloat * (2 + stateOf(run));
}

qint64 checkpointBytes(const QJsonObject& run)
{
    qint64 parameters = 0;
    if (run.value("workload"_L1).toString() != "dlrm"_L1)
        parameters = figuresOf(run).parameters;
    else if (const DlrmSizes sizes(run); !sizes.rows.isEmpty())
        parameters = sizes.dense() + sum(sizes.rows) * sizes.dim;
    return parameters * kFloat * (1 + stateOf(run));
}

qint64 batchBytesPerWorker(const QJsonObject& run, int workers)
{
    const qint64 steps = std::max<qint64>(1, valueAt(run, u"options.grad_accum"_s).toInteger(1));
    const qint64 batch =
        std::clamp<qint64>(valueAt(run, u"global_batch"_s).toInteger(), 0, qint64{1} << 31) /
        (std::max(1, workers) * steps);
    const bool half = valueAt(run, u"precision"_s).toString() != "fp32"_L1;
    // Most processors compute bf16 in fp32.
    const bool halved = half && run.value("device"_L1).toString() == "cuda"_L1;
    if (run.value("workload"_L1).toString() != "dlrm"_L1)
        return qint64(double(batch) * figuresOf(run).activationBytes / (halved ? 2 : 1));
    constexpr int kWaiting = 3, kNumbers = DlrmSizes::kCounts + DlrmSizes::kTables + 1;
    return batch *
           (kFloat * kNumbers * kWaiting + dlrmFloats(DlrmSizes(run)) * (half ? 2 : kFloat));
}

static QString sizeText(qint64 bytes)
{
    return QLocale().formattedDataSize(bytes, 0, QLocale::DataSizeSIFormat);
}

/// What to do where the batches are too much: `room` of them fits.
static QString smallerBatch(const RunConfig& run, double room)
{
    const double batch = valueAt(run.json, u"global_batch"_s).toDouble();
    const double steps = std::max(1.0, valueAt(run.json, u"options.grad_accum"_s).toDouble(1));
    return Launcher::tr("A batch of about %1 fits; this one does where gradients are accumulated "
                        "over %2 micro-batches.")
        .arg(QLocale().toString(std::floor(batch * room)),
             QLocale().toString(std::ceil(steps / room)));
}

std::optional<Problem> memoryProblem(const RunConfig& run, qint64 memoryBytes)
{
    const int here = run.workersPerNode();
    const qint64 allowance = memoryBytes / std::max(1, here);
    const qint64 batches = batchBytesPerWorker(run.json, run.workers);
    const qint64 network = networkBytesPerWorker(run.json, run.workers, allowance);
    if (memoryBytes <= 0 || network + batches <= allowance)
        return std::nullopt;
    const double room = double(allowance - network) / double(std::max<qint64>(1, batches));
    const bool fits = room * valueAt(run.json, u"global_batch"_s).toDouble() >= run.workers;
    QString way = Launcher::tr("Choose a smaller network or fewer workers.");
    int enough = run.workers;
    while (enough <= 1024 && networkBytesPerWorker(run.json, enough, memoryBytes) +
                                     batchBytesPerWorker(run.json, enough) >
                                 memoryBytes)
        enough *= 2;
    if (fits)
        way = smallerBatch(run, room);
    else if (here == run.workers && enough > run.workers && enough <= 1024)
        way = Launcher::tr("%1 workers, each on a node with as much, would hold it.").arg(enough);
    const QString message =
        Launcher::tr(
            "%1 with %n worker(s) needs about %2 of memory for its network and batches on each "
            "worker; a node with %3 of them has %4. %5",
            nullptr, run.workers)
            .arg(run.workload)
            .arg(sizeText(network + batches))
            .arg(here)
            .arg(sizeText(memoryBytes), way);
    return Problem{network > allowance ? Problem::Level::Error : Problem::Level::Warning,
                   network > allowance ? u"workers"_s : u"batch"_s, u"memory_too_small"_s, message};
}

QString memoryText(const QList<RunConfig>& runs)
{
    qint64 most = 0;
    for (const RunConfig& run : runs)
        most = std::max(most, networkBytesPerWorker(run.json, run.workers) +
                                  batchBytesPerWorker(run.json, run.workers));
    const bool batches = std::any_of(runs.begin(), runs.end(), [](const RunConfig& run) {
        return batchBytesPerWorker(run.json, run.workers) > 0;
    });
    if (most == 0)
        return {};
    return (batches ? Launcher::tr("about %1 for network and batches on a worker")
                    : Launcher::tr("about %1 for the network on a worker"))
        .arg(sizeText(most));
}

} // namespace scalebench
