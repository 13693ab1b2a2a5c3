// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a table says of its runs in columns beyond the fields: settings that tell series apart.

#include "csv_runs.h"

namespace scalebench::imports {

/// The columns that name a setting: paths of run.json, settings as options and charts call them,
/// and columns of words of which one stands in several rows. Numbers under other names may be
/// measured: they tell nothing apart.
class CsvSettings
{
public:
    CsvSettings(const CsvTable& table, const CsvMapping& mapping);

    /// Of a row: path -> text. What is no path of ours is below "table".
    QMap<QString, QString> of(qsizetype row) const;

private:
    const CsvTable& m_table;
    QMap<qsizetype, QString> m_paths; ///< by column
};

/// Leaves a series' name only where it tells runs apart that are the same otherwise: one that was
/// made of the settings, as ours are, says nothing more than they do.
void dropToldSeries(QList<ImportedRun>& runs);

} // namespace scalebench::imports
