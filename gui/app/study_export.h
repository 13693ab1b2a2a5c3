// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The files that a finished study leaves behind: what the CLI writes, and the pictures beside it.

#include "base/result.h"
#include "charts/picture_file.h"
#include "figures/study_charts.h"
#include "run/study.h"

#include <QObject>

#include <functional>

namespace scalebench {

/// One file.
struct PictureJob {
    QString name;
    std::function<FileJob(const QString& file)> draw;
};

/// studyCharts() and speedup_table as .png, .svg and .pdf in `outDir` (created when missing), and
/// beside each chart the table that it draws, as .csv.
Result<void> writeStudyPictures(const Study& study, const QString& outDir,
                                const ScalingView& view = {});

/// Writes the CSV files and the pictures while the window stays alive: one picture is drawn per
/// turn of the event loop, all else is done in a thread. Deletes itself after finished().
class StudyExporter : public QObject
{
    Q_OBJECT
public:
    StudyExporter(const Study& study, const QString& outDir, const ScalingView& view,
                  QObject* parent);
    void start();
    /// No further file is begun; finished() comes with the code "export_cancelled".
    void cancel() { m_cancelled = true; }

Q_SIGNALS:
    void progress(int done, int total);
    void finished(const scalebench::Result<void>& result);

private:
    void writeNextPicture();
    void end(const Result<void>& result);

    Study m_study;
    QList<PictureJob> m_jobs;
    QString m_outDir;
    Baseline m_baseline; ///< of speedup.csv as of the charts
    int m_next = 0;
    bool m_cancelled = false;
};

/// `scalebench-gui --export STUDYDIR --out DIR`: loads and writes; the process exit code.
int runExportCommand(const QString& studyDir, const QString& outDir, const ScalingView& view);
/// `scalebench-gui --draw`: a chart's file as a picture. Exit codes as above.
int runDrawCommand(const QString& chartFile, const QString& pictureFile);

} // namespace scalebench
