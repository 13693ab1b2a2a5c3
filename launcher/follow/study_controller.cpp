// SPDX-License-Identifier: GPL-3.0-or-later
#include "follow/study_controller.h"

#include "base/let_go.h"
#include "follow/run_follower.h"
#include "run/own_studies.h"
#include "run/study_files.h"
#include "run/study_queue.h"

#include <QThread>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

struct StudyController::Private {
    Study study;
    std::unique_ptr<QThread> thread;
    StudyFollower* follower = nullptr; ///< lives in `thread`, deleted there
    bool active = false;
    bool own = false; ///< planned by this user here: may be acted on
    ConnectionState connection;
    int generation = 0; ///< tells late batches of a follower that was replaced

    void end()
    {
        if (!thread)
            return;
        letGo(std::move(thread)); // it may be asking hosts, or a folder that does not answer
        follower = nullptr;
        active = false;
    }
};

StudyController::StudyController(QObject* parent) : QObject(parent), d(std::make_unique<Private>())
{
    qRegisterMetaType<scalebench::RunBatch>();
    qRegisterMetaType<scalebench::RunDelta>();
    qRegisterMetaType<scalebench::RunState>();
    qRegisterMetaType<scalebench::ConnectionState>();
}

StudyController::~StudyController()
{
    d->end();
}

const Study& StudyController::study() const
{
    return d->study;
}

int StudyController::currentRun() const
{
    for (int i = 0; i < d->study.runs.size(); ++i) {
        const RunState state = d->study.runs[i].state;
        if (!isFinal(state) && state != RunState::Queued)
            return i;
    }
    return -1;
}

bool StudyController::isActive() const
{
    return d->active;
}

bool StudyController::isPaused() const
{
    return d->connection.paused || queuePaused(d->study.dir);
}

Result<void> StudyController::mayAct() const
{
    return d->own ? Result<void>() : foreignStudy(d->study.dir);
}

ConnectionState StudyController::connectionState() const
{
    return d->connection;
}

Result<void> StudyController::start(const QString& studyDir)
{
    const Result<StudyToFollow> read = readStudyToFollow(studyDir);
    return read ? follow(read.value(), true) : read.failure();
}

Result<void> StudyController::attach(const QString& studyDir)
{
    const Result<StudyToFollow> read = readStudyToFollow(studyDir);
    return read ? follow(read.value(), false) : read.failure();
}

Result<StudyToFollow> readStudyToFollow(const QString& studyDir)
{
    Result<Study> study = loadStudyHead(studyDir);
    if (!study)
        return study.failure();
    const bool own = isOwnStudy(study.value().dir);
    return StudyToFollow{study.value(), own};
}

Result<void> StudyController::follow(const StudyToFollow& read, bool startQueued)
{
    d->end();
    const bool own = read.own;
    if (startQueued && !own)
        return foreignStudy(read.study.dir);
    if (startQueued)
        withdrawStopAfterRun(read.study.dir);
    d->own = own;
    d->connection = {};
    d->study = read.study;
    QStringList dirs;
    QList<int> workers;
    bool ended = true, begun = false;
    for (const RunRecord& run : d->study.runs) {
        dirs << run.runDir;
        workers << run.config.workers;
        ended = ended && isFinal(run.state);
        begun = begun || run.state != RunState::Queued;
    }
    const bool onlyRead = !startQueued && (ended || !own);
    const int generation = ++d->generation;
    d->thread = std::make_unique<QThread>();
    d->follower = new StudyFollower(d->study.dir, dirs, workers,
                                    onlyRead      ? StudyFollower::Does::OnlyRead
                                    : startQueued ? StudyFollower::Does::StartQueued
                                    : begun       ? StudyFollower::Does::GoOn
                                                  : StudyFollower::Does::Keep);
    const auto backlog = std::make_shared<std::atomic<int>>(0);
    d->follower->setBacklog(backlog);
    d->follower->moveToThread(d->thread.get());
    connect(d->thread.get(), &QThread::finished, d->follower, &QObject::deleteLater);
    connect(d->thread.get(), &QThread::started, d->follower, &StudyFollower::begin);
    connect(d->follower, &StudyFollower::batch, this,
            [this, generation, backlog](const RunBatch& batch) {
                --*backlog;
                if (generation != d->generation)
                    return;
                RunRecord& run = d->study.runs[batch.index];
                if (batch.restarted) {
                    RunRecord fresh;
                    fresh.config = run.config;
                    fresh.runDir = run.runDir;
                    fresh.createdMs = run.createdMs;
                    run = fresh;
                    Q_EMIT runRestarted(batch.index);
                }
                if (!batch.delta.isEmpty()) {
                    run.apply(batch.delta);
                    Q_EMIT runAdvanced(batch.index, batch.delta);
                }
                for (const auto& [source, text] : batch.logs)
                    Q_EMIT logText(batch.index, source, text);
                if (batch.status) {
                    run.state = batch.status->state;
                    run.failure = batch.status->error;
                    run.command = batch.status->command;
                    run.startedMs = batch.status->startedMs;
                    run.finishedMs = batch.status->finishedMs;
                    run.waiting = batch.status->waiting;
                    run.nodeEnds = batch.status->nodeEnds;
                    run.attempts = batch.status->attempt;
                    Q_EMIT runStateChanged(batch.index, run.state);
                }
            });
    connect(d->follower, &StudyFollower::connectionChanged, this,
            [this, generation](const ConnectionState& state) {
                if (generation != d->generation)
                    return;
                d->connection = state;
                Q_EMIT connectionChanged(state);
            });
    connect(d->follower, &StudyFollower::finished, this, [this, generation] {
        if (generation != d->generation)
            return;
        d->active = false;
        Q_EMIT finished();
    });
    d->active = true;
    d->thread->start();
    return {};
}

void StudyController::stopNow()
{
    if (d->follower)
        QMetaObject::invokeMethod(d->follower, &StudyFollower::stopNow);
}

void StudyController::stopAfterRun()
{
    if (d->follower)
        QMetaObject::invokeMethod(d->follower, &StudyFollower::stopAfterRun);
}

void StudyController::pauseQueue()
{
    if (d->follower)
        QMetaObject::invokeMethod(d->follower, &StudyFollower::pauseQueue);
}

void StudyController::continueQueue()
{
    if (d->follower)
        QMetaObject::invokeMethod(d->follower, &StudyFollower::continueQueue);
}

void StudyController::reconnectNow()
{
    if (d->follower)
        QMetaObject::invokeMethod(d->follower, &StudyFollower::reconnectNow);
}

} // namespace scalebench
