// SPDX-License-Identifier: GPL-3.0-or-later
#include "study_session.h"

#include "analysis/result_files.h"
#include "analysis/speedup_table.h"
#include "base/help_pages.h"
#include "base/interruption.h"
#include "cli.h"
#include "machine/study_machine.h"
#include "run/run_metrics.h"
#include "run/run_series.h"
#include "run/run_status.h"
#include "run/stream_faults.h"
#include "run/study_queue.h"
#include "text_table.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QSocketNotifier>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <fcntl.h>
#include <unistd.h>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

/// Until then a run that follows another has begun, and a wish is in the study's folder.
static constexpr int kSettledMs = 1000;

static int s_signalPipe[2] = {-1, -1};

static void forwardSignal(int signal)
{
    const char byte = char(signal);
    if (::write(s_signalPipe[1], &byte, 1) < 0)
        return;
}

StudySession::StudySession(std::shared_ptr<Library> library, const QString& studyDir,
                           SessionOptions options)
    : m_library(std::move(library)),
      m_studyDir(studyDir),
      m_options(options),
      m_display(options.quiet)
{
    connect(&m_controller, &StudyController::runStateChanged, this, &StudySession::onStateChanged);
    connect(&m_controller, &StudyController::runAdvanced, this, [this](int index) {
        const QList<RunRecord>& runs = m_controller.study().runs;
        if (!isFinal(runs[index].state)) // else it is only read again
            m_display.update(runs[index], index + 1, int(runs.size()));
    });
    connect(&m_controller, &StudyController::connectionChanged, this,
            &StudySession::onConnectionChanged);
    // Queued: the last state change is shown before the loop ends.
    connect(
        &m_controller, &StudyController::finished, this, [] { QCoreApplication::exit(0); },
        Qt::QueuedConnection);
}

void StudySession::catchSignals()
{
    if (::pipe2(s_signalPipe, O_CLOEXEC | O_NONBLOCK) != 0)
        return;
    auto* notifier = new QSocketNotifier(s_signalPipe[0], QSocketNotifier::Read, this);
    connect(notifier, &QSocketNotifier::activated, this, &StudySession::onSignal);
    struct sigaction action {
    };
    action.sa_handler = forwardSignal;
    action.sa_flags = SA_RESTART;
    for (int signal : {SIGINT, SIGTERM, SIGHUP})
        ::sigaction(signal, &action, nullptr);
    ::signal(SIGPIPE, SIG_IGN);
}

void StudySession::onSignal()
{
    char byte = 0;
    while (::read(s_signalPipe[0], &byte, 1) == 1) {
        if (byte == SIGHUP) { // the terminal is gone; the runs and the files at the end are not
            m_display.silence();
            m_options.quiet = true;
            continue;
        }
        if (m_interrupted) {
            stopAgain();
            continue;
        }
        m_interrupted = true;
        if (m_options.attach) {
            m_display.note(m_controller.isPaused() ? u"Left alone; it stays paused."_s
                                                   : u"Left alone; it goes on."_s);
            QCoreApplication::exit(kCancelled);
            return;
        }
        m_display.note(u"Stopping; what was measured so far is kept …"_s);
        if (isOutOfReach())
            m_display.note(u"The machine cannot be reached: it is told as soon as it can. Stop "
                           "again to leave the study alone, which goes on there."_s);
        m_controller.stopNow();
    }
}

bool StudySession::isOutOfReach() const
{
    const ConnectionState connection = m_controller.connectionState();
    return connection.remote && !connection.connected;
}

/// Whoever stops twice does not want to wait.
void StudySession::stopAgain()
{
    if (!isOutOfReach())
        return m_controller.stopNow();
    m_display.note(
        u"Left alone: the machine was not reached, so the study should go on there. Once it "
        "can be reached: scalebench follow %1 --stop"_s.arg(m_studyDir));
    m_left = true;
    QCoreApplication::exit(kCancelled);
}

