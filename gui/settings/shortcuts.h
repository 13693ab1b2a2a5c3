// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The keys of all actions: their own, and those that a person chose instead, which are remembered.

#include <QAction>
#include <QKeySequence>
#include <QList>
#include <QObject>

namespace scalebench {

class Shortcuts : public QObject
{
    Q_OBJECT
public:
    struct Entry {
        QString id;
        QAction* action;
        QList<QKeySequence> own;
    };
    using QObject::QObject;

    /// Once its own keys are set; `id` names it in the settings.
    void add(QAction* action, const QString& id);
    /// Before the actions go.
    void clear() { m_entries.clear(); }
    const QList<Entry>& entries() const { return m_entries; }
    bool isChanged(int index) const;
    /// Takes the keys away from whoever had them.
    void set(int index, const QKeySequence& keys);
    void reset(int index);
    /// Who has the keys already; -1: nobody.
    int ownerOf(const QKeySequence& keys) const;

Q_SIGNALS:
    void changed(int index);

private:
    void assign(int index, const QList<QKeySequence>& keys);

    QList<Entry> m_entries;
};

} // namespace scalebench
