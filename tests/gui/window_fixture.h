// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A whole window over a library of its own, and what a person finds in its menus.

#include "app/main_window.h"
#include "support/launcher_fixture.h"

#include <QAction>
#include <QMainWindow>

namespace scalebench::test {

/// `page`: the first; empty: as the window begins.
inline CommandLine commandFor(const TemporaryLibrary& library, const QString& page = {})
{
    CommandLine line;
    line.libraryDir = library.folder.path();
    line.page = page;
    line.size = QSize(1280, 800);
    return line;
}

/// The action of that text, whatever its mnemonic; nullptr: none.
inline QAction* actionOf(const QMainWindow& window, const QString& text)
{
    for (QAction* action : window.findChildren<QAction*>())
        if (QString(action->text()).remove(QLatin1Char('&')) == text)
            return action;
    return nullptr;
}

} // namespace scalebench::test
