// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/live_study.h"

#include "figures/run_labels.h"
#include "library/library.h"
#include "machine/machines.h"
#include "run/run_status.h"
#include "session/study_eta.h"
#include "study/machine_info.h"
#include "study/run_config.h"
#include "work/background.h"

#include <algorithm>

namespace scalebench {

namespace {

Result<Study> createStudy(const StudySpec& spec, const MachineInfo& machine,
                          const LibraryPlace& place)
{
    auto library = place.open();
    if (!library)
        return library.failure();
    // This computer was probed already; another machine is read as it is now.
    PlanTarget target{TargetMachine(), machine};
    if (!spec.machine.isEmpty()) {
        const auto named = planTarget(spec.machine);
        if (!named)
            return named.failure();
        target = named.value();
    }
    const QString id = library.value()->newStudyId(spec);
    auto runs = planRuns(spec, target.info, id, library.value()->generatedDataDir());
    if (!runs)
        return runs.failure();
    return library.value()->createStudy(spec, runs.value(), id, QString(), target.machine);
}

/// Newest first.
QList<StudySummary> activeStudies(const LibraryPlace& place)
{
    auto library = place.open();
    if (!library)
        return {};
    auto studies = library.value()->studies();
    if (!studies)
        return {};
    QList<StudySummary> active = studies.value();
    active.removeIf([](const StudySummary& study) { return !study.active; });
    std::sort(active.begin(), active.end(), [](const StudySummary& a, const StudySummary& b) {
        return a.createdMs > b.createdMs;
    });
    return active;
}

} // namespace

LiveStudy::LiveStudy(QObject* parent) : QObject(parent) {}

/// One whose runs have all ended is only read, although its points are still on their way.
bool LiveStudy::isActive() const
{
    return m_starting || (m_controller && m_controller->isActive() &&
                          finishedRuns() < m_controller->study().runs.size());
}

const Study& LiveStudy::study() const
{
    static const Study none;
    return m_controller ? m_controller->study() : none;
}

int LiveStudy::currentRun() const
{
    return m_controller ? m_controller->currentRun() : -1;
}

void LiveStudy::start(const StudySpec& spec, const MachineInfo& machine)
{
    if (m_starting)
        return;
    m_starting = true;
    Q_EMIT starting();
    inBackground(
        this,
        [spec, machine, place = m_library]() -> Result<StudyToFollow> {
            const Result<Study> study = createStudy(spec, machine, place);
            return study ? readStudyToFollow(study.value().dir) : study.failure();
        },
        [this](const Result<StudyToFollow>& outcome) {
            m_starting = false;
            if (!outcome)
                Q_EMIT failed(outcome.failure());
            else if (isTraining())
                enqueue(outcome.value());
            else if (const Result<void> begun = begin(outcome.value(), How::Start); !begun)
                Q_EMIT failed(begun.failure());
        });
}

void LiveStudy::enqueue(const StudyToFollow& read)
{
    const Study& study = read.study;
    auto controller = std::make_unique<StudyController>();
    const Result<void> result = controller->start(read);
    if (!result) {
        Q_EMIT failed(result.failure());
        return;
    }
    connect(controller.get(), &StudyController::finished, this,
            [this, dir = study.dir] { Q_EMIT queuedEnded(dir); });
    m_queued.push_back(std::move(controller));
    Q_EMIT queued(study.spec.name.isEmpty() ? study.id : study.spec.name, study.dir);
}

QString LiveStudy::nextQueued() const
{
    for (const auto& controller : m_queued) {
        if (controller->isActive())
            return controller->study().dir;
    }
    return {};
}

void LiveStudy::runAgain(const QString& studyDir, Requeue which, const QStringList& runIds)
{
    if (isTraining())
        return;
    m_starting = true;
    Q_EMIT starting();
    inBackground(
        this,
        [studyDir, which, runIds]() -> Result<StudyToFollow> {
            const Result<QStringList> again = requeueRuns(studyDir, runIds, which);
            return again ? readStudyToFollow(studyDir) : again.failure();
        },
        [this](const Result<StudyToFollow>& outcome) {
            m_starting = false;
            if (!outcome)
                Q_EMIT refused(outcome.failure());
            else if (const Result<void> begun = begin(outcome.value(), How::Start); !begun)
                Q_EMIT refused(begun.failure());
        });
}

void LiveStudy::follow(const QString& studyDir, bool replay)
{
    if (m_controller && m_controller->study().dir == studyDir && m_controller->isActive()) {
        Q_EMIT shownAgain();
        return;
    }
    const int request = ++m_request;
    inBackground(
        this, [studyDir] { return readStudyToFollow(studyDir); },
        [this, request, replay](const Result<StudyToFollow>& read) {
            if (request != m_request || m_starting) // something later was asked for
                return;
            const Result<void> begun =
                read ? begin(read.value(), replay ? How::Replay : How::Follow) : read.failure();
            if (!begun)
                Q_EMIT refused(begun.failure());
        });
}

void LiveStudy::attachActive()
{
    struct Found {
        QList<StudySummary> active;
        Result<StudyToFollow> newest = Failure{};
    };
    inBackground(
        this,
        [place = m_library] {
            Found found{activeStudies(place)};
            if (!found.active.isEmpty())
                found.newest = readStudyToFollow(found.active.first().dir);
            return found;
        },
        [this](const Found& found) {
            if (found.active.isEmpty() || isActive())
                return;
            ++m_request;
            const Result<void> begun =
                found.newest ? begin(found.newest.value(), How::Follow) : found.newest.failure();
            if (!begun)
                Q_EMIT refused(begun.failure());
            QStringList others;
            for (const StudySummary& study : found.active.mid(1)) {
                if (!study.supervised)
                    continue; // interrupted: nothing of it runs
                others << (study.name.isEmpty()
                               ? study.id
                               : QStringLiteral("%1 (%2)").arg(study.name, study.id));
            }
            if (!others.isEmpty())
                Q_EMIT othersActive(others);
        });
}

Result<void> LiveStudy::begin(const StudyToFollow& read, How how)
{
    const QString studyDir = read.study.dir;
    auto controller = std::make_unique<StudyController>();
    StudyController* c = controller.get();
    std::erase_if(m_queued, [&studyDir](const auto& other) {
        return other->study().dir == studyDir || !other->isActive();
    });
    const Result<void> result = how == How::Start ? c->start(read) : c->attach(read);
    if (result)
        adopt(std::move(controller), how == How::Replay);
    return result;
}

void LiveStudy::adopt(std::unique_ptr<StudyController> controller, bool replay)
{
    if (m_controller) {
        m_controller->disconnect(this);
        m_controller.release()->deleteLater();
    }
    m_controller = std::move(controller);
    m_replay = replay;
    m_stopping = false;
    m_paused = m_controller->isPaused();
    StudyController* c = m_controller.get();
    m_labels.clear();
    connect(c, &StudyController::runAdvanced, this, [this](int index, const RunDelta& delta) {
        if (!delta.setup.isEmpty()) // which tells the precision that is computed
            m_labels.clear();
        Q_EMIT runAdvanced(index, delta);
    });
    connect(c, &StudyController::runRestarted, this, &LiveStudy::runRestarted);
    connect(c, &StudyController::runStateChanged, this, &LiveStudy::runStateChanged);
    connect(c, &StudyController::logText, this, &LiveStudy::logText);
    connect(c, &StudyController::connectionChanged, this, [this](const ConnectionState& state) {
        if (state.connected) // only there it is known
            m_paused = m_controller->isPaused();
        Q_EMIT connectionChanged(state);
    });
    connect(c, &StudyController::finished, this, [this] {
        m_stopping = false;
        m_paused = false;
        Q_EMIT finished();
        Q_EMIT queuedEnded(study().dir);
    });
    Q_EMIT started();
}

LiveStudy::Choices LiveStudy::choices() const
{
    const auto any = [this](auto wanted) {
        return std::any_of(study().runs.begin(), study().runs.end(), wanted);
    };
    const auto is = [](RunState state) {
        return [state](const RunRecord& run) { return run.state == state; };
    };
    Choices choices;
    if (isTraining()) {
        choices.pause = !m_stopping && (m_paused || any(is(RunState::Queued)));
    } else if (!m_replay) {
        choices.resume = any([](const RunRecord& run) {
            return run.state == RunState::Cancelled && !isLeftOut(run.state, run.failure);
        });
        choices.failedAgain = any(is(RunState::Failed));
    }
    return choices;
}

QString LiveStudy::runLabel(int index) const
{
    if (m_labels.isEmpty())
        m_labels = runLabels(study().runs);
    return m_labels.value(index);
}

int LiveStudy::finishedRuns() const
{
    int count = 0;
    for (const RunRecord& run : study().runs)
        count += isFinal(run.state) ? 1 : 0;
    return count;
}

double LiveStudy::progress() const
{
    const auto& runs = study().runs;
    if (runs.isEmpty())
        return 0;
    double sum = 0;
    for (const RunRecord& run : runs)
        sum += isFinal(run.state) ? 1.0 : run.progress();
    return sum / static_cast<double>(runs.size());
}

double LiveStudy::etaSeconds() const
{
    if (m_replay || (m_stopping && !m_afterRun)) // told at a pace of its own
        return -1;
    return studyEtaSeconds(study(), currentRun(), m_stopping);
}

/// Somebody else's study is only shown.
bool LiveStudy::mayAct()
{
    if (!m_controller)
        return false;
    const Result<void> may = m_controller->mayAct();
    if (!may)
        Q_EMIT refused(may.failure());
    return may.ok();
}

void LiveStudy::stopNow()
{
    if (!mayAct())
        return;
    m_stopping = true;
    m_afterRun = false;
    m_controller->stopNow();
    Q_EMIT stopRequested();
}

void LiveStudy::pauseQueue()
{
    if (!mayAct())
        return;
    m_paused = true;
    m_controller->pauseQueue();
    Q_EMIT pauseChanged();
}

void LiveStudy::continueQueue()
{
    if (!mayAct())
        return;
    m_paused = false;
    m_controller->continueQueue();
    Q_EMIT pauseChanged();
}

void LiveStudy::reconnectNow()
{
    if (m_controller)
        m_controller->reconnectNow();
}

void LiveStudy::leave()
{
    ++m_request;
    if (!m_controller)
        return;
    // The pages let go of the study before it is gone.
    const std::unique_ptr<StudyController> last = std::move(m_controller);
    last->disconnect(this);
    m_stopping = m_paused = m_replay = false;
    m_labels.clear();
    Q_EMIT left();
}

ConnectionState LiveStudy::connection() const
{
    return m_controller ? m_controller->connectionState() : ConnectionState();
}

void LiveStudy::stopAfterRun()
{
    if (!mayAct())
        return;
    m_stopping = m_afterRun = true;
    m_controller->stopAfterRun();
    Q_EMIT stopRequested();
}

} // namespace scalebench
