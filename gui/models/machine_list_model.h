// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The target machines as the Machines page lists them: those of the file and drafts that cannot be
// saved yet, each with the outcome of its last check.

#include "machine/machines.h"

#include <QAbstractListModel>

namespace scalebench {

/// "Slurm through login1", "4 hosts": what distinguishes machines of a list.
QString machineKindTitle(TargetMachine::Kind kind);
QString machineIcon(TargetMachine::Kind kind);
QString machineTitle(const TargetMachine& machine); ///< "This computer" for the local one
QString timeText(qint64 whenMs);                    ///< of today, else the date

class MachineListModel : public QAbstractListModel
{
    Q_OBJECT
public:
    enum Role { IconNameRole = Qt::UserRole + 20, SubtitleRole, StateRole };
    enum class State { Unknown, Draft, Checking, Good, Warning, Problem };

    struct Entry {
        TargetMachine machine;
        TargetMachine saved; ///< as the file had it when it was read
        QString savedName;   ///< its name there; empty: not in the file yet
        CheckSummary check;
        bool checking = false;
        bool draft = false;   ///< edited to something that cannot be saved
        quint64 id = newId(); ///< tells it apart, whatever it is called meanwhile
        bool isEdited() const { return savedName.isEmpty() || machine != saved; }
    };

    explicit MachineListModel(QObject* parent = nullptr) : QAbstractListModel(parent) {}

    void setEntries(const QList<Entry>& entries);
    const QList<Entry>& entries() const { return m_entries; }
    const Entry& entry(int row) const { return m_entries[row]; }
    void setEntry(int row, const Entry& entry);
    int insert(int row, const Entry& entry);
    Entry take(int row);
    int rowOf(const QString& savedName) const;
    int rowWithId(quint64 id) const;
    /// A name that no entry has: "cluster", "cluster 2", …
    QString freeName(const QString& wanted) const;
    State state(int row) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    static quint64 newId();
    QString subtitle(const Entry& entry) const;
    QList<Entry> m_entries;
};

} // namespace scalebench
