// SPDX-License-Identifier: GPL-3.0-or-later
// From ChartData to plottables and items: axes and ticks, reference lines, series, labels, flags.
#include "charts/chart_items.h"
#include "charts/chart_plot.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>
#include <cmath>
#include <utility>

namespace scalebench {

namespace {
constexpr double kBarGroupWidth = 0.62;

/// The lines of a category, none wider than the room; 0: as they are.
QString shortened(const QString& category, const QFont& font, int room)
{
    if (room <= 0)
        return category;
    QStringList lines = category.split(u'\n');
    for (QString& line : lines)
        line = QFontMetrics(font).elidedText(line, Qt::ElideMiddle, room);
    return lines.join(u'\n');
}

} // namespace

void ChartPlot::buildAxes()
{
    const bool log =
        m_chart.xScale == ChartData::XScale::Log2 || m_chart.xScale == ChartData::XScale::Log10;
    xAxis->setScaleType(log ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    yAxis->setScaleType(m_chart.yLog2 || m_chart.yLog10 ? QCPAxis::stLogarithmic
                                                        : QCPAxis::stLinear);
    xAxis->setLabel(m_chart.xLabel);
    yAxis->setLabel(m_chart.yLabel);
    constexpr int kDigits = 9; // of six, an axis would go on from 750000 to 1E+06
    // The library's "b" draws what follows "e-04" in any label as a power of ten, names too.
    const bool named = m_chart.xScale == ChartData::XScale::Categories;
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setNumberFormat(named && axis == xAxis ? QStringLiteral("g") : QStringLiteral("gb"));
        axis->setNumberPrecision(kDigits);
    }
    buildTicks();
}

void ChartPlot::buildTicks()
{
    if (m_chart.xScale == ChartData::XScale::Log10) {
        xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new LogTicker));
    } else if (m_chart.xScale == ChartData::XScale::Linear && m_chart.xTicks.isEmpty()) {
        if (m_chart.xClock) {
            QSharedPointer<QCPAxisTickerDateTime> ticker(new QCPAxisTickerDateTime);
            ticker->setDateTimeFormat(QStringLiteral("HH:mm\nd MMM"));
            xAxis->setTicker(ticker);
        } else if (m_chart.xWholeNumbers)
            xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new WholeNumberTicker));
        else
            xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    } else {
        QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
        if (m_chart.xScale != ChartData::XScale::Categories) {
            for (const double tick : m_chart.xTicks)
                ticker->addTick(tick, m_chart.xBytes ? m_chart.formatX(tick)
                                                     : QLocale().toString(tick, 'g', 6));
        } else {
            for (int i = 0; i < m_chart.categories.size(); i += m_categoryStep)
                ticker->addTick(
                    i, shortened(m_chart.categories[i], xAxis->tickLabelFont(), m_categoryRoom));
        }
        xAxis->setTicker(ticker);
    }
    if (m_chart.yLog2) {
        QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
        for (int power = -4; power <= 20; ++power)
            ticker->addTick(std::pow(2.0, power), QLocale().toString(std::pow(2.0, power), 'g', 7));
        yAxis->setTicker(ticker);
        return;
    }
    if (m_chart.yLog10) {
        yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new LogTicker));
        return;
    }
    if (m_chart.yPercent)
        yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new PercentTicker));
    else
        yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    yAxis->ticker()->setTickCount(5);
}

/// Names that would run into each other are left out evenly, and very long ones are shortened; the
/// tracer and the table have all.
void ChartPlot::thinCategories(int room)
{
    if (m_chart.xScale != ChartData::XScale::Categories)
        return;
    constexpr int kGap = 4;
    const QFontMetrics metrics(xAxis->tickLabelFont());
    int widest = 1;
    for (const QString& name : std::as_const(m_chart.categories))
        for (const QString& line : name.split(QLatin1Char('\n')))
            widest = std::max(widest, metrics.horizontalAdvance(line) + kGap);
    const int most = std::max(room, viewport().width() / 3);
    const int step = (std::min(widest, most) + std::max(1, room) - 1) / std::max(1, room);
    const bool anew = std::exchange(m_categoryRoom, most) != most && widest > most;
    if (std::exchange(m_categoryStep, step) != step || anew)
        buildTicks();
}

