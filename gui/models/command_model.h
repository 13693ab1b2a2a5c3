// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What can be done, filtered by what is typed: the rows of the command palette.

#include "models/fuzzy_match.h"

#include <QAbstractListModel>

#include <functional>

class QAction;

namespace scalebench {

struct Command {
    QString title;    ///< without mnemonic
    QString where;    ///< "View › Theme"
    QString shortcut; ///< as the platform writes it
    QString icon;     ///< of resources/icons; empty: none
    std::function<void()> run;
    const QAction* action = nullptr; ///< that it stands for; null: none
};

class CommandModel : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role { WhereRole = Qt::UserRole + 1, ShortcutRole, IconNameRole, MatchRole };
    using QAbstractListModel::QAbstractListModel;

    void setCommands(const QList<Command>& commands);
    /// The best first; all in their order where nothing is typed.
    void setFilter(const QString& typed);
    /// By value: running it may change the commands.
    Command command(int row) const { return m_commands.at(m_rows.at(row).command); }

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    struct Row {
        qsizetype command = 0;
        FuzzyMatch match; ///< positions within the title
    };
    QList<Command> m_commands;
    QList<Row> m_rows;
};

} // namespace scalebench
