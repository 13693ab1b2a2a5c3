// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/run_tree_model.h"

#include "figures/run_labels.h"
#include "models/roles.h"
#include "models/run_queue_model.h"
#include "run/run_metrics.h"
#include "settings/language.h"
#include "study/workload_catalog.h"

#include <QDateTime>
#include <QHash>
#include <QLocale>

#include <algorithm>
#include <vector>

namespace scalebench {

/// A group, or at the lowest level a run.
struct RunTreeModel::Node {
    QString name;
    double order = 0; ///< among its neighbours; by name where the same
    Node* parent = nullptr;
    int row = 0;
    int run = -1; ///< in m_runs; -1: a group
    int runs = 0, completed = 0;
    std::vector<std::unique_ptr<Node>> children;
};

namespace {

QString workloadName(const RunSummary& run)
{
    if (run.workload.isEmpty())
        return RunTreeModel::tr("workload not known");
    const Workload* workload = WorkloadCatalog::instance().find(run.workload);
    return QStringLiteral("%1, %2").arg(workload ? workload->title : run.workload, run.scale);
}

template <class Node>
void sortBelow(Node& node)
{
    std::sort(node.children.begin(), node.children.end(), [](const auto& a, const auto& b) {
        return a->order != b->order ? a->order < b->order : a->name < b->name;
    });
    for (size_t i = 0; i < node.children.size(); ++i) {
        node.children[i]->row = static_cast<int>(i);
        sortBelow(*node.children[i]);
        if (node.children[i]->run < 0) {
            node.runs += node.children[i]->runs;
            node.completed += node.children[i]->completed;
        }
    }
}

} // namespace

RunTreeModel::RunTreeModel(QObject* parent)
    : QAbstractItemModel(parent), m_root(std::make_unique<Node>())
{
}

RunTreeModel::~RunTreeModel() = default;

void RunTreeModel::setRuns(const QList<RunSummary>& runs)
{
    beginResetModel();
    m_runs = runs;
    m_root = std::make_unique<Node>();
    QHash<QString, Node*> groups;
    const auto group = [&](Node* parent, const QString& key, const QString& name, double order) {
        Node*& node = groups[key];
        if (!node) {
            parent->children.push_back(std::make_unique<Node>());
            node = parent->children.back().get();
            node->name = name;
            node->order = order;
            node->parent = parent;
        }
        return node;
    };
    for (int i = 0; i < runs.size(); ++i) {
        const RunSummary& run = runs[i];
        QString key = run.machine;
        Node* node =
            group(m_root.get(), key, run.machine.isEmpty() ? tr("machine not known") : run.machine,
                  run.machine.isEmpty() ? 1 : 0);
        key += QLatin1Char('\n') + run.workload + QLatin1Char('\n') + run.scale;
        node = group(node, key, workloadName(run), 0);
        key += QStringLiteral("\n%1x%2").arg(run.workers).arg(run.nodes);
        const QString workers =
            run.workers < 1 ? tr("workers not known")
            : run.nodes > 1
                ? tr("%1 on %n node(s)", nullptr, run.nodes).arg(workersText(run.workers))
                : workersText(run.workers);
        node = group(node, key, workers, run.workers + run.nodes / 1e4);
        node->children.push_back(std::make_unique<Node>());
        Node& leaf = *node->children.back();
        leaf.parent = node;
        leaf.run = i;
        leaf.order = -static_cast<double>(run.createdMs); // the newest first
        ++node->runs;
        node->completed += run.state == RunState::Completed ? 1 : 0;
    }
    sortBelow(*m_root);
    endResetModel();
}

const RunTreeModel::Node& RunTreeModel::nodeAt(const QModelIndex& index) const
{
    return index.isValid() ? *static_cast<const Node*>(index.constInternalPointer()) : *m_root;
}

QModelIndex RunTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    const Node& node = nodeAt(parent);
    if (row < 0 || row >= static_cast<int>(node.children.size()) || column < 0 ||
        column >= ColumnCount || parent.column() > 0)
        return {};
    return createIndex(row, column, node.children[static_cast<size_t>(row)].get());
}

