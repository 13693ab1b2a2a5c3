// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the keyboard or the mouse points in a chart, what a person pinned there, and what shows it.
// For the chart widget's own files.

#include "charts/chart_widget.h"
#include "charts/qcp.h"

namespace scalebench {

/// A ring around a point and a box with its values.
struct ChartMark {
    QCPItemTracer* tracer = nullptr;
    QCPItemText* box = nullptr;
};

/// A point that stays marked while new ones come: by what it is, as charts are drawn anew.
struct ChartPin {
    QString series;
    double x = 0;
    ChartMark mark;
};

struct ChartWidget::Cursor {
    ChartMark mark;
    int series = -1;
    qsizetype point = -1;
    QList<ChartPin> pins;
};

} // namespace scalebench
