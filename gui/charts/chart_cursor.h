// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where the keyboard or the mouse points in a chart, the notes that are on it, what the mouse
// holds, and what shows all that. For the chart widget's own files.

#include "charts/chart_marks.h"
#include "charts/chart_widget.h"
#include "charts/qcp.h"

#include <QElapsedTimer>

namespace scalebench {

struct ShownNote {
    ChartNote note;
    ChartMark mark;
};

struct ChartWidget::Cursor {
    /// What the button that is down holds; anything else moves the paper.
    enum class Held { Nothing, Note, Legend };

    ChartMark mark;
    int series = -1;
    qsizetype point = -1;
    QString subject, place;   ///< what the chart is about; which chart of it
    QString chartId, xColumn; ///< that `place` was made of
    QList<ShownNote> notes;
    Held held = Held::Nothing;
    int heldNote = 0;
    QPointF grip; ///< from the corner of what is held
    bool moved = false;
    std::optional<QPointF> legendBefore;
};

} // namespace scalebench
