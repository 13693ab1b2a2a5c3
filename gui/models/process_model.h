// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What works on this computer just now, the busiest first, and which of it is a study's own.

#include "machine/live_use.h"

#include <QAbstractTableModel>
#include <QSet>

namespace scalebench {

class ProcessModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Process, Processors, Work, Memory, User, Gpu, Id, ColumnCount };
    explicit ProcessModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}

    /// Rows change in place, so that a selection stays. `own`: the workers of the study under way.
    void setProcesses(const QList<ProcessUse>& processes, const QSet<qint64>& own);
    /// Kept busy by all but the study under way.
    double foreignProcessors() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    enum class Owner { ThisStudy, Scalebench, Other };
    Owner ownerOf(const ProcessUse& process) const;
    QString display(const ProcessUse& process, int column) const;

    QList<ProcessUse> m_processes;
    QSet<qint64> m_own;
};

} // namespace scalebench
