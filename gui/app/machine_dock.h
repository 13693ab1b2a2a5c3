// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// This computer as it is just now: processors, memory, GPUs, whose work that is; and the hosts of a
// study that trains elsewhere. Looks, off the window's thread, only while it can be seen.

#include <QDockWidget>
#include <QSet>

#include <memory>

class QGridLayout;
class QLabel;
class QProgressBar;
class QTimer;

namespace scalebench {

struct LiveUse;
class DataTable;
class ElidedLabel;
class KeyValueModel;
class LatestJob;
class LiveUseMeter;
class ProcessModel;
class Session;

class MachineDock : public QDockWidget
{
    Q_OBJECT
public:
    explicit MachineDock(Session* session, QWidget* parent = nullptr);
    ~MachineDock() override;

    /// Made anew, in the language there is now.
    void retranslate();
    /// What the computer does.
    void showUse(const LiveUse& use);
    /// Looks are taken as long as it is seen (pictures and tests show what they are given).
    void setLooking(bool on);

private:
    struct Bar {
        QLabel* name;
        QProgressBar* bar;
        ElidedLabel* value;
    };
    void build();
    void look();
    void lookWhileSeen();
    void showComputer();
    void showHosts();
    void showVerdict(const LiveUse& use);
    QSet<qint64> ownProcesses() const;
    void setBar(qsizetype place, const QString& name, double share, const QString& value);
    void dropBars(qsizetype from);

    Session* m_session;
    std::shared_ptr<LiveUseMeter> m_meter;
    LatestJob* m_looking;
    QTimer* m_timer;
    ProcessModel* m_processes;
    KeyValueModel* m_hosts;
    bool m_looks = true;
    bool m_knows = false; ///< a second look was taken: what is busy is known
    QLabel* m_name = nullptr;
    ElidedLabel* m_facts = nullptr;
    QLabel* m_verdict = nullptr;
    QGridLayout* m_grid = nullptr;
    QList<Bar> m_bars;
    DataTable* m_table = nullptr;
    DataTable* m_hostTable = nullptr;
};

} // namespace scalebench