/// A queue that waits says nothing by itself. Told once it has settled, for a wish may be on its
/// way there.
void StudySession::notePause()
{
    if ((m_isRemote && !m_controller.connectionState().connected) || m_interrupted ||
        queuedRuns(m_studyDir).isEmpty())
        return;
    const bool paused = m_controller.isPaused();
    if (paused == m_pauseTold)
        return;
    m_pauseTold = paused;
    m_display.note(
        paused ? u"Paused: no further run starts until \"scalebench follow %1 --continue\"."_s.arg(
                     m_studyDir)
               : u"The queue goes on."_s);
}

void StudySession::tellWishes()
{
    for (const QString& wish : m_wishes) {
        if (wish == "stop"_L1) {
            m_display.note(u"Stopping; what was measured so far is kept …"_s);
            m_controller.stopNow();
        } else if (wish == "stop-after-run"_L1) {
            m_display.note(u"Stopping once the run that is going on has ended …"_s);
            m_controller.stopAfterRun();
        } else if (m_isRemote) { // another window may be the one that is connected
            m_display.note(u"The machine is told to %1 the queue."_s.arg(wish));
            wish == "pause"_L1 ? m_controller.pauseQueue() : m_controller.continueQueue();
        } else if (wish == "pause"_L1) {
            m_controller.pauseQueue();
        } else if (wish == "continue"_L1) {
            m_pauseTold = true;
            m_controller.continueQueue();
        }
    }
}

void StudySession::onConnectionChanged(const ConnectionState& state)
{
    if (!state.connected && !m_wasDisconnected)
        m_display.note(
            u"Disconnected: %1 The study should go on there; connecting again …"_s.arg(state.text));
    else if (state.connected && m_wasDisconnected)
        m_display.note(u"Connected again."_s);
    m_wasDisconnected = !state.connected;
    if (!state.connected)
        return;
    if (!state.text.isEmpty() && m_nothingCopied.isEmpty())
        m_display.note(state.text);
    else if (state.text.isEmpty() && !m_nothingCopied.isEmpty())
        m_display.note(u"There is room again; it is copied."_s);
    m_nothingCopied = state.text;
    QTimer::singleShot(kSettledMs, this, &StudySession::notePause);
}

static QString epochsText(const RunRecord& run)
{
    const double epochs = run.epochsToTarget();
    if (!(epochs > 0))
        return u"-"_s;
    const bool millions =
        run.setup.value("epoch_unit"_L1).toString() == "million_samples"_L1; // of an imported log
    return formatNumber(epochs, epochDigits(epochs)) + (millions ? u" M samples"_s : QString());
}

void StudySession::onStateChanged(int index, RunState state)
{
    const QList<RunRecord>& runs = m_controller.study().runs;
    const RunRecord& run = runs[index];
    const QString name = u"[%1/%2] %3"_s.arg(index + 1).arg(runs.size()).arg(run.config.runId);
    if (!run.waiting.isEmpty() && run.waiting != m_waiting)
        m_display.note(name + u": "_s + run.waiting);
    m_waiting = run.waiting;
    if (state == RunState::Starting || state == RunState::Running) {
        m_display.update(run, index + 1, int(runs.size()));
        return;
    }
    if (!isFinal(state))
        return;
    QString text = name + u": "_s + runStateTitle(state).toLower();
    const QString epochs =
        epochsText(run) + (epochsText(run) == "1"_L1 ? u" epoch"_s : u" epochs"_s);
    if (run.targetReached())
        text +=
            u", %1 after %2, %3"_s.arg(bestText(run), epochs, formatDuration(run.timeToTrainS()));
    else if (state == RunState::Completed)
        text += u", %1, %2"_s.arg(epochs, formatDuration(run.timeToTrainS()));
    if (!run.failure.message.isEmpty())
        text += u". "_s + failureText(run);
    m_display.note(text);
    for (const NodeEnd& node : run.nodeEnds) // which the message may have said
        if (!node.clean && !run.failure.message.contains(node.text))
            m_display.note(u"    %1 %2"_s.arg(node.host, node.text));
    QTimer::singleShot(kSettledMs, this, &StudySession::notePause);
    if (state == RunState::Failed && m_options.quiet)
        error(run.config.runId + u": "_s + failureText(run));
}

