// SPDX-License-Identifier: GPL-3.0-or-later
// What the Plan page hears of the rest of the workbench.
#include "models/key_value_model.h"
#include "pages/plan/plan_page.h"
#include "pages/plan/plan_undo.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "widgets/inline_bar.h"

#include <QDir>
#include <QFileInfo>
#include <QTimer>
#include <QToolButton>
#include <QUndoStack>

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
    connect(m_session, &Session::planWanted, this, [this](const StudySpec& spec) {
        apply(spec, 0);
        showSpec();
        m_bar->showMessage(InlineBar::Level::Info,
                           tr("The experiment that would tell most is planned. Undo brings the "
                              "plan back that was here."));
        m_bar->setAction(tr("Undo"), [this] {
            undo();
            m_bar->clear();
        });
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
    if (m_session->isComputerKnown())
        setMachine(m_session->computer());
    if (library->isRead())
        setHistory(library->runs());
    queueing();
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

void PlanPage::takeOver(Page& before)
{
    const auto& other = static_cast<const PlanPage&>(before);
    m_undo->clear();
    m_file = other.m_file;
    m_spec = other.m_spec;
    m_entry = other.m_entry;
    m_machine = other.m_machine;
    for (int i = 0; i < other.m_undo->count(); ++i) {
        const auto* edit = dynamic_cast<const PlanEdit*>(other.m_undo->command(i));
        m_undo->push(new PlanEdit(*edit, [this](const PlanState& state) { restore(state); }));
        if (other.m_undo->cleanIndex() == i + 1)
            m_undo->setClean();
    }
    if (other.m_undo->cleanIndex() < 0)
        m_undo->resetClean();
    m_undo->setIndex(other.m_undo->index());
    m_spec = other.m_spec;
    m_entry = other.m_entry;
    const auto* more = other.findChild<QToolButton*>(QStringLiteral("moreSettings"));
    findChild<QToolButton*>(QStringLiteral("moreSettings"))->setChecked(more->isChecked());
    showSpec();
    Q_EMIT titleChanged();
}

QString PlanPage::documentTitle() const
{
    return m_file.isEmpty() ? tr("New plan") : QFileInfo(m_file).fileName();
}

PageProperties PlanPage::properties() const
{
    return {m_spec.name.isEmpty() ? tr("Plan") : m_spec.name,
            KeyValueModel::pairsOf(m_spec.toJson())};
}

} // namespace scalebench
