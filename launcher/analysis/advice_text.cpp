// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences of an advice.
#include "analysis/advice.h"
#include "analysis/advice_words.h"
#include "analysis/loss_split.h"
#include "base/translated.h"
#include "run/run_series.h"
#include "run/stream_faults.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace words = advice_words;

namespace {

QString copiesText(const AdviceRow& row)
{
    const QString copies = QLocale().toString(row.copies);
    return row.workers() == 1 ? Launcher::tr("%1 copies on 1 worker each").arg(copies)
                              : Launcher::tr("%1 copies on %2 workers each")
                                    .arg(copies, QLocale().toString(row.workers()));
}

QString timeOf(const AdviceRow& row)
{
    return words::duration(row.timeS());
}

/// All of an advice in one unit.
bool inMinutes(const Advice& advice)
{
    constexpr double kFewHours = 0.5;
    return advice.rows[advice.cheapest].workerHours < kFewHours;
}

QString priceText(const Advice& advice, const AdviceRow& row)
{
    return std::isfinite(row.cost)
               ? Launcher::tr("%1 in the price's currency").arg(words::number(row.cost))
               : words::workerTime(row.workerHours, inMinutes(advice));
}

QString intervalNote(const Advice& advice, const SpeedupRow& row)
{
    if (std::isfinite(row.timeLowS))
        return Launcher::tr("95 % interval %1 to %2, %3 runs")
            .arg(words::duration(row.timeLowS), words::duration(row.timeHighS),
                 QLocale().toString(row.runs));
    return advice.own ? Launcher::tr("of a single run") : Launcher::tr("measured elsewhere");
}

// ---- the sentence -------------------------------------------------------------------------------

QString deadlineSentence(const Advice& advice, const AdviceQuestion& question)
{
    const AdviceRow& row = advice.rows[advice.chosen];
    const QString limit = words::duration(question.deadlineS);
    if (!advice.meetsDeadline) {
        const QString sentence = Launcher::tr("No measured number of workers is done in %1: the "
                                              "fastest, %2, takes %3.");
        const auto seconds = [](double s) {
            return Launcher::tr("%1 s").arg(QLocale().toString(s, 'f', 1));
        };
        return limit != timeOf(row)
                   ? sentence.arg(limit, words::workers(row.workers()), timeOf(row))
                   : sentence.arg(seconds(question.deadlineS), words::workers(row.workers()),
                                  seconds(row.timeS())); // rounded they are the same
    }
    if (row.row.timeHighS > question.deadlineS)
        return Launcher::tr("To be done in %1, use %2: %3 a training, the cheapest that makes it "
                            "(%4). Its interval reaches beyond: it may miss.")
            .arg(limit, words::workers(row.workers()), timeOf(row), priceText(advice, row));
    return Launcher::tr("To be done in %1, use %2: %3 a training, the cheapest that makes it (%4).")
        .arg(limit, words::workers(row.workers()), timeOf(row), priceText(advice, row));
}

QString plainSentence(const Advice& advice)
{
    const AdviceRow& row = advice.rows[advice.chosen];
    const QString workers = words::workers(row.workers()), time = timeOf(row);
    if (advice.rows.size() == 1)
        return Launcher::tr("Only one number of workers was measured: %1, %2 a training. Whether "
                            "more or fewer are better is not known.")
            .arg(workers, time);
    if (advice.chosen != advice.fastest) {
        const AdviceRow& best = advice.rows[advice.fastest];
        return Launcher::tr("Use %1: %2 % of the speed of %3, %4 a training instead of %5.")
            .arg(workers, words::percent(row.share), words::workers(best.workers()), time,
                 timeOf(best));
    }
    if (advice.chosen + 1 < advice.rows.size()) {
        const AdviceRow& more = advice.rows[advice.chosen + 1];
        return Launcher::tr("Use %1: %2 a training is the fastest that was measured; with %3 it "
                            "takes %4.")
            .arg(workers, time, words::workers(more.workers()), timeOf(more));
    }
    const AdviceRow& fewer = advice.rows[advice.chosen - 1];
    return Launcher::tr("Use %1: %2 a training is the fastest that was measured; with %3 it takes "
                        "%4.")
        .arg(workers, time, words::workers(fewer.workers()), timeOf(fewer));
}

QString copiesSentence(const Advice& advice)
{
    const AdviceRow& most = advice.rows[advice.mostPerDay];
    const AdviceRow& one = advice.rows[advice.fastest];
    if (advice.rows.last().workers() < 2 || advice.rows.size() < 2)
        return {};
    if (!advice.copiesPay())
        return Launcher::tr("Copies side by side would do no more: %1 trainings a day one after "
                            "another are the most.")
            .arg(words::number(one.alonePerDay()));
    if (most.together)
        return Launcher::tr("To train many, %1 side by side do %2 a day instead of %3: measured "
                            "together, each takes %4 times as long as alone.")
            .arg(copiesText(most), words::number(most.perDay), words::number(one.alonePerDay()),
                 QLocale().toString(most.together->timeS / most.timeS(), 'f', 2));
    return Launcher::tr("To train many, %1 side by side would do %2 a day instead of %3. That is "
                        "from times measured alone: copies on one machine disturb each other.")
        .arg(copiesText(most), words::number(most.perDay), words::number(one.alonePerDay()));
}

QList<AdviceNumber> threeNumbers(const Advice& advice)
{
    const AdviceRow& row = advice.rows[advice.chosen];
    const AdviceRow& most = advice.rows[advice.mostPerDay];
    const AdviceRow& cheapest = advice.rows[advice.cheapest];
    QList<AdviceNumber> numbers;
    numbers << AdviceNumber{timeOf(row),
                            Launcher::tr("a training with %1").arg(words::workers(row.workers())),
                            intervalNote(advice, row.row)};
    numbers << AdviceNumber{
        words::number(row.alonePerDay()), Launcher::tr("trainings a day, one after another"),
        advice.copiesPay() && most.together ? Launcher::tr("%1: %2, measured together")
                                                  .arg(copiesText(most), words::number(most.perDay))
        : advice.copiesPay() ? Launcher::tr("%1: %2, if undisturbed")
                                   .arg(copiesText(most), words::number(most.perDay))
        : advice.rows.size() > 1 ? Launcher::tr("copies side by side would do no more")
                                 : Launcher::tr("whether copies would do more is not known")};
    const bool minutes = inMinutes(advice), priced = std::isfinite(row.cost);
    numbers << AdviceNumber{
        words::number(priced ? row.cost : row.workerHours * (minutes ? 60 : 1)),
        priced    ? Launcher::tr("a training, in the price's currency")
        : minutes ? Launcher::tr("worker-minutes a training")
                  : Launcher::tr("worker-hours a training"),
        advice.cheapest == advice.chosen
            ? Launcher::tr("the least of all measured")
            : Launcher::tr("the least: %1 with %2")
                  .arg(priceText(advice, cheapest), words::workers(cheapest.workers()))};
    return numbers;
}

// ---- why ----------------------------------------------------------------------------------------

QString lossSentence(const QList<RunRecord>& runs, const Advice& advice)
{
    const int workers = advice.rows.last().workers();
    for (const LossShares& loss : lossSplit(runs)) {
        if (loss.workers != workers || loss.baseline)
            continue;
        const auto* most = std::max_element(std::begin(loss.lost), std::end(loss.lost));
        constexpr double kWorthSaying = 0.02;
        if (!(*most > kWorthSaying && *most < 1)) // more than all: records that contradict the time
            return {};
        const QString share = words::percent(*most), count = words::workers(workers);
        switch (static_cast<LossCause>(most - std::begin(loss.lost))) {
        case LossCause::Compute:
            return Launcher::tr("Most is lost where computing a sample takes longer: %1 % of the "
                                "time with %2.")
                .arg(share, count);
        case LossCause::Communication:
            return Launcher::tr("Most is lost to communication: %1 % of the time with %2.")
                .arg(share, count);
        case LossCause::Input:
            return Launcher::tr("Most is lost waiting for data: %1 % of the time with %2.")
                .arg(share, count);
        case LossCause::Evaluation:
            return Launcher::tr("Most is lost to evaluation: %1 % of the time with %2.")
                .arg(share, count);
        case LossCause::Straggler:
            return Launcher::tr("Most is lost waiting for the slowest worker: %1 % of the time "
                                "with %2.")
                .arg(share, count);
        case LossCause::Epochs:
            return Launcher::tr("Most is lost to more epochs: %1 % of the time with %2.")
                .arg(share, count);
        case LossCause::Rest:
            return Launcher::tr("Most is lost to the start and what no record names: %1 % of the "
                                "time with %2.")
                .arg(share, count);
        }
    }
    return {};
}

QString energySentence(const Advice& advice)
{
    QStringList parts;
    for (const AdviceRow& row : advice.rows)
        if (std::isfinite(row.joules))
            parts << Launcher::tr("%1 Wh with %2")
                         .arg(words::number(row.joules / 3600), words::workers(row.workers()));
    return parts.size() < 2 ? QString()
                            : Launcher::tr("Energy of a training: %1.").arg(parts.join(u", "_s));
}

QStringList reasons(const Advice& advice, const QList<RunRecord>& runs)
{
    QStringList why;
    for (const int i : {advice.chosen, advice.fastest})
        if (!advice.rows[i].row.baseline)
            why << explainRow(advice.rows[i].row);
    if (why.isEmpty() && advice.rows.size() > 1)
        why << explainRow(advice.rows.last().row);
    why << lossSentence(runs, advice);
    const AdviceRow& cheapest = advice.rows[advice.cheapest];
    if (advice.rows.size() > 1)
        why << Launcher::tr("A training costs the least with %1: %2.")
                   .arg(words::workers(cheapest.workers()), priceText(advice, cheapest));
    why << energySentence(advice);
    for (const AdviceRow& row : advice.rows)
        if (row.row.notConverged > 0)
            why << Launcher::tr("With %1, runs without success that do not count: %2 beside %3 "
                                "that do.")
                       .arg(words::workers(row.workers()), QLocale().toString(row.row.notConverged),
                            QLocale().toString(row.row.runs));
    for (const AdviceRow& row : advice.rows)
        if (row.row.leftOut > 0)
            why << Launcher::tr("With %1, runs left out as their streams contradict them: %2.")
                       .arg(words::workers(row.workers()), QLocale().toString(row.row.leftOut));
    why.removeAll(QString());
    why.removeDuplicates();
    return why;
}

} // namespace

