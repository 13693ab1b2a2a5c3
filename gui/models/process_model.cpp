// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/process_model.h"

#include "models/roles.h"

#include <QLocale>

namespace scalebench {

void ProcessModel::setProcesses(const QList<ProcessUse>& processes, const QSet<qint64>& own)
{
    const auto before = static_cast<int>(m_processes.size());
    const auto now = static_cast<int>(processes.size());
    m_own = own;
    if (now > before) {
        beginInsertRows({}, before, now - 1);
        m_processes << processes.mid(before);
        endInsertRows();
    } else if (now < before) {
        beginRemoveRows({}, now, before - 1);
        m_processes.resize(now);
        endRemoveRows();
    }
    m_processes = processes;
    if (now > 0)
        Q_EMIT dataChanged(index(0, 0), index(now - 1, ColumnCount - 1));
}

double ProcessModel::foreignProcessors() const
{
    double sum = 0;
    for (const ProcessUse& process : m_processes)
        if (ownerOf(process) != Owner::ThisStudy)
            sum += process.processors;
    return sum;
}

ProcessModel::Owner ProcessModel::ownerOf(const ProcessUse& process) const
{
    if (m_own.contains(process.pid))
        return Owner::ThisStudy;
    return process.name.startsWith(QLatin1String("scalebench")) ? Owner::Scalebench : Owner::Other;
}

int ProcessModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_processes.size());
}

int ProcessModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QString ProcessModel::display(const ProcessUse& process, int column) const
{
    const QLocale locale;
    switch (column) {
    case Process:
        return process.name;
    case Processors:
        return locale.toString(process.processors, 'f', 2);
    case Memory:
        return locale.formattedDataSize(process.memoryBytes, 1);
    case Gpu: {
        QStringList gpus;
        for (const int gpu : process.gpus)
            gpus << locale.toString(gpu);
        return gpus.join(QStringLiteral(", "));
    }
    case Work:
        switch (ownerOf(process)) {
        case Owner::ThisStudy:
            return tr("this study");
        case Owner::Scalebench:
            return tr("Scalebench");
        case Owner::Other:
            break;
        }
        return tr("other work");
    case User:
        return process.user;
    default:
        return QString::number(process.pid);
    }
}

QVariant ProcessModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= m_processes.size())
        return {};
    const ProcessUse& process = m_processes[index.row()];
    const bool isNumber =
        index.column() == Processors || index.column() == Memory || index.column() == Id;
    switch (role) {
    case Qt::DisplayRole:
    case Qt::AccessibleTextRole:
    case Qt::ToolTipRole: // a narrow dock cuts names
        return display(process, index.column());
    case Qt::TextAlignmentRole:
        return static_cast<int>((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case kSortRole:
        if (index.column() == Processors)
            return process.processors;
        if (index.column() == Memory)
            return process.memoryBytes;
        return index.column() == Id ? QVariant(process.pid) : display(process, index.column());
    default:
        return {};
    }
}

QVariant ProcessModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Process:
        return tr("Process");
    case Processors:
        return tr("Processors");
    case Memory:
        return tr("Memory");
    case Gpu:
        return tr("GPU");
    case Work:
        return tr("Belongs to");
    case User:
        return tr("User");
    default:
        return tr("Id");
    }
}

} // namespace scalebench
