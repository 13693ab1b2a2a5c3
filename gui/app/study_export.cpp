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
constexpr int kPictures = 6;

/// Accuracy as three formats, then speedup.
Result<void> writePicture(const Study& study, int number, const QString& outDir)
{
    const ChartData chart = number < 3 ? accuracyChart(study, RunAxis::Epoch)
                                       : speedupChart(study, speedupTable(study.runs));
    const QString file = chart.id + QLatin1Char('.') + QLatin1String(kSuffixes[number % 3]);
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
    for (int picture = 0; picture < kPictures; ++picture) {
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
    Q_EMIT progress(0, kPictures + 1);
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
    Q_EMIT progress(m_next + 1, kPictures + 1);
    if (m_next == kPictures) {
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
