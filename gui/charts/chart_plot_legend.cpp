// SPDX-License-Identifier: GPL-3.0-or-later
// The legend of a chart: what is in it, in how many columns, and where it lies.
#include "charts/chart_items.h"
#include "charts/chart_plot.h"

#include <QCoreApplication>

#include <algorithm>
#include <vector>

namespace scalebench {

namespace {
constexpr int kLegendSides = 24; ///< left and right of it
constexpr int kLegendIcon = 34;  ///< with what lies between it and the name
constexpr int kLegendGap = 14;   ///< between two entries
} // namespace

void ChartPlot::buildLegend()
{
    fillLegend(kMaxLegendEntries);
    layoutLegend();
}

void ChartPlot::fillLegend(int most)
{
    m_legendEntries = most;
    legend->clearItems();
    int entries = 0;
    for (size_t i = 0; i < m_drawn.size(); ++i) {
        const Drawn& drawn = m_drawn[i];
        if (m_chart.series[static_cast<qsizetype>(i)].legend == QLatin1String("-"))
            continue;
        if (entries++ >= most)
            continue;
        if (QCPAbstractPlottable* p =
                drawn.graph ? static_cast<QCPAbstractPlottable*>(drawn.graph) : drawn.bars)
            p->addToLegend();
    }
    if (m_ideal)
        m_ideal->addToLegend();
    for (QCPGraph* guide : std::as_const(m_guides))
        if (!guide->name().isEmpty())
            guide->addToLegend();
    if (m_flags)
        m_flags->addToLegend();
    m_legendLeftOut = most > 0 ? std::max(0, entries - most) : 0; // no line for these words alone
    if (m_legendLeftOut > 0)
        legend->addItem(new LegendText(
            legend, QCoreApplication::translate("ChartPlot", "+%1 more").arg(m_legendLeftOut)));
    legend->setVisible(legend->itemCount() > 0);
}

/// A name that is wider than the legend loses its middle.
void ChartPlot::nameLegend(int room)
{
    const QFontMetrics metrics(legend->font());
    for (size_t i = 0; i < m_drawn.size(); ++i) {
        const ChartSeries& series = m_chart.series[static_cast<qsizetype>(i)];
        const QString& name =
            series.legend.isEmpty() || m_drawn[i].bars ? series.name : series.legend;
        if (QCPAbstractPlottable* drawn = m_drawn[i].graph
                                              ? static_cast<QCPAbstractPlottable*>(m_drawn[i].graph)
                                              : m_drawn[i].bars)
            drawn->setName(metrics.elidedText(name, Qt::ElideMiddle, room));
    }
}

void ChartPlot::layoutLegend()
{
    nameLegend(viewport().width() - kLegendSides - kLegendIcon - kLegendGap);
    if (m_legendEntries < kMaxLegendEntries) // they were dropped while there was no room
        fillLegend(kMaxLegendEntries);
    if (legend->itemCount() == 0) {
        const int height = viewport().height() - 5 * QFontMetrics(legend->font()).height();
        wrapYLabel(height);
        thinTicks(height);
        return;
    }
    const int line = QFontMetrics(legend->font()).height() + 2;
    int entries = 0;
    const auto fitting = [&] { // in the axes it is a column
        const int most = legendColumns(&entries);
        return m_legendPlace ? 1 : most;
    };
    int columns = fitting();
    // The plot comes first: what is too much for half of the height, or leaves less than a word of
    // the axis' label needs, is in the table and the read-out.
    int longest = 0;
    for (const QString& word : m_chart.yLabel.split(u' '))
        longest = std::max(longest, QFontMetrics(yAxis->labelFont()).horizontalAdvance(word));
    const auto rows = [&] { return (entries + columns - 1) / columns; };
    const auto left = [&] {
        return viewport().height() - (m_legendPlace ? 0 : rows() * line) - 5 * line;
    };
    // What stays in any case, the ideal line, keeps its row.
    const bool stays = m_ideal || m_flags || !m_guides.isEmpty();
    while ((rows() * line > viewport().height() / 2 || left() < longest) &&
           m_legendEntries > columns && (rows() > 1 || !stays)) {
        // One place is that of "+3 more".
        const int places = m_legendLeftOut > 0 ? entries - 1 : entries;
        fillLegend(std::min(m_legendEntries, places) - columns - (m_legendLeftOut > 0 ? 0 : 1));
        columns = fitting();
    }
    wrapYLabel(left());
    constexpr int kAxis = 70;
    const auto bars = static_cast<int>(std::max<qsizetype>(1, m_chart.categories.size()));
    constexpr double kSides = 0.2; // of a bar's place, beside the first and the last
    constexpr int kGap = 4;
    const int room =
        static_cast<int>((viewport().width() - std::max(kAxis, axisRect()->rect().left())) /
                         (bars + kSides)) -
        kGap;
    thinCategories(room);
    thinTicks(left()); // those may be new
    if (m_beyondText)
        m_beyondText->setText(
            wrapped(m_chart.superLinear, legend->font(), viewport().width() - kAxis - kAxis / 4));
    if (bars > 1)
        shortenBarLabels(room);
    legend->setWrap(columns);
    legend->setFillOrder(QCPLayoutGrid::foColumnsFirst, true); // arranges anew
}

/// `room`: of a category. Of "10 ms, 8 % communication" the first part, where the next bar's label
/// would begin; of bars side by side whose labels would run into each other, those of the last.
void ChartPlot::shortenBarLabels(int room)
{
    const auto fits = [](const QCPItemText* label, const QString& text, double most) {
        return QFontMetrics(label->font()).horizontalAdvance(text) <= most;
    };
    size_t last = 0;
    bool crowded = false;
    std::vector<QStringList> texts(m_drawn.size());
    for (size_t i = 0; i < m_drawn.size(); ++i) {
        texts[i] = m_chart.series[static_cast<qsizetype>(i)].pointLabels;
        texts[i].removeAll(QString()); // which have no item
        texts[i].resize(m_drawn[i].labels.size());
        if (!m_drawn[i].bars || texts[i].isEmpty())
            continue;
        last = i;
        for (qsizetype k = 0; k < texts[i].size(); ++k)
            crowded = crowded ||
                      !fits(m_drawn[i].labels[k], texts[i][k], room * m_drawn[i].bars->width());
    }
    crowded = crowded && m_chart.bars != ChartData::Bars::Stacked;
    for (size_t i = 0; i < m_drawn.size(); ++i) {
        for (qsizetype k = 0; k < texts[i].size(); ++k) {
            QCPItemText* label = m_drawn[i].labels[k];
            const bool whole = fits(label, texts[i][k], room);
            label->setText(crowded && i < last ? QString()
                           : whole             ? texts[i][k]
                                               : texts[i][k].section(QStringLiteral(", "), 0, 0));
        }
    }
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

int ChartPlot::seriesAtLegend(const QPointF& at) const
{
    for (int i = 0; i < legend->itemCount(); ++i)
        if (QCPAbstractLegendItem* item = legend->item(i);
            item && item->rect().contains(at.toPoint()))
            return seriesAtLegendItem(item);
    return -1;
}

/// As many columns as fit, each as wide as its widest entry.
int ChartPlot::legendColumns(int* entries) const
{
    const QFontMetrics metrics(legend->font());
    QList<int> widths;
    for (int i = 0; i < legend->itemCount(); ++i) {
        if (auto* item = qobject_cast<QCPPlottableLegendItem*>(legend->item(i)))
            widths << metrics.horizontalAdvance(item->plottable()->name()) + kLegendIcon +
                          kLegendGap;
        else if (auto* text = dynamic_cast<const LegendText*>(legend->item(i)))
            widths << metrics.horizontalAdvance(text->text()) + kLegendGap;
    }
    *entries = static_cast<int>(widths.size());
    const int room = viewport().width() - kLegendSides;
    int columns = *entries;
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
    return std::max(1, columns);
}

/// A share of the axes that leaves room for what begins there.
static double roomyShare(double share, double whole, double own)
{
    return std::clamp(share, 0.0, whole > 0 ? std::max(0.0, 1 - own / whole) : 0.0);
}

std::optional<QPointF> ChartPlot::legendPlaceAt(const QPointF& corner) const
{
    const QRectF axes = axisRect()->rect();
    if (axes.isEmpty() || corner.y() < axes.top() - QFontMetrics(legend->font()).height() / 2.0)
        return std::nullopt;
    const QSize size = m_legendPlace ? legend->minimumOuterSizeHint() : QSize(0, 0);
    return QPointF(
        roomyShare((corner.x() - axes.left()) / axes.width(), axes.width(), size.width()),
        roomyShare((corner.y() - axes.top()) / axes.height(), axes.height(), size.height()));
}

void ChartPlot::setLegendPlace(const std::optional<QPointF>& place)
{
    if (m_legendPlace == place)
        return;
    const bool moves = m_legendPlace.has_value() != place.has_value();
    QCPLayoutInset* inset = axisRect()->insetLayout();
    m_legendPlace = place;
    if (moves && place) {
        m_legendRow->take(legend);
        inset->addElement(legend, QRectF(*place, QSizeF(0, 0))); // as large as it needs to be
    } else if (moves) {
        inset->take(legend);
        m_legendRow->addElement(0, 0, legend);
    }
    if (moves) {
        styleLegend();
        layoutLegend();
    }
    placeLegend();
}

/// Within the axes, however large they have become.
void ChartPlot::placeLegend()
{
    if (!m_legendPlace)
        return;
    QCPLayoutInset* inset = axisRect()->insetLayout();
    const QSize size = legend->minimumOuterSizeHint();
    const QSize axes = axisRect()->rect().size();
    const QPointF at(roomyShare(m_legendPlace->x(), axes.width(), size.width()),
                     roomyShare(m_legendPlace->y(), axes.height(), size.height()));
    for (int i = 0; i < inset->elementCount(); ++i)
        if (inset->elementAt(i) == legend)
            inset->setInsetRect(i, QRectF(at, QSizeF(0, 0)));
}

/// Over the data it must be told from them.
void ChartPlot::styleLegend()
{
    QColor paper = m_theme->surface;
    paper.setAlphaF(0.9F);
    legend->setBrush(m_legendPlace ? QBrush(paper) : QBrush(Qt::NoBrush));
    legend->setBorderPen(m_legendPlace ? QPen(m_theme->border, 1) : QPen(Qt::NoPen));
    legend->setMargins(m_legendPlace ? QMargins(7, 5, 7, 5) : QMargins(2, 3, 2, 0));
}

} // namespace scalebench
