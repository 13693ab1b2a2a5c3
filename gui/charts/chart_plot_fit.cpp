// SPDX-License-Identifier: GPL-3.0-or-later
// What part of the plane shows all of a chart.
#include "charts/chart_plot.h"

#include <QMap>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace scalebench {

namespace {

double niceTop(double value)
{
    return value > 0 ? value * 1.08 : 1;
}

bool isLabelled(const ChartData& chart)
{
    return std::any_of(chart.series.begin(), chart.series.end(),
                       [](const ChartSeries& s) { return !s.pointLabels.isEmpty(); });
}

} // namespace

ChartRange ChartPlot::nothing()
{
    const double inf = std::numeric_limits<double>::infinity();
    return {inf, -inf, inf, -inf, inf, inf, false};
}

/// By a point at the height y, which is not its own where bars are stacked.
void ChartPlot::widen(ChartRange& range, const ChartSeries& series, qsizetype point, double y)
{
    const double x = series.x[point];
    // Of two runs an interval may be a hundred times the value: it goes beyond the edge.
    const double high = std::min(series.yHigh.value(point, y), kMostAbove * std::max(y, 0.0));
    const double low = series.yLow.value(point, y);
    range.xLow = std::min(range.xLow, x);
    range.xHigh = std::max(range.xHigh, x);
    range.yLow = std::min({range.yLow, y, std::isfinite(low) ? low : y});
    range.yHigh = std::max({range.yHigh, y, std::isfinite(high) ? high : y});
    range.below = range.below || y < 0;
    if (x > 0)
        range.xLeast = std::min(range.xLeast, x);
    if (y > 0)
        range.yLeast = std::min(range.yLeast, y);
}

void ChartPlot::widen(ChartRange& range, const ChartRange& by)
{
    range.xLow = std::min(range.xLow, by.xLow);
    range.xHigh = std::max(range.xHigh, by.xHigh);
    range.yLow = std::min(range.yLow, by.yLow);
    range.yHigh = std::max(range.yHigh, by.yHigh);
    range.xLeast = std::min(range.xLeast, by.xLeast);
    range.yLeast = std::min(range.yLeast, by.yLeast);
    range.below = range.below || by.below;
}

