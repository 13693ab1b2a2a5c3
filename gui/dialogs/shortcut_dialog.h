// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The keys of every action, to look up and to change.

#include <QDialog>

class QKeySequenceEdit;
class QLabel;
class QPushButton;

namespace scalebench {

class DataTable;
class ShortcutModel;
class Shortcuts;

class ShortcutDialog : public QDialog
{
    Q_OBJECT
public:
    ShortcutDialog(Shortcuts* shortcuts, QWidget* parent = nullptr);

private:
    int current() const;
    void showCurrent();
    void check();
    void assign();

    Shortcuts* m_shortcuts;
    ShortcutModel* m_model;
    DataTable* m_table;
    QKeySequenceEdit* m_keys;
    QPushButton* m_assign;
    QPushButton* m_reset;
    QLabel* m_note;
};

} // namespace scalebench