QString advice_words::number(double value)
{
    const double size = std::abs(value);
    return QLocale().toString(value, 'f', size < 0.1 ? 4 : size < 1 ? 3 : size < 100 ? 1 : 0);
}

QString advice_words::percent(double share)
{
    const double percent = std::abs(share) * 100;
    return QLocale().toString(percent, 'f', percent < 10 ? 1 : 0);
}

QString advice_words::workers(int count)
{
    return count == 1 ? Launcher::tr("1 worker")
                      : Launcher::tr("%1 workers").arg(QLocale().toString(count));
}

QString advice_words::duration(double seconds)
{
    const QLocale locale;
    if (seconds < 59.95)
        return Launcher::tr("%1 s").arg(seconds >= 0.05 || seconds <= 0
                                            ? locale.toString(seconds, 'f', 1)
                                            : locale.toString(seconds, 'g', 2));
    const qint64 whole = std::llround(seconds), minutes = std::llround(seconds / 60);
    if (whole < 3600)
        return Launcher::tr("%1 min %2 s").arg(whole / 60).arg(whole % 60);
    return Launcher::tr("%1 h %2 min").arg(locale.toString(minutes / 60)).arg(minutes % 60);
}

QString advice_words::workerTime(double hours, bool inMinutes)
{
    return inMinutes ? Launcher::tr("%1 worker-minutes").arg(number(hours * 60))
                     : Launcher::tr("%1 worker-hours").arg(number(hours));
}

void writeAdvice(Advice& advice, const QList<RunRecord>& runs, const AdviceQuestion& question)
{
    if (advice.rows.isEmpty()) {
        const bool unknown = std::any_of(runs.begin(), runs.end(), [](const RunRecord& run) {
            return hasTime(run) && run.config.workers <= 0;
        });
        advice.sentence =
            unknown ? Launcher::tr("Nothing can be advised: the number of workers is not known; "
                                   "import the files again with --accelerators.")
                    : Launcher::tr("Nothing can be advised: no run reached its target yet.");
        writeDoubts(advice, question);
        return;
    }
    advice.sentence =
        question.deadlineS > 0 ? deadlineSentence(advice, question) : plainSentence(advice);
    advice.copiesSentence = copiesSentence(advice);
    advice.numbers = threeNumbers(advice);
    advice.why = reasons(advice, runs);
    writeDoubts(advice, question);
}

} // namespace scalebench
