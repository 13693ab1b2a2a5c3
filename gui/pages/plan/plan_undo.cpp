// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/plan/plan_undo.h"

#include "pages/plan/plan_edits.h"

#include <utility>

namespace scalebench {

static constexpr qint64 kTogetherMs = 1500;

PlanEdit::PlanEdit(PlanState before, PlanState after, const QString& what, Restore restore)
    : QUndoCommand(what),
      m_before(std::move(before)),
      m_after(std::move(after)),
      m_keys(changedKeys(m_before.spec, m_after.spec)),
      m_restore(std::move(restore))
{
    m_age.start();
}

PlanEdit::PlanEdit(const PlanEdit& other, Restore restore)
    : QUndoCommand(other.text()),
      m_before(other.m_before),
      m_after(other.m_after),
      m_keys(other.m_keys),
      m_restore(std::move(restore)),
      m_age(other.m_age)
{
}

/// Typed letter by letter or step by step; a tick or a choice is an edit of its own.
static bool isTyped(const QStringList& keys)
{
    static const QStringList typed{QStringLiteral("name"),
                                   QStringLiteral("data"),
                                   QStringLiteral("target"),
                                   QStringLiteral("seed"),
                                   QStringLiteral("epochs"),
                                   QStringLiteral("global_batch"),
                                   QStringLiteral("repeats"),
                                   QStringLiteral("retries"),
                                   QStringLiteral("learning_rate"),
                                   QStringLiteral("bucket_mb"),
                                   QStringLiteral("grad_accum"),
                                   QStringLiteral("max_minutes"),
                                   QStringLiteral("threads_per_worker")};
    return keys.size() == 1 && typed.contains(keys.first().section(QLatin1Char('.'), -1));
}

bool PlanEdit::mergeWith(const QUndoCommand* other)
{
    const auto* next = dynamic_cast<const PlanEdit*>(other);
    if (!next || next->m_keys != m_keys || !isTyped(m_keys) ||
        m_age.msecsTo(next->m_age) > kTogetherMs)
        return false;
    m_after = next->m_after;
    m_age = next->m_age;
    setObsolete(m_after.spec == m_before.spec);
    return true;
}

void PlanEdit::undo()
{
    m_restore(m_before);
}

void PlanEdit::redo()
{
    if (std::exchange(m_done, true))
        m_restore(m_after);
}

} // namespace scalebench
