// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One edit of a plan: the study before and after it. What is typed into one field in a row is one.

#include "study/study_spec.h"

#include <QElapsedTimer>
#include <QUndoCommand>

#include <functional>

namespace scalebench {

/// A plan and which of its workloads is looked at.
struct PlanState {
    StudySpec spec;
    int entry = 0;
};

class PlanEdit : public QUndoCommand
{
public:
    using Restore = std::function<void(const PlanState&)>;

    /// `restore` shows a state; it is not called for the edit itself, which shows already.
    PlanEdit(PlanState before, PlanState after, const QString& what, Restore restore);

    /// The same edit on another page.
    PlanEdit(const PlanEdit& other, Restore restore);

    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* other) override;
    void undo() override;
    void redo() override;

private:
    PlanState m_before, m_after;
    QStringList m_keys;
    Restore m_restore;
    QElapsedTimer m_age;
    bool m_done = false;
};

} // namespace scalebench
