// SPDX-License-Identifier: GPL-3.0-or-later
// The chart's cursor: nearest point, read-out, pins, and the legend under the mouse.
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
const QString kOverlay = QStringLiteral("overlay");

ChartMark makeMark(QCustomPlot& plot)
{
    ChartMark mark{new QCPItemTracer(&plot), new QCPItemText(&plot)};
    mark.tracer->setLayer(kOverlay);
    mark.box->setLayer(kOverlay);
    mark.tracer->setStyle(QCPItemTracer::tsCircle);
    mark.tracer->setSize(11);
    mark.box->setTextAlignment(Qt::AlignLeft);
    mark.box->setPadding(QMargins(7, 5, 7, 5));
    mark.box->position->setType(QCPItemPosition::ptAbsolute);
    mark.box->setClipToAxisRect(false);
    return mark;
}

/// The box goes to the side of the point that has room.
void placeMark(ChartPlot& plot, const ChartMark& mark, const QPointF& at, const QString& text,
               const Theme& theme)
{
    mark.tracer->setPen(QPen(theme.text, 1.6));
    mark.tracer->setBrush(Qt::NoBrush);
    mark.tracer->position->setCoords(at);
    mark.tracer->setVisible(true);
    mark.box->setColor(theme.text);
    mark.box->setBrush(theme.surfaceAlt);
    mark.box->setPen(QPen(theme.borderStrong, 1));
    mark.box->setFont(plot.legend->font());
    mark.box->setText(text);
    const QPointF pixel(plot.xAxis->coordToPixel(at.x()), plot.yAxis->coordToPixel(at.y()));
    const QRect area = plot.axisRect()->rect();
    const bool right = pixel.x() < area.center().x();
    const bool below = pixel.y() < area.center().y();
    mark.box->setPositionAlignment((right ? Qt::AlignLeft : Qt::AlignRight) |
                                   (below ? Qt::AlignTop : Qt::AlignBottom));
    mark.box->position->setCoords(pixel.x() + (right ? 12 : -12), pixel.y() + (below ? 8 : -8));
    mark.box->setVisible(area.contains(pixel.toPoint()));
}

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
    // Shift draws a frame around what is to be seen; without it the hand moves the paper.
    const bool frame = event->button() == Qt::LeftButton &&
                       event->modifiers().testFlag(Qt::ShiftModifier) &&
                       m_plot->axisRect()->rect().contains(event->pos());
    m_plot->setSelectionRectMode(frame ? QCP::srmZoom : QCP::srmNone);
    if (frame)
        remember();
}

