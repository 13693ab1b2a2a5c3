// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/study_journal.h"

#include "run/disturbance.h"
#include "run/run_metrics.h"
#include "session/live_study.h"
#include "settings/language.h"
#include "widgets/log_view.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

namespace scalebench {

namespace {

class StudyJournalTexts
{
    Q_DECLARE_TR_FUNCTIONS(StudyJournal)
};

QString stamped(double ms, const QString& text)
{
    const QDateTime time = ms > 0 ? QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(ms))
                                  : QDateTime::currentDateTime();
    return QLocale::c().toString(time, QStringLiteral("yyyy-MM-dd HH:mm:ss  ")) + text;
}

} // namespace

QString stateLine(const RunRecord& run)
{
    switch (run.state) {
    case RunState::Queued:
        return run.waiting.isEmpty()
                   ? QString()
                   : stamped(0, StudyJournalTexts::tr("Waits: %1").arg(shownText(run.waiting)));
    case RunState::Starting:
        return stamped(
            static_cast<double>(run.startedMs),
            StudyJournalTexts::tr("Starts with %n worker(s)", nullptr, run.config.workers));
    case RunState::Running:
        return stamped(run.runStartMs, StudyJournalTexts::tr("Trains on %n worker(s)", nullptr,
                                                             run.config.workers));
    case RunState::Stopping:
        return stamped(0, StudyJournalTexts::tr("Is being stopped"));
    case RunState::Completed:
    case RunState::NotConverged:
    case RunState::Failed:
    case RunState::Cancelled:
    case RunState::Unreadable:
        break;
    }
    QString text = runStateTitle(run.state);
    if (!run.failure.message.isEmpty())
        text += QStringLiteral(": ") + shownText(run.failure.message);
    else if (run.timeToTrainS() > 0)
        text = StudyJournalTexts::tr("%1 after %2 s, %3 epochs")
                   .arg(text, QLocale::c().toString(run.timeToTrainS(), 'f', 1),
                        QLocale::c().toString(run.epochsToTarget(), 'g', 4));
    QStringList lines{stamped(static_cast<double>(run.finishedMs), text)};
    for (const QString& sentence : disturbances(run))
        lines << stamped(static_cast<double>(run.finishedMs),
                         StudyJournalTexts::tr("Disturbed: %1").arg(sentence));
    return lines.join(QLatin1Char('\n'));
}

QStringList journalOf(const RunRecord& run, qsizetype evals, qsizetype warnings)
{
    QStringList lines;
    for (; warnings < run.warnings.size(); ++warnings)
        lines << stamped(
            run.runStartMs,
            StudyJournalTexts::tr("Warning: %1").arg(shownText(run.warnings[warnings].message)));
    for (; evals < run.evals.size(); ++evals) {
        const EvalPoint& point = run.evals[evals];
        lines << stamped(run.runStartMs > 0 ? run.runStartMs + point.seconds * 1000 : 0,
                         StudyJournalTexts::tr("Epoch %1: %2")
                             .arg(QLocale::c().toString(point.epoch, 'g', 4),
                                  qualityText(run.config.workload, point.value)));
    }
    return lines;
}

StudyJournal::StudyJournal(LiveStudy* live, LogView* log, QObject* parent)
    : QObject(parent), m_live(live), m_log(log)
{
    connect(live, &LiveStudy::started, this, &StudyJournal::writeAll);
    connect(live, &LiveStudy::runStateChanged, this,
            [this](int index, RunState) { write(index, stateLine(m_live->study().runs[index])); });
    connect(live, &LiveStudy::runAdvanced, this, [this](int index, const RunDelta& delta) {
        const RunRecord& run = m_live->study().runs[index]; // the delta is in it
        const auto lines = journalOf(run, run.evals.size() - delta.evals.size(),
                                     run.warnings.size() - delta.warnings.size());
        for (const QString& line : lines)
            write(index, line);
    });
}

void StudyJournal::writeAll()
{
    const Study& study = m_live->study();
    for (int i = 0; i < study.runs.size(); ++i) {
        const RunRecord& run = study.runs[i];
        if (run.startedMs > 0)
            write(i, stamped(static_cast<double>(run.startedMs),
                             StudyJournalTexts::tr("Starts with %n worker(s)", nullptr,
                                                   run.config.workers)));
        const auto lines = journalOf(run);
        for (const QString& line : lines)
            write(i, line);
        if (isFinal(run.state))
            write(i, stateLine(run));
    }
}

void StudyJournal::write(int index, const QString& line)
{
    if (!line.isEmpty())
        m_log->append(m_live->runLabel(index), StudyJournalTexts::tr("study"), line);
}

} // namespace scalebench
