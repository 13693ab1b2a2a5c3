// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/run_end.h"

#include "base/translated.h"
#include "machine/open_mpi.h"
#include "run/run_metrics.h"
#include "supervise/ending_text.h"
#include "supervise/host_failures.h"

#include <QLocale>
#include <QRegularExpression>
#include <QStringList>

#include <algorithm>
#include <cmath>
#include <csignal>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

QString number(double value)
{
    return QLocale().toString(value, 'f', std::floor(value) == value ? 0 : 1);
}

class Judge
{
public:
    Judge(const RunEnd& end, const RunRecord& record)
        : m_end(end), m_record(record), m_text(usefulLauncherText(end.launcherText))
    {
    }

    RunVerdict verdict() const
    {
        RunVerdict v = firstThatFits();
        if (v.failure.code.isEmpty())
            return v;
        if (v.failure.details.isEmpty())
            v.failure.details = details();
        for (const NodeEnd& node : m_end.nodeEnds)
            if (!node.clean)
                v.failure.message += u" %1 %2."_s.arg(node.host, node.text);
        if (m_end.processesLeft > 0)
            v.failure.message +=
                u' ' +
                Launcher::tr("%1 of its processes could not be ended.").arg(m_end.processesLeft);
        return v;
    }

private:
    RunVerdict failed(const QString& code, const QString& message) const
    {
        return {RunState::Failed, {code, message, {}}};
    }

    RunVerdict firstThatFits() const
    {
        if (!m_end.launchFailure.code.isEmpty())
            return m_end.stopRequested ? cancelled()
                                       : RunVerdict{RunState::Failed, m_end.launchFailure};
        const QString& reason = m_record.stopReason;
        if (m_text.contains("cannot resume"_L1)) // the stream is that of the attempt before
            return failed(u"checkpoint"_s, lineWith("cannot resume"));
        if (m_record.stopStatus == "success"_L1)
            return {RunState::Completed, {}};
        if (reason == "target_not_reached"_L1)
            return notConverged();
        if (m_end.stopRequested)
            return cancelled();
        // Ranks and mpirun say many things when a scheduler ends them; only its mere "failed" knows
        // less than they.
        const Failure scheduler =
            m_end.slurm ? endingFailure(*m_end.slurm, whereItWas(m_record)) : Failure();
        if (!scheduler.code.isEmpty() && scheduler.code != "slurm_failed"_L1 && !m_end.stalled)
            return {RunState::Failed, scheduler};
        // Of a script that did not come to its end nobody knows more: daemons and ranks go with it.
        if (scheduler.code == "slurm_failed"_L1 && m_end.slurm->jobExit.isEmpty() &&
            !m_end.stalled && !m_record.streamError)
            return {RunState::Failed, scheduler};
        // What daemons on hosts say after that is of its death, whoever killed it.
        if (!m_end.exited && !m_end.stalled && m_end.signal == SIGKILL)
            return mpirunKilled();
        const Failure host =
            hostFailure(m_end.launcherText, !m_record.steps.isEmpty(), whereItWas(m_record));
        if (!host.code.isEmpty())
            return {RunState::Failed, {host.code, host.message, usefulLauncherText(host.details)}};
        if (m_end.stalled)
            return {RunState::Failed, m_end.stall};
        if (!scheduler.code.isEmpty() && !m_record.streamError)
            return {RunState::Failed, scheduler};
        if (m_record.streamError) {
            // mpirun knows better than the other ranks how a rank was lost.
            if (m_record.streamError->code == "rank_lost"_L1)
                if (const RunVerdict v = ofOneRank();
                    v.failure.code != "rank_failed"_L1 && !v.failure.code.isEmpty())
                    return v;
            return engineError();
        }
        // Daemons on other hosts end their ranks cleanly when mpirun is gone.
        if (!m_end.exited)
            return mpirunKilled();
        if (reason == "stopped"_L1)
            return cancelled();
        const RunVerdict loader = notLoaded();
        if (!hasBegun() && !loader.failure.code.isEmpty())
            return loader;
        const RunVerdict ended = ofOneRank();
        const bool isKnown =
            !ended.failure.code.isEmpty() && ended.failure.code != "rank_failed"_L1;
        if (!m_end.fullDisks.isEmpty() && !isKnown)
            return failed(
                u"disk_full"_s,
                Launcher::tr("%1 is full: the run ended %2. Free some space and resume it.")
                    .arg(m_end.fullDisks.join(u", "_s), whereItWas(m_record)));
        if (!ended.failure.code.isEmpty())
            return ended;
        return loader.failure.code.isEmpty() ? launchFailure() : loader;
    }