void ChartWidget::onRelease(QMouseEvent* event)
{
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
    if (!m_plot->axisRect()->rect().contains(event->pos())) {
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

QString ChartWidget::readOut(int series, qsizetype point) const
{
    const ChartData& shown = m_plot->chart();
    const double x = shown.series[series].x[point];
    QStringList lines{QStringLiteral("%1 %2").arg(shown.xColumn, shown.formatX(x))};
    for (int s = 0; s < shown.series.size() && lines.size() < 10; ++s) {
        const ChartSeries& other = shown.series[s];
        if (m_plot->isSeriesHidden(s))
            continue;
        qsizetype at = point;
        if (s != series) {
            const auto found = std::lower_bound(other.x.begin(), other.x.end(), x);
            if (found == other.x.end() || std::abs(*found - x) > 1e-9 * std::max(1.0, std::abs(x)))
                continue;
            at = found - other.x.begin();
        }
        QString line = QStringLiteral("%1: %2").arg(other.name, shown.formatY(other.y[at]));
        if (!other.yLow.isEmpty() && std::isfinite(other.yLow.value(at, qQNaN())))
            line += u' ' + (at < other.n.size()
                                ? tr("(%1: %2 to %3, n = %4)")
                                      .arg(shown.errorName(), shown.formatY(other.yLow[at]),
                                           shown.formatY(other.yHigh[at]))
                                      .arg(other.n[at])
                                : tr("(%1: %2 to %3)")
                                      .arg(shown.errorName(), shown.formatY(other.yLow[at]),
                                           shown.formatY(other.yHigh[at])));
        else if (at < other.n.size() || !other.yLow.isEmpty())
            line += u' ' + tr("(n = %1)").arg(at < other.n.size() ? other.n[at] : 1);
        lines << (s == series ? QStringLiteral("\u25B8 ") : QString()) + line;
    }
    return lines.join(QLatin1Char('\n'));
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
    placeMark(*m_plot, m_cursor->mark, m_plot->placeOf(series, point), readOut(series, point),
              theme);
    if (m_plot->layer(QStringLiteral("overlay")))
        m_plot->layer(QStringLiteral("overlay"))->replot();
}

void ChartWidget::hideCursor()
{
    if (!m_cursor->mark.tracer || m_cursor->series < 0)
        return;
    m_cursor->series = -1;
    m_cursor->mark.tracer->setVisible(false);
    m_cursor->mark.box->setVisible(false);
    m_plot->layer(QStringLiteral("overlay"))->replot();
}

void ChartWidget::moveCursor(int bySeries, int byPoint)
{
    const auto& all = m_plot->chart().series;
    if (m_plot->chart().isEmpty())
        return;
    auto series = std::max(0, m_cursor->series);
    for (int tries = 0; tries < all.size(); ++tries) {
        series = static_cast<int>((series + bySeries + all.size()) % all.size());
        if (!all[series].x.isEmpty() && !m_plot->isSeriesHidden(series))
            break;
        bySeries = bySeries ? bySeries : 1;
    }
    if (all[series].x.isEmpty())
        return;
    const qsizetype last = all[series].x.size() - 1;
    const qsizetype start = m_cursor->series < 0 ? (byPoint > 0 ? -1 : last + 1) : m_cursor->point;
    showCursor(series, std::clamp<qsizetype>(start + byPoint, 0, last));
}

void ChartWidget::pinAtCursor()
{
    if (m_cursor->series < 0)
        return;
    const ChartSeries& series = m_plot->chart().series[m_cursor->series];
    const double x = series.x[m_cursor->point];
    for (qsizetype i = 0; i < m_cursor->pins.size(); ++i) {
        ChartPin& pin = m_cursor->pins[i];
        if (pin.series != series.id || pin.x != x)
            continue;
        m_plot->removeItem(pin.mark.tracer); // once more takes it away
        m_plot->removeItem(pin.mark.box);
        m_cursor->pins.removeAt(i);
        markDirty();
        return;
    }
    m_cursor->pins << ChartPin{series.id, x, {}};
    refreshPins();
    markDirty();
}

void ChartWidget::refreshPins()
{
    const Theme& theme = ThemeManager::instance().theme();
    const auto& all = m_plot->chart().series;
    for (ChartPin& pin : m_cursor->pins) {
        const int index = indexOfSeries(pin.series);
        const qsizetype point =
            index < 0 ? -1
                      : std::lower_bound(all[index].x.begin(), all[index].x.end(), pin.x) -
                            all[index].x.begin();
        const bool there = point >= 0 && point < all[index].x.size() &&
                           all[index].x[point] == pin.x && !m_plot->isSeriesHidden(index);
        if (there && !pin.mark.tracer)
            pin.mark = makeMark(*m_plot);
        if (there)
            placeMark(*m_plot, pin.mark, m_plot->placeOf(index, point), readOut(index, point),
                      theme);
        if (pin.mark.tracer && !there) {
            pin.mark.tracer->setVisible(false);
            pin.mark.box->setVisible(false);
        }
    }
}

void ChartWidget::clearPins()
{
    for (const ChartPin& pin : std::as_const(m_cursor->pins)) {
        if (!pin.mark.tracer)
            continue;
        m_plot->removeItem(pin.mark.tracer);
        m_plot->removeItem(pin.mark.box);
    }
    m_cursor->pins.clear();
    markDirty();
}

int ChartWidget::pinCount() const
{
    return static_cast<int>(m_cursor->pins.size());
}

} // namespace scalebench
