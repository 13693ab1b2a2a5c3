// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A table as a picture, for papers and slides: head, rows and a caption, in the export's colours.

#include "charts/chart_export.h"

#include <QList>
#include <QString>
#include <QStringList>

namespace scalebench {

struct TablePicture {
    QString title;
    QString caption;
    QStringList head;
    QList<QStringList> rows; ///< as many cells as the head
    int leftColumns = 1;     ///< the first ones are texts, the others numbers
};

/// As wide and high as its texts, of which very long ones are shortened. Format by the file's
/// ending, as drawChart().
FileJob drawTable(const TablePicture& table, const QString& file, const ExportOptions& options);

} // namespace scalebench
