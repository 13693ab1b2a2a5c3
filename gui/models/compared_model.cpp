// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/compared_model.h"

#include "base/plain_text.h"
#include "figures/compare_charts.h"
#include "models/roles.h"

#include <QFont>

#include <cmath>

namespace scalebench {

void ComparedModel::setComparison(const Comparison& comparison, const QList<RunGroup>& groups)
{
    beginResetModel();
    m_groups.clear();
    m_rows.clear();
    for (const RunGroup& group : groups)
        m_groups << visibleLine(group.name);
    addTimes(comparison);
    addValues(tr("setting"), comparison.settings);
    addValues(tr("environment"), comparison.environment);
    endResetModel();
}

void ComparedModel::addTimes(const Comparison& comparison)
{
    // The times of a workload on so many workers come one after the other, a group each.
    QString cell;
    for (const ComparedTime& time : comparison.times) {
        QString fact =
            time.workers < 1
                ? tr("time to train, %1, number of workers not known").arg(time.workload)
                : tr("time to train, %1, %n worker(s)", nullptr, time.workers).arg(time.workload);
        if (!time.part.isEmpty())
            fact += QLatin1String(", ") + time.part;
        if (fact != cell) {
            cell = fact;
            Row row{tr("result"), fact, {}, QStringList(m_groups.size()), true};
            if (std::isfinite(time.baselineS))
                row.values[0] = formatDuration(time.baselineS);
            m_rows << row;
        }
        if (std::isfinite(time.timeS))
            m_rows.last().values[time.group] = formatDuration(time.timeS);
    }
}

void ComparedModel::addValues(const QString& kind, const QList<ComparedValue>& values)
{
    for (const ComparedValue& value : values) {
        Row row{kind, value.title, value.path, {}, value.differs};
        for (const QString& text : value.values)
            row.values << visibleLine(text);
        m_rows << row;
    }
}

int ComparedModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int ComparedModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : FirstGroup + static_cast<int>(m_groups.size());
}

QVariant ComparedModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Row& row = m_rows[index.row()];
    const int group = index.column() - FirstGroup;
    if (role == Qt::FontRole && group > 0 && row.differs && row.values[group] != row.values[0]) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    if (role == Qt::ToolTipRole && index.column() == Fact)
        return row.path;
    if (role != Qt::DisplayRole && role != kSortRole && role != Qt::ToolTipRole)
        return {};
    if (index.column() == Kind)
        return row.kind;
    if (index.column() == Fact)
        return row.fact;
    return row.values[group].isEmpty() ? QStringLiteral("\u2013") : row.values[group];
}

QVariant ComparedModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || (role != Qt::DisplayRole && role != Qt::ToolTipRole))
        return {};
    if (section == Kind)
        return tr("Kind");
    if (section == Fact)
        return tr("What");
    const QString whole = m_groups.value(section - FirstGroup);
    const QString name = role == Qt::ToolTipRole ? whole : shortName(whole);
    return section == FirstGroup ? tr("%1 (baseline)").arg(name) : name;
}

} // namespace scalebench
