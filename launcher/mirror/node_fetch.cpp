// SPDX-License-Identifier: GPL-3.0-or-later
#include "mirror/node_fetch.h"

#include "base/file_io.h"
#include "base/translated.h"
#include "run/checkpoints.h"
#include "run/resume.h"
#include "ssh/left_folders.h"
#include "ssh/node_scripts.h"
#include "ssh/ssh.h"

#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QFileInfo>
#include <QTimer>
#include <QUuid>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr int kLookMs = 25'000;
static constexpr int kNodeSilenceMs = 20'000; ///< nothing came for so long
static constexpr int kReachMs = 5'000;        ///< where the connection was lost already
static constexpr int kCloseMs = 60'000;       ///< who closes a run may be a window that waits

// $4 the name of a file in the supervisor's own folder of the run.
static const char kLookScript[] = R"sh(
echo "@begin"
if [ -e "$d/$4" ]; then
    echo "own=yes"
elif is_ours; then
    [ -f "$d/result_0.txt" ] && [ ! -h "$d/result_0.txt" ] && echo "stream=yes"
    for x in "$d/checkpoint/latest.sbckpt" "$d/checkpoint/previous.sbckpt"; do
        [ -f "$x" ] && [ ! -h "$x" ] && [ ! -h "$d/checkpoint" ] && echo "checkpoint=yes"
    done
fi
echo "@end"
)sh";

MirrorSetup mirrorSetup(const NodeRun& run, const QString& localDir)
{
    MirrorSetup setup;
    setup.kind = ServedFolder::Run;
    setup.machine = run.machine;
    setup.host = run.hosts.first();
    setup.remoteDir =
        run.folder.text() + u"/remote/"_s + run.study.text() + u"/runs/"_s + run.run.text();
    setup.localDir = localDir;
    return setup;
}

bool fetchAll(FolderMirror& mirror, const std::function<bool()>& stopped)
{
    bool done = false, lost = false;
    QElapsedTimer silence;
    QObject here; // its end ends the connections
    QObject::connect(&mirror, &FolderMirror::answered, &here, [&](const QJsonObject& answer) {
        done = answer.value("is"_L1) == "fetched"_L1;
    });
    QObject::connect(&mirror, &FolderMirror::disconnected, &here,
                     [&](const Failure&, int tries, bool final) { lost = final || tries >= 2; });
    QObject::connect(&mirror, &FolderMirror::advanced, &here, [&] { silence.restart(); });
    mirror.request({{u"do"_s, u"fetch"_s}});
    silence.start();
    bool reached = mirror.isConnected();
    QEventLoop loop;
    QTimer turn; // looks at `stopped` and the clock when nothing happens
    turn.start(100);
    while (!done && !lost && silence.elapsed() < (reached ? kNodeSilenceMs : kReachMs) &&
           !(stopped && stopped())) {
        reached = reached || mirror.isConnected();
        loop.processEvents(QEventLoop::WaitForMoreEvents | QEventLoop::ExcludeUserInputEvents);
    }
    return done && mirror.isComplete();
}

/// With a connection of its own. Why not everything is here; no code: it is.
static Failure fetchRun(const NodeRun& run, const QString& localDir,
                        const std::function<bool()>& stopped)
{
    if (Result<void> made = makeFolder(localDir); !made)
        return made.failure();
    MirrorSetup setup = mirrorSetup(run, localDir);
    setup.giveUpAtFirst = true;
    FolderMirror mirror(setup);
    Failure why;
    QObject::connect(&mirror, &FolderMirror::disconnected, &mirror,
                     [&](const Failure& said) { why = said; });
    QObject::connect(&mirror, &FolderMirror::noRoom, &mirror,
                     [&](const Failure& said) { why = said; });
    mirror.open();
    if (fetchAll(mirror, stopped))
        return {};
    if (why.code.isEmpty())
        why = {u"host_timeout"_s, Launcher::tr("%1 did not send all of it.").arg(setup.host)};
    return why;
}

struct Look {
    Failure failure;
    bool stream = false, checkpoint = false;
};

static Look lookAt(const NodeRun& run, bool newConnections)
{
    const QString token = u".here-"_s + QUuid::createUuid().toString(QUuid::WithoutBraces);
    const QString path = run.localRunDir + u'/' + token;
    if (const Result<void> made = writeFileAtomically(path, {}); !made)
        return {made.failure()};
    const RemoteResult result = RemoteCall::on(
        run.machine, run.hosts.first(), scriptWords(run, {token}),
        QByteArray(kFolderScript) + kLookScript, kLookMs, {.multiplexed = !newConnections});
    QFile::remove(path);
    bool complete = false;
    const QByteArray text = '\n' + marked(result.output, &complete);
    if (!complete)
        return {result.failure.code.isEmpty()
                    ? Failure{u"remote_failed"_s,
                              Launcher::tr("%1 did not tell what the run left there.")
                                  .arg(run.hosts.first())}
                    : result.failure};
    return {{}, text.contains("\nstream=yes\n"), text.contains("\ncheckpoint=yes\n")};
}

