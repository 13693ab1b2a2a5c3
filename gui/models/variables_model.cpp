// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/variables_model.h"

#include <QGuiApplication>
#include <QPalette>
#include <QRegularExpression>
#include <QSet>

namespace scalebench {

namespace {
const QString kNccl = QStringLiteral("NCCL_");
const QString kUcx = QStringLiteral("UCX_");
} // namespace

void VariablesModel::load(const TargetMachine& machine)
{
    beginResetModel();
    m_rows.clear();
    const auto add = [this](const QMap<QString, QString>& map, const QString& prefix) {
        for (auto it = map.begin(); it != map.end(); ++it)
            m_rows.append({prefix + it.key(), it.value()});
    };
    add(machine.environment, {});
    add(machine.nccl, kNccl);
    add(machine.ucx, kUcx);
    endResetModel();
}

void VariablesModel::store(TargetMachine& machine) const
{
    machine.environment.clear();
    machine.nccl.clear();
    machine.ucx.clear();
    for (const auto& [name, value] : m_rows) {
        if (name.isEmpty())
            continue;
        if (name.startsWith(kNccl))
            machine.nccl.insert(name.mid(kNccl.size()), value);
        else if (name.startsWith(kUcx))
            machine.ucx.insert(name.mid(kUcx.size()), value);
        else
            machine.environment.insert(name, value);
    }
}

void VariablesModel::removeRow(int row)
{
    if (row < 0 || row >= m_rows.size())
        return;
    beginRemoveRows({}, row, row);
    m_rows.removeAt(row);
    endRemoveRows();
    Q_EMIT edited();
}

QString VariablesModel::problem() const
{
    static const QRegularExpression good(QStringLiteral("^[A-Za-z_][A-Za-z0-9_]*$"));
    QSet<QString> seen;
    for (const auto& [name, value] : m_rows) {
        if (name.isEmpty())
            return tr("The value “%1” has no name.").arg(value);
        if (!good.match(name).hasMatch() || name == kNccl || name == kUcx)
            return tr("“%1” is no name of a variable: letters, digits and _ only.").arg(name);
        if (seen.contains(name))
            return tr("“%1” is there twice; keep one.").arg(name);
        seen.insert(name);
    }
    return {};
}

int VariablesModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size()) + 1;
}

int VariablesModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : 2;
}

QVariant VariablesModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const bool added = index.row() == m_rows.size();
    if (role == Qt::AccessibleTextRole && added)
        return index.column() == 0 ? tr("Name of a new variable") : tr("Value of a new variable");
    if (role == Qt::ToolTipRole)
        return added ? tr("Type a name here to add a variable")
                     : tr("F2 edits, Delete removes the variable");
    if (added && role == Qt::DisplayRole && index.column() == 0)
        return tr("add a variable…");
    if (added && role == Qt::ForegroundRole)
        return QGuiApplication::palette().brush(QPalette::PlaceholderText);
    if (added || (role != Qt::DisplayRole && role != Qt::EditRole))
        return {};
    return index.column() == 0 ? m_rows[index.row()].first : m_rows[index.row()].second;
}

bool VariablesModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (!index.isValid() || role != Qt::EditRole)
        return false;
    const QString text = value.toString().trimmed();
    if (index.row() == m_rows.size()) {
        if (text.isEmpty())
            return false;
        const int row = static_cast<int>(m_rows.size());
        beginInsertRows({}, row, row);
        m_rows.append(index.column() == 0 ? std::pair(text, QString())
                                          : std::pair(QString(), text));
        endInsertRows();
    } else {
        auto& row = m_rows[index.row()];
        (index.column() == 0 ? row.first : row.second) = text;
    }
    Q_EMIT dataChanged(this->index(index.row(), 0), this->index(index.row(), 1));
    Q_EMIT edited();
    return true;
}

Qt::ItemFlags VariablesModel::flags(const QModelIndex& index) const
{
    return QAbstractTableModel::flags(index) | Qt::ItemIsEditable;
}

QVariant VariablesModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    return section == 0 ? tr("Variable") : tr("Value");
}

} // namespace scalebench
