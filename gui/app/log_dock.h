// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The log of the study that is shown: what its runs print and print no more, and its life.

#include <QDockWidget>

namespace scalebench {

class LogView;
class Session;

class LogDock : public QDockWidget
{
    Q_OBJECT
public:
    explicit LogDock(Session* session, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;

private:
    void showKeptLogs();

    Session* m_session;
    LogView* m_log;
};

} // namespace scalebench
