// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_widget.h"

#include "charts/chart_plot.h"
#include "charts/replot_clock.h"
#include "settings/theme_manager.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>

#include <cmath>

namespace scalebench {

/// Where the keyboard or the mouse points, and what shows it.
struct ChartWidget::Cursor {
    QCPItemTracer* tracer = nullptr;
    QCPItemText* box = nullptr;
    int series = -1;
    qsizetype point = -1;
};

ChartWidget::ChartWidget(QWidget* parent)
    : QWidget(parent),
      m_plot(new ChartPlot(this)),
      m_empty(new QLabel(this)),
      m_cursor(std::make_unique<Cursor>())
{
    setFocusPolicy(Qt::StrongFocus);
    setupPlot();
    connectPlot();
    applyTheme();
}

ChartWidget::~ChartWidget() = default;

void ChartWidget::setupPlot()
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    m_plot->setFocusPolicy(Qt::NoFocus);
    m_plot->setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    m_plot->axisRect()->setRangeZoomFactor(0.85);
    m_plot->installEventFilter(this);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setProperty("role", QStringLiteral("muted"));
    m_empty->setMargin(24);
    layout->addWidget(m_empty);
    m_empty->hide();
}

void ChartWidget::connectPlot()
{
    connect(&ReplotClock::instance(), &ReplotClock::tick, this, &ChartWidget::onTick);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &ChartWidget::applyTheme);
    connect(m_plot, &QCustomPlot::mouseDoubleClick, this, [this](QMouseEvent* event) {
        if (m_plot->axisRect()->rect().contains(event->pos()))
            fit();
    });
    connect(m_plot, &QCustomPlot::mouseWheel, this, [this](QWheelEvent* event) {
        Qt::Orientations axes = Qt::Horizontal | Qt::Vertical;
        if (event->modifiers().testFlag(Qt::ControlModifier))
            axes = Qt::Horizontal;
        else if (event->modifiers().testFlag(Qt::ShiftModifier))
            axes = Qt::Vertical;
        m_plot->axisRect()->setRangeZoom(axes);
        setFollowing(false);
    });
    connect(m_plot, &QCustomPlot::mouseMove, this, &ChartWidget::onMouseMove);
    connect(m_plot, &QCustomPlot::legendClick, this,
            [this](QCPLegend*, QCPAbstractLegendItem* item) {
                const int series = item ? m_plot->seriesAtLegendItem(item) : -1;
                if (series < 0)
                    return;
                m_plot->toggleSeries(series);
                if (m_following)
                    m_plot->fit();
                markDirty();
            });
}

void ChartWidget::applyTheme()
{
    m_plot->setFont(font());
    m_plot->setTheme(ThemeManager::instance().theme());
    hideCursor();
    markDirty();
}

const ChartData& ChartWidget::chart() const
{
    return m_plot->chart();
}

void ChartWidget::setChart(const ChartData& chart)
{
    const bool sameView = m_plot->chart().id == chart.id && m_plot->chart().xLabel == chart.xLabel;
    const QCPRange x = m_plot->xAxis->range();
    const QCPRange y = m_plot->yAxis->range();
    m_cursor = std::make_unique<Cursor>(); // its items go with the old chart
    m_plot->setChart(chart);
    if (sameView && !m_following) {
        m_plot->xAxis->setRange(x);
        m_plot->yAxis->setRange(y);
    } else if (!m_following) {
        setFollowing(true);
    }
    updateEmptyState();
    markDirty();
    Q_EMIT dataChanged();
}

int ChartWidget::indexOfSeries(const QString& id) const
{
    const auto& series = m_plot->chart().series;
    for (int i = 0; i < series.size(); ++i) {
        if (series[i].id == id)
            return i;
    }
    return -1;
}

void ChartWidget::appendPoints(int seriesIndex, const QVector<double>& x, const QVector<double>& y)
{
    if (x.isEmpty())
        return;
    m_plot->appendPoints(seriesIndex, x, y);
    if (!m_empty->isHidden())
        updateEmptyState();
    markDirty();
    Q_EMIT dataChanged();
}

void ChartWidget::setFlag(int seriesIndex, const QPointF& at)
{
    m_plot->setFlag(seriesIndex, at);
    markDirty();
}

void ChartWidget::updateEmptyState()
{
    const bool empty = m_plot->chart().isEmpty();
    m_empty->setText(m_plot->chart().emptyText);
    m_empty->setVisible(empty);
    m_plot->setVisible(!empty);
}

void ChartWidget::setFollowing(bool on)
{
    if (m_following == on)
        return;
    m_following = on;
    Q_EMIT followingChanged(on);
    markDirty();
}

void ChartWidget::fit()
{
    setFollowing(true);
    markDirty();
}

void ChartWidget::markDirty()
{
    m_dirty = true;
    if (isVisible())
        ReplotClock::instance().wake();
}

void ChartWidget::onTick()
{
    if (m_dirty && isVisible())
        replotNow();
}

