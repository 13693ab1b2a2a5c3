// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_export.h"

#include "charts/chart_marks.h"
#include "charts/chart_plot.h"
#include "charts/picture_file.h"
#include "figures/chart_looks.h"
#include "settings/theme_manager.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QGuiApplication>

namespace scalebench {

namespace {

class ChartExportTexts
{
    Q_DECLARE_TR_FUNCTIONS(ChartExport)
};

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
    plot->setLegendPlace(options.legend);
    plot->setChart(chart);
    if (!options.hidden.isEmpty())
        plot->setHiddenSeries(options.hidden);
    plot->setTheme(exportTheme(options));
    if (chart.isEmpty())
        plot->showEmptyText();
    if (options.legend || !options.notes.isEmpty())
        plot->replot(QCustomPlot::rpImmediateRefresh); // the axes have their place then
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
    for (const ChartNote& note : options.notes) {
        ChartMark mark;
        showNote(plot, mark, note, exportTheme(options));
    }
    plot.toPainter(&painter, options.size.width(), options.size.height());
}

Picture pictureOf(const ChartData& chart, const ExportOptions& options)
{
    QFont font = QGuiApplication::font();
    font.setPointSizeF(11);
    return {chart.title,
            chart.description(),
            options.size,
            font,
            exportTheme(options).surface,
            [chart, options](QPaintDevice* device, double scale, bool vector) {
                auto plot = buildPlot(chart, options);
                paint(*plot, device, options, scale, vector);
            }};
}

} // namespace

QString exportCaption(const ChartData& chart)
{
    QStringList lines;
    if (!chart.subtitle.isEmpty())
        lines << chart.subtitle;
    if (const QStringList notes = chart.notes(); !notes.isEmpty())
        lines << notes.join(QStringLiteral(" \u00b7 "));
    QString notice = ChartExportTexts::tr("Result not verified by MLCommons Association.");
    if (chart.generatedData)
        notice += QLatin1Char(' ') + ChartExportTexts::tr("Trained on generated data.");
    lines << notice << chart.notices;
    return lines.join(QLatin1Char('\n'));
}

QImage chartImage(const ChartData& chart, const ExportOptions& options)
{
    return pictureImage(pictureOf(chart, options), options.scale);
}

FileJob drawChart(const ChartData& chart, const QString& file, const ExportOptions& options)
{
    const QString suffix = QFileInfo(file).suffix().toLower();
    if (suffix == QLatin1String("csv"))
        return [chart, file] { return savePictureBytes(chart.csv(), file); };
    if (suffix == QLatin1String("json"))
        return [chart, file] { return savePictureBytes(chartJson(chart), file); };
    return drawPicture(pictureOf(chart, options), file, options.scale);
}

Result<void> saveChart(const ChartData& chart, const QString& file, const ExportOptions& options)
{
    return drawChart(chart, file, options)();
}

} // namespace scalebench
