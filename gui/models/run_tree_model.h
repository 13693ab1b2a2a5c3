// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The runs of the library as a tree: machine, workload, number of workers, repeats.

#include "library/library.h"

#include <QAbstractItemModel>

#include <memory>

namespace scalebench {

class RunTreeModel : public QAbstractItemModel
{
    Q_OBJECT
public:
    enum Column { Name, State, Quality, TimeToTrain, Throughput, ColumnCount };
    explicit RunTreeModel(QObject* parent = nullptr);
    ~RunTreeModel() override;

    void setRuns(const QList<RunSummary>& runs);
    /// Of a run, or of every run below a group.
    QStringList runDirs(const QModelIndex& index) const;
    /// Of a run; invalid: it is not there.
    QModelIndex indexOf(const QString& runDir) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Node;
    const Node& nodeAt(const QModelIndex& index) const;
    QString groupText(const Node& group, int column) const;
    QString runText(const RunSummary& run, int column) const;

    QList<RunSummary> m_runs;
    std::unique_ptr<Node> m_root;
};

} // namespace scalebench
