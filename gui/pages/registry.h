// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The pages of the workbench, in the order of the activity bar. Menus, shortcuts, activity bar,
// command palette and command line are made from this table.

#include <QList>
#include <QString>
#include <QStringList>

namespace scalebench {

class Page;
class Session;

struct PageEntry {
    QString id;    ///< of --page and the settings
    QString title; ///< with the mnemonic
    QString icon;  ///< of resources/icons
    Page* (*make)(Session* session);
};

/// Titles in the language of the moment.
QList<PageEntry> pageRegistry();
QStringList pageIds();

} // namespace scalebench
