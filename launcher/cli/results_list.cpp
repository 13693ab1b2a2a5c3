// SPDX-License-Identifier: GPL-3.0-or-later
#include "results_list.h"

#include "machine/study_machine.h"
#include "run/study_queue.h"
#include "text_table.h"

#include <QDateTime>
#include <QJsonArray>
#include <QJsonObject>

#include <utility>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

/// "3/4", "3/4, 1 failed": of all runs those that were done, and what became of the others.
static QString runsText(const StudySummary& study)
{
    static const std::pair<RunState, QString> kOthers[] = {
        {RunState::Failed, u"failed"_s},
        {RunState::Unreadable, u"not readable"_s},
        {RunState::Cancelled, u"cancelled"_s}};
    int done = study.finishedRuns;
    QString others;
    for (const auto& [state, word] : kOthers)
        if (const int count = study.states.value(state); count > 0) {
            done -= count;
            others += u", %1 %2"_s.arg(count).arg(word);
        }
    return u"%1/%2%3"_s.arg(done).arg(study.runs).arg(others);
}

static QJsonObject statesJson(const StudySummary& study)
{
    QJsonObject states;
    for (auto it = study.states.begin(); it != study.states.end(); ++it)
        states.insert(runStateName(it.key()), it.value());
    return states;
}

/// Of a study with runs that have not ended: what is known of them here.
static QString goingText(const StudySummary& study)
{
    if (study.supervised)
        return u" running"_s;
    if (!study.active)
        return {};
    if (queuePaused(study.dir))
        return u" paused"_s;
    const Result<TargetMachine> machine = studyMachine(study.dir);
    const bool elsewhere = machine && machine.value().isBehindLogin();
    return elsewhere ? u" not followed"_s : u" interrupted"_s;
}

int listStudies(const CommandParser& parser, Library& library)
{
    const Result<QList<StudySummary>> studies = library.studies();
    if (!studies)
        return report(studies.failure());
    for (const Failure& damaged : library.leftOut())
        error(u"left out: %1"_s.arg(damaged.message));
    const QString tag = parser.value(u"tag"_s);
    const auto isWanted = [&tag](const StudySummary& study) {
        return tag.isEmpty() || study.tags.contains(tag, Qt::CaseInsensitive);
    };
    if (parser.json()) {
        QJsonArray list;
        for (const StudySummary& s : studies.value())
            if (isWanted(s))
                list << QJsonObject{{u"id"_s, s.id},
                                    {u"name"_s, s.name},
                                    {u"dir"_s, s.dir},
                                    {u"workload"_s, s.workload},
                                    {u"scale"_s, s.scale},
                                    {u"created_ms"_s, s.createdMs},
                                    {u"runs"_s, s.runs},
                                    {u"finished_runs"_s, s.finishedRuns},
                                    {u"states"_s, statesJson(s)},
                                    {u"active"_s, s.active},
                                    {u"origin"_s, s.origin},
                                    {u"tags"_s, QJsonArray::fromStringList(s.tags)},
                                    {u"note"_s, s.note}};
        printJson(QJsonDocument(list));
        return kOk;
    }
    if (studies.value().isEmpty()) {
        out(u"No study yet in %1. \"scalebench run resnet\" makes one.\n"_s.arg(library.dir()));
        return kOk;
    }
    TextTable table({u"study"_s, u"created"_s, u"name"_s, u"origin"_s, u"tags"_s, u"runs"_s}, 5);
    for (const StudySummary& s : studies.value()) {
        if (!isWanted(s))
            continue;
        table.add({s.id,
                   s.createdMs > 0 // else its runs cannot be read
                       ? QDateTime::fromMSecsSinceEpoch(s.createdMs).toString(u"yyyy-MM-dd HH:mm"_s)
                       : u"–"_s,
                   s.name, s.origin.isEmpty() ? u"own"_s : s.origin, s.tags.join(u", "_s),
                   runsText(s) + goingText(s)});
    }
    out(table.text());
    return kOk;
}

} // namespace scalebench::cli
