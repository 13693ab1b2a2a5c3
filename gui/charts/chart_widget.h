// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One interactive chart: pan, zoom with history, cursor on real points that can be pinned, follow
// mode, keyboard. Redrawn by ReplotClock only, and only while visible.

#include "charts/chart_notes.h"
#include "figures/chart_data.h"

#include <QJsonObject>
#include <QPoint>
#include <QSet>
#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

class QLabel;
class QMouseEvent;
class QUndoStack;

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
    /// Moves along with the other's x axis, and it with this one's, while both show the same
    /// quantity there.
    void linkX(ChartWidget* other);
    /// Where what a person does to the chart becomes edits that can be taken back; without it they
    /// hold at once.
    void setUndoStack(QUndoStack* stack);
    /// What the chart is about, such as a study's folder: its notes belong to that. Before the
    /// first chart; a widget that is told nothing keeps its notes to itself.
    void setSubject(const QString& subject);
    /// Shows this chart as the other does, and has its edits: the same page in another language.
    void takeOver(ChartWidget& other);
    /// A person's choice, kept for charts to come that can be shown so.
    void setLogX(bool on);
    void setLogY(bool on);
    const QSet<QString>& hiddenSeries() const;
    bool isLogX() const;
    bool isLogY() const;
    /// Scales and hidden series as a person chose them, for the next start.
    QJsonObject keptLook() const;
    void restoreLook(const QJsonObject& kept);
    bool canGoBack() const;
    bool canGoForward() const;
    /// What part of the plane is seen.
    QRectF view() const;
    /// Pinned read-outs and written notes of this chart.
    int pinCount() const;
    QList<ChartNote> notes() const;
    /// Where the note's box was drawn last; empty: nowhere.
    QRectF noteRect(int id) const;
    /// Of the legend's corner in the axes, as shares; nothing: above them, as charts come.
    std::optional<QPointF> legendPlace() const;
    void setLegendPlace(const std::optional<QPointF>& place);
    /// Draws at once; for pictures of the window and tests.
    void replotNow();
    int replotCount() const { return m_replots; }
    /// What of labels and legend does not fit or lies over something else, as it was drawn last.
    QStringList cutTexts() const;
    QSize minimumSizeHint() const override { return {220, 140}; }
    QSize sizeHint() const override { return {420, 172}; }

public Q_SLOTS:
    void fit();
    /// Through the views that a person had.
    void goBack();
    void goForward();

Q_SIGNALS:
    void followingChanged(bool on);
    void dataChanged();
    void historyChanged();
    /// A point was clicked, or Enter pressed on it. Where nobody listens that pins its read-out.
    void pointOpened(int series, qsizetype point);
    void xMoved(const QString& xColumn, double low, double high, bool following);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct View;
    struct History;
    struct Cursor;
    struct Look;
    class Edit;

    void setupPlot();
    void connectPlot();
    void connectLegend();
    void connectZoom();
    void applyTheme();
    void markDirty();
    void onTick();
    void updateEmptyState();
    void draw(const ChartData& given);
    void redraw();
    void rescale();
    ChartData scaled(ChartData given) const;
    void onPress(QMouseEvent* event);
    void onRelease(QMouseEvent* event);
    void onMouseMove(QMouseEvent* event);
    void highlightAt(const QPoint& at);
    void moveCursor(int bySeries, int byPoint);
    void showCursor(int series, qsizetype point);
    void hideCursor();
    void takeCursor();
    void pinAtCursor();
    void clearPins();
    void updatePlace();
    void takeNotes();
    void showNotes();
    int noteAt(const QPoint& at) const;
    bool isOverLegend(const QPoint& at) const;
    std::optional<ChartNote> noteAtCursor() const;
    void editNotes(const QString& text, const QList<ChartNote>& before,
                   const QList<ChartNote>& after);
    void writeNote(const ChartNote& note);
    void removeNote(const ChartNote& note);
    void nudgeNote(const QPointF& by);
    void showPointMenu(const QPoint& at);
    QPointF pixelOf(int series, qsizetype point) const;
    void hold(const QPoint& at);
    void dragTo(const QPoint& at);
    void letGo();
    void zoom(double factor);
    Look look() const;
    void setLook(const Look& look);
    void pushEdit(const QString& text, const Look& before);
    void changeSeries(const std::function<void()>& change);
    void hideAtCursor();
    void showAllSeries();
    View currentView() const;
    void showView(const View& view);
    void remember();
    void takeX(const QString& xColumn, double low, double high, bool following);
    void tellX();

    ChartPlot* m_plot;
    QLabel* m_empty;
    std::unique_ptr<Cursor> m_cursor;
    std::unique_ptr<History> m_history;
    std::shared_ptr<ChartWidget*> m_handle; ///< for edits, which may live longer
    QUndoStack* m_undo = nullptr;
    QPoint m_pressedAt;
    bool m_dirty = true;
    bool m_following = true;
    bool m_quiet = false; ///< ranges change, but by no person
    int m_replots = 0;
};

} // namespace scalebench