static bool beginAlike(const QString& one, const QString& other, qint64 bytes)
{
    QFile a, b;
    if (!openOrdinaryFile(a, one) || !openOrdinaryFile(b, other))
        return false;
    while (bytes > 0) {
        const qint64 part = std::min<qint64>(bytes, 1 << 20);
        const QByteArray text = a.read(part);
        if (text.size() != part || b.read(part) != text)
            return false;
        bytes -= part;
    }
    return true;
}

/// Whether what was fetched into `from` is further than what is here, and the continuation of it.
static bool goesFurther(const QString& from, const QString& runDir)
{
    const auto there = newestCheckpoint(from), here = newestCheckpoint(runDir);
    if (!there || (here && there->step <= here->step))
        return false;
    const QString stream = streamToResume(from), own = streamToResume(runDir);
    return !here || own.isEmpty() ||
           beginAlike(stream, own, std::min(here->streamBytes, QFileInfo(own).size()));
}

/// It becomes the run's last attempt. The stream first: a checkpoint is nothing without it.
static Failure adopt(const QString& from, const QString& runDir)
{
    const QString incoming = runDir + u'/' + incomingCheckpoint();
    if (Result<void> made = makeFolder(QFileInfo(incoming).path()); !made)
        return made.failure();
    bool adopted = adoptStream(runDir, streamToResume(from));
    for (const QString& name : {previousCheckpoint(), latestCheckpoint()}) {
        if (!adopted || !QFileInfo::exists(from + u'/' + name))
            continue;
        QFile::remove(incoming); // what had come of one before the connection was lost
        adopted = QFile::rename(from + u'/' + name, incoming) &&
                  installCheckpoint(runDir) != Installed::Lost;
    }
    return adopted ? Failure()
                   : Failure{u"not_writable"_s,
                             Launcher::tr("%1 could not be written to.").arg(runDir)};
}

static void removeOwnFolder(const QString& path)
{
    QFileInfo(path).isSymLink() ? (void)QFile::remove(path) : (void)QDir(path).removeRecursively();
}

Result<bool> bringCheckpointHome(const NodeRun& run, const std::function<bool()>& stopped)
{
    const Look look = lookAt(run, false);
    if (!look.failure.code.isEmpty())
        return look.failure;
    if (!look.checkpoint)
        return false;
    // Beside what is here: half of it must not be taken for the run's.
    const QString beside = run.localRunDir + u"/.from-host"_s;
    removeOwnFolder(beside);
    Failure why = fetchRun(run, beside, stopped);
    const bool further = why.code.isEmpty() && goesFurther(beside, run.localRunDir);
    if (further)
        why = adopt(beside, run.localRunDir);
    removeOwnFolder(beside);
    if (!why.code.isEmpty())
        return Failure{
            u"checkpoint_on_host"_s,
            Launcher::tr(
                "%1 has a checkpoint of this run that could not be copied here, so the run was not "
                "resumed and nothing was removed there. %2")
                .arg(run.hosts.first(), why.message),
            why.details};
    return further;
}

void removeOrRemember(const NodeRun& run, bool isSafe, bool newConnections)
{
    QStringList left = run.hosts;
    if (isSafe)
        for (const QString& host : removeRunFolders(run, run.hosts, newConnections))
            left.removeAll(host);
    left.isEmpty() ? forgetLeft(run) : rememberLeft(run, left, isSafe);
}

ClosedNodes closeNodes(const NodeRun& run)
{
    ClosedNodes closed;
    closed.ends = finishNodes(run, run.hosts, false, true);
    const QString host = run.hosts.value(0);
    if (host.isEmpty())
        return closed;
    const Look look = lookAt(run, true);
    Failure why = look.failure;
    if (!why.code.isEmpty()) {
        closed.remains =
            Launcher::tr("%1 cannot be reached now: what it has beyond that is fetched when the "
                         "run is resumed.")
                .arg(host);
    } else if (look.stream || look.checkpoint) {
        QElapsedTimer clock;
        clock.start();
        why = fetchRun(run, run.localRunDir, [&] { return clock.elapsed() > kCloseMs; });
        if (!why.code.isEmpty())
            closed.remains =
                Launcher::tr("More of it lies on %1 and is fetched when the run is resumed "
                             "(%2)")
                    .arg(host, why.message);
    }
    removeOrRemember(run, why.code.isEmpty(), true);
    return closed;
}

} // namespace scalebench
