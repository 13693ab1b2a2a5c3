// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_plot.h"

#include <cmath>
#include <limits>

namespace scalebench {

namespace {

double niceTop(double value)
{
    return value > 0 ? value * 1.08 : 1;
}

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

/// With line breaks so that no line is wider: text elements and items do not make room for lines
/// that they wrap themselves.
static QString wrapped(const QString& text, const QFont& font, int width)
{
    const QFontMetrics metrics(font);
    QStringList lines;
    for (const QString& paragraph : text.split(QLatin1Char('\n'))) {
        lines << QString();
        for (const QString& word : paragraph.split(QLatin1Char(' '))) {
            const QString longer =
                lines.last().isEmpty() ? word : lines.last() + QLatin1Char(' ') + word;
            if (!lines.last().isEmpty() && metrics.horizontalAdvance(longer) > width)
                lines << word;
            else
                lines.last() = longer;
        }
    }
    return lines.join(QLatin1Char('\n'));
}

void ChartPlot::setHeadings(const QString& title, const QString& caption)
{
    const auto add = [this](int row, const QString& text, double grow, bool bold) {
        QFont headFont = font();
        headFont.setPointSizeF(font().pointSizeF() + grow);
        headFont.setBold(bold);
        plotLayout()->insertRow(row);
        constexpr int kSides = 60; // margins of the plot and of the text
        auto* element = new QCPTextElement(
            this, wrapped(text, headFont, viewport().width() - kSides), headFont);
        element->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
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

void ChartPlot::showEmptyText()
{
    clearPlottables();
    legend->setVisible(false);
    m_drawn.clear();
    m_flags = m_ideal = nullptr;
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setTicks(false);
        axis->setTickLabels(false);
        axis->grid()->setVisible(false);
    }
    auto* label = new QCPItemText(this);
    label->position->setType(QCPItemPosition::ptAxisRectRatio);
    label->position->setCoords(0.5, 0.45);
    label->setText(wrapped(m_chart.emptyText, font(), viewport().width() * 6 / 10));
    label->setFont(font());
    label->setColor(m_theme->textMuted);
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
    clearInset();
}

void ChartPlot::setChart(const ChartData& chart)
{
    clearChart();
    m_chart = chart;
    buildAxes();
    buildReferenceLines();
    buildSeries();
    buildFlags();
    buildInset();
    buildLegend();
    styleAxes();
    styleSeries();
    fit();
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
        if (QCPAbstractPlottable* p =
                drawn.graph ? static_cast<QCPAbstractPlottable*>(drawn.graph) : drawn.bars)
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
            // Of two runs an interval may be a hundred times the value: it goes beyond the edge.
            const double high = std::min(s.yHigh.value(i, y), 3 * std::max(y, 0.0));
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
        if (!m_chart.xTicks.isEmpty()) {
            const double side = std::max(0.3 * (r.xHigh - r.xLow), 0.1 * r.xHigh);
            xAxis->setRange(r.xLow - side, r.xHigh + 1.3 * side);
            break;
        }
        const double pad =
            (r.xHigh - r.xLow) * (m_flags ? 0.04 : 0.025); // a flag flies to the right
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
        xAxis->setRange(-0.6,
                        std::max<double>(1, static_cast<double>(m_chart.categories.size())) - 0.4);
        break;
    }
    makeRoomForInset();
    const double span = r.yHigh - r.yLow;
    double low = m_chart.yFromZero ? 0 : m_chart.yMin.value_or(r.yLow - span * 0.06);
    double high = m_chart.yFromZero ? niceTop(r.yHigh) : r.yHigh + span * 0.08;
    const bool labelled = std::any_of(m_chart.series.begin(), m_chart.series.end(),
                                      [](const auto& s) { return !s.pointLabels.isEmpty(); });
    if (labelled)
        high += (high - low) * 0.08;
    const bool flagged = std::any_of(m_chart.series.begin(), m_chart.series.end(),
                                     [](const auto& s) { return s.flag.has_value(); });
    if (flagged || !m_chart.lines.isEmpty())
        high += (high - low) * 0.1; // room for the line's label and the flags
    if (m_chart.yLog2) {
        low = std::max(r.yLow, 1.0 / 16) / 1.3;
        high = r.yHigh * (labelled ? 1.45 : 1.25);
    }
    if (m_chart.yLog10) {
        low = std::max(r.yLow, 1e-6) / 1.5;
        high = r.yHigh * 1.5;
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
    styleInset();
}

void ChartPlot::resizeEvent(QResizeEvent* event)
{
    if (event->size().isEmpty())
        return; // a layout that has no room yet: nothing to paint into
    QCustomPlot::resizeEvent(event);
    layoutLegend();
}

} // namespace scalebench
