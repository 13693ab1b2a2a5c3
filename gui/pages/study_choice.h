// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The list from which a page's study is chosen: those of the library, the newest first, and the
// published results.

#include "import/published_results.h"
#include "library/library.h"
#include "run/study.h"
#include "session/live_study.h"
#include "session/session.h"
#include "session/study_library.h"
#include "widgets/choice_box.h"

namespace scalebench {

class StudyChoice : public ChoiceBox
{
    Q_OBJECT
public:
    /// Of the published results those over several numbers of GPUs, or all with times.
    enum class Published { Scaling, All };
    explicit StudyChoice(Published published = Published::Scaling, QWidget* parent = nullptr);

    void setStudies(const QList<StudySummary>& studies);
    /// In the library's order here.
    const QList<StudySummary>& studies() const { return m_studies; }
    /// Is what is chosen; one from outside the library is added.
    void showStudy(const Study& study);
    /// Of a study: its folder, or what stands for a published one; its id where it is in memory
    /// only.
    static QString keyOf(const Study& study);

Q_SIGNALS:
    void studyChosen(const QString& studyDir);
    void publishedChosen(const QString& figure);

private:
    void addPublished(int row, const imports::PublishedFigure& figure);

    Published m_published;
    QList<StudySummary> m_studies;
    QString m_shown, m_title; ///< of what is chosen; empty: nothing is
};

/// A page about one study shows what other pages open, the live study once it has ended, and the
/// published example; its list of studies is the library's.
template <class P>
void followStudies(P* page, Session* session)
{
    const StudyLibrary* library = session->library();
    const LiveStudy* live = session->live();
    QObject::connect(library, &StudyLibrary::changed, page,
                     [page, library] { page->setStudies(library->studies()); });
    QObject::connect(live, &LiveStudy::finished, page,
                     [page, live] { page->showLoaded(live->study()); });
    QObject::connect(session, &Session::studyOpened, page, &P::showStudy);
    QObject::connect(session, &Session::scalingWanted, page, &P::showStudy);
    QObject::connect(session, &Session::publishedWanted, page,
                     [page] { page->showPublished(QStringLiteral("dgx1")); });
}

} // namespace scalebench