/// As many numbers at the y axis as stand above one another. The ticker takes the count as advice
/// and may make half as many again.
void ChartPlot::thinTicks(int height)
{
    if (m_chart.yLog2)
        return;
    constexpr int kUsual = 5;
    // On a logarithmic axis of less than a decade the uppermost are the closest.
    const double linesEach = m_chart.yLog10 ? 3.6 : 1.8;
    const double line = QFontMetrics(yAxis->tickLabelFont()).height();
    yAxis->ticker()->setTickCount(
        std::clamp(static_cast<int>(height / (linesEach * line)), 2, kUsual));
}

void ChartPlot::buildReferenceLines()
{
    for (const ChartLine& line : std::as_const(m_chart.lines)) {
        auto* item = new QCPItemStraightLine(this);
        item->point1->setCoords(0, line.y);
        item->point2->setCoords(1, line.y);
        // On a logarithmic axis 0 has no place.
        if (xAxis->scaleType() == QCPAxis::stLogarithmic)
            item->point1->setCoords(0.5, line.y);
        m_lines.append(item);
        auto* label = new QCPItemText(this);
        label->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
        label->position->setTypeY(QCPItemPosition::ptPlotCoords);
        label->position->setCoords(0.006, line.y);
        label->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
        label->setPadding(QMargins(2, 0, 2, 1));
        label->setText(line.label);
        m_lineLabels.append(label);
    }
    if (!m_chart.idealLine && !m_chart.idealFlat)
        return;
    m_ideal = addGraph();
    m_ideal->setName(m_chart.idealFlat ? QCoreApplication::translate("ChartPlot", "ideal (100 %)")
                                       : QCoreApplication::translate("ChartPlot", "ideal"));
    QVector<double> x, y;
    const double top = m_chart.xTicks.isEmpty() ? 2 : m_chart.xTicks.last();
    const double first = m_chart.xTicks.isEmpty() ? 1 : m_chart.xTicks.first();
    // Straight in x and y is curved on a logarithmic axis: many small pieces.
    for (int i = 0; i <= 64; ++i) {
        const double at = first * 0.8 * std::pow(top * 1.25 / (first * 0.8), i / 64.0);
        x << at;
        y << (m_chart.idealFlat ? 1.0 : at / m_chart.idealAt);
    }
    m_ideal->setData(x, y, true);
}

void ChartPlot::buildSuperLinear()
{
    if (m_chart.superLinear.isEmpty() || !m_ideal)
        return;
    constexpr double kFarAbove = 1e4;
    m_beyond = addGraph();
    QVector<double> x, y;
    for (const QCPGraphData& point : *m_ideal->data()) {
        x << point.key;
        y << point.value * kFarAbove;
    }
    m_beyond->setData(x, y, true);
    m_beyond->setChannelFillGraph(m_ideal);
    m_beyond->setPen(Qt::NoPen);
    m_beyondText = new QCPItemText(this);
    m_beyondText->position->setType(QCPItemPosition::ptAxisRectRatio);
    m_beyondText->position->setCoords(0.01, 0.01);
    m_beyondText->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_beyondText->setTextAlignment(Qt::AlignLeft);
    m_beyondText->setText(m_chart.superLinear);
}

/// Up to the right edge, over the whole height.
void ChartPlot::buildHatch()
{
    if (!m_chart.hatchFrom)
        return;
    m_hatch = new QCPItemRect(this);
    m_hatch->setLayer(QStringLiteral("grid"));
    for (QCPItemPosition* corner : {m_hatch->topLeft, m_hatch->bottomRight})
        corner->setType(QCPItemPosition::ptAxisRectRatio);
    m_hatch->topLeft->setTypeX(QCPItemPosition::ptPlotCoords);
    m_hatch->topLeft->setCoords(*m_chart.hatchFrom, 0);
    m_hatch->bottomRight->setCoords(1, 1);
}

void ChartPlot::buildGuides()
{
    for (const ChartGuide& guide : std::as_const(m_chart.guides)) {
        m_guides << addGraph();
        m_guides.last()->setName(guide.name);
        m_guides.last()->setData(guide.x, guide.y, true);
    }
}

