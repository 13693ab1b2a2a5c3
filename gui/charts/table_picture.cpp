// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/table_picture.h"

#include "charts/chart_items.h"
#include "charts/picture_file.h"
#include "settings/theme_manager.h"

#include <QFontMetricsF>
#include <QGuiApplication>
#include <QPainter>

#include <numeric>

namespace scalebench {

namespace {

constexpr double kTableMargin = 24, kGap = 26, kPadding = 6;
constexpr double kWidestText = 1000, kWidestCell = 360;

struct Layout {
    QFont font, bold, title, small;
    QList<double> widths;
    double rowHeight = 0;
    QSize size;
    QStringList caption;
};

QFont grown(QFont font, double points, bool bold)
{
    font.setPointSizeF(font.pointSizeF() + points);
    font.setBold(bold);
    return font;
}

Layout layoutOf(const TablePicture& table)
{
    Layout l;
    QFont base = QGuiApplication::font();
    base.setPointSizeF(11);
    l.font = base;
    l.bold = grown(base, 0, true);
    l.title = grown(base, 4, true);
    l.small = grown(base, -1, false);
    // Measured as painted: on a device of 96 dpi.
    const QImage device = [] {
        QImage image(1, 1, QImage::Format_ARGB32_Premultiplied);
        image.setDotsPerMeterX(qRound(96 / 0.0254));
        image.setDotsPerMeterY(qRound(96 / 0.0254));
        return image;
    }();
    const QFontMetricsF metrics(l.font, &device), bold(l.bold, &device), title(l.title, &device),
        small(l.small, &device);
    for (const QString& head : table.head)
        l.widths << bold.horizontalAdvance(head);
    for (const QStringList& row : table.rows)
        for (qsizetype c = 0; c < row.size() && c < l.widths.size(); ++c)
            l.widths[c] = std::max(l.widths[c], metrics.horizontalAdvance(row[c]));
    for (double& width : l.widths)
        width = std::min(width, kWidestCell);
    l.rowHeight = metrics.height() + 2 * kPadding;
    double width = std::accumulate(l.widths.begin(), l.widths.end(), 0.0) +
                   kGap * double(std::max<qsizetype>(0, l.widths.size() - 1));
    // Names may be of thousands of letters.
    width = std::max(width, std::min(title.horizontalAdvance(table.title), kWidestText));
    l.caption = wrapped(table.caption, l.small, int(std::max(width, kWidestText)))
                    .split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString& line : std::as_const(l.caption))
        width = std::max(width, std::min(small.horizontalAdvance(line), kWidestText));
    const double height = 2 * kTableMargin + title.height() + kPadding +
                          double(table.rows.size() + 1) * l.rowHeight + kPadding +
                          double(l.caption.size()) * small.height();
    l.size = QSizeF(width + 2 * kTableMargin, height).toSize() + QSize(1, 1);
    return l;
}

void paintTable(QPainter& painter, const TablePicture& table, const Layout& l, const Theme& theme)
{
    double y = kTableMargin;
    const double right = l.size.width() - kTableMargin;
    const auto line = [&](double width) {
        painter.setPen(QPen(theme.axis, width));
        painter.drawLine(QPointF(kTableMargin, y), QPointF(right, y));
    };
    const auto textLine = [&](const QFont& font, const QColor& colour, const QString& text) {
        painter.setFont(font);
        painter.setPen(colour);
        const QFontMetricsF metrics(font, painter.device());
        const double width = right - kTableMargin;
        painter.drawText(QRectF(kTableMargin, y, width, metrics.height()),
                         Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(text, Qt::ElideMiddle, width));
        y += metrics.height();
    };
    const auto row = [&](const QStringList& cells, const QFont& font) {
        painter.setFont(font);
        painter.setPen(theme.text);
        double x = kTableMargin;
        for (qsizetype c = 0; c < cells.size() && c < l.widths.size(); ++c) {
            const QRectF cell(x, y, l.widths[c] + 1, l.rowHeight);
            const auto side = c < table.leftColumns ? Qt::AlignLeft : Qt::AlignRight;
            const QFontMetricsF metrics(font, painter.device());
            painter.drawText(cell, side | Qt::AlignVCenter | Qt::TextSingleLine,
                             metrics.elidedText(cells[c], Qt::ElideMiddle, cell.width()));
            x += l.widths[c] + kGap;
        }
        y += l.rowHeight;
    };
    textLine(l.title, theme.text, table.title);
    y += kPadding;
    line(1.5);
    row(table.head, l.bold);
    line(0.8);
    for (const QStringList& cells : table.rows)
        row(cells, l.font);
    line(1.5);
    y += kPadding;
    for (const QString& text : l.caption)
        textLine(l.small, theme.textMuted, text);
}

} // namespace

FileJob drawTable(const TablePicture& table, const QString& file, const ExportOptions& options)
{
    const Theme& theme = options.lightTheme ? Theme::day() : ThemeManager::instance().theme();
    const Layout layout = layoutOf(table);
    Picture picture{table.title, table.title, layout.size, layout.font, theme.surface, {}};
    picture.paint = [&](QPaintDevice* device, double scale, bool) {
        QPainter painter(device);
        painter.scale(scale, scale);
        painter.fillRect(QRect(QPoint(0, 0), layout.size), theme.surface);
        paintTable(painter, table, layout, theme);
    };
    return drawPicture(picture, file, options.scale);
}

} // namespace scalebench
