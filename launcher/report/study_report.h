// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The report of a study: one HTML text with its findings, charts, tables, system and method, and
// the folder that it comes in.

#include "analysis/speedup_table.h"
#include "base/result.h"
#include "run/study.h"

#include <QJsonObject>
#include <QStringList>

namespace scalebench::report {

struct Picture {
    QString title;  ///< read where the picture is not seen
    QString source; ///< of <img>: a data: address, or a file name
};

/// How its charts over worker counts are looked at, which the whole report follows.
struct ReportView {
    Baseline baseline;
    QString quantity; ///< "epoch", "throughput": what the speedup chart is of; else of the time
};

/// HTML 4 as browsers and QTextDocument read it, without scripts or anything from elsewhere.
/// `system`: system.json of a run, may be empty.
QString reportHtml(const Study& study, const QJsonObject& system, const QList<Picture>& pictures,
                   const ReportView& view = {});

/// The section about what it ran on.
QString systemHtml(const Study& study, const QJsonObject& system);

/// {"notice.txt"} where imports::writeOriginNotice() left one there, perhaps of another study.
QStringList noticesIn(const QString& dir);

struct ReportWritten {
    QString folder;
    QStringList files;
    QString without; ///< why there are no pictures and no PDF; empty: there are
};

/// Writes report.html, report.pdf, the CSV files, pictures and a bundle of the study into `outDir`,
/// which is created; files of an earlier report there are replaced once the new ones are whole, and
/// those that the new one has not are removed. `pictures`: how the charts are drawn
/// (writePictures()); their baseline is that of all. Codes of result_files.h, baseline_check.h,
/// staged_folder.h and bundle.h.
Result<ReportWritten> writeReport(const QString& studyDir, const QString& outDir,
                                  const QStringList& pictures = {});

} // namespace scalebench::report
