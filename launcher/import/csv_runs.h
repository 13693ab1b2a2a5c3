// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs out of a table: one a row, by a mapping of our fields to its columns.

#include "csv_table.h"
#include "run/imported_study.h"

#include <QMap>
#include <QString>

namespace scalebench::imports {

/// Our field -> the table's column. "workers" -> "GPUs".
using CsvMapping = QMap<QString, QString>;

/// "workers=GPUs,minutes=Time (min)"; the failure names what is not a field of ours.
Result<CsvMapping> parseCsvMapping(const QString& text);
/// The fields, for help and messages.
QStringList csvFields();
/// The names of columns that mean a field, its own first.
QStringList csvColumnsOf(const QString& field);

struct CsvRuns {
    QList<ImportedRun> runs;
    CsvMapping mapping; ///< with what was found by the columns' names
    /// Rows without a time or a number of workers, cells that cannot be read, columns that
    /// contradict each other: the first 100
    QList<LogDefect> defects;
    int defectCount = 0;
};

/// Columns that the mapping does not name are found by our own names (those of runs.csv) and common
/// ones. A row needs workers and a time (seconds or minutes); "columns_missing" names what is not
/// there and what is.
Result<CsvRuns> runsOfCsv(const CsvTable& table, const CsvMapping& mapping,
                          const QString& fileName);

} // namespace scalebench::imports