ChartRange ChartPlot::dataRange()
{
    ChartRange r = nothing();
    QMap<std::pair<double, bool>, double> stack; // what is below 0 hangs down
    for (qsizetype n = 0; n < m_chart.series.size(); ++n) {
        const ChartSeries& s = m_chart.series[n];
        if (m_hidden.contains(s.id))
            continue;
        const bool stacked =
            s.kind == ChartSeries::Kind::Bars && m_chart.bars == ChartData::Bars::Stacked;
        Drawn& drawn = m_drawn[static_cast<size_t>(n)];
        for (qsizetype i = stacked ? 0 : drawn.ranged; i < s.x.size(); ++i) {
            if (!std::isfinite(s.y[i]) || !std::isfinite(s.x[i]))
                continue;
            if (stacked)
                widen(r, s, i, stack[{s.x[i], s.y[i] < 0}] += s.y[i]);
            else
                widen(drawn.range, s, i, s.y[i]);
        }
        drawn.ranged = s.x.size();
        widen(r, drawn.range);
    }
    if (r.xLow > r.xHigh)
        r = {0, 1, 0, 1, 1, 1};
    for (const ChartGuide& guide : m_chart.guides)
        for (const double y : guide.y)
            if (y > 0)
                r.yLeast = std::min(r.yLeast, y);
    r.xLeast = std::isfinite(r.xLeast) ? r.xLeast : 1;
    r.yLeast = std::isfinite(r.yLeast) ? r.yLeast : 1;
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

void ChartPlot::fitX(const ChartRange& r)
{
    switch (m_chart.xScale) {
    case ChartData::XScale::Linear: {
        if (!m_chart.xTicks.isEmpty()) {
            const double side = std::max(0.3 * (r.xHigh - r.xLow), 0.1 * r.xHigh);
            xAxis->setRange(r.xLow - side, r.xHigh + 1.3 * side);
            break;
        }
        const double share = m_flags ? 0.04 : 0.025; // a flag flies to the right
        const double low = m_chart.xMin.value_or(r.xLow - share * (r.xHigh - r.xLow));
        // Of what is seen: the last point's marker is whole, however near to one another all are.
        const double right = (isLabelled(m_chart) ? 0.2 : share) * (r.xHigh - low);
        fitAxis(xAxis, low, std::max(r.xHigh + right, low + 1e-9));
        if (m_chart.xWholeNumbers && xAxis->range().size() < 2)
            xAxis->setRange(low, low + 2);
        break;
    }
    case ChartData::XScale::Log2:
        xAxis->setRange(r.xLow / 1.35, r.xHigh * 1.35);
        break;
    case ChartData::XScale::Log10:
        xAxis->setRange(r.xLeast / 1.2, std::max(r.xHigh, r.xLeast) * 1.3);
        break;
    case ChartData::XScale::Categories:
        xAxis->setRange(-0.6,
                        std::max<double>(1, static_cast<double>(m_chart.categories.size())) - 0.4);
        break;
    }
}

void ChartPlot::fitY(const ChartRange& r)
{
    const double span = r.yHigh - std::min(r.yLow, m_chart.yMin.value_or(r.yLow));
    const bool fromZero = m_chart.yFromZero && !r.below;
    double low = fromZero ? 0 : m_chart.yMin.value_or(r.yLow - span * 0.06);
    double high = fromZero ? niceTop(r.yHigh) : r.yHigh + span * 0.08;
    const bool labelled = isLabelled(m_chart);
    if (labelled)
        high += (high - low) * 0.08;
    const bool flagged = std::any_of(m_chart.series.begin(), m_chart.series.end(),
                                     [](const auto& s) { return s.flag.has_value(); });
    if (flagged || !m_chart.lines.isEmpty())
        high += (high - low) * 0.1; // room for the line's label and the flags
    if (m_chart.yLog2) {
        low = std::max(r.yLow, 1.0 / 16) / (labelled && m_chart.labelsBelow ? 1.7 : 1.3);
        high = r.yHigh * (labelled ? 1.45 : 1.25);
    }
    if (m_chart.yLog10) {
        low = r.yLeast / 1.5;
        high = std::max(r.yHigh, r.yLeast) * (labelled ? 2.2 : 1.7);
    } else if (m_chart.yMin) {
        low = *m_chart.yMin;
    }
    if (m_chart.yMax)
        high = std::min(high, std::max(*m_chart.yMax, r.yHigh));
    fitAxis(yAxis, low, high);
}

int ChartPlot::widthOf(const QCPItemText* label) const
{
    return QFontMetrics(label->font()).horizontalAdvance(label->text()) + label->padding().left() +
           label->padding().right();
}

/// Labels stand to the right of their points and are not cut by the axes, only by the picture: the
/// axis goes on until the last one fits, within reason.
void ChartPlot::makeRoomForLabels()
{
    constexpr double kMost = 1.8;
    const QRect axes = axisRect()->rect();
    const double room = viewport().right() - 2 - axes.left();
    const bool isLog = xAxis->scaleType() == QCPAxis::stLogarithmic;
    const auto place = [isLog](double x) { return isLog ? std::log(x) : x; };
    const double low = place(xAxis->range().lower), high = place(xAxis->range().upper);
    double wanted = high;
    for (const Drawn& drawn : m_drawn) {
        if (drawn.bars || axes.width() <= 0)
            continue;
        for (const QCPItemText* label : drawn.labels) {
            const double left = room - widthOf(label);
            if (label->visible() && left > 0)
                wanted = std::max(wanted, low + (place(label->position->key()) - low) *
                                                    axes.width() / left);
        }
    }
    wanted = std::min(wanted, low + kMost * (high - low));
    if (wanted > high)
        xAxis->setRangeUpper(isLog ? std::exp(wanted) : wanted);
}

void ChartPlot::fit()
{
    const ChartRange r = dataRange();
    fitX(r);
    makeRoomForLabels();
    makeRoomForInset();
    fitY(r);
}

/// Of its letters, moved inwards for what fonts hang over.
static QRectF writtenAt(const QCPItemText* label)
{
    return QRectF(label->topLeft->pixelPosition(), label->bottomRight->pixelPosition())
        .marginsRemoved(QMarginsF(label->padding()))
        .adjusted(1, 2, -1, -2);
}

/// What is written in the plane, where two lie over one another.
QStringList ChartPlot::collidingLabels() const
{
    QStringList over;
    QList<QRectF> taken;
    for (const Drawn& drawn : m_drawn) {
        if (!drawn.bars) // points of several lines may be one
            taken.clear();
        for (const QCPItemText* label : drawn.labels) {
            if (!label->visible() || label->text().isEmpty())
                continue;
            const QRectF place = writtenAt(label);
            if (std::any_of(taken.begin(), taken.end(),
                            [&](const QRectF& other) { return other.intersects(place); }))
                over << label->text();
            taken << place;
        }
    }
    taken.clear();
    for (const QCPItemText* label : m_lineLabels) {
        const QRectF place = writtenAt(label);
        if (std::any_of(taken.begin(), taken.end(),
                        [&](const QRectF& other) { return other.intersects(place); }))
            over << label->text();
        taken << place;
    }
    return over;
}

/// Above its line on the left; where another's stands there already, below it or on the right.
void ChartPlot::placeLineLabels()
{
    QList<qsizetype> order(m_lineLabels.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(),
              [this](qsizetype a, qsizetype b) { return m_chart.lines[a].y > m_chart.lines[b].y; });
    constexpr double kSide = 0.006; // of the axes' width
    QList<QRectF> taken;
    for (const qsizetype i : std::as_const(order)) {
        QCPItemText* label = m_lineLabels[i];
        const auto put = [&](Qt::Alignment side) {
            label->position->setCoords(side & Qt::AlignLeft ? kSide : 1 - kSide,
                                       m_chart.lines[i].y);
            label->setPositionAlignment(side);
            const QRectF place = writtenAt(label);
            return std::none_of(taken.begin(), taken.end(),
                                [&place](const QRectF& other) { return other.intersects(place); });
        };
        if (!put(Qt::AlignLeft | Qt::AlignBottom) && !put(Qt::AlignLeft | Qt::AlignTop) &&
            !put(Qt::AlignRight | Qt::AlignBottom) && !put(Qt::AlignRight | Qt::AlignTop))
            put(Qt::AlignLeft | Qt::AlignBottom);
        taken << writtenAt(label);
    }
}

/// Names and numbers at the axes: there are some, and each can be read.
QStringList ChartPlot::collidingTicks() const
{
    QStringList lost;
    for (const QCPAxis* axis : {xAxis, yAxis}) {
        if (!axis->visible() || !axis->tickLabels())
            continue;
        const bool across = axis == xAxis;
        const QFontMetrics metrics(axis->tickLabelFont());
        const QVector<double> ticks = axis->tickVector();
        const QStringList names = axis->tickVectorLabels();
        std::optional<QRectF> before;
        int shown = 0;
        for (qsizetype i = 0; i < std::min<qsizetype>(ticks.size(), names.size()); ++i) {
            if (!axis->range().contains(ticks[i]) || names[i].isEmpty())
                continue;
            ++shown;
            const QSizeF size = metrics.size(0, names[i]);
            const double at = axis->coordToPixel(ticks[i]);
            const double half = (across ? size.width() : size.height()) / 2 - 1;
            const QRectF place(across ? at - half : 0, across ? 0 : at - half,
                               across ? 2 * half : 1, across ? 1 : 2 * half);
            if (before && before->intersects(place))
                lost << names[i];
            before = place;
        }
        if (shown == 0)
            lost << QStringLiteral("(%1)").arg(axis->label()); // all of them
    }
    return lost;
}

QStringList ChartPlot::cutTexts() const
{
    QStringList cut;
    const auto widest = [](const QFontMetrics& metrics, const QString& text) {
        int width = 0;
        for (const QString& line : text.split(u'\n'))
            width = std::max(width, metrics.horizontalAdvance(line));
        return width;
    };
    const QRect axes = axisRect()->rect();
    cut << collidingLabels() << collidingTicks();
    if (widest(QFontMetrics(yAxis->labelFont()), yAxis->label()) > axes.height() + 4)
        cut << yAxis->label();
    if (widest(QFontMetrics(xAxis->labelFont()), xAxis->label()) > viewport().width())
        cut << xAxis->label();
    for (const Drawn& drawn : m_drawn)
        for (const QCPItemText* label : drawn.labels)
            if (!drawn.bars && label->visible() &&
                xAxis->coordToPixel(label->position->key()) + widthOf(label) >
                    viewport().right() + 1)
                cut << label->text();
    QList<QRect> taken;
    QList<QRectF> labels;
    for (const Drawn& drawn : m_drawn)
        for (const QCPItemText* label : drawn.labels)
            if (label->visible() && !label->text().isEmpty())
                labels << QRectF(label->topLeft->pixelPosition(),
                                 label->bottomRight->pixelPosition())
                              .marginsRemoved(QMarginsF(label->padding()));
    for (int i = 0; i < legend->itemCount(); ++i) {
        auto* item = qobject_cast<QCPPlottableLegendItem*>(legend->item(i));
        if (!item || !legend->visible())
            continue;
        const QFontMetrics metrics(item->font());
        const QString name = item->plottable()->name();
        const QRect needed(item->rect().topLeft(),
                           QSize(legend->iconSize().width() + legend->iconTextPadding() +
                                     metrics.horizontalAdvance(name),
                                 metrics.height()));
        // Moved inwards, for what fonts hang over.
        const QRect core = needed.adjusted(1, 2, -1, -2);
        const bool collides = std::any_of(
            taken.begin(), taken.end(), [&](const QRect& other) { return other.intersects(core); });
        // In the axes it lies where a person put it.
        const bool written = std::any_of(labels.begin(), labels.end(), [&](const QRectF& label) {
            return label.intersects(QRectF(core));
        });
        if (collides || (!m_legendPlace && written) ||
            (!m_legendPlace && (core.right() > viewport().right() || core.intersects(axes))))
            cut << name;
        taken << core;
    }
    return cut;
}

} // namespace scalebench
