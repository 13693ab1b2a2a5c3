// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What marks a point of a chart: a ring around it, a box with words beside it, and a line between
// them where a person moved the box. In the window and in exported pictures.

#include "charts/chart_notes.h"
#include "charts/qcp.h"

namespace scalebench {

struct Theme;
class ChartPlot;

struct ChartMark {
    QCPItemTracer* tracer = nullptr;
    QCPItemText* box = nullptr;
    QCPItemLine* leader = nullptr;

    void setVisible(bool on) const;
    /// Of the box; nothing where it is hidden.
    QRectF rect() const;
};

ChartMark makeMark(QCustomPlot& plot);
void removeMark(QCustomPlot& plot, const ChartMark& mark);
/// The box goes to the side of the point that has room, or to its offset from it.
void placeMark(ChartPlot& plot, const ChartMark& mark, const QPointF& at, const QString& text,
               const Theme& theme, const std::optional<QPointF>& offset = std::nullopt);

/// What a point says, with all series that have one at its x.
QString pointReadOut(const ChartPlot& plot, int series, qsizetype point);
/// Where a note's point is in what is drawn; {-1, -1}: it is not, or hidden.
std::pair<int, qsizetype> pointOf(const ChartPlot& plot, const ChartNote& note);
/// Marks the note's point, if it is there; a mark is made where it has none.
void showNote(ChartPlot& plot, ChartMark& mark, const ChartNote& note, const Theme& theme);

} // namespace scalebench
