// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Four choices, this machine in a line, recent studies.

#include "library/library.h"
#include "pages/page.h"
#include "study/machine_info.h"

class QLabel;
class QVBoxLayout;

namespace scalebench {

class Session;

class HomePage : public Page
{
    Q_OBJECT
public:
    explicit HomePage(Session* session, QWidget* parent = nullptr);
    void setMachine(const MachineInfo& machine);
    void setStudies(const QList<StudySummary>& studies);
    /// The library cannot be read.
    void setLoadError(const Failure& failure);

private:
    void setupChoices(QVBoxLayout* column);
    void setupMachine(QVBoxLayout* column);
    void clearRecent();
    QWidget* studyRow(const StudySummary& study);

    Session* m_session;
    QLabel* m_machine;
    QLabel* m_machineDetail;
    QVBoxLayout* m_recent;
};

} // namespace scalebench
