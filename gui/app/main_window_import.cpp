// SPDX-License-Identifier: GPL-3.0-or-later
// Results of other origin, by menu or dropped on the window.
#include "app/live_study.h"
#include "app/main_window.h"
#include "app/results_import.h"
#include "base/json_fields.h"
#include "base/ordinary_file.h"
#include "pages/plan/plan_page.h"
#include "pages/results/results_page.h"
#include "settings/app_settings.h"
#include "widgets/inline_bar.h"

#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>

namespace scalebench {

namespace {

bool isPlan(const QString& path)
{
    constexpr qint64 kLargestPlan = 4 << 20;
    const auto bytes = readFile(path, kLargestPlan);
    const auto object = bytes ? parseJsonObject(bytes.value(), path) : bytes.failure();
    return object && object.value()[QStringLiteral("format")] == QLatin1String("scalebench.study");
}

bool isStudyFolder(const QString& path)
{
    return QFileInfo(path).isDir() && QFileInfo::exists(path + QStringLiteral("/study.json"));
}

} // namespace

void MainWindow::importResults(const QStringList& paths)
{
    if (paths.isEmpty() || m_importing)
        return;
    m_importing = true;
    showPage(Results);
    InlineBar* bar = m_results->bar();
    auto* reading = new ResultsImport(paths, m_live->library(), this);
    const auto show = [bar, reading](const QString& text) {
        bar->showMessage(InlineBar::Level::Info, text);
        bar->setAction(tr("Cancel"), [reading] { reading->cancel(); });
    };
    show(tr("Reading files…"));
    connect(reading, &ResultsImport::progress, this, [show](int done, int total) {
        show(tr("Reading files: %1 of %2…").arg(done).arg(total));
    });
    connect(reading, &ResultsImport::finished, this, [this, bar](const ImportNews& news) {
        m_importing = false;
        if (news.failure)
            bar->showFailure(*news.failure);
        else
            bar->showMessage(news.clean ? InlineBar::Level::Info : InlineBar::Level::Warning,
                             news.text, news.details);
        if (!news.studyDirs.isEmpty())
            m_results->showStudy(news.studyDirs.first());
        refreshLibrary();
    });
}

void MainWindow::chooseResultsToImport(bool folder)
{
    const QString last = AppSettings::instance().lastFolder();
    const QString title = tr("Results to import: MLPerf logs, bundles, TensorBoard files, CSV");
    const QStringList paths =
        folder ? QStringList{QFileDialog::getExistingDirectory(this, title, last)}
               : QFileDialog::getOpenFileNames(this, title, last);
    if (paths.isEmpty() || paths.first().isEmpty())
        return;
    AppSettings::instance().setLastFolder(QFileInfo(paths.first()).absolutePath());
    importResults(paths);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (event->mimeData()->hasUrls())
        event->acceptProposedAction();
}

/// A plan is opened, a study's folder shown; everything else may hold results.
void MainWindow::dropEvent(QDropEvent* event)
{
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            paths << QFileInfo(url.toLocalFile()).absoluteFilePath();
    if (paths.size() == 1 && isStudyFolder(paths.first())) {
        openStudyFolder(paths.first());
    } else if (paths.size() == 1 && isPlan(paths.first())) {
        m_plan->openFile(paths.first());
        showPage(Plan);
    } else {
        importResults(paths);
    }
}

} // namespace scalebench
