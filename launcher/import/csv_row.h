// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One row of a table through the mapping of our fields to its columns. A cell that is filled but is
// not what its field needs is left out and remembered, so that it can be named with its line.

#include "csv_runs.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace scalebench::imports {

class CsvRow
{
public:
    CsvRow(const CsvTable& table, const CsvMapping& mapping, qsizetype row)
        : m_table(table), m_mapping(mapping), m_row(row)
    {
    }

    int line() const { return m_table.lines[m_row]; }
    QString text(const QString& field, qsizetype longest = 200) const;
    /// Whether the cell says something: "-", "n/a" and the like are as empty.
    bool tells(const QString& field) const;
    /// As it stands there, whatever it is.
    std::optional<double> plainNumber(const QString& field) const;
    /// Between `least` and `most`; else nothing, and a complaint where the cell is filled.
    std::optional<double> number(const QString& field, double least, double most);
    std::optional<qint64> whole(const QString& field, qint64 least, qint64 most);
    /// `"64.7" in the column "Batch" `: what a complaint begins with.
    QString quoted(const QString& field) const;
    void complain(const QString& text) { m_complaints << text; }
    const QStringList& complaints() const { return m_complaints; }

private:
    qsizetype columnOf(const QString& field) const;

    const CsvTable& m_table;
    const CsvMapping& m_mapping;
    qsizetype m_row;
    QStringList m_complaints;
};

/// Columns of one name, and two columns that tell one field differently: which one is read.
/// `given`: what a person mapped, who knows it.
QStringList doubledColumns(const CsvTable& table, const CsvMapping& found, const CsvMapping& given);

} // namespace scalebench::imports
