// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Bandwidth of collectives from files of benchmarks, own and of nccl-tests, over one another.

#include "figures/bench_charts.h"

#include <QDialog>

class QComboBox;

namespace scalebench {

class ChartPanel;
class InlineBar;

class CollectivesDialog : public QDialog
{
    Q_OBJECT
public:
    explicit CollectivesDialog(QWidget* parent = nullptr);

    /// What cannot be read is said in the dialog; the rest is drawn.
    void addFiles(const QStringList& files);
    ChartPanel* panel() const { return m_panel; }

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void choose();
    void rebuild();

    ChartPanel* m_panel;
    InlineBar* m_bar;
    QComboBox* m_which;
    QList<imports::CollectiveCurve> m_curves;
    QStringList m_names; ///< of the files the curves are from
};

} // namespace scalebench
