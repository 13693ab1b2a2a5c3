// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The runs of one study, in plan order, with their progress.

#include "run/study.h"

#include <QAbstractTableModel>

namespace scalebench {

/// Word and colour kind (kChipRole) of a state.
QString stateChip(RunState state);

class RunQueueModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Run, State, Progress, Epoch, Quality, Throughput, Time, Eta, Note, ColumnCount };
    explicit RunQueueModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// Points into the owner's study, which must outlive the next call.
    void setStudy(const Study* study);
    void refreshRow(int row);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// Whether any run has something that must be said with its numbers.
    bool hasNotes() const;

    static double shownProgress(const RunRecord& run);

private:
    QVariant display(const RunRecord& run, int row, int column) const;
    QVariant raw(const RunRecord& run, int row, int column) const;
    const Study* m_study = nullptr;
    QStringList m_labels;
};

} // namespace scalebench
