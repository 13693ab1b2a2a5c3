// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_plot.h"

#include <QCoreApplication>
#include <QLocale>

#include <cmath>
#include <limits>

namespace scalebench {

namespace {

constexpr double kBarGroupWidth = 0.62;
constexpr int kMarkerSize = 7;

/// "1 250" stays short on an axis; percentages get their sign.
class PercentTicker : public QCPAxisTicker
{
protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar, int) override
    {
        const double percent = tick * 100;
        const bool whole = std::abs(percent - std::round(percent)) < 1e-6;
        return locale.toString(percent, 'f', whole ? 0 : 1) + QStringLiteral(" %");
    }
};

class WholeNumberTicker : public QCPAxisTicker
{
protected:
    double getTickStep(const QCPRange& range) override
    {
        return std::max(1.0, std::round(QCPAxisTicker::getTickStep(range)));
    }
    int getSubTickCount(double) override { return 0; }
};

QPainterPath flagPath()
{
    QPainterPath flag; // a pennant whose foot stands on the point
    flag.moveTo(0, 0);
    flag.lineTo(0, -15);
    flag.lineTo(9, -11.5);
    flag.lineTo(0, -8);
    return flag;
}

/// The flags of "target reached"; in the legend the whole flag shows, not its foot alone.
class FlagGraph : public QCPGraph
{
public:
    using QCPGraph::QCPGraph;

protected:
    void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override
    {
        painter->save();
        painter->setAntialiasing(true);
        painter->setPen(scatterStyle().pen());
        painter->setBrush(scatterStyle().brush());
        painter->translate(rect.center().x() - 3, rect.bottom());
        painter->scale(0.8, 0.8);
        painter->drawPath(flagPath());
        painter->restore();
    }
};

double niceTop(double value) { return value > 0 ? value * 1.08 : 1; }

} // namespace

ChartPlot::ChartPlot(QWidget* parent) : QCustomPlot(parent), m_theme(&Theme::day())
{
    setPlottingHint(QCP::phFastPolylines, true);
    setPlottingHint(QCP::phCacheLabels, true);
    setupLayout();
    setTheme(Theme::day());
}

void ChartPlot::setupLayout()
{
    // Rows: title, legend, axes, caption. The legend never lies over the data.
    QCPLayoutGrid* grid = plotLayout();
    grid->setRowSpacing(2);
    setAutoAddPlottableToLegend(false);
    axisRect()->insetLayout()->take(legend);
    m_legendRow = new QCPLayoutGrid;
    m_legendRow->setMargins(QMargins(6, 0, 6, 0));
    grid->insertRow(0);
    grid->addElement(0, 0, m_legendRow);
    m_legendRow->addElement(0, 0, legend);
    m_legendRow->addElement(0, 1, new QCPLayoutElement(this)); // takes the rest of the row
    m_legendRow->setColumnStretchFactor(0, 0.0001);
    grid->setRowStretchFactor(0, 0.0001);
    legend->setLayer(QStringLiteral("legend"));
    legend->setBorderPen(Qt::NoPen);
    legend->setBrush(Qt::NoBrush);
    legend->setMargins(QMargins(2, 3, 2, 0));
    legend->setFillOrder(QCPLayoutGrid::foColumnsFirst);
    legend->setIconSize(26, 12);
    legend->setColumnSpacing(14);
    legend->setRowSpacing(1);
    legend->setSelectableParts(QCPLegend::spNone);
    axisRect()->setMinimumMargins(QMargins(8, 8, 14, 6));
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setTickLengthIn(0);
        axis->setTickLengthOut(4);
        axis->setSubTicks(false);
        axis->setLabelPadding(5);
        axis->setUpperEnding(QCPLineEnding::esNone);
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
}

void ChartPlot::setTheme(const Theme& theme)
{
    m_theme = &theme;
    setBackground(QBrush(theme.surface));
    axisRect()->setBackground(QBrush(theme.surface));
    styleAxes();
    styleSeries();
}

