// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/command_model.h"

#include <algorithm>

namespace scalebench {

void CommandModel::setCommands(const QList<Command>& commands)
{
    m_commands = commands;
    setFilter({});
}

void CommandModel::setFilter(const QString& typed)
{
    // A word of the menu helps to find what is in it, but the title counts more.
    constexpr int kInTitle = 100'000;
    beginResetModel();
    m_rows.clear();
    for (qsizetype i = 0; i < m_commands.size(); ++i) {
        const Command& command = m_commands[i];
        if (auto match = fuzzyMatch(command.title, typed)) {
            match->score += kInTitle;
            m_rows << Row{i, *match};
        } else if (const auto wide =
                       fuzzyMatch(command.where + QLatin1Char(' ') + command.title, typed)) {
            m_rows << Row{i, {wide->score, {}}};
        }
    }
    if (!typed.trimmed().isEmpty())
        std::stable_sort(m_rows.begin(), m_rows.end(),
                         [](const Row& a, const Row& b) { return a.match.score > b.match.score; });
    endResetModel();
}

int CommandModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant CommandModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= m_rows.size())
        return {};
    const Row& row = m_rows[index.row()];
    const Command& command = m_commands[row.command];
    switch (role) {
    case Qt::DisplayRole:
        return command.title;
    case Qt::AccessibleTextRole:
        return QStringList{command.title, command.where, command.shortcut}.join(
            QStringLiteral(", "));
    case WhereRole:
        return command.where;
    case ShortcutRole:
        return command.shortcut;
    case IconNameRole:
        return command.icon;
    case MatchRole:
        return QVariant::fromValue(row.match.position);
    default:
        return {};
    }
}

} // namespace scalebench
