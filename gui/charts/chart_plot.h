// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Turns ChartData into plottables, axes, legend and labels of one QCustomPlot. Window and export
// use this same class; it handles no input.

#include "charts/min_max_pyramid.h"
#include "charts/qcp.h"
#include "figures/chart_data.h"
#include "settings/theme.h"

#include <QSet>

#include <memory>
#include <optional>
#include <vector>

namespace scalebench {

struct ChartRange {
    double xLow = 0, xHigh = 1, yLow = 0, yHigh = 1;
    double xLeast = 0, yLeast = 0; ///< above 0, for logarithmic axes
    bool below = false;            ///< a value, not an interval alone, is below 0
};

class ChartPlot : public QCustomPlot
{
public:
    explicit ChartPlot(QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    void setChart(const ChartData& chart);
    const ChartData& chart() const { return m_chart; }
    /// Adds to the series' points without rebuilding anything.
    void appendPoints(int seriesIndex, const QVector<double>& x, const QVector<double>& y);
    void setFlag(int seriesIndex, const QPointF& at);

    /// Title above and caption below, for exports.
    void setHeadings(const QString& title, const QString& caption);

    /// Exports: the reason in the middle of a chart without data, instead of bare axes.
    void showEmptyText();

    /// What fit() shows. Points that were added since the last time are looked at, no others.
    ChartRange dataRange();
    void fit();
    /// What of labels and legend does not fit or lies over something else, as it was drawn last.
    QStringList cutTexts() const;
    /// Puts the visible part of very long series into the plottables, and a legend that was moved
    /// where there is room for it. Before each replot.
    void refreshLongSeries();

    /// Its upper left corner as shares of the axes' width and height; nothing: a row above them.
    const std::optional<QPointF>& legendPlace() const { return m_legendPlace; }
    void setLegendPlace(const std::optional<QPointF>& place);
    /// What it comes to when its corner is dragged to that point of the widget.
    std::optional<QPointF> legendPlaceAt(const QPointF& corner) const;
    int seriesAtLegendItem(QCPAbstractLegendItem* item) const;
    /// The entry under a point of the widget; -1: none.
    int seriesAtLegend(const QPointF& at) const;
    void toggleSeries(int seriesIndex);
    /// Shows this one (and those it stands for) alone; all again where it is alone already.
    void isolateSeries(int seriesIndex);
    /// The others fade; -1: none is. False where that is so already.
    bool highlightSeries(int seriesIndex);
    bool isSeriesHidden(int seriesIndex) const;
    /// The bar under a point of the widget, as series and point; -1: none is.
    std::pair<int, qsizetype> barAt(const QPointF& at) const;
    /// Where a point is drawn: beside or on top of other bars, else at its values.
    QPointF placeOf(int seriesIndex, qsizetype point) const;
    /// By their ids; also of charts to come.
    const QSet<QString>& hiddenSeries() const { return m_hidden; }
    void setHiddenSeries(const QSet<QString>& hidden);

    static constexpr qsizetype kLongSeries = 8000;
    static constexpr double kMostAbove = 3; ///< of a value, what its interval is shown of
    static constexpr int kMaxLegendEntries = 14;

private:
    struct Drawn {
        QCPGraph* graph = nullptr;
        QCPBars* bars = nullptr;
        QCPErrorBars* errors = nullptr;
        QCPGraph* bandLow = nullptr;
        QCPGraph* bandHigh = nullptr; ///< filled down to bandLow
        QList<QCPItemText*> labels;
        MinMaxPyramid points;
        ChartRange range = nothing(); ///< of the first `ranged` points, without what others add
        qsizetype ranged = 0;
        bool isLong = false;
    };
    static ChartRange nothing();
    static void widen(ChartRange& range, const ChartSeries& series, qsizetype point, double y);
    static void widen(ChartRange& range, const ChartRange& by);
    void setupLayout();
    void clearChart();
    void buildAxes();
    void buildTicks();
    void thinCategories(int room);
    void shortenBarLabels(int room);
    void thinTicks(int height);
    void buildSeries();
    void buildLine(int index);
    void buildErrors(const ChartSeries& series, Drawn& drawn, QCPAbstractPlottable* of);
    void buildBand(const ChartSeries& series, Drawn& drawn);
    void buildGuides();
    void buildSuperLinear();
    void buildHatch();
    void buildBars(int index, int barSeries, int barCount);
    void buildPointLabels(int index);
    void buildReferenceLines();
    void placeLineLabels();
    void buildFlags();
    void buildLegend();
    void buildInset();
    void clearInset();
    void styleInset();
    void makeRoomForInset();
    void fillLegend(int most);
    void nameLegend(int room);
    int legendColumns(int* entries) const;
    void layoutLegend();
    void styleLegend();
    void placeLegend();
    void wrapYLabel(int room);
    void setSeriesShown(int seriesIndex, bool show);
    bool speaksFor(int seriesIndex, int other) const; ///< in the legend
    void refreshFlags();
    void fitX(const ChartRange& r);
    void makeRoomForLabels();
    QStringList collidingLabels() const;
    QStringList collidingTicks() const;
    int widthOf(const QCPItemText* label) const;
    void fitY(const ChartRange& r);
    QColor colorOf(int seriesIndex) const;
    void styleAxes();
    void styleSeries();
    QPen seriesPen(int seriesIndex) const;
    QCPScatterStyle marker(int seriesIndex) const;
    void fitAxis(QCPAxis* axis, double low, double high);
    void resizeEvent(QResizeEvent* event) override;

    const Theme* m_theme;
    ChartData m_chart;
    int m_categoryStep = 1; ///< of names on the x axis; 1: all
    int m_categoryRoom = 0; ///< that a name is shortened to; 0: none is
    std::vector<Drawn> m_drawn;
    QCPGraph* m_flags = nullptr;
    QCPGraph* m_ideal = nullptr;
    QCPGraph* m_beyond = nullptr; ///< far above the ideal: the zone between is tinted
    QCPItemText* m_beyondText = nullptr;
    QCPItemRect* m_hatch = nullptr;
    QList<QCPGraph*> m_guides;
    QList<QCPItemText*> m_lineLabels;
    QList<QCPItemStraightLine*> m_lines;
    QCPLayoutGrid* m_legendRow = nullptr;
    QCPTextElement* m_title = nullptr;
    QCPTextElement* m_caption = nullptr;
    QCPAxisRect* m_inset = nullptr;
    QList<QCPGraph*> m_insetGraphs; ///< one per series
    QCPItemRect* m_insetFrame = nullptr;
    QSet<QString> m_hidden;
    int m_highlighted = -1;
    int m_legendEntries = 0; ///< of series, at most
    int m_legendLeftOut = 0; ///< series that have none, for want of room
    std::optional<QPointF> m_legendPlace;
};

} // namespace scalebench
