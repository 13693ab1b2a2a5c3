// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Ctrl+K: every page and every action of the menus, found by a few letters.

#include "models/command_model.h"

#include <QFrame>
#include <QPointer>

class QAction;
class QLabel;
class QLineEdit;
class QListView;
class QMenu;
class QMenuBar;

namespace scalebench {

/// What the menus offer just now: enabled, visible, submenus and menus that fill themselves too.
QList<Command> commandsOf(const QMenuBar* bar);
/// The same of one menu, which is at `where`.
QList<Command> commandsOf(QMenu* menu, const QString& where);

/// Lies over its parent; Esc, a click elsewhere and a choice put it away.
class CommandPalette : public QFrame
{
    Q_OBJECT
public:
    explicit CommandPalette(QWidget* parent);
    void open(const QList<Command>& commands);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void close();
    void place();
    void filter(const QString& typed);
    void move(int rows);
    void choose();

    CommandModel* m_model;
    QLineEdit* m_edit;
    QListView* m_list;
    QLabel* m_nothing;
    QPointer<QWidget> m_before; ///< had the focus
};

} // namespace scalebench
