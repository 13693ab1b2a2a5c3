// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The pre-flight of one machine as a table host × test, with a last column while the engine is (or
// was) being installed. Rows fill as the hosts answer.

#include "deploy/deployment.h"
#include "preflight/preflight.h"

#include <QAbstractTableModel>

namespace scalebench {

class CheckModel : public QAbstractTableModel
{
    Q_OBJECT
public:
    enum Role { LevelRole = Qt::UserRole + 30 };
    /// What a cell shows; the first four as HostCheck::Level.
    enum Level { Ok, Warning, Problem, Skipped, Waiting };

    explicit CheckModel(QObject* parent = nullptr);

    void clear();
    /// `done` marks the hosts that have answered.
    void setReports(const QList<HostReport>& reports, const QList<bool>& done);
    void setReport(int row, const HostReport& report);
    /// Hosts without a report get a row of their own; an empty list takes the column away.
    void setInstall(const QList<DeployReport>& reports, const QList<bool>& done);

    int hosts() const { return static_cast<int>(m_rows.size()); }
    QString host(int row) const { return m_rows[row].report.host; }
    /// The cell's check; a made-up one where the host was not asked. The host column has the first
    /// problem of its row.
    HostCheck check(int row, int column) const { return checkOf(m_rows[row], column); }
    bool isInstallColumn(int column) const { return m_install && column == m_tests.size() + 1; }
    /// The first cell that needs attention; invalid: none.
    QModelIndex firstProblem() const;
    /// Columns in which every host that answered was skipped.
    QList<int> idleColumns() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        HostReport report;
        bool done = false;
        bool asked = false; ///< belongs to the check, not only to the installation
        bool installs = false, installed = false;
        DeployReport install;
    };
    HostCheck checkOf(const Row& row, int column) const;
    Level level(const Row& row, int column) const;
    HostCheck installCheck(const Row& row) const;
    QStringList m_tests;
    QList<Row> m_rows;
    bool m_install = false;
};

/// Short words for a cell: "OK", "Warn", "Fail", "–", "…".
QString checkLevelWord(int level);

} // namespace scalebench
