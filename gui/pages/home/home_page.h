// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Four choices, this machine in a line, recent studies.

#include "library/library.h"
#include "pages/page.h"
#include "study/machine_info.h"

class QLabel;
class QVBoxLayout;

namespace scalebench {

class HomePage : public Page
{
    Q_OBJECT
public:
    explicit HomePage(QWidget* parent = nullptr);
    void setMachine(const MachineInfo& machine);
    void setStudies(const QList<StudySummary>& studies);
    /// The library cannot be read.
    void setLoadError(const Failure& failure);

Q_SIGNALS:
    void planRequested();
    void allWorkloadsRequested();
    void resultsRequested();
    void exampleRequested();
    void studyRequested(const QString& dir, bool active);

private:
    void setupChoices(QVBoxLayout* column);
    void setupMachine(QVBoxLayout* column);
    void clearRecent();
    QWidget* studyRow(const StudySummary& study);

    QLabel* m_machine;
    QLabel* m_machineDetail;
    QVBoxLayout* m_recent;
};

} // namespace scalebench
