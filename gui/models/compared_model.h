// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What groups of runs took, were set to and ran on: a row per fact, a column per group.

#include "analysis/compare.h"

#include <QAbstractTableModel>

namespace scalebench {

class ComparedModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Column { Kind, Fact, FirstGroup };
    explicit ComparedModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
    void setComparison(const Comparison& comparison, const QList<RunGroup>& groups);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QString kind, fact, path;
        QStringList values;
        bool differs = true;
    };
    void addTimes(const Comparison& comparison);
    void addValues(const QString& kind, const QList<ComparedValue>& values);

    QStringList m_groups;
    QList<Row> m_rows;
};

} // namespace scalebench
