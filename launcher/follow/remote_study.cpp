// SPDX-License-Identifier: GPL-3.0-or-later
#include "follow/remote_study.h"

#include "run/run_status.h"
#include "run/study_files.h"
#include "run/study_queue.h"
#include "ssh/ssh.h"

#include <QDateTime>
#include <QFileInfo>
#include <QJsonArray>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr int kControlMs = 20'000;

RemoteStudy::RemoteStudy(QString studyDir, const TargetMachine& machine, Waiting waiting,
                         QObject* parent)
    : QObject(parent), m_studyDir(std::move(studyDir)), m_machine(machine), m_waiting(waiting)
{
    m_state.remote = true;
    const Result<QStringList> plan = readPlan(m_studyDir);
    m_fresh =
        waiting == Waiting::Start && plan && queuedRuns(m_studyDir).size() == plan.value().size();
}

MirrorSetup RemoteStudy::setup() const
{
    MirrorSetup setup;
    setup.machine = m_machine;
    setup.host = m_machine.login;
    setup.remoteDir = m_machine.folder + u"/remote/"_s + remoteStudyName(m_studyDir).text();
    setup.localDir = m_studyDir;
    setup.upload = setup.giveUpAtFirst = m_fresh;
    if (m_waiting == Waiting::Start)
        setup.requeue = queuedRuns(m_studyDir);
    return setup;
}

void RemoteStudy::tick()
{
    if (m_mirror || m_done || !m_lock.acquire(m_studyDir, 0))
        return;
    m_mirror = std::make_unique<FolderMirror>(setup());
    connect(m_mirror.get(), &FolderMirror::connected, this, [this] {
        // The server before may have died right after it heard to start, and with it a supervisor
        // that had not begun: nobody else would start what waits there.
        if (m_reached && m_waiting != Waiting::Stay)
            m_mirror->request({{u"do"_s, u"go_on"_s}});
        m_reached = true;
        m_state = {true, true, 0, QDateTime::currentMSecsSinceEpoch(), {}, m_state.paused};
        Q_EMIT connectionChanged(m_state);
    });
    connect(m_mirror.get(), &FolderMirror::noRoom, this, [this](const Failure& why) {
        m_state.text = why.message;
        Q_EMIT connectionChanged(m_state);
    });
    connect(m_mirror.get(), &FolderMirror::disconnected, this, &RemoteStudy::onDisconnected);
    connect(m_mirror.get(), &FolderMirror::stateReceived, this, [this](const QJsonObject& state) {
        if (const bool paused = state.value("paused"_L1).toBool(); paused != m_state.paused) {
            m_state.paused = paused;
            Q_EMIT connectionChanged(m_state);
        }
        if (!state.value("done"_L1).toBool())
            return;
        m_done = true;
        m_mirror->close();
        m_lock.release(); // another window that waits for its turn sees the end too
    });
    if (m_waiting != Waiting::Stay)
        m_mirror->request({{u"do"_s, m_waiting == Waiting::Start ? u"start"_s : u"go_on"_s}});
    m_mirror->open();
}

void RemoteStudy::onDisconnected(const Failure& why, int tries, bool final)
{
    if (m_state.connected || m_state.sinceMs == 0)
        m_state.sinceMs = QDateTime::currentMSecsSinceEpoch();
    m_state.connected = false;
    m_state.tries = tries;
    m_state.text = why.message;
    Q_EMIT connectionChanged(m_state);
    if (!final)
        return;
    // Only where nothing can run any more. With another version over there, for one, it still may,
    // and a run told to have failed would never be followed again.
    const bool neverGotThere = m_fresh && !m_reached;
    if (neverGotThere || why.code == "study_lost"_L1)
        failOpen(why);
    m_done = true;
    m_lock.release();
}

/// The study never got there, or is there no more: every run that has not ended says why.
void RemoteStudy::failOpen(const Failure& failure)
{
    const Result<QStringList> plan = readPlan(m_studyDir);
    for (const QString& runId : plan ? plan.value() : QStringList()) {
        Result<RunStatus> status = readRunStatus(runDirOf(m_studyDir, runId));
        if (!status || isFinal(status.value().state))
            continue;
        status.value().state = RunState::Failed;
        status.value().finishedMs = QDateTime::currentMSecsSinceEpoch();
        status.value().error = failure;
        (void)writeRunStatus(runDirOf(m_studyDir, runId), status.value());
    }
}

void RemoteStudy::request(const QString& what)
{
    const QJsonObject command{{u"do"_s, what}};
    if (m_mirror)
        return m_mirror->request(command);
    // Another window keeps the copy: a connection for this one word.
    auto* call = new RemoteCall(m_machine, m_machine.login, this);
    connect(call, &RemoteCall::done, call, &QObject::deleteLater);
    call->setOptions({.multiplexed = true});
    call->start(FolderMirror::serveCommand(setup()),
                frame({{u"do"_s, u"hello"_s}, {u"protocol"_s, kFolderProtocol}}) + frame(command),
                kControlMs);
}

void RemoteStudy::reconnectNow()
{
    if (m_mirror)
        m_mirror->reconnectNow();
}

} // namespace scalebench
