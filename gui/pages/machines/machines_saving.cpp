// SPDX-License-Identifier: GPL-3.0-or-later
// What is typed on the Machines page becomes the file of target machines: one writing at a time,
// off the window's thread.
#include "pages/machines/machines_page.h"

#include "models/machine_checks.h"
#include "widgets/inline_bar.h"
#include "work/background.h"

#include <QFileInfo>
#include <QFileSystemWatcher>
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
        if (m_file && !entry.draft && entry.isEdited())
            changes.append({entry.id, entry.savedName, entry.machine, {}});
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
    m_writing = true;
    inBackground(
        this,
        [changes, file = *m_file] {
            QList<Change> done = changes;
            MachineFile now = file;
            for (Change& change : done) {
                if (!change.to) {
                    change.done = now.remove(change.from);
                    continue;
                }
                if (!change.from.isEmpty() && change.from != change.to->name)
                    change.done = now.rename(change.from, change.to->name);
                if (change.done)
                    change.done = now.save(*change.to);
            }
            return done;
        },
        [this](const QList<Change>& done) { written(done); });
}

void MachinesPage::written(const QList<Change>& changes)
{
    m_writing = false;
    for (const Change& change : changes) {
        const int row = m_model->rowWithId(change.id);
        if (!change.done) {
            m_bar->showFailure(change.done.failure());
            continue;
        }
        if (row < 0)
            continue;
        MachineListModel::Entry entry = m_model->entry(row);
        if (!change.to) {
            wasRemoved(entry);
            continue;
        }
        entry.savedName = change.to->name;
        entry.saved = *change.to;
        m_model->setEntry(row, entry);
    }
    reload();
    if (m_writeAgain)
        saveNow();
    showState();
    while (!m_writing && !m_afterwards.isEmpty())
        m_afterwards.takeFirst()();
}

void MachinesPage::reload()
{
    if (const QString folder = QFileInfo(MachineFile::defaultPath()).absolutePath();
        m_watcher->directories().isEmpty() && QFileInfo::exists(folder))
        m_watcher->addPath(folder);
    if (m_writing) // it is read once that is done
        return;
    m_version = FileVersion::of(MachineFile::defaultPath());
    auto file = MachineFile::open();
    if (!file) {
        m_bar->showFailure(file.failure());
        file = MachineFile::open(); // a damaged file was moved aside, the list begins anew
    }
    const QList<TargetMachine> before = savedMachines();
    m_file.reset();
    if (file) {
        m_file = file.value();
        takeFile();
    }
    if (current() < 0)
        select(localMachineName());
    if (savedMachines() != before)
        Q_EMIT machinesChanged();
    showState();
}

/// Brings the list to what the file holds now, except for what is being edited.
void MachinesPage::takeFile()
{
    const auto status = [this](MachineListModel::Entry& entry) {
        entry.check = m_checks->summary(entry.savedName);
        entry.checking = m_checks->isChecking(entry.savedName);
    };
    for (int row = m_model->rowCount() - 1; row >= 0; --row) {
        MachineListModel::Entry entry = m_model->entry(row);
        if (entry.savedName.isEmpty())
            continue;
        const TargetMachine* now = m_file->find(entry.savedName);
        const bool edited = entry.isEdited();
        if (!now && !edited) {
            m_model->take(row);
            continue;
        }
        if (now) {
            entry.saved = *now;
            status(entry);
        } else {
            entry.savedName.clear(); // it is saved anew
        }
        const bool shown = row == current() && !edited && entry.machine != *now;
        if (!edited)
            entry.machine = *now;
        m_model->setEntry(row, entry);
        if (shown)
            showCurrent();
    }
    for (const TargetMachine& machine : m_file->machines()) {
        if (m_model->rowOf(machine.name) >= 0)
            continue;
        MachineListModel::Entry entry;
        entry.machine = entry.saved = machine;
        entry.savedName = machine.name;
        status(entry);
        m_model->insert(m_model->rowCount(), entry);
    }
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
