// SPDX-License-Identifier: GPL-3.0-or-later
// A part of the chart drawn larger in room of its own on the right, for series that the highest one
// presses onto the axis.
#include "charts/chart_plot.h"

#include <cmath>

namespace scalebench {

namespace {
constexpr QRectF kInsetPlace(0.53, 0.05, 0.47, 0.8); ///< shares of the axes' rectangle
constexpr double kDataShare = 0.5;                   ///< of the x axis, left of it
const QString kLayer = QStringLiteral("inset");
} // namespace

void ChartPlot::clearInset()
{
    if (!m_inset)
        return;
    axisRect()->insetLayout()->remove(m_inset);
    m_inset = nullptr;
    m_insetGraphs.clear();
    m_insetFrame = nullptr;
}

void ChartPlot::buildInset()
{
    if (!m_chart.inset)
        return;
    if (!layer(kLayer))
        addLayer(kLayer, layer(QStringLiteral("main")), limAbove);
    m_inset = new QCPAxisRect(this);
    m_inset->setLayer(kLayer);
    m_inset->setMinimumMargins(QMargins(6, 6, 0, 4));
    axisRect()->insetLayout()->addElement(m_inset, kInsetPlace);
    QCPAxis* bottom = m_inset->axis(QCPAxis::atBottom);
    QCPAxis* left = m_inset->axis(QCPAxis::atLeft);
    for (QCPAxis* axis : {bottom, left}) {
        axis->setLayer(kLayer);
        axis->grid()->setLayer(kLayer);
        axis->setTickLengthIn(0);
        axis->setTickLengthOut(3);
        axis->setSubTicks(false);
    }
    bottom->setScaleType(xAxis->scaleType());
    bottom->setTicker(xAxis->ticker());
    left->ticker()->setTickCount(4);
    double xLow = 0, xHigh = 0;
    for (const ChartSeries& series : std::as_const(m_chart.series)) {
        auto* graph = new QCPGraph(bottom, left);
        graph->setLayer(kLayer);
        graph->setData(series.x, series.y, true);
        graph->setVisible(!m_hidden.contains(series.id));
        if (series.kind == ChartSeries::Kind::Marks)
            graph->setLineStyle(QCPGraph::lsNone);
        m_insetGraphs << graph;
        for (qsizetype i = 0; i < series.x.size(); ++i) {
            if (!(series.y[i] <= m_chart.inset->yHigh))
                continue;
            xLow = xLow == 0 ? series.x[i] : std::min(xLow, series.x[i]);
            xHigh = std::max(xHigh, series.x[i]);
        }
    }
    bottom->setRange(xLow / 1.25, xHigh * 1.25);
    left->setRange(m_chart.inset->yLow, m_chart.inset->yHigh);
    m_insetFrame = new QCPItemRect(this);
    m_insetFrame->topLeft->setCoords(xLow / 1.12, m_chart.inset->yHigh);
    m_insetFrame->bottomRight->setCoords(xHigh * 1.12, m_chart.inset->yLow);
}

void ChartPlot::styleInset()
{
    if (!m_inset)
        return;
    m_inset->setBackground(QBrush(m_theme->surface));
    for (QCPAxis* axis : {m_inset->axis(QCPAxis::atBottom), m_inset->axis(QCPAxis::atLeft)}) {
        axis->setBasePen(QPen(m_theme->axis, 1));
        axis->setTickPen(QPen(m_theme->axis, 1));
        axis->setTickLabelColor(m_theme->textMuted);
        axis->setTickLabelFont(xAxis->tickLabelFont());
        axis->grid()->setPen(QPen(m_theme->grid, 1));
    }
    for (qsizetype i = 0; i < m_insetGraphs.size(); ++i) {
        const ChartSeries& series = m_chart.series[i];
        m_insetGraphs[i]->setPen(seriesPen(static_cast<int>(i)));
        m_insetGraphs[i]->setScatterStyle(marker(static_cast<int>(i)));
        m_insetGraphs[i]->setVisible(!m_hidden.contains(series.id));
    }
    m_insetFrame->setPen(QPen(m_theme->axis, 1, Qt::DotLine));
}

void ChartPlot::makeRoomForInset()
{
    if (!m_inset)
        return;
    const double low = xAxis->range().lower, high = xAxis->range().upper;
    if (xAxis->scaleType() == QCPAxis::stLogarithmic)
        xAxis->setRange(low, low * std::pow(high / low, 1 / kDataShare));
    else
        xAxis->setRange(low, low + (high - low) / kDataShare);
}

} // namespace scalebench
