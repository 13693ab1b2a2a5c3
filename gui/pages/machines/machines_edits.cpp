// SPDX-License-Identifier: GPL-3.0-or-later
// How target machines come and go: added, copied, removed, dropped as a hostfile.
#include "pages/machines/machines_page.h"

#include "charts/series_colors.h"
#include "models/check_model.h"
#include "models/key_value_model.h"
#include "models/machine_checks.h"
#include "models/run_properties.h"
#include "pages/machines/check_panel.h"
#include "pages/machines/machine_form.h"
#include "pages/machines/machine_problems.h"
#include "session/session.h"
#include "widgets/elided_label.h"
#include "widgets/hostfile_editor.h"
#include "widgets/inline_bar.h"
#include "widgets/widgets.h"

#include <QDragEnterEvent>
#include <QFileInfo>
#include <QListView>
#include <QMimeData>
#include <QTimer>
#include <QToolButton>

namespace scalebench {

/// The one local file that is dragged, where it may be a hostfile.
static QString draggedHostfile(const QMimeData* data)
{
    const auto urls = data->urls();
    if (urls.size() != 1 || !urls.first().isLocalFile())
        return {};
    const QFileInfo info(urls.first().toLocalFile());
    // Studies and folders are the window's business.
    if (!info.isFile() || info.suffix() == QLatin1String("json"))
        return {};
    return info.absoluteFilePath();
}

PageProperties MachinesPage::properties() const
{
    const int row = current();
    if (row < 0)
        return {};
    const TargetMachine& machine = m_model->entry(row).machine;
    if (machine.kind != TargetMachine::Kind::Local)
        return {machine.name, KeyValueModel::pairsOf(machine.toJson()),
                SeriesColors::machineSubject(machine.name)};
    const MachineInfo& computer = m_session->computer();
    return {computer.hostName.isEmpty() ? machine.name : computer.hostName,
            computerProperties(computer), SeriesColors::machineSubject(computer.hostName)};
}

void MachinesPage::showState()
{
    const int row = current();
    Q_EMIT propertiesChanged();
    if (row < 0)
        return;
    const MachineListModel::Entry& entry = m_model->entry(row);
    const bool local = entry.machine.kind == TargetMachine::Kind::Local;
    QList<Problem> problems =
        local ? QList<Problem>() : machineProblems(entry.machine, otherNames(row));
    // A hostfile may be put right later: it keeps the machine from being used, not from being
    // saved.
    const QString hosts = m_form->hostfileEditor()->problem();
    if (!local && problems.isEmpty() && !entry.machine.hostfile.isEmpty() && !hosts.isEmpty())
        problems.append({Problem::Level::Warning, QStringLiteral("hostfile"),
                         QStringLiteral("hostfile"), hosts});
    m_title->setFullText(machineTitle(entry.machine));
    if (!local)
        m_form->showProblems(problems);
    const bool saved =
        !m_saveTimer->isActive() && !m_writing && !entry.savedName.isEmpty() && !entry.draft;
    m_saved->setText(local                   ? QString()
                     : !canBeSaved(problems) ? tr("Not saved yet: see below")
                     : saved                 ? tr("Saved")
                                             : tr("Saving…"));
    m_revert->setVisible(!local && entry.machine != m_before);
    m_plan->setEnabled(!entry.draft && !entry.savedName.isEmpty());
    m_panel->setMachine(entry.machine, problems.isEmpty() ? QString() : problems.first().message);
}

void MachinesPage::revert()
{
    const int row = current();
    if (row < 0)
        return;
    m_loading = true;
    m_form->load(m_before);
    m_loading = false;
    edited();
}

void MachinesPage::insertEntry(const MachineListModel::Entry& entry)
{
    const int row = m_model->insert(m_model->rowCount(), entry);
    m_list->setCurrentIndex(m_model->index(row));
}

void MachinesPage::addMachine(TargetMachine::Kind kind)
{
    MachineListModel::Entry entry;
    entry.machine.kind = kind;
    entry.machine.name = m_model->freeName(kind == TargetMachine::Kind::Ssh     ? tr("hosts")
                                           : kind == TargetMachine::Kind::Login ? tr("cluster")
                                                                                : tr("slurm"));
    entry.draft = true;
    insertEntry(entry);
    edited(); // a Slurm on this computer has nothing left to fill in
    m_form->focusName();
}

void MachinesPage::duplicate()
{
    const int row = current();
    if (row < 0)
        return;
    MachineListModel::Entry copy;
    copy.machine = m_model->entry(row).machine;
    copy.machine.name = m_model->freeName(tr("%1 copy").arg(copy.machine.name));
    copy.draft = true;
    insertEntry(copy);
    edited();
    m_form->focusName();
}

void MachinesPage::remove()
{
    const int row = current();
    if (row < 0 || m_model->entry(row).machine.kind == TargetMachine::Kind::Local)
        return;
    saveNow();
    whenWritten([this, id = m_model->entry(row).id] {
        const int at = m_model->rowWithId(id);
        if (at < 0)
            return;
        const MachineListModel::Entry entry = m_model->entry(at);
        if (entry.savedName.isEmpty())
            wasRemoved(entry);
        else
            removeFromFile(entry);
    });
}

void MachinesPage::wasRemoved(const MachineListModel::Entry& entry)
{
    const QList<HostReport> checked = m_checks->isChecking(entry.savedName)
                                          ? QList<HostReport>()
                                          : m_checks->reports(entry.savedName);
    const qint64 checkedMs = m_checks->summary(entry.savedName).whenMs;
    m_checks->cancel(entry.savedName);
    m_model->take(m_model->rowWithId(entry.id));
    showCurrent();
    m_bar->showMessage(InlineBar::Level::Info,
                       tr("“%1” was removed. Studies that ran on it stay in the library.")
                           .arg(entry.machine.name));
    m_bar->setAction(tr("Undo"), [this, entry, checked, checkedMs] {
        if (!checked.isEmpty())
            m_checks->setReports(entry.machine.name, checked, checkedMs);
        MachineListModel::Entry back = entry;
        back.savedName.clear();
        insertEntry(back);
        edited();
        saveNow();
        m_bar->clear();
    });
}

void MachinesPage::addFromHostfile(const QString& path)
{
    MachineListModel::Entry entry;
    entry.machine.kind = TargetMachine::Kind::Ssh;
    entry.machine.hostfile = path;
    QString name = QFileInfo(path).completeBaseName().simplified();
    entry.machine.name = m_model->freeName(name.isEmpty() ? tr("hosts") : name);
    entry.draft = true;
    insertEntry(entry);
    edited();
    m_bar->showMessage(InlineBar::Level::Info,
                       tr("A machine with the hosts of %1. If a cluster's login node stands in "
                          "between, choose that kind.")
                           .arg(QFileInfo(path).fileName()));
}

void MachinesPage::keepCheck(const QString& name, bool checking)
{
    const int row = m_model->rowOf(name);
    if (row < 0)
        return;
    MachineListModel::Entry entry = m_model->entry(row);
    entry.checking = checking;
    if (!checking)
        entry.check = m_checks->summary(name);
    m_model->setEntry(row, entry);
    // A check finds out what planning needs: cores, GPUs, free memory.
    if (!checking)
        Q_EMIT machinesChanged();
}

void MachinesPage::dragEnterEvent(QDragEnterEvent* event)
{
    if (draggedHostfile(event->mimeData()).isEmpty()) {
        event->ignore();
        return;
    }
    setStyleProperty(m_list, "dropTarget", true);
    acceptCopy(event);
}

void MachinesPage::dragLeaveEvent(QDragLeaveEvent* event)
{
    setStyleProperty(m_list, "dropTarget", false);
    Page::dragLeaveEvent(event);
}

void MachinesPage::dropEvent(QDropEvent* event)
{
    setStyleProperty(m_list, "dropTarget", false);
    const QString file = draggedHostfile(event->mimeData());
    if (file.isEmpty())
        return;
    acceptCopy(event);
    addFromHostfile(file);
}

} // namespace scalebench
