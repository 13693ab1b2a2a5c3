// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The parts of a chart that a person looked at, and how. For the chart widget's own files.

#include "charts/chart_widget.h"
#include "charts/qcp.h"

#include <QElapsedTimer>

#include <optional>

namespace scalebench {

struct ChartWidget::View {
    QCPRange x, y;
    bool following = true;
};

struct ChartWidget::History {
    QList<View> back, forward;
    QElapsedTimer lastWheel;        ///< one turn of the wheel is one step back
    bool dragRemembered = false;    ///< of the button that is down
    std::optional<bool> logX, logY; ///< nothing: as the chart comes
    ChartData given = {};           ///< the scales of the chart as it came; no series
};

/// How a chart is shown: what edits change.
struct ChartWidget::Look {
    std::optional<bool> logX, logY;
    QSet<QString> hidden;
    std::optional<QPointF> legend;
};

} // namespace scalebench
