// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the main window asks of a page.

#include <QWidget>

namespace scalebench {

class ChartPanel;

class Page : public QWidget
{
    Q_OBJECT
public:
    using QWidget::QWidget;
    /// The chart that Ctrl+E exports; null: this page has none.
    virtual ChartPanel* currentChart() { return nullptr; }
    /// Ctrl+F.
    virtual void focusFilter() {}
    /// The page comes to the front.
    virtual void activate() {}
};

} // namespace scalebench