int StudySession::exec()
{
    catchSignals();
    const Result<void> started =
        m_options.attach ? m_controller.attach(m_studyDir) : m_controller.start(m_studyDir);
    if (!started)
        return report(started.failure());
    if (const Result<void> may = m_controller.mayAct(); !m_wishes.isEmpty() && !may)
        return report(may.failure());
    const Result<TargetMachine> machine = studyMachine(m_studyDir);
    m_isRemote = machine && machine.value().isBehindLogin();
    const QList<RunRecord>& runs = m_controller.study().runs;
    const bool ended = std::all_of(runs.begin(), runs.end(),
                                   [](const RunRecord& run) { return isFinal(run.state); });
    if (!ended)
        tellWishes();
    else if (!m_wishes.isEmpty())
        m_display.note(u"The study has ended: there is nothing to stop or to pause."_s);
    QTimer::singleShot(kSettledMs, this, &StudySession::notePause);
    QCoreApplication::exec();
    return (m_options.attach && m_interrupted) || m_left ? int(kCancelled) : conclude();
}

int StudySession::conclude()
{
    if (!m_controller.mayAct()) { // somebody else's: nothing is written into its folder
        const Result<Study> study = loadStudy(m_studyDir);
        if (!study)
            return report(study.failure());
        if (!m_options.quiet)
            out(u'\n' + studyTables(study.value()));
        return exitCodeOf(study.value());
    }
    if (!m_nothingCopied.isEmpty())
        error(u"Not all of the study is here. Free some space, then: scalebench follow %1"_s.arg(
            m_studyDir));
    (void)m_library->updateIndex(m_studyDir);
    const Result<Study> study = loadStudy(m_studyDir);
    if (!study)
        return report(study.failure());
    if (!m_options.quiet)
        out(u'\n' + studyTables(study.value()));
    writeFiles(study.value());
    // A stop that came when all was done has cancelled nothing.
    const int code = exitCodeOf(study.value());
    if (isInterrupted() || (m_interrupted && code == kFailed))
        return kCancelled;
    return m_filesFailed && (code == kOk || code == kNotReached) ? kFailed : code;
}

void StudySession::writeFiles(const Study& study)
{
    if (const Result<void> written = writeCsvFiles(study, m_studyDir); !written) {
        error(written.failure().message);
        m_filesFailed = true;
    }
    const bool anyData = std::any_of(study.runs.begin(), study.runs.end(),
                                     [](const RunRecord& run) { return !run.evals.isEmpty(); });
    watchInterruption(); // nothing is left to stop but the drawing
    if (m_options.pictures && anyData)
        if (const Result<void> drawn = renewPictures(m_studyDir, m_studyDir); !drawn)
            error(drawn.failure().message);
    if (m_options.quiet)
        return;
    out(u"\nFiles in %1:\n"_s.arg(m_studyDir));
    const QDir dir(m_studyDir);
    for (const QString& name :
         dir.entryList({u"*.csv"_s, u"*.png"_s, u"*.svg"_s, u"*.pdf"_s}, QDir::Files, QDir::Name))
        out(u"  %1\n"_s.arg(name));
    out(u"  runs/ (%1 run folders)\n"_s.arg(study.runs.size()));
}

QString failureText(const RunRecord& run)
{
    const QString& code = run.failure.code;
    const bool failed = run.state == RunState::Failed || run.state == RunState::Unreadable;
    if (!failed || code.isEmpty())
        return run.failure.message;
    return u"%1 (%2%3)"_s.arg(run.failure.message,
                              helpOnError(code, u"en"_s) ? u"scalebench help "_s : QString(), code);
}

