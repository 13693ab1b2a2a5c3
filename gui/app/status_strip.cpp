// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/status_strip.h"

#include "base/duration_text.h"
#include "session/live_study.h"
#include "session/live_text.h"
#include "session/page_ids.h"
#include "session/session.h"
#include "session/study_library.h"
#include "widgets/elided_label.h"

#include <QProgressBar>
#include <QStatusBar>
#include <QTimer>
#include <QToolButton>

#include <algorithm>

namespace scalebench {

namespace {
constexpr int kStripRefreshMs = 500;
constexpr int kOthersMs = 5000;
} // namespace

StatusStrip::StatusStrip(Session* session, QStatusBar* bar)
    : QObject(bar),
      m_session(session),
      m_text(new ElidedLabel("")),
      m_others(new QToolButton),
      m_eta(new ElidedLabel("")),
      m_progress(new QProgressBar),
      m_timer(new QTimer(this))
{
    m_progress->setMaximumWidth(190);
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_text->setContentsMargins(8, 0, 0, 0);
    m_text->setElideMode(Qt::ElideMiddle); // a long name of a study, before what it came to
    m_eta->setContentsMargins(12, 0, 8, 0);
    bar->addWidget(m_text, 1);
    m_others->setObjectName(QStringLiteral("othersRunning"));
    m_others->hide();
    connect(m_others, &QToolButton::clicked, session,
            [session] { session->showPage(page_id::kHome); });
    bar->addPermanentWidget(m_others);
    bar->addPermanentWidget(m_eta);
    bar->addPermanentWidget(m_progress);
    m_timer->setInterval(kStripRefreshMs);
    connect(m_timer, &QTimer::timeout, this, &StatusStrip::refresh);
    const LiveStudy* live = session->live();
    connect(live, &LiveStudy::starting, this, &StatusStrip::refresh);
    connect(live, &LiveStudy::started, this, &StatusStrip::refresh);
    connect(live, &LiveStudy::failed, this, &StatusStrip::refresh);
    connect(live, &LiveStudy::refused, this, &StatusStrip::refresh);
    connect(live, &LiveStudy::runStateChanged, this, &StatusStrip::refresh);
    connect(live, &LiveStudy::pauseChanged, this, &StatusStrip::refresh);
    connect(live, &LiveStudy::left, this, &StatusStrip::refresh);
    connect(live, &LiveStudy::finished, this, &StatusStrip::refresh);
    connect(live, &LiveStudy::finished, this, &StatusStrip::judgeEstimate);
    connect(live, &LiveStudy::started, this, &StatusStrip::beginWatch);
    connect(live, &LiveStudy::stopRequested, this, [this] { m_fromStart = false; });
    connect(live, &LiveStudy::pauseChanged, this, [this] { m_fromStart = false; });
    StudyLibrary* library = session->library();
    connect(library, &StudyLibrary::changed, this, &StatusStrip::refreshOthers);
    auto* others = new QTimer(this); // until they have ended
    connect(others, &QTimer::timeout, this, [this, library] {
        if (!m_others->isHidden())
            library->refresh();
    });
    others->start(kOthersMs);
    retranslate();
}

void StatusStrip::retranslate()
{
    m_progress->setAccessibleName(tr("Progress of the study"));
    m_others->setAccessibleName(tr("Studies that run unseen"));
    refreshOthers();
    refresh();
}

/// What runs though no page follows it.
void StatusStrip::refreshOthers()
{
    const LiveStudy* live = m_session->live();
    QStringList names;
    for (const StudySummary& study : m_session->library()->studies())
        if (study.supervised && !(live->hasStudy() && study.dir == live->study().dir))
            names << (study.name.isEmpty() ? study.id : study.name);
    m_others->setVisible(!names.isEmpty());
    m_others->setText(names.size() == 1 ? tr("Also running: %1").arg(names.first())
                                        : tr("Also running: %1 studies").arg(names.size()));
    m_others->setToolTip(names.join(QLatin1Char('\n')));
}

/// The first estimate that rests on a measured epoch, of a study that is followed from its start.
void StatusStrip::foretell()
{
    const LiveStudy* live = m_session->live();
    if (!m_fromStart || m_foretold >= 0)
        return;
    const QList<RunRecord>& runs = live->study().runs;
    const double left = live->etaSeconds();
    const int current = live->currentRun();
    if (left < 0 || current < 0 || runs[current].evals.isEmpty())
        return;
    m_foretold = double(m_since.elapsed()) / 1000 + left;
}

/// What happens while it is followed tells how long it takes only if that is all of it.
void StatusStrip::beginWatch()
{
    const QList<RunRecord>& runs = m_session->live()->study().runs;
    m_foretold = -1;
    m_since.start();
    m_fromStart = !m_session->live()->isReplay() &&
                  std::all_of(runs.begin(), runs.end(), [](const RunRecord& run) {
                      return !isFinal(run.state) && run.steps.isEmpty() && run.runStartMs <= 0;
                  });
}

/// Of a study that was left alone, once all of it has been trained.
void StatusStrip::judgeEstimate()
{
    constexpr double kWorthTelling = 10; // seconds
    const QList<RunRecord>& runs = m_session->live()->study().runs;
    const bool trained = std::all_of(runs.begin(), runs.end(), [](const RunRecord& run) {
        return run.state == RunState::Completed || run.state == RunState::NotConverged;
    });
    if (m_fromStart && trained && m_foretold >= kWorthTelling) {
        m_eta->setFullText(estimateVerdictText(m_foretold, double(m_since.elapsed()) / 1000));
        m_eta->show();
    }
    m_fromStart = false;
    m_foretold = -1;
}

QString StatusStrip::text() const
{
    const LiveStudy* live = m_session->live();
    if (live->isActive())
        return liveStateText(*live);
    if (!live->hasStudy())
        return tr("Ready");
    const Study& study = live->study();
    return QStringLiteral("%1: %2").arg(study.spec.name.isEmpty() ? study.id : study.spec.name,
                                        liveStateText(*live));
}

void StatusStrip::refresh()
{
    const LiveStudy* live = m_session->live();
    const bool active = live->isActive();
    if (active != m_timer->isActive())
        active ? m_timer->start() : m_timer->stop();
    m_progress->setVisible(active);
    m_eta->setVisible(active);
    m_text->setFullText(text());
    if (!active)
        return;
    foretell();
    const QString eta = durationRangeText(live->etaSeconds());
    const QString share = tr("%1 %").arg(qRound(live->progress() * 100));
    m_eta->setFullText(eta.isEmpty() ? share : tr("%1 · %2 left").arg(share, eta));
    m_progress->setValue(static_cast<int>(live->progress() * 1000));
}

} // namespace scalebench
