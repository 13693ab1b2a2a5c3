// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// runs.csv, curves.csv and speedup.csv of a study. Decimal points and full precision whatever the
// locale; RFC 4180 quoting; written to a temporary name, then renamed.

#include "analysis/effects.h"
#include "analysis/speedup_table.h"
#include "base/result.h"
#include "run/study.h"

#include <QString>

namespace scalebench {

QByteArray runsCsv(const Study& study);
QByteArray curvesCsv(const Study& study);
QByteArray speedupCsv(const Study& study, const Baseline& baseline = {});
QByteArray effectsCsv(const QList<Effect>& effects);

/// Writes the files, effects.csv only where something was varied, into `outDir` (created when
/// missing). Codes: "not_writable", "disk_full".
Result<void> writeCsvFiles(const Study& study, const QString& outDir,
                           const Baseline& baseline = {});

/// Runs `scalebench-gui --export <studyDir> --out <outDir>` offscreen. Codes "gui_missing" where
/// the workbench is not installed, "pictures_failed", "export_cancelled" (interruption.h).
Result<void> writePictures(const QString& studyDir, const QString& outDir,
                           const QStringList& options = {});

/// As writePictures(), for a folder that may have older ones: the charts that were there are
/// replaced once all are drawn, and stay where that fails. Codes of staged_folder.h as well.
Result<void> renewPictures(const QString& studyDir, const QString& outDir);

/// Runs `scalebench-gui --print <htmlFile> --out <pdfFile>` offscreen. Codes as above.
Result<void> writePdf(const QString& htmlFile, const QString& pdfFile);

/// Runs `scalebench-gui --draw <chartFile> --out <pictureFile>` offscreen: a chart's CSV
/// (chart_csv.h) as PNG, SVG or PDF. Codes as above.
Result<void> drawChartFile(const QString& chartFile, const QString& pictureFile);

} // namespace scalebench
