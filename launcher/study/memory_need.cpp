// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/memory_need.h"

#include "study/dimensions.h"
#include "study/workload_catalog.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QLocale>

#include <algorithm>
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

/// As placeTables() of the engine: the largest first, each to the worker with the least work and
/// rows.
qint64 mostRows(QList<qint64> rows, int workers)
{
    std::sort(rows.begin(), rows.end(), std::greater<>());
    const qint64 all = std::accumulate(rows.begin(), rows.end(), qint64{0});
    QList<qint64> load(workers, 0), held(workers, 0);
    for (const qint64 table : std::as_const(rows)) {
        const auto least = std::min_element(load.begin(), load.end());
        *least += table * rows.size() + all;
        held[least - load.begin()] += table;
    }
    return *std::max_element(held.begin(), held.end());
}

qint64 dlrmBytes(const QJsonObject& run, int workers)
{
    constexpr int kTables = 26, kCounts = 13;
    QList<qint64> rows = numbers(valueAt(run, u"data.table_rows"_s), qint64{1} << 31);
    if (rows.size() == 1)
        rows.resize(kTables, rows.first());
    if (rows.size() != kTables)
        return 0;
    const qint64 cap = valueAt(run, u"data.max_rows"_s).toInteger();
    for (qint64& table : rows)
        table = cap > 0 ? std::min(table, cap) : table;
    const qint64 dim = std::clamp<qint64>(valueAt(run, u"model.dim"_s).toInteger(), 1, 1 << 16);
    const qint64 dense =
        perceptron(kCounts, numbers(valueAt(run, u"model.bottom"_s), 1 << 16), dim) +
        perceptron(dim + (kTables + 1) * kTables / 2,
                   numbers(valueAt(run, u"model.top"_s), 1 << 16), 1);
    const bool owned = valueAt(run, u"model.tables"_s).toString(u"owned"_s) == "owned"_L1;
    const bool sparse = valueAt(run, u"model.sparse_gradients"_s).toBool(true);
    const qint64 held = mostRows(rows, owned ? workers : 1);
    return kFloat * (dense * (2 + stateOf(run)) + held * dim * ((sparse ? 1 : 2) + stateOf(run)));
}

} // namespace

qint64 networkBytesPerWorker(const QJsonObject& run, int workers)
{
    const QString id = run.value("workload"_L1).toString();
    if (id == "dlrm"_L1)
        return dlrmBytes(run, std::max(1, workers));
    const Workload* workload = WorkloadCatalog::instance().find(id);
    const WorkloadScale* scale =
        workload ? workload->scale(run.value("scale"_L1).toString()) : nullptr;
    if (!scale)
        return 0;
    const QString name = valueAt(run, u"model.name"_s).toString(scale->model);
    const WorkloadModel* model = workload->model(name);
    const qint64 parameters = name == scale->model && scale->parameters > 0 ? scale->parameters
                              : model                                       ? model->parameters
                                                                            : 0;
    return parameters * kFloat * (2 + stateOf(run));
}

static QString sizeText(qint64 bytes)
{
    return QLocale().formattedDataSize(bytes, 0, QLocale::DataSizeSIFormat);
}

QString memoryProblem(const RunConfig& run, qint64 memoryBytes)
{
    const qint64 each = networkBytesPerWorker(run.json, run.workers);
    const int here = run.workersPerNode();
    if (memoryBytes <= 0 || each <= memoryBytes / std::max(1, here))
        return {};
    QString way = u"Choose a smaller network or fewer workers."_s;
    int enough = run.workers;
    while (enough <= 1024 && networkBytesPerWorker(run.json, enough) > memoryBytes)
        enough *= 2;
    if (here == run.workers && enough > run.workers && enough <= 1024)
        way = u"%1 workers, each on a node with as much, would hold it."_s.arg(enough);
    return u"%1 with %2 worker(s) needs about %3 of memory for its network on each worker; a node "
           "with %4 of them has %5. %6"_s.arg(run.workload)
               .arg(run.workers)
               .arg(sizeText(each))
               .arg(here)
               .arg(sizeText(memoryBytes), way);
}

QString memoryText(const QList<RunConfig>& runs)
{
    qint64 most = 0;
    for (const RunConfig& run : runs)
        most = std::max(most, networkBytesPerWorker(run.json, run.workers));
    return most > 0
               ? QCoreApplication::translate("StudyPlan", "about %1 for the network on a worker")
                     .arg(sizeText(most))
               : QString();
}

} // namespace scalebench