void ChartPlot::buildSeries()
{
    m_drawn.resize(static_cast<size_t>(m_chart.series.size()));
    int barCount = 0;
    for (const ChartSeries& s : std::as_const(m_chart.series))
        barCount += s.kind == ChartSeries::Kind::Bars ? 1 : 0;
    int bar = 0;
    for (int i = 0; i < m_chart.series.size(); ++i) {
        if (m_chart.series[i].kind == ChartSeries::Kind::Bars)
            buildBars(i, bar++, barCount);
        else
            buildLine(i);
        buildPointLabels(i);
    }
}

void ChartPlot::buildLine(int index)
{
    const ChartSeries& series = m_chart.series[index];
    Drawn& drawn = m_drawn[static_cast<size_t>(index)];
    if (series.band)
        buildBand(series, drawn);
    drawn.graph = addGraph();
    drawn.graph->setName(series.legend.isEmpty() ? series.name : series.legend);
    if (series.kind == ChartSeries::Kind::Marks)
        drawn.graph->setLineStyle(QCPGraph::lsNone);
    drawn.graph->setAdaptiveSampling(true);
    drawn.graph->setVisible(!m_hidden.contains(series.id));
    drawn.points.grow(series.y);
    drawn.isLong = series.x.size() > kLongSeries;
    if (!drawn.isLong)
        drawn.graph->setData(series.x, series.y, true);
    buildErrors(series, drawn, drawn.graph);
}

void ChartPlot::buildErrors(const ChartSeries& series, Drawn& drawn, QCPAbstractPlottable* of)
{
    if (series.yLow.isEmpty() || series.band)
        return;
    drawn.errors = new QCPErrorBars(xAxis, yAxis);
    drawn.errors->setDataPlottable(of);
    drawn.errors->setWhiskerWidth(9);
    QVector<double> minus, plus;
    for (qsizetype i = 0; i < series.y.size(); ++i) {
        const double low = series.y[i] - series.yLow.value(i, qQNaN());
        const double high = series.yHigh.value(i, qQNaN()) - series.y[i];
        minus << (low > 0 ? low : qQNaN()); // of no length it would be a stroke across the point
        plus << (high > 0 ? high : qQNaN());
    }
    drawn.errors->setData(minus, plus);
    drawn.errors->setVisible(of->visible());
}

void ChartPlot::buildBand(const ChartSeries& series, Drawn& drawn)
{
    drawn.bandLow = addGraph();
    drawn.bandHigh = addGraph();
    drawn.bandLow->setData(series.x, series.yLow, true);
    drawn.bandHigh->setData(series.x, series.yHigh, true);
    drawn.bandHigh->setChannelFillGraph(drawn.bandLow);
    for (QCPGraph* edge : {drawn.bandLow, drawn.bandHigh}) {
        edge->setPen(Qt::NoPen);
        edge->setVisible(!m_hidden.contains(series.id));
    }
}

void ChartPlot::buildBars(int index, int barSeries, int barCount)
{
    const ChartSeries& series = m_chart.series[index];
    Drawn& drawn = m_drawn[static_cast<size_t>(index)];
    drawn.bars = new QCPBars(xAxis, yAxis);
    drawn.bars->setName(series.name);
    drawn.bars->setVisible(!m_hidden.contains(series.id));
    drawn.bars->setWidthType(QCPBars::wtPlotCoords);
    const bool stacked = m_chart.bars == ChartData::Bars::Stacked;
    QVector<double> x = series.x;
    double width = stacked ? 0.5 : kBarGroupWidth / std::max(1, barCount);
    if (!stacked) {
        for (double& value : x)
            value += (barSeries - (barCount - 1) / 2.0) * width;
        width *= 0.9;
    }
    drawn.bars->setWidth(width);
    drawn.bars->setData(x, series.y, true);
    if (!stacked)
        buildErrors(series, drawn, drawn.bars);
    if (!stacked || barSeries == 0)
        return;
    for (int below = index - 1; below >= 0; --below) {
        if (m_drawn[static_cast<size_t>(below)].bars) {
            drawn.bars->moveAbove(m_drawn[static_cast<size_t>(below)].bars);
            break;
        }
    }
}