    RunVerdict mpirunKilled() const
    {
        return failed(u"mpirun_killed"_s,
                      Launcher::tr("mpirun was killed (%1) %2.")
                          .arg(describeSignal(m_end.signal), whereItWas(m_record)));
    }

    /// "61 % (best 63 %), target 80 %", in the metric's unit.
    static QString reachedText(MetricUnit unit, double last, double best, double target)
    {
        const auto text = [unit](double value) {
            return unit == MetricUnit::Share ? number(value * 100) + u" %"_s
                                             : QLocale().toString(value, 'g', 4);
        };
        return Launcher::tr("%1 (best %2), target %3").arg(text(last), text(best), text(target));
    }

    /// Of the leading metric, and of each further one by its title.
    RunVerdict notConverged() const
    {
        const RunConfig& c = m_record.config;
        QStringList metrics;
        if (c.target || c.furtherTargets.isEmpty())
            metrics << reachedText(leadingUnit(c.workload), m_record.lastQuality(),
                                   m_record.bestQuality(), c.target.value_or(0));
        for (const MetricInfo& metric : metricsOf(m_record))
            if (const auto target = valueOf(c.furtherTargets, metric.id))
                metrics << metric.title + u": "_s +
                               reachedText(metric.unit, m_record.lastOf(metric.id).value_or(0),
                                           m_record.bestOf(metric.id).value_or(0), *target);
        return {RunState::NotConverged,
                {u"target_not_reached"_s,
                 Launcher::tr("Ended at %1: kept as not converged.").arg(metrics.join(u"; "_s)),
                 {}}};
    }

    RunVerdict cancelled() const
    {
        QString ended = Launcher::tr("All of its processes have ended.");
        if (m_end.processesLeft > 0)
            ended.clear();
        for (const NodeEnd& node : m_end.nodeEnds)
            if (!node.clean)
                ended = u"%1 %2."_s.arg(node.host, node.text);
        return {RunState::Cancelled,
                {u"cancelled"_s,
                 Launcher::tr("Stopped %1. %2").arg(whereItWas(m_record), ended).trimmed(),
                 {}}};
    }

    /// What a GPU, its libraries or its arithmetic refused: the engine's words, which are the
    /// vendor's, become the details.
    RunVerdict deviceError(const Failure& error) const
    {
        const QString message =
            deviceErrorText(m_record, error.code, std::max(0, m_record.streamErrorRank));
        return message.isEmpty()
                   ? RunVerdict()
                   : RunVerdict{RunState::Failed, {error.code, message, error.message}};
    }

    RunVerdict engineError() const
    {
        const Failure& error = *m_record.streamError;
        if (const RunVerdict v = deviceError(error); !v.failure.code.isEmpty())
            return v;
        QString message = error.message;
        if (m_record.streamErrorRank > 0 && !message.contains("rank"_L1, Qt::CaseInsensitive))
            message = Launcher::tr("Rank %1: %2").arg(m_record.streamErrorRank).arg(message);
        if (error.code == "rank_lost"_L1 && !message.isEmpty()) // "rank 1 on n2 ended before …"
            message[0] = message[0].toUpper();
        if (error.code == "diverged"_L1 && !message.contains("diverged"_L1, Qt::CaseInsensitive))
            message = Launcher::tr("The training diverged: %1").arg(message);
        return failed(error.code, message);
    }

