// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What keeps a plan from starting, and what is left out of it: a line each, some at once, the rest
// scrolled to.

#include "study/study_spec.h"

#include <QScrollArea>

class QLabel;

namespace scalebench {

class PlanProblems : public QScrollArea
{
    Q_OBJECT
public:
    explicit PlanProblems(QWidget* parent = nullptr);
    void setProblems(const QList<Problem>& problems);
    QString text() const;

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();

    QLabel* m_errors;
    QLabel* m_warnings;
};

} // namespace scalebench