void ChartPlot::styleAxes()
{
    QFont tickFont = font();
    const double size = font().pointSizeF() > 0 ? font().pointSizeF() : 9;
    tickFont.setPointSizeF(size - 0.5);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setBasePen(QPen(m_theme->axis, 1));
        axis->setTickPen(QPen(m_theme->axis, 1));
        axis->setTickLabelColor(m_theme->textMuted);
        axis->setLabelColor(m_theme->text);
        axis->setTickLabelFont(tickFont);
        axis->setLabelFont(font());
        axis->grid()->setPen(QPen(m_theme->grid, 1));
    }
    xAxis->grid()->setVisible(m_chart.xScale != ChartData::XScale::Categories);
    legend->setFont(tickFont);
    legend->setTextColor(m_theme->text);
    // The legend's grid may have empty cells.
    for (int i = 0; i < legend->itemCount(); ++i) {
        if (QCPAbstractLegendItem* item = legend->item(i)) {
            item->setFont(tickFont);
            const int series = seriesAtLegendItem(item);
            item->setTextColor(series >= 0 && isSeriesHidden(series) ? m_theme->textDisabled
                                                                     : m_theme->text);
        }
    }
    if (m_title)
        m_title->setTextColor(m_theme->text);
    if (m_caption)
        m_caption->setTextColor(m_theme->textMuted);
}

QPen ChartPlot::seriesPen(const ChartSeries& series) const
{
    static const Qt::PenStyle dashes[] = {Qt::SolidLine, Qt::DashLine, Qt::DotLine,
                                          Qt::DashDotLine, Qt::DashDotDotLine};
    // Wide pens are slow on long noisy lines (measured): those get one pixel.
    const bool isLong = series.x.size() > 2000;
    QPen pen(m_theme->seriesColor(series.slot), isLong ? 1.0 : 2.0);
    // The second turn through the colours is dashed.
    const qsizetype turn = series.dash + series.slot / m_theme->series.size();
    pen.setStyle(dashes[turn % static_cast<qsizetype>(std::size(dashes))]);
    pen.setCapStyle(Qt::RoundCap);
    pen.setJoinStyle(Qt::RoundJoin);
    return pen;
}

QCPScatterStyle ChartPlot::marker(const ChartSeries& series, qsizetype points) const
{
    static const QCPScatterStyle::ScatterShape shapes[] = {
        QCPScatterStyle::ssDisc,     QCPScatterStyle::ssSquare,  QCPScatterStyle::ssTriangle,
        QCPScatterStyle::ssDiamond,  QCPScatterStyle::ssTriangleInverted,
        QCPScatterStyle::ssCrossSquare, QCPScatterStyle::ssPlusCircle, QCPScatterStyle::ssStar};
    const bool wanted = series.kind == ChartSeries::Kind::LineAndPoints && points <= 400;
    if (!wanted && points != 1)
        return QCPScatterStyle(QCPScatterStyle::ssNone);
    const QColor color = m_theme->seriesColor(series.slot);
    const auto shape = shapes[series.slot % static_cast<int>(std::size(shapes))];
    return QCPScatterStyle(shape, QPen(color, 1.2), QBrush(color),
                           shape == QCPScatterStyle::ssSquare ? kMarkerSize - 1 : kMarkerSize);
}

void ChartPlot::setHeadings(const QString& title, const QString& caption)
{
    const auto add = [this](int row, const QString& text, double grow, bool bold) {
        QFont headFont = font();
        headFont.setPointSizeF(font().pointSizeF() + grow);
        headFont.setBold(bold);
        plotLayout()->insertRow(row);
        auto* element = new QCPTextElement(this, text, headFont);
        element->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter | Qt::TextWordWrap);
        element->setMargins(QMargins(10, 4, 10, 4));
        plotLayout()->addElement(row, 0, element);
        plotLayout()->setRowStretchFactor(row, 0.0001);
        return element;
    };
    plotLayout()->setMargins(QMargins(14, 12, 16, 10));
    if (!title.isEmpty())
        m_title = add(0, title, 4, true);
    if (!caption.isEmpty())
        m_caption = add(plotLayout()->rowCount(), caption, -1, false);
    styleAxes();
}

