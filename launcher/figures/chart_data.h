// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A chart as plain data: what the window draws, what the Data tab lists and what the export writes
// are all this one value. Knows nothing of the plotting library.

#include <QList>
#include <QPointF>
#include <QString>
#include <QStringList>
#include <QVector>

#include <optional>

namespace scalebench {

struct ChartSeries {
    enum class Kind {
        Line,
        LineAndPoints,
        Bars,
        Marks ///< crosses alone: what is there but does not count
    };
    QString id;   ///< stable over the life of a chart: "run id"
    QString name; ///< as in the legend: "2 workers"
    /// In the legend instead of the name; "-": not in the legend, an earlier series of the same
    /// slot stands for this one too (repeats).
    QString legend;
    /// What a colour that a person chooses belongs to: a setting of a study, whose repeats share
    /// it; empty: this line of this chart.
    QString subject;
    QString machine; ///< that all of it ran on; empty: not one, or not known
    int slot = 0;    ///< colour and marker; the same subject has the same slot everywhere
    int dash = 0;    ///< 0 solid; repeats of one setting differ in this
    Kind kind = Kind::LineAndPoints;
    QVector<double> x, y;
    QVector<double> yLow, yHigh; ///< error bars; empty: none; NaN: none at that point
    bool band = false;           ///< these as a shaded band around the line
    bool faint = false;          ///< thin, for what lies below its own mean
    QVector<int> n;              ///< values behind each point; empty: not said
    QStringList pointLabels;     ///< drawn beside the points; empty: none
    std::optional<QPointF> flag; ///< "target reached" here
};

struct ChartLine {
    double y = 0;
    QString label;
};

/// What would be, drawn thin and dashed behind the series; in no table.
struct ChartGuide {
    QString name; ///< in the legend; empty: an earlier one stands for it
    QVector<double> x, y;
};

/// The part of a chart between two y that is also drawn by itself, larger.
struct ChartInset {
    double yLow = 0, yHigh = 1;
};

/// Where some series lie so low that the highest one hides how they go; nothing otherwise.
std::optional<ChartInset> insetOfLow(const QList<ChartSeries>& series);

struct ChartData {
    enum class XScale { Linear, Log2, Log10, Categories };
    enum class Bars { Grouped, Stacked };

    QString id; ///< file name stem: "accuracy_vs_epoch"
    QString title;
    QString subtitle;         ///< caption of exports: machine, date
    QString xLabel, yLabel;   ///< with units, on the axes
    QString xColumn, yColumn; ///< column heads of the data table
    XScale xScale = XScale::Linear;
    Bars bars = Bars::Grouped;
    QStringList categories; ///< for Categories: x is the index; with line breaks, for the axis
    QVector<double> xTicks; ///< where ticks stand; Linear: empty is "anywhere"
    bool yPercent = false;  ///< y is 0..1, shown as per cent
    bool yLog2 = false;     ///< ticks at powers of two
    bool yLog10 = false;    ///< for values that span decades
    bool xWholeNumbers = false;
    bool xBytes = false; ///< x is a size: ticks as "4 MB"
    bool xClock = false; ///< x is a time of day, in seconds since 1970
    bool yFromZero = false;
    std::optional<double> xMin, yMin, yMax; ///< bounds that a fit keeps to
    QList<ChartSeries> series;
    QList<ChartLine> lines; ///< horizontal, labelled: the target
    bool idealLine = false; ///< y = x / smallest x tick ("ideal"), for speedup
    double idealAt = 1;     ///< x where the ideal line is 1
    bool idealFlat = false; ///< y = 1, for efficiency
    QString superLinear;    ///< why points lie beyond the ideal; that zone is tinted then
    QList<ChartGuide> guides;
    std::optional<double> hatchFrom; ///< hatched from this x on: what is there is hardly known
    std::optional<ChartInset> inset;
    QString emptyText;          ///< what to do to fill this chart
    bool labelsBelow = false;   ///< point labels under the points, away from the ideal line
    bool generatedData = false; ///< exports say so
    QStringList notices;        ///< whole sentences that every export holds
    QStringList remarks;        ///< what explains these numbers, shown with the chart
    QStringList marks;          ///< what must be said with these numbers: "disturbed: 2 workers"
    QString errorText;          ///< what bars and bands are; empty: "95 %"

    bool isEmpty() const;
    /// A category as tables and files have it.
    static QString inOneLine(QString category);
    /// One sentence per series for screen readers.
    QString description() const;
    /// The table: series, x, y and, where there are any, low and high, and what must be said with
    /// the numbers; in the first row also how it is drawn (chart_csv.h), so that chartOfCsv() gives
    /// this chart again. Points as separators.
    QByteArray csv() const;
    bool hasErrorBars() const;
    bool hasCounts() const; ///< some series says how many values are behind its points
    QString errorName() const;
    /// "Bars: 95 % interval of the mean, n = 3 to 5"; empty where there are none.
    QString errorNote() const;
    /// What a reader must know, shown with the chart and in the caption of exports.
    QStringList notes() const;
    /// Whether a logarithmic axis makes sense: numbers, and not all of them zero or less.
    bool canLogX() const;
    bool canLogY() const;
    QString formatX(double x) const;
    /// With what it is, "Workers: 4"; a category speaks for itself.
    QString placeText(double x) const;
    QString formatY(double y) const;
};

/// The chart as it is with all that is written in the other one, which is the same in another
/// language, perhaps of a moment later.
ChartData withTextsOf(ChartData chart, const ChartData& other);

} // namespace scalebench
