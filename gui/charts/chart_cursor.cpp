// SPDX-License-Identifier: GPL-3.0-or-later
// The chart's cursor: nearest point, read-out, and what the mouse does.
#include "charts/chart_cursor.h"

#include "charts/chart_history.h"
#include "charts/chart_plot.h"
#include "settings/theme_manager.h"

#include <QMetaMethod>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {

constexpr int kClick = 4; ///< pixels that a click may move

} // namespace

void ChartWidget::highlightAt(const QPoint& at)
{
    if (m_plot->highlightSeries(m_plot->seriesAtLegend(at)))
        m_plot->replot(QCustomPlot::rpQueuedReplot);
}

void ChartWidget::onPress(QMouseEvent* event)
{
    m_pressedAt = event->pos();
    m_history->dragRemembered = false;
    hold(event->button() == Qt::LeftButton ? event->pos() : QPoint(-1, -1));
    const bool holds = m_cursor->held != Cursor::Held::Nothing;
    m_plot->setInteraction(QCP::iRangeDrag, !holds);
    // Shift draws a frame around what is to be seen; without it the hand moves the paper.
    const bool frame = event->button() == Qt::LeftButton && !holds &&
                       event->modifiers().testFlag(Qt::ShiftModifier) &&
                       m_plot->axisRect()->rect().contains(event->pos());
    m_plot->setSelectionRectMode(frame ? QCP::srmZoom : QCP::srmNone);
    if (frame)
        remember();
}

void ChartWidget::onRelease(QMouseEvent* event)
{
    if (m_cursor->held != Cursor::Held::Nothing)
        return letGo();
    const bool click = (event->pos() - m_pressedAt).manhattanLength() <= kClick;
    if (event->button() == Qt::LeftButton && click && m_cursor->series >= 0 &&
        m_plot->axisRect()->rect().contains(event->pos()))
        takeCursor();
}

/// What a click on the point under the cursor does.
void ChartWidget::takeCursor()
{
    if (m_cursor->series < 0)
        return;
    const auto opens = isSignalConnected(QMetaMethod::fromSignal(&ChartWidget::pointOpened));
    if (opens)
        Q_EMIT pointOpened(m_cursor->series, m_cursor->point);
    else
        pinAtCursor();
}

void ChartWidget::onMouseMove(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton)) {
        const bool moved = (event->pos() - m_pressedAt).manhattanLength() > kClick;
        if (m_cursor->held != Cursor::Held::Nothing) {
            if (moved || m_cursor->moved)
                dragTo(event->pos());
            return;
        }
        if (moved && m_plot->selectionRectMode() == QCP::srmNone &&
            m_plot->axisRect()->rect().contains(m_pressedAt)) {
            if (!m_history->dragRemembered)
                remember();
            m_history->dragRemembered = true;
            setFollowing(false);
        }
        return;
    }
    highlightAt(event->pos());
    const bool overNote = noteAt(event->pos()) != 0, overLegend = isOverLegend(event->pos());
    m_plot->setCursor(overNote || overLegend ? Qt::OpenHandCursor : Qt::ArrowCursor);
    if (overNote || overLegend || !m_plot->axisRect()->rect().contains(event->pos())) {
        hideCursor();
        return;
    }
    if (const auto [series, point] = m_plot->barAt(event->pos()); series >= 0) {
        showCursor(series, point);
        return;
    }
    // Nearest real point on screen; x is sorted, so only the neighbours of the pointer count.
    constexpr double kReach = 40;
    double best = kReach * kReach;
    int bestSeries = -1;
    qsizetype bestPoint = -1;
    const auto& all = m_plot->chart().series;
    const double from = m_plot->xAxis->pixelToCoord(event->pos().x() - kReach);
    const double to = m_plot->xAxis->pixelToCoord(event->pos().x() + kReach);
    for (int s = 0; s < all.size(); ++s) {
        if (m_plot->isSeriesHidden(s))
            continue;
        const auto begin = std::lower_bound(all[s].x.begin(), all[s].x.end(), from);
        const auto end = std::upper_bound(begin, all[s].x.end(), to);
        const auto count = std::min<qsizetype>(end - begin, 4000);
        for (qsizetype k = 0; k < count; ++k) {
            const qsizetype i = begin - all[s].x.begin() + k;
            const double dx = m_plot->xAxis->coordToPixel(all[s].x[i]) - event->pos().x();
            const double dy = m_plot->yAxis->coordToPixel(all[s].y[i]) - event->pos().y();
            const double distance = dx * dx + dy * dy;
            if (distance < best && all[s].kind != ChartSeries::Kind::Bars) {
                best = distance;
                bestSeries = s;
                bestPoint = i;
            }
        }
    }
    if (bestSeries < 0)
        hideCursor();
    else
        showCursor(bestSeries, bestPoint);
}

void ChartWidget::showCursor(int series, qsizetype point)
{
    if (m_cursor->series == series && m_cursor->point == point)
        return;
    const Theme& theme = ThemeManager::instance().theme();
    if (!m_cursor->mark.tracer)
        m_cursor->mark = makeMark(*m_plot);
    m_cursor->series = series;
    m_cursor->point = point;
    placeMark(*m_plot, m_cursor->mark, m_plot->placeOf(series, point),
              pointReadOut(*m_plot, series, point), theme);
    m_plot->layer(QStringLiteral("overlay"))->replot();
}

void ChartWidget::hideCursor()
{
    if (!m_cursor->mark.tracer || m_cursor->series < 0)
        return;
    m_cursor->series = -1;
    m_cursor->mark.setVisible(false);
    m_plot->layer(QStringLiteral("overlay"))->replot();
}

void ChartWidget::moveCursor(int bySeries, int byPoint)
{
    const auto& all = m_plot->chart().series;
    if (m_plot->chart().isEmpty())
        return;
    auto series = std::max(0, m_cursor->series);
    const auto isThere = [&](int at) {
        return !all[at].x.isEmpty() && !m_plot->isSeriesHidden(at);
    };
    for (int tries = 0; tries < all.size(); ++tries) {
        series = static_cast<int>((series + bySeries + all.size()) % all.size());
        if (isThere(series))
            break;
        bySeries = bySeries ? bySeries : 1;
    }
    if (!isThere(series)) // all are hidden
        return;
    const qsizetype last = all[series].x.size() - 1;
    const qsizetype start = m_cursor->series < 0 ? (byPoint > 0 ? -1 : last + 1) : m_cursor->point;
    showCursor(series, std::clamp<qsizetype>(start + byPoint, 0, last));
}

} // namespace scalebench
