// SPDX-License-Identifier: GPL-3.0-or-later
// What the Plan page hears of the rest of the workbench.
#include "pages/plan/plan_page.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "widgets/inline_bar.h"

#include <QDir>
#include <QFileInfo>
#include <QTimer>

#include <memory>

namespace scalebench {

static constexpr int kMeasureOtherWorkMs = 5000;

void PlanPage::connectSession()
{
    LiveStudy* live = m_session->live();
    const StudyLibrary* library = m_session->library();
    setTargets(m_session->targets());
    connect(m_session, &Session::targetsChanged, this,
            [this] { setTargets(m_session->targets()); });
    connect(m_session, &Session::computerChanged, this,
            [this] { setMachine(m_session->computer()); });
    connect(m_session, &Session::otherWorkMeasured, this, &PlanPage::setOtherWork);
    connect(m_session, &Session::planOnWanted, this, &PlanPage::chooseTarget);
    connect(m_session, &Session::allWorkloadsWanted, this, &PlanPage::planAllWorkloads);
    connect(m_session, &Session::planLikeWanted, this, [this](const QString& studyDir) {
        openCopy(QDir(studyDir).filePath(QStringLiteral("study.json")));
    });
    connect(library, &StudyLibrary::changed, this,
            [this, library] { setHistory(library->runs()); });
    const auto queueing = [this, live] { setQueueing(live->isActive()); };
    connect(live, &LiveStudy::starting, this, queueing);
    connect(live, &LiveStudy::started, this, queueing);
    connect(live, &LiveStudy::left, this, queueing);
    connect(live, &LiveStudy::finished, this, queueing);
    connect(live, &LiveStudy::refused, this, queueing);
    connect(live, &LiveStudy::failed, this, [this, queueing](const Failure& failure) {
        queueing();
        m_bar->showFailure(failure);
        m_session->showPage(page_id::kPlan);
    });
    connect(live, &LiveStudy::queued, this, [this, live](const QString& name, const QString& dir) {
        const QString text =
            tr("“%1” waits in the queue and starts once its machine is free.").arg(name);
        m_bar->showMessage(InlineBar::Level::Info, text);
        m_bar->setAction(tr("Show it"), [live, dir] { live->attach(dir); });
        auto ended = std::make_shared<QMetaObject::Connection>();
        *ended = connect(live, &LiveStudy::queuedEnded, this,
                         [this, dir, text, ended](const QString& which) {
                             if (which != dir)
                                 return;
                             if (m_bar->text() == text) // nothing newer is said there
                                 m_bar->clear();
                             disconnect(*ended);
                         });
    });
    auto* measure = new QTimer(this);
    connect(measure, &QTimer::timeout, this, &PlanPage::measureOtherWork);
    measure->start(kMeasureOtherWorkMs);
}

/// A person should know of other work before the start.
void PlanPage::measureOtherWork()
{
    if (isVisible() && isActiveWindow())
        m_session->measureOtherWork();
}

QString PlanPage::documentTitle() const
{
    return m_file.isEmpty() ? tr("New plan") : QFileInfo(m_file).fileName();
}

} // namespace scalebench