std::pair<int, qsizetype> ChartPlot::barAt(const QPointF& at) const
{
    for (size_t i = 0; i < m_drawn.size(); ++i) {
        QVariant details;
        if (!m_drawn[i].bars || !m_drawn[i].bars->visible() ||
            m_drawn[i].bars->selectTest(at, false, &details) < 0)
            continue;
        if (const auto hit = details.value<QCPDataSelection>(); !hit.isEmpty())
            return {static_cast<int>(i), hit.dataRange().begin()};
    }
    return {-1, -1};
}

QPointF ChartPlot::placeOf(int seriesIndex, qsizetype point) const
{
    const ChartSeries& series = m_chart.series[seriesIndex];
    const QCPBars* bars = m_drawn[static_cast<size_t>(seriesIndex)].bars;
    if (!bars || !std::isfinite(series.y[point]))
        return {series.x[point], series.y[point]};
    const QPointF pixel = bars->dataPixelPosition(static_cast<int>(point));
    return {xAxis->pixelToCoord(pixel.x()), yAxis->pixelToCoord(pixel.y())};
}

void ChartPlot::buildPointLabels(int index)
{
    const ChartSeries& series = m_chart.series[index];
    Drawn& drawn = m_drawn[static_cast<size_t>(index)];
    QVector<double> barX;
    if (drawn.bars) {
        for (const QCPBarsData& d : *drawn.bars->data())
            barX << d.key;
    }
    const bool stacked = drawn.bars && m_chart.bars == ChartData::Bars::Stacked;
    for (qsizetype i = 0; i < series.pointLabels.size() && i < series.x.size(); ++i) {
        if (series.pointLabels[i].isEmpty() || !std::isfinite(series.y[i]))
            continue;
        auto* label = new QCPItemText(this);
        double top = std::max(series.y[i], series.yHigh.value(i, series.y[i]));
        if (top > kMostAbove * series.y[i]) // beyond the edge, where the legend is
            top = series.y[i];
        for (int below = 0; stacked && below < index; ++below)
            top += m_chart.series[below].y.value(i, 0);
        label->position->setCoords(drawn.bars ? barX.value(i) : series.x[i],
                                   std::isfinite(top) ? top : series.y[i]);
        label->setText(series.pointLabels[i]);
        // On the side of the point where the ideal line is not.
        const bool beyondIdeal =
            m_chart.idealLine && series.y[i] > 1.02 * series.x[i] / m_chart.idealAt;
        const bool below = m_chart.labelsBelow && !drawn.bars && !beyondIdeal;
        if (below) {
            const double low = series.yLow.value(i, series.y[i]);
            label->position->setCoords(series.x[i], std::isfinite(low) ? low : series.y[i]);
        }
        // A line arrives from the left, so beside its point there is room to the right.
        label->setPositionAlignment((drawn.bars ? Qt::AlignHCenter : Qt::AlignLeft) |
                                    (below ? Qt::AlignTop : Qt::AlignBottom));
        label->setPadding(drawn.bars ? QMargins(0, 0, 0, 2)
                          : below    ? QMargins(5, 5, 0, 0)
                                     : QMargins(4, 0, 0, 5));
        label->setClipToAxisRect(false);
        label->setVisible(!m_hidden.contains(series.id));
        drawn.labels.append(label);
    }
}

void ChartPlot::buildFlags()
{
    const bool any = std::any_of(m_chart.series.begin(), m_chart.series.end(),
                                 [](const ChartSeries& s) { return s.flag.has_value(); });
    if (!any)
        return;
    m_flags = new FlagGraph(xAxis, yAxis);
    m_flags->setName(QCoreApplication::translate("ChartPlot", "target reached"));
    m_flags->setLineStyle(QCPGraph::lsNone);
    for (const ChartSeries& series : std::as_const(m_chart.series)) {
        if (series.flag && !m_hidden.contains(series.id))
            m_flags->addData(series.flag->x(), series.flag->y());
    }
}

} // namespace scalebench
