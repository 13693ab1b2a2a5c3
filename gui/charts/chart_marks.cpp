// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_marks.h"

#include "charts/chart_plot.h"

#include <QCoreApplication>
#include <QTextLayout>

#include <algorithm>
#include <cmath>

namespace scalebench {

namespace {

class ChartMarksTexts
{
    Q_DECLARE_TR_FUNCTIONS(scalebench::ChartWidget)
};

const QString kOverlay = QStringLiteral("overlay");

/// At which of its sides a line from the point reaches a box at this offset from it.
QCPItemAnchor* sideOf(const QCPItemText* box, const QPointF& offset, const QSizeF& size)
{
    if (offset.x() > 0)
        return box->left;
    if (offset.x() + size.width() < 0)
        return box->right;
    return offset.y() > 0 ? box->top : box->bottom;
}

/// The text in lines of at most this many pixels; a word that is longer is broken.
QString brokenInLines(const QString& text, const QFont& font, double width)
{
    QStringList lines;
    for (const QString& paragraph : text.split(u'\n')) {
        QTextLayout layout(paragraph, font);
        QTextOption option;
        option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        layout.setTextOption(option);
        layout.beginLayout();
        for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
            line.setLineWidth(width);
            lines << paragraph.mid(line.textStart(), line.textLength()).trimmed();
        }
        layout.endLayout();
    }
    return lines.join(u'\n');
}

/// The place of a box of this size within an area, as near to where it is wanted as can be.
QPointF within(const QRectF& area, const QPointF& corner, const QSizeF& size)
{
    const QRectF inner = area.adjusted(2, 2, -2, -2);
    return {
        std::clamp(corner.x(), inner.left(), std::max(inner.left(), inner.right() - size.width())),
        std::clamp(corner.y(), inner.top(), std::max(inner.top(), inner.bottom() - size.height()))};
}

} // namespace

void ChartMark::setVisible(bool on) const
{
    if (!tracer)
        return;
    tracer->setVisible(on);
    box->setVisible(on);
    leader->setVisible(on && leader->visible());
}

QRectF ChartMark::rect() const
{
    if (!box || !box->visible())
        return {};
    return {box->topLeft->pixelPosition(), box->bottomRight->pixelPosition()};
}

ChartMark makeMark(QCustomPlot& plot)
{
    ChartMark mark{new QCPItemTracer(&plot), new QCPItemText(&plot), new QCPItemLine(&plot)};
    mark.leader->setLayer(kOverlay); // below the box
    mark.tracer->setLayer(kOverlay);
    mark.box->setLayer(kOverlay);
    mark.leader->setVisible(false);
    mark.leader->setClipToAxisRect(false);
    mark.tracer->setStyle(QCPItemTracer::tsCircle);
    mark.tracer->setSize(11);
    mark.box->setTextAlignment(Qt::AlignLeft);
    mark.box->setPadding(QMargins(7, 5, 7, 5));
    mark.box->position->setType(QCPItemPosition::ptAbsolute);
    mark.box->setClipToAxisRect(false);
    return mark;
}

void removeMark(QCustomPlot& plot, const ChartMark& mark)
{
    if (!mark.tracer)
        return;
    plot.removeItem(mark.leader);
    plot.removeItem(mark.box);
    plot.removeItem(mark.tracer);
}