    /// mpirun's sentence about a rank that ended by a signal or with a code.
    RunVerdict rankEnded() const
    {
        const std::optional<RankEnding> ending = rankEndingIn(m_text, m_end.exitCode);
        if (!ending)
            return {};
        using How = RankEnding::How;
        const QString host =
            ending->host.isEmpty() ? hostOfRank(m_record, ending->rank) : ending->host;
        if (ending->how == How::NotStarted && !hasBegun())
            return failed(
                u"engine_not_started"_s,
                host.isEmpty()
                    ? Launcher::tr("The engine could not be started: the system cannot execute it; "
                                   "most likely it was built for another kind of computer.")
                    : Launcher::tr("The engine could not be started on %1: the system cannot "
                                   "execute it; most likely it was built for another kind of "
                                   "computer.")
                          .arg(host));
        const bool killed = ending->how == How::Signal || ending->how == How::NotStarted;
        return failed(killed ? u"rank_killed"_s : u"rank_failed"_s,
                      rankEndedText(*ending, host, m_record) +
                          (ending->rank < 0 ? QString() : lastWords(ending->rank)));
    }

    /// A signal needs no words; else the rank that said why knows better than mpirun, which tells
    /// of whoever ended first. `rank_failed`: nobody said why.
    RunVerdict ofOneRank() const
    {
        const RunVerdict ended = rankEnded();
        if (ended.failure.code == "rank_killed"_L1)
            return ended;
        const RunVerdict said = lastWordsOfOne();
        return said.failure.code.isEmpty() ? ended : said;
    }

    /// What a rank said when it gave up by itself, where the system's words tell why. Its own
    /// stderr knows better than how mpirun saw it, or another one, end.
    RunVerdict lastWordsOfOne() const
    {
        static const KnownMessage kReasons[] = {
            {"disk is full", "disk_full", QT_TRANSLATE_NOOP("Launcher", "The disk is full")},
            {"No space left on device", "disk_full",
             QT_TRANSLATE_NOOP("Launcher", "The disk or shared memory is full")},
            {"Disk quota exceeded", "disk_full",
             QT_TRANSLATE_NOOP("Launcher", "The disk quota is used up")},
            {"Read-only file system", "not_writable",
             QT_TRANSLATE_NOOP("Launcher", "The file system is read-only")},
            {"Stale file handle", "storage_lost",
             QT_TRANSLATE_NOOP("Launcher", "The network file system was lost")},
            {"Input/output error", "storage_lost",
             QT_TRANSLATE_NOOP("Launcher", "The storage failed")},
            {"Cannot allocate memory", "out_of_memory",
             QT_TRANSLATE_NOOP("Launcher", "The memory is full")},
            {"std::bad_alloc", "out_of_memory",
             QT_TRANSLATE_NOOP("Launcher", "The memory is full")},
        };
        for (auto rank = m_end.rankTexts.begin(); rank != m_end.rankTexts.end(); ++rank)
            for (const KnownMessage& reason : kReasons)
                for (const QString& line : rank.value().split(u'\n'))
                    if (line.contains(QLatin1StringView(reason.text)))
                        return failed(QString::fromLatin1(reason.code),
                                      endedBecause(reason, rank.key()) +
                                          said(line.trimmed().left(300)));
        return {};
    }

    QString endedBecause(const KnownMessage& reason, int rank) const
    {
        const QString host = hostOfRank(m_record, rank), what = Launcher::tr(reason.message);
        return host.isEmpty()
                   ? Launcher::tr("%1: the run ended %2.").arg(what, whereItWas(m_record))
                   : Launcher::tr("%1 on %2: the run ended %3.")
                         .arg(what, host, whereItWas(m_record));
    }

    bool hasBegun() const { return !m_record.workers.isEmpty() || !m_record.steps.isEmpty(); }

    /// What the system's loader said in the engine's place.
    RunVerdict notLoaded() const
    {
        static const KnownMessage kSystem[] = {
            {"error while loading shared libraries", "engine_libraries",
             QT_TRANSLATE_NOOP("Launcher",
                               "The engine could not be started: a shared library is missing.")},
            {"' not found (required by", "engine_libraries",
             QT_TRANSLATE_NOOP(
                 "Launcher", "The engine could not be started: it needs a newer system library.")},
            {"No space left on device", "disk_full",
             QT_TRANSLATE_NOOP("Launcher", "The disk or shared memory is full.")},
        };
        for (const KnownMessage& known : kSystem)
            if (m_text.contains(QLatin1StringView(known.text)))
                return explained(known);
        return {};
    }

