// SPDX-License-Identifier: GPL-3.0-or-later
// What is opened, dropped, imported, put away and taken back.
#include "app/main_window.h"

#include "app/drop_hint.h"
#include "base/json_fields.h"
#include "base/ordinary_file.h"
#include "dialogs/csv_columns_dialog.h"
#include "dialogs/file_reading.h"
#include "library/trash.h"
#include "pages/plan/plan_page.h"
#include "pages/results/results_page.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "settings/app_settings.h"
#include "settings/system_folder.h"
#include "widgets/inline_bar.h"
#include "widgets/widgets.h"
#include "work/background.h"

#include <QDateTime>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>

#include <algorithm>

namespace scalebench {

namespace {

constexpr qsizetype kMostListed = 20;

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

QString titleOf(const TrashedStudy& study)
{
    return study.title.isEmpty() ? study.id : study.title;
}

} // namespace

void MainWindow::openArgument()
{
    QStringList paths;
    for (const QString& file : std::as_const(m_commandLine.files))
        paths << QFileInfo(file).absoluteFilePath();
    if (paths.isEmpty() && m_commandLine.replayDir.isEmpty())
        connect(this, &MainWindow::loaded, this, &MainWindow::restoreShown,
                static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    const bool isFolder = paths.size() == 1 && QFileInfo(paths.first()).isDir();
    if (!m_commandLine.start)
        m_plan->restoreUnsaved();
    if (m_commandLine.start && !isFolder)
        connect(m_session, &Session::computerChanged, m_plan, &PlanPage::start,
                static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    if (isFolder && m_commandLine.start) {
        live()->resume(paths.first()); // before it is shown, which follows it as it is
        m_session->openStudy(paths.first());
    } else if (paths.size() == 1 && QFileInfo(paths.first()).suffix() == QLatin1String("json")) {
        m_plan->openFile(paths.first()); // what is wrong with it shows on the page
        showPage(page_id::kPlan);
    } else {
        openPaths(paths, m_commandLine.page);
    }
    m_askedPage = m_commandLine.page;
    showPage(m_askedPage);
    if (m_commandLine.importsResults)
        connect(
            this, &MainWindow::loaded, this, [this] { chooseResultsToImport(false); },
            static_cast<Qt::ConnectionType>(Qt::QueuedConnection | Qt::SingleShotConnection));
    if (!m_commandLine.replayDir.isEmpty())
        m_session->replay(m_commandLine.replayDir, m_commandLine.speed);
}

/// A plan is opened, a study's folder shown; everything else may hold results. What a path is, is
/// asked off this thread, for its disk may be slow.
void MainWindow::openPaths(const QStringList& paths, const QString& thenPage)
{
    if (paths.size() != 1) {
        importResults(paths);
        return showPage(thenPage);
    }
    enum class Kind { Study, Plan, Results };
    AppSettings::instance().addRecentFile(paths.first());
    inBackground(
        this,
        [path = paths.first()] {
            return isStudyFolder(path) ? Kind::Study : isPlan(path) ? Kind::Plan : Kind::Results;
        },
        [this, paths, thenPage](Kind kind) {
            if (kind == Kind::Study) {
                m_session->openStudy(paths.first());
            } else if (kind == Kind::Plan) {
                m_plan->openLater(paths.first());
                showPage(page_id::kPlan);
            } else {
                importResults(paths);
            }
            m_askedPage = thenPage; // a study that runs would show its own
            showPage(thenPage);
        });
}

void MainWindow::importResults(const QStringList& paths)
{
    if (paths.isEmpty())
        return;
    showPage(page_id::kResults);
    const auto system = std::find_if(paths.begin(), paths.end(), isSystemFolder);
    if (system != paths.end())
        return page<ResultsPage>()->bar()->showFailure(systemFolderFailure(*system));
    using Foreign = std::optional<std::pair<QString, imports::CsvTable>>;
    auto* reading = new FileReading(page<ResultsPage>()->bar(), this);
    reading->start(
        [paths]() -> Foreign {
            for (const QString& path : paths) // tables that come together are of one kind
                if (const auto table = CsvColumnsDialog::neededFor(path))
                    return std::pair(path, *table);
            return std::nullopt;
        },
        [this, paths, reading](const Foreign& foreign) {
            reading->deleteLater();
            if (!foreign)
                return m_session->library()->importResults(paths, {});
            auto* dialog = new CsvColumnsDialog(foreign->first, foreign->second, this);
            dialog->setAttribute(Qt::WA_DeleteOnClose);
            connect(dialog, &QDialog::accepted, this, [this, paths, dialog] {
                m_session->library()->importResults(paths, dialog->mapping());
            });
            dialog->open();
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

void MainWindow::openFolderDialog()
{
    const QString dir = QFileDialog::getExistingDirectory(this, tr("Open a study's folder"),
                                                          AppSettings::instance().lastFolder());
    if (!dir.isEmpty())
        openPaths({dir});
}

void MainWindow::chooseLibrary()
{
    const QString now = m_session->library()->place().dir;
    const QString dir = QFileDialog::getExistingDirectory(
        this, tr("Folder where runs are kept"), now.isEmpty() ? Library::defaultDir() : now);
    if (dir.isEmpty())
        return;
    m_session->useLibrary({dir});
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event)
{
    if (!event->mimeData()->hasUrls())
        return;
    acceptCopy(event);
    m_dropHint->cover();
}

void MainWindow::dragLeaveEvent(QDragLeaveEvent* event)
{
    m_dropHint->hide();
    QMainWindow::dragLeaveEvent(event);
}

void MainWindow::dropEvent(QDropEvent* event)
{
    m_dropHint->hide();
    QStringList paths;
    for (const QUrl& url : event->mimeData()->urls())
        if (url.isLocalFile())
            paths << QFileInfo(url.toLocalFile()).absoluteFilePath();
    acceptCopy(event);
    openPaths(paths);
}

void MainWindow::fillTrash(QMenu* menu)
{
    menu->clear();
    StudyLibrary* library = m_session->library();
    for (const TrashedStudy& study : library->trash().mid(0, kMostListed)) {
        const QString when = locale().toString(QDateTime::fromMSecsSinceEpoch(study.trashedMs),
                                               QLocale::ShortFormat);
        QAction* item =
            menu->addAction(tr("Take back “%1”, put away %2").arg(menuText(titleOf(study)), when));
        connect(item, &QAction::triggered, library,
                [library, name = study.name] { library->takeBack({name}); });
    }
    if (library->trash().isEmpty()) {
        menu->addAction(tr("The trash is empty"))->setEnabled(false);
        return;
    }
    menu->addSeparator();
    connect(menu->addAction(tr("&Empty the trash…")), &QAction::triggered, this,
            &MainWindow::emptyTheTrash);
}

void MainWindow::emptyTheTrash()
{
    StudyLibrary* library = m_session->library();
    QMessageBox question(QMessageBox::Warning, tr("Empty the trash"),
                         tr("Delete %n study(ies) with all measurements for good?", nullptr,
                            static_cast<int>(library->trash().size())),
                         QMessageBox::Cancel, this);
    const QAbstractButton* yes = question.addButton(tr("&Delete"), QMessageBox::DestructiveRole);
    question.setDefaultButton(QMessageBox::Cancel);
    question.exec();
    if (question.clickedButton() == yes)
        library->emptyTheTrash();
}

} // namespace scalebench
