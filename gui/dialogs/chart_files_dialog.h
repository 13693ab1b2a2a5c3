// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Charts that were exported as CSV, here or elsewhere, as charts again.

#include "figures/chart_data.h"

#include <QDialog>

#include <functional>

class QComboBox;

namespace scalebench {

class ChartPanel;
class FileReading;
class InlineBar;

class ChartFilesDialog : public QDialog
{
    Q_OBJECT
public:
    /// `libraryDir`: whose imported charts are offered from the start; empty: none.
    explicit ChartFilesDialog(const QString& libraryDir = {}, QWidget* parent = nullptr);

    /// Read off this thread. What cannot be read is said in the dialog; the last of the others is
    /// shown.
    void addFiles(const QStringList& files);
    bool isReading() const;
    ChartPanel* panel() const { return m_panel; }

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void choose();
    void read(const std::function<QStringList()>& which);
    void show(int index);

    QComboBox* m_choice;
    ChartPanel* m_panel;
    InlineBar* m_bar;
    FileReading* m_reading;
    QList<ChartData> m_charts;
};

} // namespace scalebench
