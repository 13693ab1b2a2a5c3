// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_widget.h"

#include "charts/chart_cursor.h"
#include "charts/chart_history.h"
#include "charts/chart_plot.h"
#include "charts/replot_clock.h"
#include "charts/series_colors.h"
#include "settings/theme_manager.h"
#include "widgets/widgets.h"

#include <QAbstractScrollArea>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <cmath>

namespace scalebench {

ChartWidget::ChartWidget(QWidget* parent)
    : QWidget(parent),
      m_plot(new ChartPlot(this)),
      m_empty(new QLabel(this)),
      m_cursor(std::make_unique<Cursor>()),
      m_history(std::make_unique<History>()),
      m_handle(std::make_shared<ChartWidget*>(this))
{
    static int count = 0;
    m_cursor->subject = QStringLiteral("widget %1").arg(++count);
    setFocusPolicy(Qt::StrongFocus);
    setupPlot();
    connectPlot();
    applyTheme();
}

ChartWidget::~ChartWidget()
{
    *m_handle = nullptr;
}

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
    m_empty->setContentsMargins(24, 0, 24, 0);
    layout->addWidget(m_empty);
    m_empty->hide();
}

void ChartWidget::connectPlot()
{
    connect(&ReplotClock::instance(), &ReplotClock::tick, this, &ChartWidget::onTick);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &ChartWidget::applyTheme);
    connect(&SeriesColors::instance(), &SeriesColors::changed, this, [this] {
        m_plot->setTheme(ThemeManager::instance().theme());
        markDirty();
    });
    connect(&ChartNotes::instance(), &ChartNotes::changed, this, [this](const QString& place) {
        if (place == m_cursor->place)
            takeNotes();
    });
    connect(m_plot, &QCustomPlot::mouseDoubleClick, this, [this](QMouseEvent* event) {
        if (const auto note = ChartNotes::instance().find(noteAt(event->pos())))
            writeNote(*note);
        else if (!isOverLegend(event->pos()) && m_plot->axisRect()->rect().contains(event->pos()))
            fit();
    });
    connect(m_plot, &QCustomPlot::mousePress, this, &ChartWidget::onPress);
    connect(m_plot, &QCustomPlot::mouseRelease, this, &ChartWidget::onRelease);
    connect(m_plot, &QCustomPlot::mouseMove, this, &ChartWidget::onMouseMove);
    connectLegend();
    connectZoom();
}

void ChartWidget::applyTheme()
{
    m_plot->setFont(font());
    m_plot->setTheme(ThemeManager::instance().theme());
    hideCursor();
    showNotes();
    markDirty();
}

const ChartData& ChartWidget::chart() const
{
    return m_plot->chart();
}

void ChartWidget::setChart(const ChartData& chart)
{
    const bool sameView = m_plot->chart().id == chart.id && m_plot->chart().xLabel == chart.xLabel;
    if (!sameView) {
        *m_history = History{{}, {}, {}, false, m_history->logX, m_history->logY};
        Q_EMIT historyChanged();
    }
    const View seen = currentView();
    draw(chart);
    if (sameView && !m_following)
        showView(seen);
    else if (!m_following)
        setFollowing(true);
    updateEmptyState();
    markDirty();
    Q_EMIT dataChanged();
}

QStringList ChartWidget::cutTexts() const
{
    return m_plot->isVisible() ? m_plot->cutTexts() : QStringList();
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
    rescale();
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
    constexpr int kLeastLines = 6; // legend, numbers and label of the x axis, and axes of two
    const bool low = height() < kLeastLines * fontMetrics().height();
    m_empty->setText(empty ? m_plot->chart().emptyText : tr("There is too little room here."));
    m_empty->setVisible(empty || low);
    m_plot->setVisible(!empty && !low);
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
    if (!m_following)
        remember();
    setFollowing(true);
    tellX();
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
    updateEmptyState();
    if (m_plot->size().isEmpty()) { // stays dirty until there is room
        ReplotClock::instance().wake();
        return;
    }
    m_dirty = false;
    ++m_replots;
    if (m_following) {
        m_quiet = true;
        m_plot->fit();
        m_quiet = false;
    }
    m_plot->refreshLongSeries();
    showNotes();
    QString said = m_plot->chart().description();
    for (const ChartNote& note : notes())
        if (!note.text.isEmpty() && pointOf(*m_plot, note).first >= 0)
            said += u' ' + tr("Note at %1: %2").arg(m_plot->chart().placeText(note.x), note.text);
    setAccessibleDescription(said);
    m_plot->replot(isVisible() ? QCustomPlot::rpQueuedReplot : QCustomPlot::rpImmediateRefresh);
}

