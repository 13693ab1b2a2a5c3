// SPDX-License-Identifier: GPL-3.0-or-later
// `scalebench advice STUDY`: how many workers to use, why, and what would change that.
#include "analysis/advice_study.h"
#include "base/json_fields.h"
#include "base/plain_text.h"
#include "cli.h"
#include "import/published_studies.h"
#include "library/library.h"
#include "machine/this_computer.h"
#include "run/study.h"
#include "text_table.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>

#include <algorithm>
#include <cmath>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

QJsonArray rowsJson(const Advice& advice)
{
    QJsonArray rows;
    for (const AdviceRow& row : advice.rows)
        rows << QJsonObject{{u"workers"_s, row.workers()},
                            {u"nodes"_s, orNullIfZero(row.row.nodes)},
                            {u"runs"_s, row.row.runs},
                            {u"time_s"_s, row.timeS()},
                            {u"time_low_s"_s, orNull(row.row.timeLowS)},
                            {u"time_high_s"_s, orNull(row.row.timeHighS)},
                            {u"share_of_fastest"_s, row.share},
                            {u"worker_hours"_s, row.workerHours},
                            {u"cost"_s, orNull(row.cost)},
                            {u"energy_j"_s, orNull(row.joules)},
                            {u"copies"_s, row.copies},
                            {u"copies_per_day"_s, row.perDay},
                            {u"copies_measured_together"_s, row.together.has_value()}};
    return rows;
}

QJsonValue modelJson(const Advice& advice)
{
    if (!advice.model)
        return QJsonValue::Null;
    QJsonArray errors, predicted;
    for (qsizetype i = 0; i < advice.model->samples().size(); ++i)
        errors << QJsonObject{{u"workers"_s, advice.model->samples()[i].workers},
                              {u"error"_s, advice.model->leftOutErrors()[i]}};
    for (const PredictedTime& p : advice.predicted)
        predicted << QJsonObject{{u"workers"_s, p.workers}, {u"global_batch"_s, p.globalBatch},
                                 {u"epochs"_s, p.epochs},   {u"time_s"_s, p.timeS},
                                 {u"low_50_s"_s, p.low50},  {u"high_50_s"_s, p.high50},
                                 {u"low_90_s"_s, p.low90},  {u"high_90_s"_s, p.high90},
                                 {u"far"_s, p.far}};
    return QJsonObject{{u"left_out"_s, errors},
                       {u"error"_s, advice.model->error()},
                       {u"mixed_batches"_s, advice.model->mixedBatches()},
                       {u"predicted"_s, predicted}};
}

QJsonObject adviceJson(const Advice& advice)
{
    QJsonValue next;
    if (advice.next) {
        QJsonArray workers;
        for (const int count : advice.next->workers)
            workers << count;
        next = QJsonObject{{u"workers"_s, workers},
                           {u"repeats"_s, advice.next->repeats},
                           {u"text"_s, advice.next->text}};
    }
    return {{u"series"_s, advice.group},
            {u"workload"_s, advice.workload},
            {u"workers"_s, advice.isEmpty() ? 0 : advice.rows[advice.chosen].workers()},
            {u"sentence"_s, advice.sentence},
            {u"copies"_s, advice.copiesSentence},
            {u"measured"_s, rowsJson(advice)},
            {u"variation"_s, orNull(advice.variation)},
            {u"repeats_needed"_s, advice.repeatsNeeded},
            {u"prediction"_s, modelJson(advice)},
            {u"why"_s, QJsonArray::fromStringList(advice.why)},
            {u"doubts"_s, QJsonArray::fromStringList(advice.doubts)},
            {u"next"_s, next}};
}

void printList(const QString& title, const QStringList& sentences)
{
    if (sentences.isEmpty())
        return;
    out(u"\n%1\n"_s.arg(title));
    for (const QString& sentence : sentences)
        out(u"  - %1\n"_s.arg(sentence));
}

void printAdvice(const Advice& advice)
{
    out(advice.group + u'\n' + advice.sentence + u'\n');
    if (!advice.copiesSentence.isEmpty())
        out(advice.copiesSentence + u'\n');
    if (advice.isEmpty())
        return;
    const bool priced = std::isfinite(advice.rows.first().cost);
    TextTable measured({u"workers"_s, u"runs"_s, u"time"_s, u"speed"_s,
                        priced ? u"cost"_s : u"worker-hours"_s, u"copies"_s, u"copies a day"_s},
                       0);
    for (const AdviceRow& row : advice.rows)
        measured.add({QString::number(row.workers()), QString::number(row.row.runs),
                      formatDuration(row.timeS()), formatPercent(row.share),
                      formatNumber(priced ? row.cost : row.workerHours, 4),
                      QString::number(row.copies), formatNumber(row.perDay, 1)});
    out(u'\n' + measured.text());
    if (!advice.predicted.isEmpty()) {
        TextTable predicted({u"workers"_s, u"predicted"_s, u"50 % from"_s, u"to"_s, u"90 % from"_s,
                             u"to"_s, u"how far"_s},
                            0);
        for (const PredictedTime& p : advice.predicted)
            predicted.add({QString::number(p.workers), formatDuration(p.timeS),
                           formatDuration(p.low50), formatDuration(p.high50),
                           formatDuration(p.low90), formatDuration(p.high90),
                           p.far ? u"beyond 2x: little is known"_s : u"within 2x"_s});
        out(u'\n' + predicted.text());
        out(u"Each measured count from the others: %1 off (root mean square), at most %2.\n"_s.arg(
            formatPercent(advice.model->error()), formatPercent(advice.model->worstError())));
    }
    printList(u"Why:"_s, advice.why);
    printList(u"What would change it:"_s, advice.doubts);
    if (advice.next)
        out(u"\nNext: %1\n"_s.arg(advice.next->text));
}

