// SPDX-License-Identifier: GPL-3.0-or-later
// What a person changes in how a chart is shown: scales, hidden series, the place of the legend.
// Each change is an edit that the window's Undo takes back.
#include "charts/chart_cursor.h"
#include "charts/chart_history.h"
#include "charts/chart_plot.h"

#include <QApplication>
#include <QDateTime>
#include <QJsonArray>
#include <QJsonObject>
#include <QUndoStack>

namespace scalebench {

/// Made already when it is pushed. A double click on the legend is two: they become one.
class ChartWidget::Edit : public QUndoCommand
{
public:
    Edit(const QString& text, ChartWidget* chart, const Look& before)
        : QUndoCommand(text),
          m_chart(chart->m_handle),
          m_before(before),
          m_after(chart->look()),
          m_whenMs(QDateTime::currentMSecsSinceEpoch())
    {
    }
    void undo() override { show(m_before); }
    void redo() override
    {
        if (std::exchange(m_made, true))
            show(m_after);
    }
    int id() const override { return 1; }
    bool mergeWith(const QUndoCommand* next) override
    {
        const auto* other = static_cast<const Edit*>(next);
        if (other->m_chart != m_chart || other->text() != text() ||
            other->m_whenMs - m_whenMs > QApplication::doubleClickInterval())
            return false;
        m_after = other->m_after;
        return true;
    }

private:
    void show(const Look& look)
    {
        if (*m_chart)
            (*m_chart)->setLook(look);
    }

    std::shared_ptr<ChartWidget*> m_chart; ///< it may be another widget by then, or none
    Look m_before, m_after;
    qint64 m_whenMs;
    bool m_made = false;
};

ChartWidget::Look ChartWidget::look() const
{
    return {m_history->logX, m_history->logY, m_plot->hiddenSeries(), m_plot->legendPlace()};
}

void ChartWidget::setLook(const Look& look)
{
    m_history->logX = look.logX;
    m_history->logY = look.logY;
    m_plot->setHiddenSeries(look.hidden);
    m_plot->setLegendPlace(look.legend);
    redraw();
}

/// Looks like the other, and what was edited there is edited here from now on.
void ChartWidget::takeOver(ChartWidget& other)
{
    std::swap(m_handle, other.m_handle);
    *m_handle = this;
    *other.m_handle = &other;
    const Look before = other.look(), now = look();
    m_history->logX = before.logX;
    m_history->logY = before.logY;
    m_plot->setHiddenSeries(before.hidden);
    m_plot->setLegendPlace(before.legend);
    m_history->back = other.m_history->back;
    m_history->forward = other.m_history->forward;
    if (before.logX != now.logX || before.logY != now.logY || before.hidden != now.hidden ||
        before.legend != now.legend)
        redraw();
    if (!other.m_following)
        showView(other.currentView());
}

QJsonObject ChartWidget::keptLook() const
{
    QJsonObject kept;
    if (m_history->logX)
        kept[QStringLiteral("logX")] = *m_history->logX;
    if (m_history->logY)
        kept[QStringLiteral("logY")] = *m_history->logY;
    if (!hiddenSeries().isEmpty())
        kept[QStringLiteral("hidden")] =
            QJsonArray::fromStringList(QStringList(hiddenSeries().begin(), hiddenSeries().end()));
    return kept;
}

void ChartWidget::restoreLook(const QJsonObject& kept)
{
    if (kept.isEmpty())
        return;
    Look wanted = look();
    if (const QJsonValue on = kept[QStringLiteral("logX")]; on.isBool())
        wanted.logX = on.toBool();
    if (const QJsonValue on = kept[QStringLiteral("logY")]; on.isBool())
        wanted.logY = on.toBool();
    for (const QJsonValue& name : kept[QStringLiteral("hidden")].toArray())
        wanted.hidden << name.toString();
    setLook(wanted);
}

const QSet<QString>& ChartWidget::hiddenSeries() const
{
    return m_plot->hiddenSeries();
}

void ChartWidget::setUndoStack(QUndoStack* stack)
{
    m_undo = stack;
}

void ChartWidget::pushEdit(const QString& text, const Look& before)
{
    if (m_undo)
        m_undo->push(new Edit(text, this, before));
}

void ChartWidget::setLogX(bool on)
{
    const Look before = look();
    m_history->logX = on;
    redraw();
    pushEdit(tr("scale of “%1”").arg(accessibleName()), before);
}

void ChartWidget::setLogY(bool on)
{
    const Look before = look();
    m_history->logY = on;
    redraw();
    pushEdit(tr("scale of “%1”").arg(accessibleName()), before);
}

void ChartWidget::changeSeries(const std::function<void()>& change)
{
    const Look before = look();
    change();
    if (m_following)
        m_plot->fit();
    markDirty();
    if (m_plot->hiddenSeries() != before.hidden)
        pushEdit(tr("lines of “%1”").arg(accessibleName()), before);
}

void ChartWidget::connectLegend()
{
    connect(m_plot, &QCustomPlot::legendClick, this,
            [this](QCPLegend*, QCPAbstractLegendItem* item) {
                const int series = item ? m_plot->seriesAtLegendItem(item) : -1;
                if (series >= 0)
                    changeSeries([this, series] { m_plot->toggleSeries(series); });
            });
    // Its first click has hidden the series already, or shown it.
    connect(m_plot, &QCustomPlot::legendDoubleClick, this,
            [this](QCPLegend*, QCPAbstractLegendItem* item) {
                const int series = item ? m_plot->seriesAtLegendItem(item) : -1;
                if (series >= 0)
                    changeSeries([this, series] {
                        m_plot->toggleSeries(series);
                        m_plot->isolateSeries(series);
                    });
            });
}

/// By keyboard: the line that the cursor is on; its place is then the next line's.
void ChartWidget::hideAtCursor()
{
    const int series = m_cursor->series;
    if (series < 0 || series >= m_plot->chart().series.size())
        return;
    changeSeries([this, series] { m_plot->toggleSeries(series); });
    hideCursor();
    moveCursor(1, 0);
}

void ChartWidget::showAllSeries()
{
    changeSeries([this] { m_plot->setHiddenSeries({}); });
}

} // namespace scalebench
