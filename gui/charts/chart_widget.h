// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One interactive chart: pan, zoom, cursor on real points, follow mode, keyboard. Redrawn by
// ReplotClock only, and only while visible.

#include "charts/chart_data.h"

#include <QWidget>

#include <memory>

class QLabel;
class QMouseEvent;

namespace scalebench {

class ChartPlot;

class ChartWidget : public QWidget
{
    Q_OBJECT
public:
    explicit ChartWidget(QWidget* parent = nullptr);
    ~ChartWidget() override;

    /// Keeps the view's zoom when the chart's id and x axis stay the same and follow is off.
    void setChart(const ChartData& chart);
    const ChartData& chart() const;
    void appendPoints(int seriesIndex, const QVector<double>& x, const QVector<double>& y);
    void setFlag(int seriesIndex, const QPointF& at);
    int indexOfSeries(const QString& id) const;

    bool isFollowing() const { return m_following; }
    void setFollowing(bool on);
    /// Draws at once; for pictures of the window and tests.
    void replotNow();
    int replotCount() const { return m_replots; }
    QSize minimumSizeHint() const override { return {220, 140}; }
    QSize sizeHint() const override { return {420, 172}; }

public Q_SLOTS:
    void fit();

Q_SIGNALS:
    void followingChanged(bool on);
    void dataChanged();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void setupPlot();
    void connectPlot();
    void applyTheme();
    void markDirty();
    void onTick();
    void updateEmptyState();
    void onMouseMove(QMouseEvent* event);
    void moveCursor(int bySeries, int byPoint);
    void showCursor(int series, qsizetype point);
    void hideCursor();
    QString readOut(int series, qsizetype point) const;
    void zoom(double factor);

    struct Cursor;
    ChartPlot* m_plot;
    QLabel* m_empty;
    std::unique_ptr<Cursor> m_cursor;
    bool m_dirty = true;
    bool m_following = true;
    int m_replots = 0;
};

} // namespace scalebench
