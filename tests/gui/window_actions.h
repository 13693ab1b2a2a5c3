// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a person finds in a window's menus.

#include <QAction>
#include <QMainWindow>

namespace scalebench::test {

/// The action of that text, whatever its mnemonic; nullptr: none.
inline QAction* actionOf(const QMainWindow& window, const QString& text)
{
    for (QAction* action : window.findChildren<QAction*>())
        if (QString(action->text()).remove(QLatin1Char('&')) == text)
            return action;
    return nullptr;
}

} // namespace scalebench::test
