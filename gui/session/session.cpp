// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/session.h"

#include "machine/machines.h"
#include "machine/this_computer.h"
#include "models/machine_checks.h"
#include "models/run_queue_model.h"
#include "session/live_study.h"
#include "session/page_ids.h"
#include "session/replay.h"
#include "session/study_library.h"
#include "settings/app_settings.h"
#include "settings/system_folder.h"
#include "study/study_spec.h"
#include "work/background.h"
#include "work/latest_job.h"

#include <QTimer>

#include <utility>

namespace scalebench {

static constexpr int kListedMs = 500;

Session::Session(const LibraryPlace& place, QObject* parent)
    : QObject(parent),
      m_library(new StudyLibrary(place, this)),
      m_live(new LiveStudy(this)),
      m_queue(new RunQueueModel(this)),
      m_checks(new MachineChecks(this)),
      m_choice(new LatestJob(this))
{
    m_live->setLibrary(place);
    connect(m_library, &StudyLibrary::placeChanged, this,
            [this] { m_live->setLibrary(m_library->place()); });
    connect(m_library, &StudyLibrary::changed, this, &Session::becomeReady);
    connect(m_library, &StudyLibrary::unreadable, this, &Session::becomeReady);
    connect(m_live, &LiveStudy::started, this, [this] {
        if (m_live->isTraining()) // new to the library, or gone on with
            m_library->refresh();
    });
    auto* soon = new QTimer(this); // the states of many runs change together
    soon->setSingleShot(true);
    soon->setInterval(kListedMs);
    connect(soon, &QTimer::timeout, m_library, &StudyLibrary::refresh);
    connect(m_live, &LiveStudy::runStateChanged, soon, [this, soon](int, RunState state) {
        if (m_live->isTraining() && state == RunState::Running && !soon->isActive())
            soon->start(); // before that nobody supervised it
    });
    connect(m_live, &LiveStudy::queued, m_library, &StudyLibrary::refresh);
    connect(m_live, &LiveStudy::finished, m_library, &StudyLibrary::refresh);
    connect(m_live, &LiveStudy::left, this, [this] {
        m_library->refresh();
        showPage(page_id::kHome);
    });
}

Session::~Session() = default;

void Session::load()
{
    probeComputer();
    m_library->refresh();
}

void Session::setPlace(const LibraryPlace& place)
{
    m_library->setPlace(place);
    m_library->refresh();
}

void Session::useLibrary(const LibraryPlace& place)
{
    if (isSystemFolder(place.dir)) {
        Q_EMIT libraryRefused(systemFolderFailure(place.dir));
        return;
    }
    m_choice->ask(
        [place] {
            const auto library = place.open();
            return library ? Result<void>() : library.failure();
        },
        [this, place](const Result<void>& opened) {
            if (!opened) {
                Q_EMIT libraryRefused(opened.failure());
                return;
            }
            auto& settings = AppSettings::instance();
            settings.setLibraryDir(place.dir);
            if (!place.dir.isEmpty())
                settings.addRecentLibrary(place.dir);
            setPlace({place.dir, !place.dir.isEmpty()});
        });
}

void Session::setTargets(const QList<TargetMachine>& targets)
{
    m_targets = targets;
    Q_EMIT targetsChanged(); // what a check found out about one counts too
}

void Session::probeComputer()
{
    // First what costs nothing, so that the plan can be checked; then what needs the engine.
    inBackground(
        this, [] { return probeThisComputer(false); },
        [this](const MachineInfo& computer) {
            setComputer(computer);
            if (computer.enginePath.isEmpty())
                return;
            inBackground(
                this, [] { return probeThisComputer(true); },
                [this](const MachineInfo& full) { setComputer(full); });
        });
}

void Session::setComputer(const MachineInfo& computer)
{
    m_computer = computer;
    m_computerRead = true;
    Q_EMIT computerChanged();
    becomeReady();
}

void Session::becomeReady()
{
    if (!m_ready && m_computerRead && m_library->isRead()) {
        m_ready = true;
        Q_EMIT ready();
    }
}

void Session::measureOtherWork()
{
    if (m_live->isTraining())
        return;
    inBackground(
        this,
        [] {
            MachineInfo measured;
            scalebench::measureOtherWork(measured);
            return measured;
        },
        [this](const MachineInfo& measured) {
            if (!m_live->isTraining())
                Q_EMIT otherWorkMeasured(measured);
        });
}

void Session::start(const StudySpec& spec)
{
    m_live->start(spec, m_computer);
}

void Session::watchStudy(const QString& studyDir)
{
    m_live->attach(studyDir);
    showPage(page_id::kRun);
}

void Session::openStudy(const QString& studyDir)
{
    Q_EMIT studyOpened(studyDir);
    if (!m_live->isTraining())
        m_live->attach(studyDir);
    showPage(page_id::kResults);
}

void Session::scaleStudy(const QString& studyDir)
{
    Q_EMIT scalingWanted(studyDir);
    showPage(page_id::kScaling);
}

void Session::openRuns(const QStringList& runDirs)
{
    Q_EMIT runsOpened(runDirs);
    showPage(page_id::kResults);
}

void Session::compareRuns(const QStringList& runDirs)
{
    Q_EMIT comparisonWanted(runDirs);
    showPage(page_id::kCompare);
}

void Session::replay(const QString& recorded, double speed)
{
    auto* replay = new Replay(recorded, speed, this);
    connect(replay, &Replay::begun, this, [this](const QString& copy) {
        m_live->attachReplay(copy);
        showPage(page_id::kRun);
    });
    connect(replay, &Replay::failed, this, [this, replay](const Failure& failure) {
        Q_EMIT replayFailed(failure);
        replay->deleteLater();
    });
    // Its copy lasts as long as it is looked at.
    const auto endUnseen = [this, replay] {
        if (!replay->dir().isEmpty() && m_live->study().dir != replay->dir())
            replay->deleteLater();
    };
    connect(m_live, &LiveStudy::started, replay, endUnseen);
    connect(m_live, &LiveStudy::left, replay, endUnseen);
    replay->start();
}

void Session::showExample()
{
    constexpr double kExampleSpeed = 5; // half a minute
    if (m_live->isTraining())
        showPublished();
    else
        replay(QStringLiteral(":/scalebench/example/bert.scalebench.zip"), kExampleSpeed);
}

void Session::showPublished()
{
    Q_EMIT publishedWanted();
    showPage(page_id::kScaling);
}

void Session::planAllWorkloads()
{
    Q_EMIT allWorkloadsWanted();
    showPage(page_id::kPlan);
}

void Session::planLike(const QString& studyDir)
{
    Q_EMIT planLikeWanted(studyDir);
    showPage(page_id::kPlan);
}

void Session::planStudy(const StudySpec& spec)
{
    Q_EMIT planWanted(spec);
    showPage(page_id::kPlan);
}

void Session::planOn(const QString& machine)
{
    Q_EMIT planOnWanted(machine);
    showPage(page_id::kPlan);
}

void Session::editMachine(const QString& machine)
{
    Q_EMIT machineWanted(machine.isEmpty() ? localMachineName() : machine);
    showPage(page_id::kMachines);
}

} // namespace scalebench
