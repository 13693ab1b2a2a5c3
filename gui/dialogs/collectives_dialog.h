// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Bandwidth of collectives from files of benchmarks, own and of nccl-tests, over one another and
// over what links can carry.

#include "figures/bench_charts.h"

#include <QDialog>

#include <functional>

class QAction;
class QComboBox;
class QMenu;
class QPushButton;

namespace scalebench {

class ChartPanel;
class FileReading;
class InlineBar;

class CollectivesDialog : public QDialog
{
    Q_OBJECT
public:
    /// `libraryDir`: whose imported nccl-tests are shown from the start; empty: none.
    explicit CollectivesDialog(const QString& libraryDir = {}, QWidget* parent = nullptr);

    /// Read off this thread. What cannot be read is said in the dialog; the rest is drawn.
    void addFiles(const QStringList& files);
    bool isReading() const;
    ChartPanel* panel() const { return m_panel; }

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QPushButton* makeLinks();
    QAction* offer(const LinkPeak& link, QAction* before);
    QList<LinkPeak> links() const;
    void addLink();
    void choose();
    void read(const std::function<QStringList()>& which);
    void rebuild();

    ChartPanel* m_panel;
    InlineBar* m_bar;
    FileReading* m_reading;
    QComboBox* m_which;
    QMenu* m_links; ///< by the device, those known, those that were typed
    QList<imports::CollectiveCurve> m_curves;
    QStringList m_names; ///< of the files the curves are from
    QList<std::pair<QAction*, LinkPeak>> m_offered;
};

} // namespace scalebench
