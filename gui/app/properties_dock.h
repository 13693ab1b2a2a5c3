// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// All that is known of what is picked out on the page at the front, beside it.

#include "pages/page.h"

#include <QDockWidget>

class QToolButton;
class QUndoStack;

namespace scalebench {

class DataTable;
class ElidedLabel;
class KeyValueModel;

class PropertiesDock : public QDockWidget
{
    Q_OBJECT
public:
    explicit PropertiesDock(QWidget* parent = nullptr);

    /// `undo`: where choices of a colour go.
    void show(const PageProperties& properties, QUndoStack* undo = nullptr);
    using QWidget::show;
    /// Made anew, in the language there is now.
    void retranslate();

private:
    void build();
    void showColor();

    KeyValueModel* m_model;
    PageProperties m_shown;
    QUndoStack* m_undo = nullptr;
    QToolButton* m_color = nullptr;
    ElidedLabel* m_title = nullptr;
    DataTable* m_table = nullptr;
};

} // namespace scalebench
