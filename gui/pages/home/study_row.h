// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A study in Home's list: its name, what it trained and when, how it stands.

#include "library/library.h"

#include <QPushButton>

class QLabel;

namespace scalebench {

class ElidedLabel;

class StudyRow : public QPushButton
{
    Q_OBJECT
public:
    explicit StudyRow(const StudySummary& study, QWidget* parent = nullptr);
    /// Says what is so now; the row itself stays, and with it the focus of the keyboard.
    void setStudy(const StudySummary& study);
    const QString& studyDir() const { return m_dir; }
    /// A supervisor is alive, or a run is not final.
    bool isActive() const { return m_active; }

private:
    ElidedLabel* m_name;
    QLabel* m_detail;
    ElidedLabel* m_state;
    QString m_dir;
    bool m_active = false;
};

} // namespace scalebench