void ChartPlot::clearChart()
{
    clearItems();
    clearPlottables();
    legend->clearItems();
    m_drawn.clear();
    m_lineLabels.clear();
    m_lines.clear();
    m_flags = nullptr;
    m_ideal = nullptr;
}

void ChartPlot::setChart(const ChartData& chart)
{
    clearChart();
    m_chart = chart;
    buildAxes();
    buildReferenceLines();
    buildSeries();
    buildFlags();
    buildLegend();
    styleAxes();
    styleSeries();
    fit();
}

void ChartPlot::buildAxes()
{
    const bool log2 = m_chart.xScale == ChartData::XScale::Log2;
    xAxis->setScaleType(log2 ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    yAxis->setScaleType(m_chart.yLog2 ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    xAxis->setLabel(m_chart.xLabel);
    yAxis->setLabel(m_chart.yLabel);
    xAxis->setNumberFormat(QStringLiteral("gb"));
    yAxis->setNumberFormat(QStringLiteral("gb"));
    xAxis->setNumberPrecision(6);
    yAxis->setNumberPrecision(6);
    buildTicks();
}

void ChartPlot::buildTicks()
{
    if (m_chart.xScale == ChartData::XScale::Linear) {
        if (m_chart.xWholeNumbers)
            xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new WholeNumberTicker));
        else
            xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    } else {
        QSharedPointer<QCPAxisTickerText> ticker(new QCPAxisTickerText);
        if (m_chart.xScale == ChartData::XScale::Log2) {
            for (const double tick : m_chart.xTicks)
                ticker->addTick(tick, QLocale().toString(tick, 'g', 6));
        } else {
            for (int i = 0; i < m_chart.categories.size(); ++i)
                ticker->addTick(i, m_chart.categories[i]);
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
    if (m_chart.yPercent)
        yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new PercentTicker));
    else
        yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    yAxis->ticker()->setTickCount(5);
}

