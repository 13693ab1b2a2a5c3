// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_export.h"

#include "charts/chart_plot.h"
#include "settings/theme_manager.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QFontInfo>
#include <QLocale>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace scalebench {

namespace {

constexpr int kCssDpi = 96;

QString text(const char* source)
{
    return QCoreApplication::translate("ChartExport", source);
}

const Theme& exportTheme(const ExportOptions& options)
{
    return options.lightTheme ? Theme::day() : ThemeManager::instance().theme();
}

std::unique_ptr<ChartPlot> buildPlot(const ChartData& chart, const ExportOptions& options)
{
    auto plot = std::make_unique<ChartPlot>();
    QFont font = plot->font();
    font.setPointSizeF(11);
    plot->setFont(font);
    plot->setTheme(exportTheme(options));
    plot->resize(options.size);
    plot->setViewport(QRect(QPoint(0, 0), options.size));
    if (options.headings)
        plot->setHeadings(chart.title, exportCaption(chart));
    plot->setChart(chart);
    plot->setTheme(exportTheme(options));
    if (chart.isEmpty())
        plot->showEmptyText();
    plot->refreshLongSeries();
    return plot;
}

void paint(ChartPlot& plot, QPaintDevice* device, const ExportOptions& options, double scale,
           bool vector)
{
    QCPPainter painter;
    if (!painter.begin(device))
        return;
    if (vector) {
        painter.setMode(QCPPainter::pmVectorized);
        painter.setMode(QCPPainter::pmNoCaching);
    }
    if (scale != 1)
        painter.scale(scale, scale);
    painter.fillRect(QRect(QPoint(0, 0), options.size), exportTheme(options).surface);
    plot.toPainter(&painter, options.size.width(), options.size.height());
}

QByteArray png(const ChartData& chart, const ExportOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QImage image = chartImage(chart, options);
    image.setText(QStringLiteral("Title"), chart.title);
    image.save(&buffer, "PNG");
    return bytes;
}

QByteArray svg(const ChartData& chart, const ExportOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setSize(options.size);
    generator.setViewBox(QRect(QPoint(0, 0), options.size));
    generator.setResolution(kCssDpi);
    generator.setTitle(chart.title);
    generator.setDescription(chart.description());
    auto plot = buildPlot(chart, options);
    paint(*plot, &generator, options, 1, true);
    // Qt writes the name of the desktop's alias; other programs need real families to choose from.
    const QByteArray family = QFontInfo(plot->font()).family().toUtf8();
    bytes.replace("font-family=\"" + plot->font().family().toUtf8() + '"',
                  "font-family=\"" + family + ", Verdana, Helvetica, Arial, sans-serif\"");
    return bytes;
}

QByteArray pdf(const ChartData& chart, const ExportOptions& options)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setTitle(chart.title);
        writer.setCreator(QStringLiteral("Scalebench " SB_VERSION));
        // At 96 dpi a pixel of the layout is a unit of the page, and fonts keep their size.
        writer.setResolution(kCssDpi);
        const double toPoints = 72.0 / kCssDpi;
        writer.setPageSize(QPageSize(QSizeF(options.size) * toPoints, QPageSize::Point));
        writer.setPageMargins(QMarginsF(0, 0, 0, 0));
        auto plot = buildPlot(chart, options);
        paint(*plot, &writer, options, 1, true);
    }
    return bytes;
}

} // namespace

QString exportCaption(const ChartData& chart)
{
    QStringList lines;
    if (!chart.subtitle.isEmpty())
        lines << chart.subtitle;
    QString notice = text("Result not verified by MLCommons Association.");
    if (chart.generatedData)
        notice += QLatin1Char(' ') + text("Trained on generated data.");
    lines << notice;
    return lines.join(QLatin1Char('\n'));
}

QImage chartImage(const ChartData& chart, const ExportOptions& options)
{
    QImage image(options.size * options.scale, QImage::Format_ARGB32_Premultiplied);
    const int dotsPerMeter = qRound(kCssDpi * options.scale / 0.0254);
    image.fill(exportTheme(options).surface);
    auto plot = buildPlot(chart, options);
    // Text is measured at 96 dpi while painting, then scaled as a whole.
    image.setDotsPerMeterX(qRound(kCssDpi / 0.0254));
    image.setDotsPerMeterY(qRound(kCssDpi / 0.0254));
    paint(*plot, &image, options, options.scale, false);
    image.setDotsPerMeterX(dotsPerMeter);
    image.setDotsPerMeterY(dotsPerMeter);
    return image;
}

Result<void> saveChart(const ChartData& chart, const QString& file, const ExportOptions& options)
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    QByteArray bytes;
    if (suffix == QLatin1String("png"))
        bytes = png(chart, options);
    else if (suffix == QLatin1String("svg"))
        bytes = svg(chart, options);
    else if (suffix == QLatin1String("pdf"))
        bytes = pdf(chart, options);
    else if (suffix == QLatin1String("csv"))
        bytes = chart.csv();
    else
        return Failure{QStringLiteral("format_unknown"),
                       text("“%1” has no known ending: use .png, .svg, .pdf or .csv.").arg(file)};
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size() || !out.commit())
        return Failure{QStringLiteral("not_writable"),
                       text("“%1” cannot be written: %2.").arg(file, out.errorString())};
    return {};
}

} // namespace scalebench