/// A positive number of the option, or 0 where it is not given; nothing where it is no such number.
std::optional<double> positive(const CommandParser& parser, const QString& option)
{
    if (!parser.isSet(option))
        return 0;
    bool ok = false;
    const double value = parser.value(option).toDouble(&ok);
    return ok && value > 0 && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

struct Asked {
    QList<RunRecord> runs;
    AdviceQuestion question; ///< what the first study's machine tells
};

Result<Asked> runsOf(const CommandParser& parser, Library& library)
{
    Asked asked;
    if (const QString figure = parser.value(u"published"_s); !figure.isEmpty()) {
        asked.runs = imports::publishedStudy(figure).runs;
        if (asked.runs.isEmpty())
            return Failure{u"usage"_s,
                           u"There is no published result \"%1\" with times: \"scalebench results "
                           "reference\" lists them."_s.arg(figure)};
        return asked;
    }
    QStringList words = parser.positionalArguments();
    if (words.isEmpty())
        words << u"latest"_s;
    QSet<QString> counted; // "latest" and its id name one study
    for (const QString& word : std::as_const(words)) {
        const Result<QString> dir = library.findStudyDir(word);
        if (!dir)
            return dir.failure();
        const QString folder = QFileInfo(dir.value()).canonicalFilePath();
        if (counted.contains(folder))
            continue;
        counted.insert(folder);
        const Result<Study> study = loadStudy(dir.value());
        if (!study)
            return study.failure();
        if (asked.runs.isEmpty())
            askOfMachine(asked.question, study.value(), probeThisComputer(false));
        asked.runs += study.value().runs;
    }
    return asked;
}

} // namespace

int commandAdvice(const QStringList& arguments)
{
    CommandParser parser(
        u"advice [STUDY…]"_s,
        u"Says how many workers to use for each workload of a study (default: latest; of several "
        "studies on one machine their runs together), why, and what would change that."_s);
    parser.addJsonOption();
    parser.addLibraryOption();
    parser.addOption({u"series"_s, u"Only those with TEXT in their name."_s, u"TEXT"_s});
    parser.addOption({u"deadline"_s, u"A training must be done in so many minutes."_s, u"MIN"_s});
    parser.addOption({u"resolve"_s,
                      u"Difference to be told from chance, in per cent (default: 5)."_s, u"PCT"_s});
    parser.addOption(
        {u"price"_s, u"Of a node, per hour (default: the study's machine's)."_s, u"PRICE"_s});
    parser.addOption(
        {u"published"_s, u"Of published results (scalebench results reference)."_s, u"ID"_s});
    parser.addPositionalArgument(u"studies"_s, u"Ids, beginnings of ids, folders."_s,
                                 u"[STUDY…]"_s);
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    for (const QString& option : {u"deadline"_s, u"resolve"_s, u"price"_s})
        if (!positive(parser, option))
            return report({u"usage"_s, u"--%1 needs a number above 0, not \"%2\"."_s.arg(
                                           option, parser.value(option))});
    int code = kOk;
    const std::shared_ptr<Library> library = parser.openLibrary(&code);
    if (!library)
        return code;
    const Result<Asked> asked = runsOf(parser, *library);
    if (!asked)
        return report(asked.failure());
    AdviceQuestion question = asked.value().question;
    question.deadlineS = 60 * *positive(parser, u"deadline"_s);
    if (parser.isSet(u"resolve"_s))
        question.resolve = *positive(parser, u"resolve"_s) / 100;
    if (parser.isSet(u"price"_s))
        question.pricePerNodeHour = *positive(parser, u"price"_s);
    const QStringList groups = adviceGroups(asked.value().runs);
    if (groups.isEmpty()) {
        error(u"Nothing can be advised: no run of these has reached its target yet."_s);
        return kNotReached;
    }
    QList<Advice> all;
    for (const QString& group : groups)
        if (group.contains(parser.value(u"series"_s), Qt::CaseInsensitive))
            all << advise(asked.value().runs, group, question);
    if (all.isEmpty())
        return report(
            {u"usage"_s,
             u"No series with a run that reached its target has \"%1\" in its "
             "name. There are: %2."_s.arg(parser.value(u"series"_s), groups.join(u"; "_s))});
    const bool any =
        std::any_of(all.begin(), all.end(), [](const Advice& advice) { return !advice.isEmpty(); });
    const int exitCode = any ? kOk : kNotReached;
    if (parser.json()) {
        QJsonArray list;
        for (const Advice& advice : std::as_const(all))
            list << adviceJson(advice);
        printJson(QJsonDocument(list));
        return exitCode;
    }
    for (qsizetype i = 0; i < all.size(); ++i) {
        if (i > 0)
            out(u"\n"_s);
        printAdvice(all[i]);
    }
    return exitCode;
}

} // namespace scalebench::cli