void ChartPlot::buildReferenceLines()
{
    for (const ChartLine& line : std::as_const(m_chart.lines)) {
        auto* item = new QCPItemStraightLine(this);
        item->point1->setCoords(0, line.y);
        item->point2->setCoords(1, line.y);
        // On a logarithmic axis 0 has no place.
        if (m_chart.xScale == ChartData::XScale::Log2)
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
    m_ideal->setName(m_chart.idealFlat
                         ? QCoreApplication::translate("ChartPlot", "ideal (100 %)")
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
    drawn.graph = addGraph();
    drawn.graph->setName(series.legend.isEmpty() ? series.name : series.legend);
    drawn.graph->setAdaptiveSampling(true);
    drawn.graph->setVisible(!m_hidden.contains(series.id));
    for (qsizetype i = 0; i < series.x.size(); ++i)
        drawn.points.append(series.x[i], series.y[i]);
    drawn.isLong = series.x.size() > kLongSeries;
    if (!drawn.isLong)
        drawn.graph->setData(series.x, series.y, true);
    if (series.yLow.isEmpty())
        return;
    drawn.errors = new QCPErrorBars(xAxis, yAxis);
    drawn.errors->setDataPlottable(drawn.graph);
    drawn.errors->setWhiskerWidth(9);
    QVector<double> minus, plus;
    for (qsizetype i = 0; i < series.y.size(); ++i) {
        const double low = series.y[i] - series.yLow.value(i, qQNaN());
        const double high = series.yHigh.value(i, qQNaN()) - series.y[i];
        minus << (std::isfinite(low) ? low : 0);
        plus << (std::isfinite(high) ? high : 0);
    }
    drawn.errors->setData(minus, plus);
    drawn.errors->setVisible(drawn.graph->visible());
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
    if (!stacked || barSeries == 0)
        return;
    for (int below = index - 1; below >= 0; --below) {
        if (m_drawn[static_cast<size_t>(below)].bars) {
            drawn.bars->moveAbove(m_drawn[static_cast<size_t>(below)].bars);
            break;
        }
    }
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
        for (int below = 0; stacked && below < index; ++below)
            top += m_chart.series[below].y.value(i, 0);
        label->position->setCoords(drawn.bars ? barX.value(i) : series.x[i],
                                   std::isfinite(top) ? top : series.y[i]);
        label->setText(series.pointLabels[i]);
        const bool below = m_chart.labelsBelow && !drawn.bars;
        if (below) {
            const double low = series.yLow.value(i, series.y[i]);
            label->position->setCoords(series.x[i], std::isfinite(low) ? low : series.y[i]);
        }
        label->setPositionAlignment(Qt::AlignHCenter | (below ? Qt::AlignTop : Qt::AlignBottom));
        label->setPadding(drawn.bars ? QMargins(0, 0, 0, 2)
                          : below    ? QMargins(0, 8, 0, 0)
                                     : QMargins(0, 0, 0, 7));
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

void ChartPlot::buildLegend()
{
    int entries = 0;
    for (size_t i = 0; i < m_drawn.size(); ++i) {
        const Drawn& drawn = m_drawn[i];
        if (m_chart.series[static_cast<qsizetype>(i)].legend == QLatin1String("-"))
            continue;
        if (entries++ >= kMaxLegendEntries)
            break;
        if (QCPAbstractPlottable* p = drawn.graph ? static_cast<QCPAbstractPlottable*>(drawn.graph)
                                                  : drawn.bars)
            p->addToLegend();
    }
    if (m_ideal)
        m_ideal->addToLegend();
    if (m_flags)
        m_flags->addToLegend();
    legend->setVisible(legend->itemCount() > 0);
    layoutLegend();
}

void ChartPlot::layoutLegend()
{
    if (legend->itemCount() == 0)
        return;
    const QFontMetrics metrics(legend->font());
    QList<int> widths;
    for (int i = 0; i < legend->itemCount(); ++i) {
        if (auto* item = qobject_cast<QCPPlottableLegendItem*>(legend->item(i)))
            widths << metrics.horizontalAdvance(item->plottable()->name()) + 26 + 8 + 14;
    }
    // As many columns as fit, each as wide as its widest entry.
    const int room = viewport().width() - 24;
    auto columns = static_cast<int>(widths.size());
    for (; columns > 1; --columns) {
        int sum = 0;
        for (int c = 0; c < columns; ++c) {
            int widest = 0;
            for (int i = c; i < widths.size(); i += columns)
                widest = std::max(widest, widths[i]);
            sum += widest;
        }
        if (sum <= room)
            break;
    }
    legend->setWrap(std::max(1, columns));
    legend->setFillOrder(QCPLayoutGrid::foColumnsFirst, true); // arranges anew
}

void ChartPlot::styleSeries()
{
    for (size_t i = 0; i < m_drawn.size(); ++i) {
        const ChartSeries& series = m_chart.series[static_cast<qsizetype>(i)];
        Drawn& drawn = m_drawn[i];
        const QColor color = m_theme->seriesColor(series.slot);
        if (drawn.graph) {
            drawn.graph->setPen(seriesPen(series));
            drawn.graph->setScatterStyle(marker(series, series.x.size()));
        }
        if (drawn.bars) {
            // A border would swallow the thin parts of a stack.
            drawn.bars->setPen(Qt::NoPen);
            drawn.bars->setBrush(color);
        }
        if (drawn.errors)
            drawn.errors->setPen(QPen(color, 1.3));
        QFont labelFont = font();
        labelFont.setPointSizeF(font().pointSizeF() - 0.5);
        for (QCPItemText* label : std::as_const(drawn.labels)) {
            label->setColor(m_theme->text);
            label->setFont(labelFont);
        }
    }
    for (QCPItemStraightLine* line : std::as_const(m_lines))
        line->setPen(QPen(m_theme->bad, 1.3, Qt::DashLine));
    for (QCPItemText* label : std::as_const(m_lineLabels)) {
        label->setColor(m_theme->bad);
        label->setFont(legend->font());
    }
    if (m_ideal)
        m_ideal->setPen(QPen(m_theme->axis, 1.3, Qt::DashLine));
    if (m_flags) {
        m_flags->setScatterStyle(
            QCPScatterStyle(flagPath(), QPen(m_theme->good, 1.4), QBrush(m_theme->good), 6));
    }
}

void ChartPlot::appendPoints(int seriesIndex, const QVector<double>& x, const QVector<double>& y)
{
    ChartSeries& series = m_chart.series[seriesIndex];
    Drawn& drawn = m_drawn[static_cast<size_t>(seriesIndex)];
    const bool wasShort = series.x.size() <= 400;
    series.x += x;
    series.y += y;
    for (qsizetype i = 0; i < x.size(); ++i)
        drawn.points.append(x[i], y[i]);
    if (!drawn.isLong)
        drawn.graph->addData(x, y, true);
    drawn.isLong = series.x.size() > kLongSeries;
    if (wasShort || series.x.size() <= 2100) {
        drawn.graph->setPen(seriesPen(series));
        drawn.graph->setScatterStyle(marker(series, series.x.size()));
    }
}

void ChartPlot::setFlag(int seriesIndex, const QPointF& at)
{
    if (m_chart.series[seriesIndex].flag)
        return;
    m_chart.series[seriesIndex].flag = at;
    if (m_flags) {
        m_flags->addData(at.x(), at.y());
        return;
    }
    buildFlags();
    m_flags->addToLegend();
    layoutLegend();
    styleSeries();
}

void ChartPlot::refreshLongSeries()
{
    const auto count = static_cast<int>(std::max<size_t>(1, m_drawn.size()));
    const int columns = std::clamp(40000 / count, 120, std::max(200, axisRect()->width()));
    for (Drawn& drawn : m_drawn) {
        if (!drawn.isLong || !drawn.graph || !drawn.graph->visible())
            continue;
        const auto indices =
            drawn.points.visible(xAxis->range().lower, xAxis->range().upper, columns);
        QVector<QCPGraphData> points;
        points.reserve(indices.size());
        for (const qsizetype i : indices)
            points.append(QCPGraphData(drawn.points.x()[i], drawn.points.y()[i]));
        drawn.graph->data()->set(points, true);
    }
}

ChartRange ChartPlot::dataRange() const
{
    const double inf = std::numeric_limits<double>::infinity();
    ChartRange r{inf, -inf, inf, -inf};
    QMap<double, double> stack;
    for (const ChartSeries& s : m_chart.series) {
        if (m_hidden.contains(s.id))
            continue;
        const bool stacked =
            s.kind == ChartSeries::Kind::Bars && m_chart.bars == ChartData::Bars::Stacked;
        for (qsizetype i = 0; i < s.x.size(); ++i) {
            if (!std::isfinite(s.y[i]) || !std::isfinite(s.x[i]))
                continue;
            const double y = stacked ? (stack[s.x[i]] += s.y[i]) : s.y[i];
            const double high = s.yHigh.value(i, y);
            const double low = s.yLow.value(i, y);
            r.xLow = std::min(r.xLow, s.x[i]);
            r.xHigh = std::max(r.xHigh, s.x[i]);
            r.yLow = std::min({r.yLow, y, std::isfinite(low) ? low : y});
            r.yHigh = std::max({r.yHigh, y, std::isfinite(high) ? high : y});
        }
    }
    if (r.xLow > r.xHigh)
        r = {0, 1, 0, 1};
    for (const ChartLine& line : m_chart.lines) {
        r.yLow = std::min(r.yLow, line.y);
        r.yHigh = std::max(r.yHigh, line.y);
    }
    for (const double tick : m_chart.xTicks) {
        r.xLow = std::min(r.xLow, tick);
        r.xHigh = std::max(r.xHigh, tick);
    }
    if (m_chart.idealLine)
        r.yHigh = std::max(r.yHigh, r.xHigh / m_chart.idealAt);
    if (m_chart.idealFlat)
        r.yHigh = std::max(r.yHigh, 1.0);
    return r;
}

void ChartPlot::fitAxis(QCPAxis* axis, double low, double high)
{
    if (!(high > low)) {
        const double pad = std::abs(low) > 0 ? std::abs(low) * 0.5 : 0.5;
        low -= pad;
        high += pad;
    }
    axis->setRange(low, high);
}

void ChartPlot::fit()
{
    ChartRange r = dataRange();
    switch (m_chart.xScale) {
    case ChartData::XScale::Linear: {
        const double pad = (r.xHigh - r.xLow) * 0.025;
        const double low = m_chart.xMin.value_or(r.xLow - pad);
        fitAxis(xAxis, low, std::max(r.xHigh + pad, low + 1e-9));
        if (m_chart.xWholeNumbers && xAxis->range().size() < 2)
            xAxis->setRange(low, low + 2);
        break;
    }
    case ChartData::XScale::Log2:
        xAxis->setRange(r.xLow / 1.35, r.xHigh * 1.35);
        break;
    case ChartData::XScale::Categories:
        xAxis->setRange(-0.6, std::max<double>(1, static_cast<double>(m_chart.categories.size())) -
                                  0.4);
        break;
    }
    const double span = r.yHigh - r.yLow;
    double low = m_chart.yFromZero ? 0 : r.yLow - span * 0.06;
    double high = m_chart.yFromZero ? niceTop(r.yHigh) : r.yHigh + span * 0.08;
    const bool labelled = std::any_of(m_chart.series.begin(), m_chart.series.end(),
                                      [](const auto& s) { return !s.pointLabels.isEmpty(); });
    if (labelled)
        high += (high - low) * 0.08;
    if (!m_chart.lines.isEmpty())
        high += (high - low) * 0.1; // room for the line's label and the flags
    if (m_chart.yLog2) {
        low = std::max(r.yLow, 1.0 / 16) / 1.3;
        high = r.yHigh * (labelled ? 1.45 : 1.25);
    }
    if (m_chart.yMin)
        low = *m_chart.yMin;
    if (m_chart.yMax)
        high = std::min(high, std::max(*m_chart.yMax, r.yHigh));
    fitAxis(yAxis, low, high);
}

int ChartPlot::seriesAtLegendItem(QCPAbstractLegendItem* item) const
{
    auto* plottableItem = qobject_cast<QCPPlottableLegendItem*>(item);
    if (!plottableItem)
        return -1;
    for (size_t i = 0; i < m_drawn.size(); ++i) {
        if (plottableItem->plottable() == m_drawn[i].graph ||
            plottableItem->plottable() == m_drawn[i].bars)
            return static_cast<int>(i);
    }
    return -1;
}

bool ChartPlot::isSeriesHidden(int seriesIndex) const
{
    return m_hidden.contains(m_chart.series[seriesIndex].id);
}

void ChartPlot::setSeriesShown(int seriesIndex, bool show)
{
    const QString id = m_chart.series[seriesIndex].id;
    if (show)
        m_hidden.remove(id);
    else
        m_hidden.insert(id);
    Drawn& drawn = m_drawn[static_cast<size_t>(seriesIndex)];
    if (drawn.graph)
        drawn.graph->setVisible(show);
    if (drawn.bars)
        drawn.bars->setVisible(show);
    if (drawn.errors)
        drawn.errors->setVisible(show);
    for (QCPItemText* label : std::as_const(drawn.labels))
        label->setVisible(show);
}

void ChartPlot::toggleSeries(int seriesIndex)
{
    const ChartSeries& clicked = m_chart.series[seriesIndex];
    const bool show = m_hidden.contains(clicked.id);
    for (qsizetype i = 0; i < m_chart.series.size(); ++i) {
        const ChartSeries& series = m_chart.series[i];
        const bool spokenFor = series.legend == QLatin1String("-") && series.slot == clicked.slot;
        if (i == seriesIndex || spokenFor)
            setSeriesShown(static_cast<int>(i), show);
    }
    if (m_flags) {
        m_flags->data()->clear();
        for (const ChartSeries& s : std::as_const(m_chart.series)) {
            if (s.flag && !m_hidden.contains(s.id))
                m_flags->addData(s.flag->x(), s.flag->y());
        }
    }
    styleAxes();
}

void ChartPlot::resizeEvent(QResizeEvent* event)
{
    QCustomPlot::resizeEvent(event);
    layoutLegend();
}

} // namespace scalebench
