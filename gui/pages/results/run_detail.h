// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One run (or several, overlaid): charts, settings, environment, files, and why it failed.

#include "run/study.h"

#include <QJsonObject>
#include <QWidget>

#include <functional>

class QComboBox;
class QTabWidget;

namespace scalebench {

class ChartPanel;
class DataTable;
class ElidedLabel;
class InlineBar;
class KeyValueModel;
class MetricPanel;
class RunPictures;

/// What a thread reads for this view.
struct RunDetailData {
    QString dir;         ///< the first that was asked for, also where it cannot be read
    qsizetype asked = 0; ///< runs; of very many only the first are read
    Study study;         ///< the chosen runs only
    QJsonObject system;
    QList<std::pair<QString, QString>> files;
    bool pictures = false;  ///< the first run's evaluation left some
    QStringList unreadable; ///< why, for each run
    bool gone = false;      ///< the folder of a study
    bool hasPlan = false;   ///< the study of `dir` can be planned again
};
/// `goOn` is asked before each run; false: nobody wants them any more, and it ends as it is.
RunDetailData loadRunDetail(const QStringList& runDirs, const std::function<bool()>& goOn);

class RunDetail : public QWidget
{
    Q_OBJECT
public:
    explicit RunDetail(QWidget* parent = nullptr);
    void show(const RunDetailData& detail);
    /// Shows what the other does, in the same way.
    void takeOver(const RunDetail& other);
    ChartPanel* currentChart();
    const RunDetailData& data() const { return m_data; }
    RunPictures* pictures() const { return m_pictures; }
    /// Brings the tab of the pictures to the front.
    void showPictures();

private:
    void setupCharts();
    void setupTables();
    void rebuildCharts();
    void tellFaults();

    RunDetailData m_data;
    ElidedLabel* m_title;
    ElidedLabel* m_facts;
    InlineBar* m_bar;
    QTabWidget* m_tabs;
    QComboBox* m_axis;
    MetricPanel* m_accuracy;
    ChartPanel* m_loss;
    ChartPanel* m_throughput;
    ChartPanel* m_split;
    KeyValueModel* m_settings;
    KeyValueModel* m_environment;
    KeyValueModel* m_files;
    RunPictures* m_pictures;
};

} // namespace scalebench
