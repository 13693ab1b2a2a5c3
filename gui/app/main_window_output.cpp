// SPDX-License-Identifier: GPL-3.0-or-later
// What the window writes: charts, everything of a study, reports.
#include "app/main_window.h"
#include "app/study_export.h"
#include "charts/chart_panel.h"
#include "pages/run/run_page.h"
#include "report/study_report.h"
#include "settings/app_settings.h"
#include "widgets/inline_bar.h"
#include "work/background.h"

#include <QDesktopServices>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QPointer>
#include <QStatusBar>
#include <QUrl>

namespace scalebench {

static constexpr int kPatienceMs = 300; ///< then a person wants to see that something is done

void MainWindow::exportChart()
{
    if (ChartPanel* panel = currentPage()->currentChart())
        panel->exportPicture();
}

void MainWindow::tellExported(const QString& file)
{
    InlineBar* bar = currentPage()->bar();
    if (!bar)
        return;
    bar->showMessage(InlineBar::Level::Info, tr("The chart is in %1.").arg(file));
    bar->setAction(tr("Open it"), [file] { QDesktopServices::openUrl(QUrl::fromLocalFile(file)); });
}

void MainWindow::exportAll()
{
    if (m_exporting)
        return;
    const QString dir = QFileDialog::getExistingDirectory(
        this, tr("Folder for CSV files and pictures"), AppSettings::instance().lastFolder());
    if (dir.isEmpty())
        return;
    AppSettings::instance().setLastFolder(dir);
    exportAllTo(dir);
}

void MainWindow::exportAllTo(const QString& dir)
{
    const auto [shown, bar] = shownStudy();
    if (shown.loaded) {
        exportStudy(*shown.loaded, dir, bar);
        return;
    }
    if (shown.dir.isEmpty())
        return;
    inBackground(
        this, [studyDir = shown.dir] { return loadStudy(studyDir); },
        [this, dir, bar = bar](const Result<Study>& study) {
            if (study)
                exportStudy(study.value(), dir, bar);
            else
                bar->showFailure(study.failure());
        });
}

std::pair<ShownStudy, InlineBar*> MainWindow::shownStudy() const
{
    if (const ShownStudy own = currentPage()->shownStudy(); !own.isEmpty())
        return {own, currentPage()->bar()};
    const RunPage* run = page<RunPage>();
    return {run->shownStudy(), run->bar()};
}

void MainWindow::writeReport()
{
    const QString dir = QFileDialog::getExistingDirectory(this, tr("Folder for the report"),
                                                          AppSettings::instance().lastFolder());
    if (dir.isEmpty())
        return;
    AppSettings::instance().setLastFolder(dir);
    writeReportTo(dir);
}

void MainWindow::writeReportTo(const QString& dir)
{
    const auto [shown, bar] = shownStudy();
    if (shown.dir.isEmpty())
        return;
    statusBar()->showMessage(tr("Writing the report…"));
    inBackground(
        this,
        [study = shown.dir, dir, options = currentPage()->view().options()] {
            return report::writeReport(study, dir, options);
        },
        [this, bar = bar, dir](const Result<report::ReportWritten>& written) {
            statusBar()->clearMessage();
            if (!written) {
                bar->showFailure(written.failure());
            } else {
                bar->showMessage(
                    InlineBar::Level::Info,
                    written.value().without.isEmpty()
                        ? tr("The report is in %1: report.html, report.pdf, CSV files, "
                             "pictures and a bundle.")
                              .arg(dir)
                        : tr("The report is in %1, without pictures and PDF.").arg(dir),
                    written.value().without);
                bar->setAction(tr("Open report"), [dir] {
                    QDesktopServices::openUrl(
                        QUrl::fromLocalFile(dir + QStringLiteral("/report.html")));
                });
            }
            Q_EMIT exported(written.ok());
        });
}

void MainWindow::exportStudy(const Study& study, const QString& dir, InlineBar* bar)
{
    m_exporting = true;
    auto* exporter = new StudyExporter(study, dir, currentPage()->view(), this);
    QElapsedTimer clock;
    clock.start();
    connect(exporter, &StudyExporter::progress, this,
            [this, bar, exporter = QPointer(exporter), clock](int done, int total) {
                const QString text = tr("Exporting, %1 of %2…").arg(done).arg(total);
                statusBar()->showMessage(text);
                if (clock.elapsed() < kPatienceMs)
                    return;
                bar->showMessage(InlineBar::Level::Info, text);
                bar->setAction(tr("Cancel"), [exporter] {
                    if (exporter)
                        exporter->cancel();
                });
            });
    connect(exporter, &StudyExporter::finished, this, [this, bar, dir](const Result<void>& result) {
        m_exporting = false;
        if (result) {
            bar->showMessage(InlineBar::Level::Info,
                             tr("Written to %1: CSV files and pictures.").arg(dir));
            bar->setAction(tr("Open folder"),
                           [dir] { QDesktopServices::openUrl(QUrl::fromLocalFile(dir)); });
        } else {
            bar->showFailure(result.failure());
        }
        statusBar()->showMessage(result ? tr("Exported to %1").arg(dir) : result.failure().message,
                                 8000);
        Q_EMIT exported(result.ok());
    });
    exporter->start();
}

} // namespace scalebench
