// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A chart as pages use it: card with title, Chart and Data tabs, Follow chip and export menu.

#include "figures/chart_data.h"

#include <QFrame>

#include <functional>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QMenu;
class QStackedWidget;
class QTimer;
class QToolButton;

namespace scalebench {

class ChartTableModel;
class ChartWidget;
class DataTable;
class ElidedLabel;
struct ExportOptions;

class ChartPanel : public QFrame
{
    Q_OBJECT
public:
    using MakeChart = std::function<ChartData()>;
    explicit ChartPanel(const QString& title, QWidget* parent = nullptr);

    ChartWidget* chartWidget() const { return m_chart; }
    DataTable* table() const { return m_table; }
    /// `make`: how it is made once more, in the language of files; none: its texts are in no
    /// language.
    void setChart(const ChartData& chart, const MakeChart& make = {});
    void setChart(const MakeChart& make) { setChart(make(), make); }
    const ChartData& chart() const;
    /// As it is shown, in the language of files.
    ChartData chartInEnglish() const;
    /// Puts a control of the page's into the head line (x axis choice).
    void addHeadWidget(QWidget* widget);
    /// `shown` false: for screen readers only, something else stands in its place.
    void setTitle(const QString& title, bool shown = true);
    /// What can be done in this chart, before what must be said with it.
    void setHint(const QString& hint);
    /// The values as a table, in place of the chart.
    bool showsData() const;

Q_SIGNALS:
    void exported(const QString& file);

public Q_SLOTS:
    void exportPicture();
    void copyPicture();
    void copyData();
    void showData(bool on);

protected:
    /// Beside the title, from the left.
    void addTitleWidget(QWidget* widget, int place);

private:
    void setupHead(const QString& title);
    void setupMenu(QMenu* menu);
    void setupLegendMenu(QMenu* menu);
    ExportOptions asShown() const;
    void setupBody();
    void refreshTable();

    QLabel* m_title;
    QHBoxLayout* m_head;
    QToolButton* m_follow;
    QToolButton* m_chartTab;
    QToolButton* m_dataTab;
    QToolButton* m_menu;
    QStackedWidget* m_stack;
    ChartWidget* m_chart;
    ElidedLabel* m_notes; ///< what must be said with the chart
    QString m_hint;
    MakeChart m_make;
    ChartTableModel* m_model;
    DataTable* m_table;
    QTimer* m_tableTimer;
};

} // namespace scalebench
