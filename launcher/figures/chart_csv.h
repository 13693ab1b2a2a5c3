// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A chart's CSV read back: the same chart. Its points stand in the columns as any program reads
// them; how it is drawn stands in the column "chart" of the first row, which readers may ignore.

#include "base/result.h"
#include "figures/chart_data.h"

#include <QByteArray>
#include <QString>

namespace scalebench {

inline const QString kLooksColumn = QStringLiteral("chart"); ///< chart_looks.h

/// Any table of series, x and y; without looks lines between its points. What a foreign file says
/// is bounded and cleaned. Codes "chart_damaged", those of csv_table.h.
Result<ChartData> chartOfCsv(const QByteArray& bytes, const QString& fileName);

} // namespace scalebench