/// "4", or "4 (2x2)" where runs of the study differ in how the workers are spread.
static QString workersText(int workers, int nodes, bool overHosts)
{
    if (workers < 1) // not known
        return u"-"_s;
    return overHosts && nodes > 0
               ? u"%1 (%2)"_s.arg(workers).arg(Shape{nodes, workers / nodes}.text())
               : QString::number(workers);
}

QString studyTables(const Study& study)
{
    const bool overHosts = std::any_of(study.runs.begin(), study.runs.end(),
                                       [](const RunRecord& run) { return run.config.nodes > 1; });
    const bool anyMarks =
        std::any_of(study.runs.begin(), study.runs.end(),
                    [](const RunRecord& run) { return !runMarks(run).isEmpty(); });
    TextTable runs({u"run"_s, u"status"_s, u"workers"_s, u"quality"_s, u"target"_s, u"epochs"_s,
                    u"time to train"_s, u"samples/s"_s, anyMarks ? u"note"_s : QString()},
                   2);
    for (const RunRecord& run : study.runs) {
        const bool any = !run.evals.isEmpty();
        runs.add({run.config.runId, runStateTitle(run.state).toLower(),
                  workersText(run.config.workers, run.config.nodes, overHosts),
                  any ? bestText(run) : u"-"_s,
                  run.config.hasTarget()              ? targetText(run.config)
                  : run.state == RunState::Unreadable ? u"-"_s
                                                      : u"none"_s,
                  epochsText(run), hasTime(run) ? formatDuration(run.timeToTrainS()) : u"-"_s,
                  run.throughput > 0 ? formatNumber(run.throughput, 0) : u"-"_s,
                  runMarks(run).join(u", "_s)});
    }
    QString text = runs.text();
    for (const RunRecord& run : study.runs)
        for (const QString& sentence : runRemarks(run))
            text += u"%1: %2\n"_s.arg(run.config.runId, sentence);
    const QList<SpeedupRow> rows = speedupTable(study.runs);
    const auto noteOf = [](const SpeedupRow& row) {
        return row.runs == 0 && row.remark.isEmpty() ? explainRow(row) : row.remark;
    };
    const bool anyNote = std::any_of(rows.begin(), rows.end(),
                                     [&](const SpeedupRow& row) { return !noteOf(row).isEmpty(); });
    TextTable speedup({u"series"_s, u"workers"_s, u"batch"_s, u"runs"_s, u"not converged"_s,
                       u"mean time"_s, u"speedup"_s, u"efficiency"_s, u"= epochs ratio"_s,
                       u"x step-time ratio"_s, u"samples/s ratio"_s,
                       anyNote ? u"note"_s : QString()},
                      1);
    for (const SpeedupRow& row : rows)
        speedup.add({row.group + (row.oversubscribed ? u" (oversubscribed)"_s : QString()),
                     workersText(row.workers, row.nodes, overHosts),
                     row.globalBatch > 0 ? QString::number(row.globalBatch) : u"-"_s,
                     QString::number(row.runs), QString::number(row.notConverged),
                     formatDuration(row.meanTimeS), formatNumber(row.speedup, 3),
                     formatPercent(row.efficiency), formatNumber(row.epochsRatio, 3),
                     formatNumber(row.stepTimeRatio, 3), formatNumber(row.throughputRatio, 3),
                     noteOf(row)});
    return text + u'\n' + speedup.text();
}

int exitCodeOf(const Study& study)
{
    bool cancelled = false, failed = false, notReached = false;
    for (const RunRecord& run : study.runs) {
        failed = failed || run.state == RunState::Failed || run.state == RunState::Unreadable ||
                 !isFinal(run.state);
        notReached = notReached || run.state == RunState::NotConverged;
        cancelled = cancelled || (run.state == RunState::Cancelled &&
                                  !isLeftOut(run.state, run.failure)); // as the study asked
    }
    return failed ? kFailed : cancelled ? kCancelled : notReached ? kNotReached : kOk;
}

} // namespace scalebench::cli