QModelIndex RunTreeModel::parent(const QModelIndex& index) const
{
    if (!index.isValid())
        return {};
    Node* above = nodeAt(index).parent;
    return above == m_root.get() ? QModelIndex() : createIndex(above->row, 0, above);
}

int RunTreeModel::rowCount(const QModelIndex& parent) const
{
    return parent.column() > 0 ? 0 : static_cast<int>(nodeAt(parent).children.size());
}

int RunTreeModel::columnCount(const QModelIndex&) const
{
    return ColumnCount;
}

QStringList RunTreeModel::runDirs(const QModelIndex& index) const
{
    QStringList dirs;
    std::vector<const Node*> open{&nodeAt(index)};
    while (!open.empty()) {
        const Node* node = open.back();
        open.pop_back();
        if (node->run >= 0)
            dirs << m_runs[node->run].runDir;
        for (auto child = node->children.rbegin(); child != node->children.rend(); ++child)
            open.push_back(child->get());
    }
    return dirs;
}

QModelIndex RunTreeModel::indexOf(const QString& runDir) const
{
    std::vector<Node*> open{m_root.get()};
    while (!open.empty()) {
        Node* node = open.back();
        open.pop_back();
        if (node->run >= 0 && m_runs[node->run].runDir == runDir)
            return createIndex(node->row, 0, node);
        for (const auto& child : node->children)
            open.push_back(child.get());
    }
    return {};
}

QString RunTreeModel::groupText(const Node& group, int column) const
{
    switch (column) {
    case Name:
        return group.name;
    case State:
        return group.completed == group.runs
                   ? tr("%n run(s)", nullptr, group.runs)
                   : tr("%1 of %n run(s) completed", nullptr, group.runs).arg(group.completed);
    default:
        return {};
    }
}

QString RunTreeModel::runText(const RunSummary& run, int column) const
{
    const QLocale locale;
    switch (column) {
    case Name: {
        QStringList parts{run.studyName.isEmpty() ? run.studyId : run.studyName};
        if (!run.variant.isEmpty())
            parts << shownText(run.variant);
        parts << tr("run %1").arg(run.repeat);
        if (!run.marks.isEmpty())
            parts << marksText(run);
        return parts.join(QStringLiteral(" \u00b7 "));
    }
    case State:
        return runStateTitle(run.state);
    case Quality:
        return run.quality > 0 ? qualityText(run.workload, run.quality, 2) : QStringLiteral("–");
    case TimeToTrain:
        return run.timeToTrainS > 0
                   ? locale.toString(run.timeToTrainS, 'f', 1) + QStringLiteral(" s")
                   : QStringLiteral("–");
    case Throughput:
        return run.samplesPerSecond > 0
                   ? locale.toString(run.samplesPerSecond, 'f', run.samplesPerSecond < 100 ? 1 : 0)
                   : QStringLiteral("–");
    default:
        return {};
    }
}

QVariant RunTreeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Node& node = nodeAt(index);
    switch (role) {
    case Qt::DisplayRole:
        return node.run < 0 ? groupText(node, index.column())
                            : runText(m_runs[node.run], index.column());
    case kIdRole:
        return node.run < 0 ? QVariant() : QVariant(m_runs[node.run].runDir);
    case Qt::ToolTipRole:
        return node.run < 0 ? QVariant(node.name) : QVariant(m_runs[node.run].runId);
    case Qt::TextAlignmentRole:
        return index.column() >= Quality ? QVariant(Qt::AlignRight | Qt::AlignVCenter) : QVariant();
    default:
        return {};
    }
}

QVariant RunTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return section >= Quality ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                  : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    const QStringList names{tr("Machine, workload, workers, run"), tr("State"), tr("Best quality"),
                            tr("Time to train"), tr("Samples/s")};
    return names.value(section);
}

} // namespace scalebench
