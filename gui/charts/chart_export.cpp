// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_export.h"

#include "charts/chart_marks.h"
#include "charts/chart_plot.h"
#include "charts/picture_file.h"
#include "figures/chart_looks.h"
#include "settings/language.h"
#include "settings/theme_manager.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QGuiApplication>
#include <QRegularExpression>

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

/// What stands between the separators, one by one.
QString pieceByPiece(const QString& text, const QRegularExpression& separator,
                     QString (*inEnglish)(const QString&))
{
    QString english;
    qsizetype from = 0;
    for (const QRegularExpressionMatch& between : separator.globalMatch(text)) {
        english += inEnglish(text.sliced(from, between.capturedStart() - from));
        english += between.captured();
        from = between.capturedEnd();
    }
    return english + inEnglish(text.sliced(from));
}

/// "resumed: 2 workers, run 1; 4 workers, run 2", "1 worker, lr 0.1 (resumed)"
QString listInEnglish(const QString& text)
{
    static const QRegularExpression kBetween(QStringLiteral(": |; |, | \\(|\\)$"));
    return pieceByPiece(text, kBetween, englishText);
}

/// A sentence, which may have any of these signs in it, else a list; several of either.
QString textInEnglish(const QString& text)
{
    static const QRegularExpression kBetween(QStringLiteral(" \u00b7 |,?\n"));
    return pieceByPiece(text, kBetween, [](const QString& part) {
        const QString sentence = englishText(part);
        return sentence == part ? listInEnglish(part) : sentence;
    });
}

/// With the column heads and names that a file has in every language.
ChartData inEnglish(ChartData chart)
{
    for (QString ChartData::*text :
         {&ChartData::title, &ChartData::subtitle, &ChartData::xLabel, &ChartData::yLabel,
          &ChartData::xColumn, &ChartData::yColumn, &ChartData::superLinear, &ChartData::errorText})
        chart.*text = textInEnglish(chart.*text);
    for (ChartSeries& series : chart.series) {
        series.name = textInEnglish(series.name);
        series.legend = textInEnglish(series.legend);
        for (QString& label : series.pointLabels)
            label = textInEnglish(label);
    }
    for (ChartLine& line : chart.lines)
        line.label = textInEnglish(line.label);
    for (ChartGuide& guide : chart.guides)
        guide.name = textInEnglish(guide.name);
    for (QStringList ChartData::*texts : {&ChartData::categories, &ChartData::notices})
        for (QString& text : chart.*texts)
            text = textInEnglish(text);
    for (QString& mark : chart.marks)
        mark = listInEnglish(mark);
    return chart;
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
        return [chart, file] { return savePictureBytes(inEnglish(chart).csv(), file); };
    if (suffix == QLatin1String("json"))
        return [chart, file] { return savePictureBytes(chartJson(inEnglish(chart)), file); };
    return drawPicture(pictureOf(chart, options), file, options.scale);
}

Result<void> saveChart(const ChartData& chart, const QString& file, const ExportOptions& options)
{
    return drawChart(chart, file, options)();
}

} // namespace scalebench
