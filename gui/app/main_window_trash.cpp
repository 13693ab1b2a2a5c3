// SPDX-License-Identifier: GPL-3.0-or-later
// Studies put away and taken back.
#include "app/background.h"
#include "app/live_study.h"
#include "app/main_window.h"
#include "pages/results/results_page.h"
#include "widgets/inline_bar.h"

#include <QMenu>
#include <QMessageBox>

namespace scalebench {

namespace {

constexpr qsizetype kMostListed = 20;

struct Done {
    QList<TrashedStudy> studies;
    std::optional<Failure> failure;
};

/// `change` for each, until one fails.
template <typename Change>
Done forEach(const LibraryPlace& place, const QStringList& which, Change change)
{
    Done done;
    const auto library = place.open();
    if (!library) {
        done.failure = library.failure();
        return done;
    }
    for (const QString& one : which) {
        const Result<TrashedStudy> study = change(*library.value(), one);
        if (!study) {
            done.failure = study.failure();
            break;
        }
        done.studies << study.value();
    }
    return done;
}

QString titleOf(const TrashedStudy& study)
{
    return study.title.isEmpty() ? study.id : study.title;
}

} // namespace

void MainWindow::putAway(const QStringList& studyDirs)
{
    inBackground(
        this,
        [place = m_live->library(), studyDirs] { return forEach(place, studyDirs, moveToTrash); },
        [this](const Done& done) {
            InlineBar* bar = m_results->bar();
            if (!done.studies.isEmpty()) {
                QStringList names;
                for (const TrashedStudy& study : done.studies)
                    names << study.name;
                const auto count = static_cast<int>(done.studies.size());
                bar->showMessage(
                    InlineBar::Level::Info,
                    count == 1 ? tr("“%1” is in the trash.").arg(titleOf(done.studies.first()))
                               : tr("%n studies are in the trash.", nullptr, count));
                bar->setAction(tr("Undo"), [this, names] { takeBack(names); });
            }
            if (done.failure)
                bar->showFailure(*done.failure);
            refreshLibrary();
        });
}

void MainWindow::takeBack(const QStringList& names)
{
    inBackground(
        this,
        [place = m_live->library(), names] {
            return forEach(place, names, [](Library& library, const QString& name) {
                Result<TrashedStudy> study = findTrashed(library, name);
                if (study)
                    if (const Result<QString> back = restoreFromTrash(library, name); !back)
                        return Result<TrashedStudy>(back.failure());
                return study;
            });
        },
        [this](const Done& done) {
            m_results->bar()->clear();
            if (done.failure)
                m_results->bar()->showFailure(*done.failure);
            showPage(Results);
            refreshLibrary();
        });
}

void MainWindow::fillTrash(QMenu* menu)
{
    menu->clear();
    for (const TrashedStudy& study : std::as_const(m_trash)) {
        if (menu->actions().size() >= kMostListed)
            break;
        const QString when = locale().toString(QDateTime::fromMSecsSinceEpoch(study.trashedMs),
                                               QLocale::ShortFormat);
        QAction* item = menu->addAction(
            tr("Take back “%1”, put away %2")
                .arg(titleOf(study).replace(QLatin1Char('&'), QLatin1String("&&")), when));
        connect(item, &QAction::triggered, this, [this, name = study.name] { takeBack({name}); });
    }
    if (m_trash.isEmpty()) {
        menu->addAction(tr("The trash is empty"))->setEnabled(false);
        return;
    }
    menu->addSeparator();
    connect(menu->addAction(tr("&Empty the trash…")), &QAction::triggered, this,
            &MainWindow::emptyTheTrash);
}

void MainWindow::emptyTheTrash()
{
    QMessageBox question(QMessageBox::Warning, tr("Empty the trash"),
                         tr("Delete %n study(ies) with all measurements for good?", nullptr,
                            static_cast<int>(m_trash.size())),
                         QMessageBox::Cancel, this);
    const QAbstractButton* yes = question.addButton(tr("&Delete"), QMessageBox::DestructiveRole);
    question.setDefaultButton(QMessageBox::Cancel);
    question.exec();
    if (question.clickedButton() != yes)
        return;
    inBackground(
        this,
        [place = m_live->library()]() -> Result<int> {
            const auto library = place.open();
            return library ? emptyTrash(*library.value()) : Result<int>(library.failure());
        },
        [this](const Result<int>& deleted) {
            m_results->bar()->clear();
            if (!deleted)
                m_results->bar()->showFailure(deleted.failure());
            refreshLibrary();
        });
}

} // namespace scalebench