void ChartWidget::replotNow()
{
    if (m_plot->size().isEmpty()) { // stays dirty until there is room
        ReplotClock::instance().wake();
        return;
    }
    m_dirty = false;
    ++m_replots;
    if (m_following)
        m_plot->fit();
    m_plot->refreshLongSeries();
    setAccessibleDescription(m_plot->chart().description());
    m_plot->replot(isVisible() ? QCustomPlot::rpQueuedReplot : QCustomPlot::rpImmediateRefresh);
}

void ChartWidget::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_dirty)
        ReplotClock::instance().wake();
}

bool ChartWidget::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonPress)
        setFocus(Qt::MouseFocusReason);
    if (event->type() == QEvent::Leave && !hasFocus())
        hideCursor();
    return QWidget::eventFilter(watched, event);
}

void ChartWidget::onMouseMove(QMouseEvent* event)
{
    if (event->buttons().testFlag(Qt::LeftButton)) {
        setFollowing(false);
        return;
    }
    if (!m_plot->axisRect()->rect().contains(event->pos())) {
        hideCursor();
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
            const double distance =
                all[s].kind == ChartSeries::Kind::Bars ? dx * dx : dx * dx + dy * dy;
            if (distance < best) {
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
        if (!other.yLow.isEmpty()) {
            line += std::isfinite(other.yLow.value(at, qQNaN()))
                        ? tr(" (95 %: %1 to %2)")
                              .arg(shown.formatY(other.yLow[at]), shown.formatY(other.yHigh[at]))
                        : tr(" (n = 1)");
        }
        lines << (s == series ? QStringLiteral("\u25B8 ") : QString()) + line;
    }
    return lines.join(QLatin1Char('\n'));
}

void ChartWidget::showCursor(int series, qsizetype point)
{
    if (m_cursor->series == series && m_cursor->point == point)
        return;
    const Theme& theme = ThemeManager::instance().theme();
    const ChartSeries& s = m_plot->chart().series[series];
    if (!m_cursor->tracer) {
        m_cursor->tracer = new QCPItemTracer(m_plot);
        m_cursor->box = new QCPItemText(m_plot);
        m_cursor->tracer->setLayer(QStringLiteral("overlay"));
        m_cursor->box->setLayer(QStringLiteral("overlay"));
        m_cursor->tracer->setStyle(QCPItemTracer::tsCircle);
        m_cursor->tracer->setSize(11);
        m_cursor->box->setTextAlignment(Qt::AlignLeft);
        m_cursor->box->setPadding(QMargins(7, 5, 7, 5));
        m_cursor->box->position->setType(QCPItemPosition::ptAbsolute);
        m_cursor->box->setClipToAxisRect(false);
    }
    m_cursor->series = series;
    m_cursor->point = point;
    m_cursor->tracer->setPen(QPen(theme.text, 1.6));
    m_cursor->tracer->setBrush(Qt::NoBrush);
    m_cursor->tracer->position->setCoords(s.x[point], s.y[point]);
    m_cursor->tracer->setVisible(true);
    m_cursor->box->setColor(theme.text);
    m_cursor->box->setBrush(theme.surfaceAlt);
    m_cursor->box->setPen(QPen(theme.borderStrong, 1));
    m_cursor->box->setFont(m_plot->legend->font());
    m_cursor->box->setText(readOut(series, point));
    // The box goes to the side of the point that has room.
    const QPointF pixel(m_plot->xAxis->coordToPixel(s.x[point]),
                        m_plot->yAxis->coordToPixel(s.y[point]));
    const QRect area = m_plot->axisRect()->rect();
    const bool right = pixel.x() < area.center().x();
    const bool below = pixel.y() < area.center().y();
    m_cursor->box->setPositionAlignment((right ? Qt::AlignLeft : Qt::AlignRight) |
                                        (below ? Qt::AlignTop : Qt::AlignBottom));
    m_cursor->box->position->setCoords(pixel.x() + (right ? 12 : -12),
                                       pixel.y() + (below ? 8 : -8));
    m_cursor->box->setVisible(true);
    if (m_plot->layer(QStringLiteral("overlay")))
        m_plot->layer(QStringLiteral("overlay"))->replot();
}

void ChartWidget::hideCursor()
{
    if (!m_cursor->tracer || m_cursor->series < 0)
        return;
    m_cursor->series = -1;
    m_cursor->tracer->setVisible(false);
    m_cursor->box->setVisible(false);
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

void ChartWidget::zoom(double factor)
{
    setFollowing(false);
    m_plot->xAxis->scaleRange(factor);
    m_plot->yAxis->scaleRange(factor);
    markDirty();
}

void ChartWidget::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Left:
        return moveCursor(0, -1);
    case Qt::Key_Right:
        return moveCursor(0, 1);
    case Qt::Key_Up:
        return moveCursor(-1, 0);
    case Qt::Key_Down:
        return moveCursor(1, 0);
    case Qt::Key_Home:
        return fit();
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(0.8);
    case Qt::Key_Minus:
        return zoom(1.25);
    case Qt::Key_Escape:
        hideCursor();
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void ChartWidget::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason)
        moveCursor(0, 1);
}

void ChartWidget::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    hideCursor();
}

} // namespace scalebench
