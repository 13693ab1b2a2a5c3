// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/shortcuts.h"

#include "settings/app_settings.h"

namespace scalebench {

void Shortcuts::add(QAction* action, const QString& id)
{
    m_entries.append({id, action, action->shortcuts()});
    if (const auto chosen = AppSettings::instance().shortcuts(id))
        action->setShortcuts(*chosen);
}

bool Shortcuts::isChanged(int index) const
{
    return m_entries[index].action->shortcuts() != m_entries[index].own;
}

int Shortcuts::ownerOf(const QKeySequence& keys) const
{
    for (int i = 0; i < m_entries.size(); ++i)
        if (!keys.isEmpty() && m_entries[i].action->shortcuts().contains(keys))
            return i;
    return -1;
}

void Shortcuts::set(int index, const QKeySequence& keys)
{
    if (const int owner = ownerOf(keys); owner >= 0 && owner != index) {
        QList<QKeySequence> left = m_entries[owner].action->shortcuts();
        left.removeAll(keys);
        assign(owner, left);
    }
    assign(index, keys.isEmpty() ? QList<QKeySequence>() : QList<QKeySequence>{keys});
}

void Shortcuts::reset(int index)
{
    const QList<QKeySequence> own = m_entries[index].own;
    for (const QKeySequence& keys : own) {
        const int owner = ownerOf(keys);
        if (owner < 0 || owner == index)
            continue;
        QList<QKeySequence> left = m_entries[owner].action->shortcuts();
        left.removeAll(keys);
        assign(owner, left);
    }
    assign(index, own);
}

void Shortcuts::assign(int index, const QList<QKeySequence>& keys)
{
    const Entry& entry = m_entries[index];
    entry.action->setShortcuts(keys);
    AppSettings::instance().setShortcuts(entry.id,
                                         keys == entry.own ? std::nullopt : std::optional(keys));
    Q_EMIT changed(index);
}

} // namespace scalebench