void placeMark(ChartPlot& plot, const ChartMark& mark, const QPointF& at, const QString& text,
               const Theme& theme, const std::optional<QPointF>& offset)
{
    mark.tracer->setPen(QPen(theme.text, 1.6));
    mark.tracer->setBrush(Qt::NoBrush);
    mark.tracer->position->setCoords(at);
    mark.tracer->setVisible(true);
    mark.box->setColor(theme.text);
    mark.box->setBrush(theme.surfaceAlt);
    mark.box->setPen(QPen(theme.borderStrong, 1));
    mark.box->setFont(plot.legend->font());
    const QPointF pixel(plot.xAxis->coordToPixel(at.x()), plot.yAxis->coordToPixel(at.y()));
    const QRect area = plot.axisRect()->rect();
    constexpr double kLeastLine = 60, kGap = 12;
    const QMargins padding = mark.box->padding();
    const double room = offset ? area.width() * 0.6
                               : std::max(pixel.x() - area.left(), area.right() - pixel.x()) - kGap;
    mark.box->setText(brokenInLines(
        text, mark.box->font(), std::max(kLeastLine, room - padding.left() - padding.right() - 4)));
    mark.box->setVisible(area.contains(pixel.toPoint()));
    mark.leader->setVisible(offset && mark.box->visible());
    if (!offset) {
        const bool right = pixel.x() < area.center().x();
        const bool below = pixel.y() < area.center().y();
        mark.box->setPositionAlignment((right ? Qt::AlignLeft : Qt::AlignRight) |
                                       (below ? Qt::AlignTop : Qt::AlignBottom));
        mark.box->position->setCoords(pixel.x() + (right ? kGap : -kGap),
                                      pixel.y() + (below ? 8 : -8));
        const QRectF placed = mark.rect();
        if (placed.isEmpty() || area.contains(placed.toAlignedRect()))
            return;
        mark.box->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
        mark.box->position->setCoords(within(area, placed.topLeft(), placed.size()));
        return;
    }
    mark.box->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    mark.box->position->setCoords(pixel + *offset);
    const QSizeF size = mark.rect().size();
    // Within the picture, however small that has become.
    const QPointF corner = within(plot.viewport(), pixel + *offset, size);
    mark.box->position->setCoords(corner);
    mark.leader->setPen(QPen(theme.borderStrong, 1));
    mark.leader->start->setParentAnchor(mark.tracer->position);
    mark.leader->start->setCoords(0, 0);
    mark.leader->end->setParentAnchor(sideOf(mark.box, corner - pixel, size));
    mark.leader->end->setCoords(0, 0);
}

QString pointReadOut(const ChartPlot& plot, int series, qsizetype point)
{
    const ChartData& shown = plot.chart();
    const double x = shown.series[series].x[point];
    QStringList lines{shown.placeText(x)};
    for (int s = 0; s < shown.series.size() && lines.size() < 10; ++s) {
        const ChartSeries& other = shown.series[s];
        if (plot.isSeriesHidden(s))
            continue;
        qsizetype at = point;
        if (s != series) {
            const auto found = std::lower_bound(other.x.begin(), other.x.end(), x);
            if (found == other.x.end() || std::abs(*found - x) > 1e-9 * std::max(1.0, std::abs(x)))
                continue;
            at = found - other.x.begin();
        }
        QString line = QStringLiteral("%1: %2").arg(other.name, shown.formatY(other.y[at]));
        if (!other.yLow.isEmpty() && std::isfinite(other.yLow.value(at, qQNaN())))
            line += u' ' + (at < other.n.size()
                                ? ChartMarksTexts::tr("(%1: %2 to %3, n = %4)")
                                      .arg(shown.errorName(), shown.formatY(other.yLow[at]),
                                           shown.formatY(other.yHigh[at]))
                                      .arg(other.n[at])
                                : ChartMarksTexts::tr("(%1: %2 to %3)")
                                      .arg(shown.errorName(), shown.formatY(other.yLow[at]),
                                           shown.formatY(other.yHigh[at])));
        else if (at < other.n.size() || !other.yLow.isEmpty())
            line +=
                u' ' + ChartMarksTexts::tr("(n = %1)").arg(at < other.n.size() ? other.n[at] : 1);
        lines << (s == series ? QStringLiteral("\u25B8 ") : QString()) + line;
    }
    return lines.join(QLatin1Char('\n'));
}

std::pair<int, qsizetype> pointOf(const ChartPlot& plot, const ChartNote& note)
{
    const auto& all = plot.chart().series;
    for (int s = 0; s < all.size(); ++s) {
        if (all[s].id != note.series || plot.isSeriesHidden(s))
            continue;
        const auto found = std::lower_bound(all[s].x.begin(), all[s].x.end(), note.x);
        if (found != all[s].x.end() && *found == note.x)
            return {s, found - all[s].x.begin()};
    }
    return {-1, -1};
}

void showNote(ChartPlot& plot, ChartMark& mark, const ChartNote& note, const Theme& theme)
{
    const auto [series, point] = pointOf(plot, note);
    if (series < 0)
        return mark.setVisible(false);
    if (!mark.tracer)
        mark = makeMark(plot);
    placeMark(plot, mark, plot.placeOf(series, point),
              note.text.isEmpty() ? pointReadOut(plot, series, point) : note.text, theme,
              note.offset);
}

} // namespace scalebench