    RunVerdict launchFailure() const
    {
        for (const KnownMessage& known : launchMessages())
            if (m_text.contains(QLatin1StringView(known.text)))
                return explained(known);
        if (m_end.exitCode == 0)
            return failed(u"ended_early"_s,
                          Launcher::tr("The engine ended without its closing record %1.")
                                  .arg(whereItWas(m_record)) +
                              lastWords(-1));
        const QString ownWords = hasBegun() ? withoutAftermath(m_text) : m_text;
        if (ownWords.isEmpty() && m_end.exitCode == 1)
            return failed(
                u"mpirun_stopped"_s,
                Launcher::tr("mpirun was stopped from outside (exit code 1, no message) %1.")
                    .arg(whereItWas(m_record)));
        // mpirun 5.0 at times says nothing of a rank that was killed while it started.
        if (const int signal = signalOfExitCode(m_end.exitCode); ownWords.isEmpty() && signal > 0)
            return failed(u"rank_killed"_s,
                          rankEndedText({RankEnding::How::Signal, -1, signal, {}}, {}, m_record));
        if (const auto lost = lostRankIn(m_text))
            return failed(u"rank_lost"_s,
                          Launcher::tr("Rank %1 on %2 ended %3; nobody said why.")
                              .arg(QString::number(lost->rank), lost->host, whereItWas(m_record)));
        return failed(u"engine_failed"_s,
                      Launcher::tr("mpirun ended with exit code %1 %2.")
                              .arg(QString::number(m_end.exitCode), whereItWas(m_record)) +
                          lastWords(-1));
    }

    RunVerdict explained(const KnownMessage& known) const
    {
        return failed(QString::fromLatin1(known.code),
                      Launcher::tr(known.message) + said(lineWith(known.text)));
    }

    QString lineWith(const char* text) const
    {
        for (const QString& line : m_text.split(u'\n'))
            if (line.contains(QLatin1StringView(text)))
                return line;
        return {};
    }

    static QString said(const QString& line)
    {
        return line.isEmpty() ? line : u' ' + Launcher::tr("It said: %1").arg(line);
    }

    /// The rank's last line; rank -1: that of any rank, else mpirun's.
    QString lastWords(int rank) const
    {
        QString text = m_end.rankTexts.value(rank);
        if (rank < 0)
            for (const QString& other : m_end.rankTexts)
                if (text.isEmpty())
                    text = other;
        if (text.trimmed().isEmpty() && rank < 0)
            text = m_text;
        const QString last = text.trimmed().section(u'\n', -1);
        return last.isEmpty() ? QString()
                              : u' ' + Launcher::tr("Its last line: %1").arg(last.left(300));
    }

    QString details() const
    {
        QString text;
        for (auto it = m_end.rankTexts.begin(); it != m_end.rankTexts.end(); ++it)
            if (!it.value().trimmed().isEmpty())
                text += u"stderr of rank %1:\n%2\n\n"_s.arg(it.key()).arg(it.value().trimmed());
        if (!m_text.isEmpty())
            text += u"mpirun:\n"_s + m_text;
        return text.trimmed();
    }

    const RunEnd& m_end;
    const RunRecord& m_record;
    QString m_text;
};

/// The shell of a job's script tells of mpirun's signal as 128 and more, as mpirun of a rank's.
RunEnd withSignalOfMpirun(RunEnd end)
{
    const int signal = signalOfExitCode(end.exitCode);
    if (end.slurm && !end.slurm->jobExit.isEmpty() && end.exited && signal > 0 &&
        !rankEndingIn(usefulLauncherText(end.launcherText), end.exitCode)) {
        end.exited = false;
        end.signal = signal;
    }
    return end;
}

} // namespace

RunVerdict judgeRunEnd(const RunEnd& end, const RunRecord& record)
{
    return Judge(withSignalOfMpirun(end), record).verdict();
}

} // namespace scalebench
