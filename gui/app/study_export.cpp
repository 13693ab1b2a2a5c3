// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study_export.h"

#include "analysis/baseline_check.h"
#include "analysis/chart_files.h"
#include "analysis/result_files.h"
#include "base/file_io.h"
#include "base/translated.h"
#include "charts/chart_export.h"
#include "charts/table_picture.h"
#include "figures/chart_csv.h"
#include "figures/run_charts.h"
#include "import/import_store.h"
#include "models/speedup_model.h"
#include "work/background.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSet>
#include <QTimer>

#include <cstdio>

namespace scalebench {

namespace {

constexpr int kExitUsage = 2;
constexpr int kExitFailed = 3;

TablePicture speedupPicture(const Study& study, const ScalingView& view)
{
    SpeedupModel model;
    model.setRows(speedupTable(study.runs, view.baseline));
    const ChartData chart = studyChart(withoutUnreadable(study), {}, QString());
    TablePicture table;
    table.title = QCoreApplication::translate("StudyExport", "Speedup: %1").arg(study.spec.name);
    table.caption = exportCaption(chart);
    const QList<int> idle = model.idleColumns();
    table.leftColumns = idle.contains(SpeedupModel::Group) ? 0 : 1;
    for (int column = 0; column < SpeedupModel::ColumnCount; ++column)
        if (!idle.contains(column))
            table.head << model.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < SpeedupModel::ColumnCount; ++column)
            if (!idle.contains(column))
                cells << model.index(row, column).data().toString();
        table.rows << cells;
    }
    return table;
}

/// What a study is exported as, each in every format; tables in English, as all that programs read.
QList<PictureJob> pictureJobs(const Study& study, const ScalingView& view)
{
    QList<PictureJob> jobs;
    const auto add = [&jobs](const QString& stem, const char* suffix, const auto& draw) {
        jobs << PictureJob{stem + QLatin1Char('.') + QLatin1String(suffix), draw};
    };
    const auto drawing = [](const ChartData& chart) {
        return [chart](const QString& file) { return drawChart(chart, file, ExportOptions()); };
    };
    for (const NamedChart& named : studyCharts(study, view))
        for (const char* suffix : {"png", "svg", "pdf"})
            add(named.stem, suffix, drawing(named.chart));
    {
        const EnglishText english;
        for (const NamedChart& named : studyCharts(study, view))
            if (named.stem != QLatin1String("speedup")) // speedup.csv is the whole table
                add(named.stem, "csv", drawing(named.chart));
    }
    for (const char* suffix : {"png", "svg", "pdf"})
        add(QStringLiteral("speedup_table"), suffix, [study, view](const QString& file) {
            return drawTable(speedupPicture(study, view), file, ExportOptions());
        });
    return jobs;
}

FileJob drawPicture(const PictureJob& job, const QString& outDir)
{
    return job.draw(QDir(outDir).filePath(job.name));
}

/// Charts of an earlier export there that this one has not, perhaps of another study.
void removeOlder(const QList<PictureJob>& jobs, const QString& outDir)
{
    QSet<QString> names;
    for (const PictureJob& job : jobs)
        names << job.name;
    for (const QString& name : chartFilesIn(outDir))
        if (!names.contains(name))
            QFile::remove(QDir(outDir).filePath(name));
}

void printError(const QString& text)
{
    std::fputs(qPrintable(QStringLiteral("scalebench-gui: %1\n").arg(text)), stderr);
}

} // namespace

Result<void> writeStudyPictures(const Study& study, const QString& outDir, const ScalingView& view)
{
    if (auto made = makeFolder(outDir); !made)
        return made;
    const QList<PictureJob> jobs = pictureJobs(study, view);
    for (const PictureJob& job : jobs) {
        if (auto result = drawPicture(job, outDir)(); !result)
            return result;
    }
    removeOlder(jobs, outDir);
    return {};
}

StudyExporter::StudyExporter(const Study& study, const QString& outDir, const ScalingView& view,
                             QObject* parent)
    : QObject(parent),
      m_study(study),
      m_jobs(pictureJobs(study, view)),
      m_outDir(outDir),
      m_baseline(view.baseline)
{
}

void StudyExporter::start()
{
    Q_EMIT progress(0, static_cast<int>(m_jobs.size()) + 1);
    inBackground(
        this,
        [study = m_study, dir = m_outDir, baseline = m_baseline] {
            const Result<void> written = writeCsvFiles(study, dir, baseline);
            return written ? imports::writeOriginNotice(study, dir) : written;
        },
        [this](const Result<void>& result) {
            if (!result)
                end(result);
            else
                writeNextPicture();
        });
}

void StudyExporter::writeNextPicture()
{
    const auto pictures = static_cast<int>(m_jobs.size());
    Q_EMIT progress(m_next + 1, pictures + 1);
    if (m_next == pictures) {
        removeOlder(m_jobs, m_outDir);
        end({});
        return;
    }
    if (m_cancelled) {
        end(Failure{
            QStringLiteral("export_cancelled"),
            tr("The export was cancelled; what was written so far is in %1.").arg(m_outDir)});
        return;
    }
    // The window draws itself between two pictures.
    QTimer::singleShot(0, this, [this] {
        inBackground(this, drawPicture(m_jobs[m_next++], m_outDir),
                     [this](const Result<void>& result) {
                         if (!result)
                             end(result);
                         else
                             writeNextPicture();
                     });
    });
}

void StudyExporter::end(const Result<void>& result)
{
    Q_EMIT finished(result);
    deleteLater();
}

int runExportCommand(const QString& studyDir, const QString& outDir, const ScalingView& view)
{
    if (outDir.isEmpty()) {
        printError(QCoreApplication::translate("StudyExport", "--export needs --out DIR."));
        return kExitUsage;
    }
    if (!QDir(studyDir).exists()) {
        printError(
            QCoreApplication::translate("StudyExport", "there is no folder “%1”.").arg(studyDir));
        return kExitUsage;
    }
    const auto study = loadStudy(studyDir);
    if (!study) {
        printError(study.failure().message);
        return kExitFailed;
    }
    if (const auto there = checkBaseline(study.value().runs, view.baseline); !there) {
        printError(there.failure().message);
        return kExitUsage;
    }
    if (const auto written = writeStudyPictures(study.value(), outDir, view); !written) {
        printError(written.failure().message);
        return kExitFailed;
    }
    return 0;
}

int runDrawCommand(const QString& chartFile, const QString& pictureFile)
{
    QFile file(chartFile);
    if (!file.open(QIODevice::ReadOnly)) {
        printError(
            QCoreApplication::translate("StudyExport", "“%1” cannot be read.").arg(chartFile));
        return kExitUsage;
    }
    const Result<ChartData> chart = chartOfCsv(file.readAll(), QFileInfo(file).fileName());
    const Result<void> drawn = chart ? saveChart(chart.value(), pictureFile, ExportOptions())
                                     : Result<void>(chart.failure());
    if (drawn)
        return 0;
    printError(drawn.failure().message);
    return drawn.failure().code == QLatin1String("format_unknown") ? kExitUsage : kExitFailed;
}

} // namespace scalebench
