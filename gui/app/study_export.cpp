// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study_export.h"

#include "charts/chart_export.h"
#include "charts/run_charts.h"
#include "launcher/result_files.h"

#include <QCoreApplication>
#include <QDir>

#include <cstdio>

namespace scalebench {

namespace {

constexpr int kExitUsage = 2;
constexpr int kExitFailed = 3;

void printError(const QString& text)
{
    std::fputs(qPrintable(QStringLiteral("scalebench-gui: %1\n").arg(text)), stderr);
}

} // namespace

Result<void> writeStudyPictures(const Study& study, const QString& outDir)
{
    if (!QDir().mkpath(outDir))
        return Failure{QStringLiteral("not_writable"),
                       QCoreApplication::translate("StudyExport", "“%1” cannot be created.").arg(outDir)};
    const ChartData charts[] = {accuracyChart(study, RunAxis::Epoch),
                                speedupChart(study, speedupTable(study.runs))};
    for (const ChartData& chart : charts) {
        for (const char* suffix : {"png", "svg", "pdf"}) {
            const QString file =
                QDir(outDir).filePath(chart.id + QLatin1Char('.') + QLatin1String(suffix));
            if (auto result = saveChart(chart, file, ExportOptions()); !result)
                return result.failure();
        }
    }
    return {};
}

Result<void> exportStudy(const Study& study, const QString& outDir)
{
    if (auto result = writeCsvFiles(study, outDir); !result)
        return result.failure();
    return writeStudyPictures(study, outDir);
}

int runExportCommand(const QString& studyDir, const QString& outDir)
{
    if (outDir.isEmpty()) {
        printError(QCoreApplication::translate("StudyExport", "--export needs --out DIR."));
        return kExitUsage;
    }
    if (!QDir(studyDir).exists()) {
        printError(QCoreApplication::translate("StudyExport", "there is no folder “%1”.").arg(studyDir));
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
