// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study_export.h"

#include "app/background.h"
#include "charts/chart_export.h"
#include "charts/run_charts.h"
#include "launcher/result_files.h"

#include <QCoreApplication>
#include <QDir>
#include <QTimer>

#include <cstdio>

namespace scalebench {

namespace {

constexpr int kExitUsage = 2;
constexpr int kExitFailed = 3;

constexpr const char* kSuffixes[] = {"png", "svg", "pdf"};
constexpr int kFormats = 3;

int pictureCount(const Study& study)
{
    return kFormats * static_cast<int>(studyMetrics(study).size() + 1);
}

/// The leading metric as three formats, the further ones, then speedup.
Result<void> writePicture(const Study& study, int number, const QString& outDir)
{
    const QList<MetricInfo> metrics = studyMetrics(study);
    const int subject = number / kFormats;
    const ChartData chart = subject < metrics.size()
                                ? metricChart(study, RunAxis::Epoch, metrics[subject], subject == 0)
                                : speedupChart(study, speedupTable(study.runs));
    const QString file = chart.id + QLatin1Char('.') + QLatin1String(kSuffixes[number % kFormats]);
    return saveChart(chart, QDir(outDir).filePath(file), ExportOptions());
}

void printError(const QString& text)
{
    std::fputs(qPrintable(QStringLiteral("scalebench-gui: %1\n").arg(text)), stderr);
}

} // namespace

Result<void> writeStudyPictures(const Study& study, const QString& outDir)
{
    if (!QDir().mkpath(outDir))
        return Failure{
            QStringLiteral("not_writable"),
            QCoreApplication::translate("StudyExport", "“%1” cannot be created.").arg(outDir)};
    for (int picture = 0; picture < pictureCount(study); ++picture) {
        if (auto result = writePicture(study, picture, outDir); !result)
            return result;
    }
    return {};
}

StudyExporter::StudyExporter(const Study& study, const QString& outDir, QObject* parent)
    : QObject(parent), m_study(study), m_outDir(outDir)
{
}

void StudyExporter::start()
{
    Q_EMIT progress(0, pictureCount(m_study) + 1);
    inBackground(
        this, [study = m_study, dir = m_outDir] { return writeCsvFiles(study, dir); },
        [this](const Result<void>& result) {
            if (!result)
                end(result);
            else
                writeNextPicture();
        });
}

void StudyExporter::writeNextPicture()
{
    const int pictures = pictureCount(m_study);
    Q_EMIT progress(m_next + 1, pictures + 1);
    if (m_next == pictures) {
        end({});
        return;
    }
    // The window draws itself between two pictures.
    QTimer::singleShot(0, this, [this] {
        const Result<void> result = writePicture(m_study, m_next, m_outDir);
        ++m_next;
        if (!result)
            end(result);
        else
            writeNextPicture();
    });
}

void StudyExporter::end(const Result<void>& result)
{
    Q_EMIT finished(result);
    deleteLater();
}

int runExportCommand(const QString& studyDir, const QString& outDir)
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
    if (const auto written = writeStudyPictures(study.value(), outDir); !written) {
        printError(written.failure().message);
        return kExitFailed;
    }
    return 0;
}

} // namespace scalebench
