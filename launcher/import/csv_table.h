// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A table of separated values as people and spreadsheets write them: comma, semicolon, tab or bar;
// decimal point or comma; quotes as of RFC 4180.

#include "base/result.h"
#include "mlperf_log.h"

#include <QByteArray>
#include <QChar>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>

namespace scalebench::imports {

struct CsvDialect {
    QChar separator;                  ///< null: found out from the first lines
    std::optional<bool> decimalComma; ///< nothing: found out from the cells
};

struct CsvTable {
    QStringList header;
    int headerLine = 1;
    QList<QStringList> rows; ///< each as long as the header
    QList<int> lines;        ///< where each row begins in the file
    QChar separator;
    bool decimalComma = false;
    QList<LogDefect> defects; ///< rows left out: too few or too many cells; the first 100
    int defectCount = 0;

    /// A column by its name, small and capital letters alike; -1: none.
    qsizetype column(const QString& name) const;
    /// Of a cell: "1,234.5", "1.234,5", "81.3 %" (0.813); nothing for what is no number.
    std::optional<double> number(qsizetype row, qsizetype column) const;
};

/// Whether it is the CSV of a chart (figures/chart_csv.h): a point a row, by series. What says how
/// it is drawn may have been taken out.
bool isChartTable(const CsvTable& table);

/// UTF-8 (with or without mark), UTF-16 or Latin-1; 1,000,000 rows of 1000 columns at most. Codes
/// "csv_damaged" with the line, "csv_empty".
Result<CsvTable> parseCsv(const QByteArray& bytes, const QString& fileName,
                          const CsvDialect& dialect = {});

} // namespace scalebench::imports
