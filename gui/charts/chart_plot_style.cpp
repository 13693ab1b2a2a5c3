// SPDX-License-Identifier: GPL-3.0-or-later
// Colours, pens, markers and fonts of a chart, all from the theme.
#include "charts/chart_items.h"
#include "charts/chart_plot.h"
#include "charts/series_colors.h"

namespace scalebench {

namespace {
constexpr int kMarkerSize = 7;
constexpr int kManyCategories = 4;
} // namespace

void ChartPlot::styleAxes()
{
    QFont tickFont = font();
    const double size = font().pointSizeF() > 0 ? font().pointSizeF() : 9;
    tickFont.setPointSizeF(size - 0.5);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setBasePen(QPen(m_theme->axis, 1));
        axis->setTickPen(QPen(m_theme->axis, 1));
        axis->setTickLabelColor(m_theme->textMuted);
        axis->setLabelColor(m_theme->text);
        QFont labelFont = tickFont;
        if (axis == xAxis && m_chart.categories.size() > kManyCategories)
            labelFont.setPointSizeF(size - 1.5);
        axis->setTickLabelFont(labelFont);
        axis->setLabelFont(font());
        axis->grid()->setPen(QPen(m_theme->grid, 1));
    }
    xAxis->grid()->setVisible(m_chart.xScale != ChartData::XScale::Categories);
    legend->setFont(tickFont);
    legend->setTextColor(m_theme->text);
    styleLegend();
    // The legend's grid may have empty cells.
    for (int i = 0; i < legend->itemCount(); ++i) {
        if (QCPAbstractLegendItem* item = legend->item(i)) {
            item->setFont(tickFont);
            const int series = seriesAtLegendItem(item);
            item->setTextColor(series >= 0 && isSeriesHidden(series) ? m_theme->textDisabled
                                                                     : m_theme->text);
        }
    }
    if (m_title)
        m_title->setTextColor(m_theme->text);
    if (m_caption)
        m_caption->setTextColor(m_theme->textMuted);
}

QColor ChartPlot::colorOf(int seriesIndex) const
{
    QColor color = SeriesColors::instance().colorOf(m_chart, seriesIndex, *m_theme);
    if (m_highlighted >= 0 && m_highlighted < m_chart.series.size() &&
        !speaksFor(m_highlighted, seriesIndex))
        color.setAlphaF(0.18F);
    else if (m_chart.series[seriesIndex].faint)
        color.setAlphaF(0.4F);
    return color;
}

QPen ChartPlot::seriesPen(int seriesIndex) const
{
    const ChartSeries& series = m_chart.series[seriesIndex];
    static const Qt::PenStyle dashes[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine,
                                          Qt::DashDotDotLine};
    // Wide pens are slow on long noisy lines (measured): those get one pixel.
    const bool isLong = series.x.size() > 2000;
    QPen pen(colorOf(seriesIndex), isLong || series.faint ? 1.0 : 2.0);
    // The second turn through the colours is dashed.
    const qsizetype turn = series.dash + series.slot / m_theme->series.size();
    pen.setStyle(dashes[turn % static_cast<qsizetype>(std::size(dashes))]);
    pen.setCapStyle(Qt::RoundCap);
    pen.setJoinStyle(Qt::RoundJoin);
    return pen;
}

QCPScatterStyle ChartPlot::marker(int seriesIndex) const
{
    const ChartSeries& series = m_chart.series[seriesIndex];
    const qsizetype points = series.x.size();
    static const QCPScatterStyle::ScatterShape shapes[] = {QCPScatterStyle::ssDisc,
                                                           QCPScatterStyle::ssSquare,
                                                           QCPScatterStyle::ssTriangle,
                                                           QCPScatterStyle::ssDiamond,
                                                           QCPScatterStyle::ssTriangleInverted,
                                                           QCPScatterStyle::ssCrossSquare,
                                                           QCPScatterStyle::ssPlusCircle,
                                                           QCPScatterStyle::ssStar};
    const bool wanted =
        series.kind == ChartSeries::Kind::LineAndPoints && points <= 400 && !series.faint;
    if (!wanted && points != 1 && series.kind != ChartSeries::Kind::Marks)
        return QCPScatterStyle(QCPScatterStyle::ssNone);
    const QColor color = colorOf(seriesIndex);
    if (series.kind == ChartSeries::Kind::Marks)
        return QCPScatterStyle(QCPScatterStyle::ssCross, QPen(color, 2), Qt::NoBrush,
                               kMarkerSize + 2);
    const auto shape = shapes[series.slot % static_cast<int>(std::size(shapes))];
    return QCPScatterStyle(shape, QPen(color, 1.2), QBrush(color),
                           shape == QCPScatterStyle::ssSquare ? kMarkerSize - 1 : kMarkerSize);
}

void ChartPlot::styleSeries()
{
    for (size_t i = 0; i < m_drawn.size(); ++i) {
        Drawn& drawn = m_drawn[i];
        const QColor color = colorOf(static_cast<int>(i));
        if (drawn.graph) {
            drawn.graph->setPen(seriesPen(static_cast<int>(i)));
            drawn.graph->setScatterStyle(marker(static_cast<int>(i)));
        }
        if (drawn.bandHigh) {
            QColor tint = color;
            tint.setAlphaF(color.alphaF() * 0.2F);
            drawn.bandHigh->setBrush(tint);
        }
        if (drawn.bars) {
            // A border would swallow the thin parts of a stack.
            drawn.bars->setPen(Qt::NoPen);
            drawn.bars->setBrush(color);
        }
        if (drawn.errors)
            drawn.errors->setPen(QPen(drawn.bars ? m_theme->text : color, 1.3));
        QFont labelFont = font();
        labelFont.setPointSizeF(font().pointSizeF() - 0.5);
        for (QCPItemText* label : std::as_const(drawn.labels)) {
            label->setColor(m_theme->text);
            label->setFont(labelFont);
        }
    }
    styleInset();
    for (QCPItemStraightLine* line : std::as_const(m_lines))
        line->setPen(QPen(m_theme->bad, 1.3, Qt::DashLine));
    for (QCPItemText* label : std::as_const(m_lineLabels)) {
        label->setColor(m_theme->bad);
        label->setFont(legend->font());
    }
    if (m_ideal)
        m_ideal->setPen(QPen(m_theme->axis, 1.3, Qt::DashLine));
    for (QCPGraph* guide : std::as_const(m_guides))
        guide->setPen(QPen(m_theme->axis, 1.3, Qt::DashLine));
    if (m_beyond) {
        QColor tint = m_theme->warn;
        tint.setAlphaF(0.1F);
        m_beyond->setBrush(tint);
        m_beyondText->setColor(m_theme->warn);
        m_beyondText->setFont(legend->font());
    }
    if (m_hatch) {
        m_hatch->setPen(Qt::NoPen);
        m_hatch->setBrush(QBrush(m_theme->axis, Qt::BDiagPattern));
    }
    if (m_flags) {
        m_flags->setScatterStyle(
            QCPScatterStyle(flagPath(), QPen(m_theme->good, 1.4), QBrush(m_theme->good), 6));
    }
}

} // namespace scalebench
