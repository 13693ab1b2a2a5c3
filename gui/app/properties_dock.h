// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// All that is known of what is picked out on the page at the front, beside it.

#include "pages/page.h"

#include <QDockWidget>

namespace scalebench {

class DataTable;
class ElidedLabel;
class KeyValueModel;

class PropertiesDock : public QDockWidget
{
    Q_OBJECT
public:
    explicit PropertiesDock(QWidget* parent = nullptr);

    void show(const PageProperties& properties);
    using QWidget::show;
    /// Made anew, in the language there is now.
    void retranslate();

private:
    void build();

    KeyValueModel* m_model;
    ElidedLabel* m_title = nullptr;
    DataTable* m_table = nullptr;
};

} // namespace scalebench
