// SPDX-License-Identifier: GPL-3.0-or-later
// What part of a chart is seen and on which scales: wheel, frame, history, axes that go together.
#include "charts/chart_cursor.h"
#include "charts/chart_history.h"
#include "charts/chart_plot.h"

namespace scalebench {

namespace {
constexpr qint64 kOneTurnMs = 700;
constexpr qsizetype kMostViews = 60;
} // namespace

void ChartWidget::connectZoom()
{
    connect(m_plot, &QCustomPlot::mouseWheel, this, [this](QWheelEvent* event) {
        Qt::Orientations axes = Qt::Horizontal | Qt::Vertical;
        if (event->modifiers().testFlag(Qt::ControlModifier))
            axes = Qt::Horizontal;
        else if (event->modifiers().testFlag(Qt::ShiftModifier))
            axes = Qt::Vertical;
        m_plot->axisRect()->setRangeZoom(axes);
        if (!m_history->lastWheel.isValid() || m_history->lastWheel.elapsed() > kOneTurnMs)
            remember();
        m_history->lastWheel.start();
        setFollowing(false);
    });
    connect(m_plot->selectionRect(), &QCPSelectionRect::accepted, this,
            [this] { setFollowing(false); });
    connect(m_plot->xAxis, qOverload<const QCPRange&>(&QCPAxis::rangeChanged), this, [this] {
        if (!m_quiet && !m_following)
            tellX();
    });
}

ChartData ChartWidget::scaled(ChartData given) const
{
    const bool isLogX = given.xScale != ChartData::XScale::Linear;
    const bool isLogY = given.yLog2 || given.yLog10;
    const bool logX = given.canLogX() ? m_history->logX.value_or(isLogX) : isLogX;
    const bool logY = given.canLogY() ? m_history->logY.value_or(isLogY) : isLogY;
    if (logX != isLogX) {
        given.xScale = isLogX                   ? ChartData::XScale::Linear
                       : given.xTicks.isEmpty() ? ChartData::XScale::Log10
                                                : ChartData::XScale::Log2;
        if (logX)
            given.xMin.reset();
    }
    if (logY != isLogY) {
        given.yLog10 = logY;
        given.yLog2 = false;
        given.yFromZero = !logY;
    }
    return given;
}

void ChartWidget::draw(const ChartData& given)
{
    m_history->given = given;
    m_history->given.series.clear();
    for (ShownNote& shown : m_cursor->notes)
        shown.mark = {}; // the items go with the old chart
    m_cursor->mark = {};
    m_cursor->series = m_cursor->point = -1;
    m_quiet = true;
    m_plot->setChart(scaled(given));
    m_quiet = false;
    updatePlace();
}

void ChartWidget::redraw()
{
    ChartData chart = m_history->given;
    chart.series = m_plot->chart().series;
    draw(chart);
    setFollowing(true);
    markDirty();
}

/// A logarithmic scale that was chosen before there was any point to put on it.
void ChartWidget::rescale()
{
    const bool x = m_history->logX && *m_history->logX != isLogX();
    const bool y = m_history->logY && *m_history->logY != isLogY();
    if ((x && m_plot->chart().canLogX()) || (y && m_plot->chart().canLogY()))
        redraw();
}

bool ChartWidget::isLogX() const
{
    return m_plot->xAxis->scaleType() == QCPAxis::stLogarithmic;
}

bool ChartWidget::isLogY() const
{
    return m_plot->yAxis->scaleType() == QCPAxis::stLogarithmic;
}

QRectF ChartWidget::view() const
{
    const QCPRange x = m_plot->xAxis->range(), y = m_plot->yAxis->range();
    return {x.lower, y.lower, x.size(), y.size()};
}

ChartWidget::View ChartWidget::currentView() const
{
    return {m_plot->xAxis->range(), m_plot->yAxis->range(), m_following};
}

void ChartWidget::showView(const View& view)
{
    setFollowing(view.following);
    if (!view.following) {
        m_quiet = true;
        m_plot->xAxis->setRange(view.x);
        m_plot->yAxis->setRange(view.y);
        m_quiet = false;
    }
    tellX();
    markDirty();
}

void ChartWidget::remember()
{
    m_history->back << currentView();
    if (m_history->back.size() > kMostViews)
        m_history->back.removeFirst();
    m_history->forward.clear();
    Q_EMIT historyChanged();
}

bool ChartWidget::canGoBack() const
{
    return !m_history->back.isEmpty();
}

bool ChartWidget::canGoForward() const
{
    return !m_history->forward.isEmpty();
}

void ChartWidget::goBack()
{
    if (!canGoBack())
        return;
    m_history->forward << currentView();
    showView(m_history->back.takeLast());
    Q_EMIT historyChanged();
}

void ChartWidget::goForward()
{
    if (!canGoForward())
        return;
    m_history->back << currentView();
    showView(m_history->forward.takeLast());
    Q_EMIT historyChanged();
}

void ChartWidget::linkX(ChartWidget* other)
{
    connect(this, &ChartWidget::xMoved, other, &ChartWidget::takeX);
    connect(other, &ChartWidget::xMoved, this, &ChartWidget::takeX);
}

void ChartWidget::tellX()
{
    const QCPRange x = m_plot->xAxis->range();
    Q_EMIT xMoved(m_plot->chart().xColumn, x.lower, x.upper, m_following);
}

void ChartWidget::takeX(const QString& xColumn, double low, double high, bool following)
{
    if (xColumn != m_plot->chart().xColumn)
        return;
    setFollowing(following);
    if (!following) {
        m_quiet = true; // or it would tell the other in turn
        m_plot->xAxis->setRange(low, high);
        m_quiet = false;
    }
    markDirty();
}

} // namespace scalebench
