// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Pictures of a chart. One code for the window and for `scalebench-gui --export`.

#include "base/result.h"
#include "charts/chart_notes.h"
#include "charts/picture_file.h"
#include "figures/chart_data.h"

#include <QImage>
#include <QSet>
#include <QSize>

#include <optional>

namespace scalebench {

struct Theme;

struct ExportOptions {
    QSize size{1200, 750}; ///< in CSS pixels (96 dpi)
    double scale = 2;      ///< PNG only: pixels for one of these
    bool lightTheme = true;
    bool headings = true; ///< title above, caption below
    // As a person has it in the window.
    QSet<QString> hidden = {};
    std::optional<QPointF> legend = {}; ///< ChartPlot::setLegendPlace()
    QList<ChartNote> notes = {};
};

QImage chartImage(const ChartData& chart, const ExportOptions& options);
/// Format by the file's ending: png, svg, pdf, csv, json; the texts are the chart's, which for the
/// last two is made in English. Written to a temporary name, then renamed. Codes: "not_writable",
/// "format_unknown".
Result<void> saveChart(const ChartData& chart, const QString& file, const ExportOptions& options);
/// The same in two steps: drawn here and now, the rest wherever.
FileJob drawChart(const ChartData& chart, const QString& file, const ExportOptions& options);
/// Machine line, date, notices.
QString exportCaption(const ChartData& chart);

} // namespace scalebench
