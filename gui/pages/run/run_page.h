// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The study that is going on: queue, live charts, speedup as runs end, Stop.

#include "pages/page.h"
#include "run/run_record.h"

#include <QSet>

#include <memory>

class QComboBox;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTimer;
class QVBoxLayout;

namespace scalebench {

class ChartPanel;
class DataTable;
class ElidedLabel;
class InlineBar;
class LiveStudy;
class MetricPanel;
struct ConnectionState;
class QueueColumns;
class RunQueueModel;
class StepMeans;
class Session;
class SpeedupModel;

class RunPage : public Page
{
    Q_OBJECT
public:
    explicit RunPage(Session* session, QWidget* parent = nullptr);
    ~RunPage() override;

    bool isSettled() const override;
    ChartPanel* currentChart() override;
    ChartPanel* accuracy() const;
    ChartPanel* speedup() const { return m_speedup; }
    InlineBar* bar() const override;
    ShownStudy shownStudy() const override;
    PageProperties properties() const override;
    InlineBar* connectionBar() const { return m_connectionBar; }
    void takeOver(Page& before) override;

protected:
private:
    void setupEmpty();
    void setupHead(QVBoxLayout* column);
    void setupCharts(QVBoxLayout* column);
    void connectLive();
    void rebuild();
    void inSteps(const QList<void (RunPage::*)()>& steps);
    void nextStep();
    void rebuildRunCharts();
    void rebuildAccuracy();
    void rebuildThroughput();
    void sizeQueueColumns();
    void refreshSlow();
    void refreshNext();
    void refreshSplit();
    void refreshPart(int part);
    void refreshHardware();
    void refreshSpeedup();
    void refreshHead();
    void onAdvanced(int index, const RunDelta& delta);
    void onFinished();
    void showFailure(int index);
    void showShortfall();
    void showConnection(const ConnectionState& state);
    void refreshNodes();
    void refreshButtons();
    QString stateLine() const;
    static QString nextText();

    static constexpr int kSlowMs = 500; ///< between two looks at what changes slowly

    Session* m_session;
    LiveStudy* m_live;
    RunQueueModel* m_queue;
    SpeedupModel* m_speedupModel;
    QStackedWidget* m_stack;
    ElidedLabel* m_title;
    QLabel* m_chip;
    ElidedLabel* m_state;
    QPushButton* m_pause;
    QPushButton* m_resume;
    QPushButton* m_failed;
    QPushButton* m_again;
    QPushButton* m_stop;
    QPushButton* m_export;
    InlineBar* m_bar;
    InlineBar* m_emptyBar; ///< while there is no study
    InlineBar* m_connectionBar;
    QLabel* m_nodes; ///< what the nodes said after the last run
    bool m_wasLost = false;
    QString m_shownStudy; ///< its folder
    DataTable* m_queueTable;
    QueueColumns* m_queueColumns = nullptr;
    DataTable* m_speedupTable;
    QLabel* m_sentence;
    QComboBox* m_axis;
    std::unique_ptr<StepMeans> m_means; ///< of the steps so far
    MetricPanel* m_accuracy;
    ChartPanel* m_throughput;
    ChartPanel* m_split;
    ChartPanel* m_hardware;
    QComboBox* m_hardwareChoice; ///< HardwareQuantity
    ChartPanel* m_speedup;
    QTimer* m_slow;
    QTimer* m_stepTimer;
    QList<void (RunPage::*)()> m_steps; ///< of what is made anew, those to come
    int m_part = 0;                     ///< of the slow things, the one that is next
    QHash<int, int> m_resumes;          ///< of the runs, as the legends have them
    QSet<int> m_advanced;               ///< runs that have, since their rows were written
};

} // namespace scalebench
