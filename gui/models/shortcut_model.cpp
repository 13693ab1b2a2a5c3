// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/shortcut_model.h"

#include "models/roles.h"
#include "settings/shortcuts.h"

#include <QFont>

namespace scalebench {

ShortcutModel::ShortcutModel(Shortcuts* shortcuts, QObject* parent)
    : QAbstractTableModel(parent), m_shortcuts(shortcuts)
{
    connect(shortcuts, &Shortcuts::changed, this,
            [this](int row) { Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1)); });
}

int ShortcutModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_shortcuts->entries().size());
}

int ShortcutModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString ShortcutModel::title(int row) const
{
    const QString text = m_shortcuts->entries().at(row).action->text();
    return QString(text).remove(QLatin1Char('&'));
}

QVariant ShortcutModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Shortcuts::Entry& entry = m_shortcuts->entries().at(index.row());
    if (role == Qt::FontRole && index.column() == Keys && m_shortcuts->isChanged(index.row())) {
        QFont bold;
        bold.setBold(true);
        return bold;
    }
    if (role != Qt::DisplayRole && role != kSortRole)
        return {};
    switch (index.column()) {
    case Action:
        return title(index.row());
    case Keys:
        return QKeySequence::listToString(entry.action->shortcuts(), QKeySequence::NativeText);
    case Own:
        return QKeySequence::listToString(entry.own, QKeySequence::NativeText);
    default:
        return {};
    }
}

QVariant ShortcutModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    const QStringList names{tr("Action"), tr("Keys"), tr("As delivered")};
    return names.value(section);
}

} // namespace scalebench
