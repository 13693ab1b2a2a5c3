// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// All runs of the library, as the Results page lists them.

#include "library/library.h"

#include <QAbstractTableModel>

namespace scalebench {

class RunTableModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column {
        Started,
        Study_, ///< its name, else its id
        StudyId,
        Tags, ///< of its study; the note is its tool tip
        Workload_,
        Scale,
        Workers,
        Precision,
        Variant, ///< what it differs in from the others of its study
        Batch,
        State,
        Quality,
        Target,
        Epochs,
        TimeToTrain,
        Throughput,
        Device,
        Nodes,
        Seed,
        Repeat,
        Note, ///< what must be said with its numbers
        ColumnCount
    };
    explicit RunTableModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    void setRuns(const QList<RunSummary>& runs);
    const RunSummary& run(int row) const { return m_runs[row]; }
    int rowOf(const QString& runDir) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString display(const RunSummary& run, int column) const;
    QVariant raw(const RunSummary& run, int column) const;
    QList<RunSummary> m_runs;
};

} // namespace scalebench
