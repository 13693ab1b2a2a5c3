// SPDX-License-Identifier: GPL-3.0-or-later
// What the Results page hears of the library, and changes in it.
#include "dialogs/annotation_dialog.h"
#include "models/run_table_model.h"
#include "pages/results/results_page.h"
#include "pages/results/run_detail.h"
#include "run/study_files.h"
#include "session/page_ids.h"
#include "session/results_import.h"
#include "session/session.h"
#include "session/study_library.h"
#include "widgets/data_table.h"
#include "widgets/inline_bar.h"

#include <QUndoStack>

#include <utility>

namespace scalebench {

void ResultsPage::connectSession()
{
    StudyLibrary* library = m_session->library();
    connect(m_session, &Session::studyOpened, this, &ResultsPage::showStudy);
    connect(m_session, &Session::runsOpened, this, &ResultsPage::showRuns);
    connect(library, &StudyLibrary::changed, this, [this, library] {
        setRuns(library->runs());
        setReadOnly(library->readOnlyDir());
        tellLeftOut();
    });
    connect(library, &StudyLibrary::unreadable, this, &ResultsPage::setLoadError);
    connect(library, &StudyLibrary::failed, m_bar, &InlineBar::showFailure);
    connect(library, &StudyLibrary::edited, this, [this, library](const QString& text) {
        m_bar->showMessage(InlineBar::Level::Info, text);
        m_bar->setAction(tr("Undo"), [library] { library->undoStack()->undo(); });
    });
    connect(library, &StudyLibrary::editedBack, this, [this] {
        m_bar->clear();
        m_session->showPage(page_id::kResults);
    });
    connect(library, &StudyLibrary::importing, this, [this, library](const QString& text) {
        m_bar->showMessage(InlineBar::Level::Info, text);
        m_bar->setAction(tr("Cancel"), [library] { library->cancelImport(); });
    });
    connect(library, &StudyLibrary::imported, this, [this](const ImportNews& news) {
        if (news.failure)
            m_bar->showFailure(*news.failure);
        else
            m_bar->showMessage(news.clean ? InlineBar::Level::Info : InlineBar::Level::Warning,
                               news.text, news.details);
        if (!news.studyDirs.isEmpty())
            m_wanted = news.studyDirs; // listed with what the library reads now
    });
}

/// Once for each damage: a study that is missing without a word looks lost.
void ResultsPage::tellLeftOut()
{
    const QStringList& now = m_session->library()->leftOut();
    if (std::exchange(m_leftOut, now) == now || now.isEmpty())
        return;
    m_bar->showMessage(
        InlineBar::Level::Warning,
        tr("%n folder(s) of the library cannot be read as a study: %1", nullptr, int(now.size()))
            .arg(now.first()),
        now.mid(1).join(u'\n'));
}

void ResultsPage::takeOver(Page& before)
{
    auto& other = static_cast<ResultsPage&>(before);
    m_guests = other.m_guests;
    m_wanted = other.m_wanted;
    QStringList selected;
    for (const int row : other.m_table->selectedSourceRows())
        selected << other.m_model->run(row).runDir;
    m_detail->takeOver(*other.m_detail);
    if (m_session->library()->isRead() || !m_guests.isEmpty()) {
        setRuns(m_session->library()->runs());
        setReadOnly(m_session->library()->readOnlyDir());
    }
    showRuns(selected);
}

void ResultsPage::activate()
{
    m_session->library()->refresh();
}

void ResultsPage::putAway()
{
    QStringList dirs;
    for (const int row : m_table->selectedSourceRows())
        dirs << studyDirOf(m_model->run(row).runDir);
    dirs.removeDuplicates();
    if (!dirs.isEmpty())
        m_session->library()->putAway(dirs);
}

void ResultsPage::annotate()
{
    const auto rows = m_table->selectedSourceRows();
    if (rows.isEmpty())
        return;
    QStringList known;
    for (const RunSummary& run : std::as_const(m_libraryRuns))
        known << run.tags;
    known.removeDuplicates();
    const RunSummary& run = m_model->run(rows.first());
    const QString studyDir = studyDirOf(run.runDir);
    const Annotation now{run.tags, run.note};
    auto* dialog = new AnnotationDialog(run.studyName.isEmpty() ? run.studyId : run.studyName, now,
                                        known, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, studyDir, now] {
        if (const Annotation wanted = dialog->annotation(); wanted != now)
            m_session->library()->annotate(studyDir, wanted, now);
    });
    dialog->open();
}

} // namespace scalebench