void ChartWidget::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    markDirty(); // what is shown changes later: now it would lay out what is being laid out
}

void ChartWidget::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    if (m_dirty)
        ReplotClock::instance().wake();
}

bool ChartWidget::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonPress) {
        setFocus(Qt::MouseFocusReason);
        const auto button = static_cast<QMouseEvent*>(event)->button();
        if (button == Qt::BackButton || button == Qt::ForwardButton) {
            button == Qt::BackButton ? goBack() : goForward();
            return true;
        }
    }
    // Who scrolls a page past a chart means the page; once it was clicked, the chart. The plot lets
    // no event of the mouse through, so it is handed on here.
    if (event->type() == QEvent::Wheel && !hasFocus() &&
        !(static_cast<QWheelEvent*>(event)->modifiers() &
          (Qt::ControlModifier | Qt::ShiftModifier))) {
        event->ignore();
        for (QWidget* up = parentWidget(); up; up = up->parentWidget())
            if (auto* area = qobject_cast<QAbstractScrollArea*>(up)) {
                QCoreApplication::sendEvent(area->viewport(), event);
                break;
            }
        return true;
    }
    if (event->type() == QEvent::ContextMenu) { // the plot lets no event of the mouse through
        contextMenuEvent(static_cast<QContextMenuEvent*>(event));
        return true;
    }
    if (event->type() == QEvent::Resize)
        markDirty(); // labels want another room
    if (event->type() == QEvent::Leave) {
        highlightAt({-1, -1});
        if (!hasFocus())
            hideCursor();
    }
    return QWidget::eventFilter(watched, event);
}

void ChartWidget::zoom(double factor)
{
    remember();
    setFollowing(false);
    m_plot->xAxis->scaleRange(factor);
    m_plot->yAxis->scaleRange(factor);
    markDirty();
}

void ChartWidget::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Back) || event->key() == Qt::Key_Backspace)
        return goBack();
    if (event->matches(QKeySequence::Forward))
        return goForward();
    constexpr double kNudge = 10;
    const bool nudges = event->modifiers().testFlag(Qt::ControlModifier);
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (nudges)
            return nudgeNote({event->key() == Qt::Key_Left    ? -kNudge
                              : event->key() == Qt::Key_Right ? kNudge
                                                              : 0,
                              event->key() == Qt::Key_Up     ? -kNudge
                              : event->key() == Qt::Key_Down ? kNudge
                                                             : 0});
        break;
    default:
        break;
    }
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
    case Qt::Key_Space:
    case Qt::Key_Return:
        return takeCursor();
    case Qt::Key_N:
        if (const auto note = noteAtCursor())
            writeNote(*note);
        return;
    case Qt::Key_Delete:
        if (const auto note = noteAtCursor(); note && note->id != 0)
            return removeNote(*note);
        break;
    case Qt::Key_H:
        return hideAtCursor();
    case Qt::Key_A:
        return showAllSeries();
    case Qt::Key_Escape:
        hideCursor();
        clearPins();
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void ChartWidget::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    setStyleProperty(m_empty, "focused", true); // without points there is no cursor to be seen
    if (event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason)
        moveCursor(0, 1);
}

void ChartWidget::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    setStyleProperty(m_empty, "focused", false);
    if (event->reason() != Qt::PopupFocusReason) // its own menu is about the point
        hideCursor();
}

} // namespace scalebench
