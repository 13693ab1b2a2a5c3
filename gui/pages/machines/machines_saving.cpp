// SPDX-License-Identifier: GPL-3.0-or-later
// What is typed on the Machines page becomes the file of target machines: one writing at a time,
// off the window's thread.
#include "pages/machines/machines_page.h"

#include "models/machine_checks.h"
#include "widgets/inline_bar.h"
#include "work/background.h"

#include <QListView>
#include <QTimer>

#include <utility>

namespace scalebench {

/// Of one entry of the list.
struct MachinesPage::Change {
    quint64 id;
    QString from;                    ///< its name in the file; empty: not in it yet
    std::optional<TargetMachine> to; ///< none: it is removed
    Result<void> done;
};

bool MachinesPage::isSaved() const
{
    return !m_saveTimer->isActive() && !m_writing;
}

QList<MachinesPage::Change> MachinesPage::changes() const
{
    QList<Change> changes;
    for (const MachineListModel::Entry& entry : m_model->entries()) {
        const TargetMachine* known = m_file ? m_file->find(entry.savedName) : nullptr;
        if (m_file && !entry.draft && !(known && *known == entry.machine))
            changes.append({entry.id, known ? entry.savedName : QString(), entry.machine, {}});
    }
    return changes;
}

void MachinesPage::saveNow()
{
    m_saveTimer->stop();
    m_writeAgain = m_writing;
    if (m_writing)
        return;
    if (const QList<Change> wanted = changes(); !wanted.isEmpty())
        write(wanted);
    showState();
}

void MachinesPage::write(const QList<Change>& changes)
{
    using Outcome = std::pair<QList<Change>, MachineFile>;
    m_writing = true;
    inBackground(
        this,
        [changes, file = *m_file]() -> Outcome {
            Outcome outcome{changes, file};
            for (Change& change : outcome.first) {
                MachineFile& now = outcome.second;
                if (!change.to) {
                    change.done = now.remove(change.from);
                    continue;
                }
                if (!change.from.isEmpty() && change.from != change.to->name)
                    change.done = now.rename(change.from, change.to->name);
                if (change.done)
                    change.done = now.save(*change.to);
            }
            return outcome;
        },
        [this](const Outcome& outcome) { written(outcome.first, outcome.second); });
}

void MachinesPage::written(const QList<Change>& changes, const MachineFile& file)
{
    m_writing = false;
    m_file = file;
    bool any = false;
    for (const Change& change : changes) {
        const int row = m_model->rowWithId(change.id);
        if (!change.done) {
            m_bar->showFailure(change.done.failure());
            continue;
        }
        any = true;
        if (row < 0)
            continue;
        MachineListModel::Entry entry = m_model->entry(row);
        if (!change.to) {
            wasRemoved(entry);
            continue;
        }
        entry.savedName = change.to->name;
        m_model->setEntry(row, entry);
        if (!change.from.isEmpty() && change.from != entry.savedName)
            MachineChecks::remember(entry.savedName, entry.check);
    }
    if (m_writeAgain)
        saveNow();
    showState();
    if (any)
        Q_EMIT machinesChanged();
    while (!m_writing && !m_afterwards.isEmpty())
        m_afterwards.takeFirst()();
}

bool MachinesPage::isWriting()
{
    if (m_saveTimer->isActive())
        saveNow();
    return !isSaved();
}

/// Drafts are in no file.
void MachinesPage::takeOver(Page& before)
{
    const auto& other = static_cast<const MachinesPage&>(before);
    m_file = other.m_file;
    m_model->setEntries(other.m_model->entries());
    m_list->setCurrentIndex(m_model->index(std::max(0, other.current())));
    showCurrent();
    m_before = other.m_before;
    showState();
}

void MachinesPage::removeFromFile(const MachineListModel::Entry& entry)
{
    write({{entry.id, entry.savedName, std::nullopt, {}}});
}

void MachinesPage::whenWritten(const std::function<void()>& then)
{
    if (m_writing)
        m_afterwards << then;
    else
        then();
}

} // namespace scalebench
