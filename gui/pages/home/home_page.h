// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Four choices, this machine in a line, recent studies.

#include "library/library.h"
#include "pages/page.h"
#include "study/machine_info.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace scalebench {

class Session;
class StudyRow;

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
    void setNote(QWidget* note);
    /// Rows of studies that stay are kept, so that the keyboard goes on where it was.
    void setRows(const QList<StudySummary>& studies);
    StudyRow* addRow(const StudySummary& study);

    Session* m_session;
    QLabel* m_machine;
    QLabel* m_machineDetail;
    QVBoxLayout* m_recent;
    QPushButton* m_lastChoice = nullptr; ///< by Tab the rows follow it
    QList<StudyRow*> m_rows;
    QWidget* m_note = nullptr; ///< why there are no rows
};

} // namespace scalebench
