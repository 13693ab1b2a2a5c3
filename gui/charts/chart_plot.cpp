// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_plot.h"

#include "charts/chart_items.h"

#include <cmath>
#include <limits>

namespace scalebench {

ChartPlot::ChartPlot(QWidget* parent) : QCustomPlot(parent), m_theme(&Theme::day())
{
    setPlottingHint(QCP::phFastPolylines, true);
    setPlottingHint(QCP::phCacheLabels, true);
    setLocale(QLocale()); // the library's own has no groups of thousands
    setupLayout();
    setTheme(Theme::day());
    connect(this, &QCustomPlot::afterLayout, this, [this] { placeLineLabels(); });
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
    layoutLegend(); // the font may be another too
}

QString wrapped(const QString& text, const QFont& font, int width)
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

/// Of each paragraph as many lines as are given; what is longer, or a word that is, loses its
/// middle.
static QString headLines(const QString& text, const QFont& font, int width, int most)
{
    const QFontMetrics metrics(font);
    QStringList lines;
    for (const QString& paragraph : text.split(u'\n')) {
        QStringList words = paragraph.split(u' ');
        for (QString& word : words)
            word = metrics.elidedText(word, Qt::ElideMiddle, width);
        QStringList own = wrapped(words.join(u' '), font, width).split(u'\n');
        if (own.size() > most) {
            own[most - 1] =
                metrics.elidedText(own[most - 1] + QChar(0x2026), Qt::ElideRight, width);
            own.resize(most);
        }
        lines += own;
    }
    return lines.join(u'\n');
}

void ChartPlot::setHeadings(const QString& title, const QString& caption)
{
    const auto add = [this](int row, const QString& text, double grow, bool bold, int lines) {
        QFont headFont = font();
        headFont.setPointSizeF(font().pointSizeF() + grow);
        headFont.setBold(bold);
        plotLayout()->insertRow(row);
        constexpr int kSides = 60; // margins of the plot and of the text
        auto* element = new QCPTextElement(
            this, headLines(text, headFont, viewport().width() - kSides, lines), headFont);
        element->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
        element->setMargins(QMargins(10, 4, 10, 4));
        plotLayout()->addElement(row, 0, element);
        plotLayout()->setRowStretchFactor(row, 0.0001);
        return element;
    };
    plotLayout()->setMargins(QMargins(14, 12, 16, 10));
    if (!title.isEmpty())
        m_title = add(0, title, 4, true, 2);
    if (!caption.isEmpty())
        m_caption = add(plotLayout()->rowCount(), caption, -1, false, 6);
    styleAxes();
}

void ChartPlot::showEmptyText()
{
    clearPlottables();
    legend->setVisible(false);
    m_drawn.clear();
    m_flags = m_ideal = m_beyond = nullptr;
    m_hatch = nullptr;
    m_guides.clear();
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
    m_ideal = m_beyond = nullptr;
    m_beyondText = nullptr;
    m_hatch = nullptr;
    m_guides.clear();
    m_highlighted = -1;
    m_categoryStep = 1;
    m_categoryRoom = 0;
    clearInset();
}

void ChartPlot::setChart(const ChartData& chart)
{
    clearChart();
    m_chart = chart;
    buildAxes();
    buildReferenceLines();
    buildSuperLinear();
    buildHatch();
    buildGuides();
    buildSeries();
    buildFlags();
    buildInset();
    buildLegend();
    styleAxes();
    styleSeries();
    fit();
}

/// A label longer than its axis would reach into the legend: in rows then, of about one length.
void ChartPlot::wrapYLabel(int room)
{
    const QFontMetrics metrics(yAxis->labelFont());
    const int length = metrics.horizontalAdvance(m_chart.yLabel);
    const int rows = (length + std::max(room, 1) - 1) / std::max(room, 1);
    QString label = m_chart.yLabel;
    // Words are not of one length: a little less than the room may be what makes the rows even.
    for (int width = length / std::max(rows, 1); rows > 1 && width <= room; width += 8) {
        label = wrapped(m_chart.yLabel, yAxis->labelFont(), width);
        if (label.count(u'\n') < rows)
            break;
    }
    if (yAxis->label() != label)
        yAxis->setLabel(label);
}

void ChartPlot::appendPoints(int seriesIndex, const QVector<double>& x, const QVector<double>& y)
{
    ChartSeries& series = m_chart.series[seriesIndex];
    Drawn& drawn = m_drawn[static_cast<size_t>(seriesIndex)];
    const bool wasShort = series.x.size() <= 400;
    series.x += x;
    series.y += y;
    drawn.points.grow(series.y);
    if (!drawn.isLong)
        drawn.graph->addData(x, y, true);
    drawn.isLong = series.x.size() > kLongSeries;
    if (wasShort || series.x.size() <= 2100) {
        drawn.graph->setPen(seriesPen(seriesIndex));
        drawn.graph->setScatterStyle(marker(seriesIndex));
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
    placeLegend();
    const auto count = static_cast<int>(std::max<size_t>(1, m_drawn.size()));
    const int columns = std::clamp(40000 / count, 120, std::max(200, axisRect()->width()));
    for (size_t i = 0; i < m_drawn.size(); ++i) {
        Drawn& drawn = m_drawn[i];
        if (!drawn.isLong || !drawn.graph || !drawn.graph->visible())
            continue;
        const ChartSeries& series = m_chart.series[static_cast<qsizetype>(i)];
        const auto indices =
            drawn.points.visible(series.x, xAxis->range().lower, xAxis->range().upper, columns);
        QVector<QCPGraphData> points;
        points.reserve(indices.size());
        for (const qsizetype point : indices)
            points.append(QCPGraphData(series.x[point], series.y[point]));
        drawn.graph->data()->set(points, true);
    }
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
    for (QCPAbstractPlottable* part : {static_cast<QCPAbstractPlottable*>(drawn.graph),
                                       static_cast<QCPAbstractPlottable*>(drawn.bars),
                                       static_cast<QCPAbstractPlottable*>(drawn.errors),
                                       static_cast<QCPAbstractPlottable*>(drawn.bandLow),
                                       static_cast<QCPAbstractPlottable*>(drawn.bandHigh)})
        if (part)
            part->setVisible(show);
    for (QCPItemText* label : std::as_const(drawn.labels))
        label->setVisible(show);
}

void ChartPlot::setHiddenSeries(const QSet<QString>& hidden)
{
    for (int i = 0; i < m_chart.series.size(); ++i)
        setSeriesShown(i, !hidden.contains(m_chart.series[i].id));
    m_hidden = hidden;
    refreshFlags();
}

bool ChartPlot::speaksFor(int seriesIndex, int other) const
{
    const ChartSeries& series = m_chart.series[other];
    return other == seriesIndex ||
           (series.legend == QLatin1String("-") && series.slot == m_chart.series[seriesIndex].slot);
}

void ChartPlot::refreshFlags()
{
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

void ChartPlot::toggleSeries(int seriesIndex)
{
    const bool show = isSeriesHidden(seriesIndex);
    for (int i = 0; i < m_chart.series.size(); ++i)
        if (speaksFor(seriesIndex, i))
            setSeriesShown(i, show);
    refreshFlags();
}

void ChartPlot::isolateSeries(int seriesIndex)
{
    bool alone = true;
    for (int i = 0; i < m_chart.series.size(); ++i)
        alone = alone && (speaksFor(seriesIndex, i) || isSeriesHidden(i));
    const bool wasHidden = isSeriesHidden(seriesIndex);
    for (int i = 0; i < m_chart.series.size(); ++i)
        setSeriesShown(i, (alone && !wasHidden) || speaksFor(seriesIndex, i));
    refreshFlags();
}

bool ChartPlot::highlightSeries(int seriesIndex)
{
    if (seriesIndex == m_highlighted)
        return false;
    m_highlighted = seriesIndex;
    styleSeries();
    return true;
}

void ChartPlot::resizeEvent(QResizeEvent* event)
{
    if (event->size().isEmpty())
        return; // a layout that has no room yet: nothing to paint into
    QCustomPlot::resizeEvent(event);
    layoutLegend();
}

} // namespace scalebench
