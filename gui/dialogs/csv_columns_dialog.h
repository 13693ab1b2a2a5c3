// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Which column of somebody's table is which of our fields, where their names do not tell.

#include "import/csv_runs.h"

#include <QDialog>
#include <QMap>

#include <optional>

class QComboBox;
class QDialogButtonBox;
class QLabel;

namespace scalebench {

class LatestJob;

class CsvColumnsDialog : public QDialog
{
    Q_OBJECT
public:
    CsvColumnsDialog(const QString& file, const imports::CsvTable& table,
                     QWidget* parent = nullptr);

    /// Only what was chosen.
    imports::CsvMapping mapping() const;
    QComboBox* field(const QString& name) const { return m_fields.value(name); }

    /// Whether the runs of the mapping are still being looked for.
    bool isChecking() const;

    /// For any thread. The table in the file where it holds runs that the columns' names do not
    /// tell of; nothing for other files and for tables that can be read, or not at all.
    static std::optional<imports::CsvTable> neededFor(const QString& file);

private:
    void check();
    void judge(const Result<imports::CsvRuns>& runs);

    QString m_file;
    imports::CsvTable m_table;
    QMap<QString, QComboBox*> m_fields;
    QLabel* m_verdict;
    QDialogButtonBox* m_buttons;
    LatestJob* m_checking;
};

} // namespace scalebench
