// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/machine_list_model.h"

#include <QDateTime>
#include <QLocale>

namespace scalebench {

QString machineKindTitle(TargetMachine::Kind kind)
{
    switch (kind) {
    case TargetMachine::Kind::Ssh:
        return MachineListModel::tr("Hosts reached by ssh");
    case TargetMachine::Kind::Login:
        return MachineListModel::tr("Cluster behind a login node");
    case TargetMachine::Kind::Slurm:
        return MachineListModel::tr("Slurm");
    case TargetMachine::Kind::Local:
        break;
    }
    return MachineListModel::tr("This computer");
}

QString machineIcon(TargetMachine::Kind kind)
{
    switch (kind) {
    case TargetMachine::Kind::Ssh:
        return QStringLiteral("server");
    case TargetMachine::Kind::Login:
        return QStringLiteral("cluster");
    case TargetMachine::Kind::Slurm:
        return QStringLiteral("slurm");
    case TargetMachine::Kind::Local:
        break;
    }
    return QStringLiteral("computer");
}

QString machineTitle(const TargetMachine& machine)
{
    return machine.kind == TargetMachine::Kind::Local ? machineKindTitle(machine.kind)
                                                      : machine.name;
}

QString timeText(qint64 whenMs)
{
    const QDateTime when = QDateTime::fromMSecsSinceEpoch(whenMs);
    const QLocale locale;
    return when.date() == QDate::currentDate()
               ? locale.toString(when.time(), QStringLiteral("HH:mm"))
               : locale.toString(when.date(), QLocale::ShortFormat);
}

void MachineListModel::setEntries(const QList<Entry>& entries)
{
    beginResetModel();
    m_entries = entries;
    endResetModel();
}

void MachineListModel::setEntry(int row, const Entry& entry)
{
    m_entries[row] = entry;
    Q_EMIT dataChanged(index(row), index(row));
}

int MachineListModel::insert(int row, const Entry& entry)
{
    beginInsertRows({}, row, row);
    m_entries.insert(row, entry);
    endInsertRows();
    return row;
}

MachineListModel::Entry MachineListModel::take(int row)
{
    beginRemoveRows({}, row, row);
    const Entry entry = m_entries.takeAt(row);
    endRemoveRows();
    return entry;
}

int MachineListModel::rowOf(const QString& savedName) const
{
    for (int row = 0; row < m_entries.size(); ++row) {
        if (m_entries[row].savedName == savedName)
            return row;
    }
    return -1;
}

int MachineListModel::rowWithId(quint64 id) const
{
    for (int row = 0; row < m_entries.size(); ++row) {
        if (m_entries[row].id == id)
            return row;
    }
    return -1;
}

quint64 MachineListModel::newId()
{
    static quint64 last = 0;
    return ++last;
}

QString MachineListModel::freeName(const QString& wanted) const
{
    const auto taken = [this](const QString& name) {
        return std::any_of(m_entries.begin(), m_entries.end(), [&](const Entry& entry) {
            return entry.machine.name == name || entry.savedName == name;
        });
    };
    QString name = wanted;
    for (int number = 2; taken(name); ++number)
        name = QStringLiteral("%1 %2").arg(wanted).arg(number);
    return name;
}

MachineListModel::State MachineListModel::state(int row) const
{
    const Entry& entry = m_entries[row];
    if (entry.draft)
        return State::Draft;
    if (entry.checking)
        return State::Checking;
    if (entry.check.whenMs == 0)
        return State::Unknown;
    if (entry.check.problemHosts > 0)
        return State::Problem;
    return entry.check.warningHosts > 0 ? State::Warning : State::Good;
}

QString MachineListModel::subtitle(const Entry& entry) const
{
    if (entry.draft)
        return tr("not saved yet");
    if (entry.checking)
        return tr("checking…");
    if (entry.check.whenMs == 0)
        return entry.machine.kind == TargetMachine::Kind::Local ? tr("always here")
                                                                : tr("not checked yet");
    const QString at = timeText(entry.check.whenMs);
    if (entry.check.problemHosts > 0)
        return tr("problems: %1 of %2, %3") // there is room for few words
            .arg(entry.check.problemHosts)
            .arg(entry.check.hosts)
            .arg(at);
    if (entry.check.warningHosts > 0)
        return tr("ready, with warnings, %1").arg(at);
    return tr("ready, %n host(s), %1", nullptr, entry.check.hosts).arg(at);
}

int MachineListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

QVariant MachineListModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid())
        return {};
    const Entry& entry = m_entries[index.row()];
    switch (role) {
    case Qt::DisplayRole:
        return machineTitle(entry.machine);
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2, %3")
            .arg(machineTitle(entry.machine), machineKindTitle(entry.machine.kind),
                 subtitle(entry));
    case Qt::ToolTipRole:
        return QStringLiteral("%1\n%2\n%3")
            .arg(machineTitle(entry.machine), machineKindTitle(entry.machine.kind),
                 subtitle(entry));
    case IconNameRole:
        return machineIcon(entry.machine.kind);
    case SubtitleRole:
        return subtitle(entry);
    case StateRole:
        return static_cast<int>(state(index.row()));
    default:
        return {};
    }
}

} // namespace scalebench
