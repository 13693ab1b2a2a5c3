// SPDX-License-Identifier: GPL-3.0-or-later
// `scalebench compare A B…` and `scalebench claim TEXT`.
#include "analysis/claim.h"
#include "analysis/compare.h"
#include "analysis/run_groups.h"
#include "base/json_fields.h"
#include "base/plain_text.h"
#include "cli.h"
#include "library/library.h"
#include "run/study.h"
#include "run/study_files.h"
#include "text_table.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

/// "STUDY", or "STUDY:TEXT" for its runs whose id has TEXT in it.
Result<RunGroup> groupOf(Library& library, const QString& word)
{
    QString name = word, part;
    Result<QString> dir = library.findStudyDir(word);
    if (!dir && word.contains(u':')) {
        name = word.section(u':', 0, -2);
        part = word.section(u':', -1);
        dir = library.findStudyDir(name);
    }
    if (!dir)
        return dir.failure();
    const Result<Study> study = loadStudy(dir.value());
    if (!study)
        return study.failure();
    RunGroup group{word, {}, {}};
    for (const RunRecord& run : study.value().runs)
        if (run.config.runId.contains(part))
            group.runs << run;
    if (group.runs.isEmpty())
        return Failure{
            u"usage"_s,
            u"No run of \"%1\" has \"%2\" in its id. \"scalebench results show %1\" lists "
            "them."_s.arg(name, part)};
    group.system = systemOf(group.runs);
    return group;
}

QStringList runDirs(const RunGroup& group)
{
    QStringList dirs;
    for (const RunRecord& run : group.runs)
        dirs << QFileInfo(studyDirOf(run.runDir)).canonicalFilePath() + u'/' + run.config.runId;
    return dirs;
}

QJsonArray valuesJson(const QList<ComparedValue>& values)
{
    QJsonArray list;
    for (const ComparedValue& value : values)
        list << QJsonObject{{u"path"_s, value.path},
                            {u"values"_s, QJsonArray::fromStringList(value.values)}};
    return list;
}

QJsonObject comparisonJson(const Comparison& comparison, const QList<RunGroup>& groups)
{
    QJsonArray times;
    for (const ComparedTime& t : comparison.times)
        times << QJsonObject{{u"workload"_s, t.workload},
                             {u"workers"_s, orNullIfZero(t.workers)},
                             {u"part"_s, t.part},
                             {u"group"_s, groups[t.group].name},
                             {u"runs"_s, t.runs},
                             {u"baseline_runs"_s, t.baselineRuns},
                             {u"mean_time_s"_s, orNull(t.timeS)},
                             {u"baseline_mean_time_s"_s, orNull(t.baselineS)},
                             {u"time_ratio"_s, orNull(t.ratio)},
                             {u"time_ratio_low"_s, orNull(t.low)},
                             {u"time_ratio_high"_s, orNull(t.high)},
                             {u"throughput_ratio"_s, orNull(t.throughputRatio)},
                             {u"with_care"_s, QJsonArray::fromStringList(t.cautions)}};
    return {{u"baseline"_s, groups.first().name},
            {u"times"_s, times},
            {u"not_compared"_s, QJsonArray::fromStringList(comparison.unmatched)},
            {u"settings"_s, valuesJson(comparison.settings)},
            {u"environment"_s, valuesJson(comparison.environment)}};
}

void printValues(const QString& title, const QList<ComparedValue>& values,
                 const QList<RunGroup>& groups)
{
    if (values.isEmpty())
        return;
    QStringList columns{title};
    for (const RunGroup& group : groups)
        columns << group.name;
    TextTable table(columns, int(columns.size()));
    for (const ComparedValue& value : values) {
        QStringList row{value.path};
        for (const QString& text : value.values)
            row << (text.isEmpty() ? u"-"_s : visibleLine(text));
        table.add(row);
    }
    out(u'\n' + table.text());
}

} // namespace

int commandCompare(const QStringList& arguments)
{
    CommandParser parser(
        u"compare STUDY[:TEXT] STUDY[:TEXT] …"_s,
        u"Compares studies of any origin, or of each only the runs with TEXT in their id, with the "
        "first one: times, settings and environment, of these only what differs."_s);
    parser.addJsonOption();
    parser.addLibraryOption();
    parser.addOption({u"all"_s, u"Lists the settings and facts that are the same, too."_s});
    parser.addPositionalArgument(u"studies"_s, u"Two or more: ids, beginnings of ids, folders."_s,
                                 u"STUDY…"_s);
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    const QStringList words = parser.positionalArguments();
    if (words.size() < 2)
        return report({u"usage"_s, u"compare needs two studies or more."_s});
    int code = kOk;
    const std::shared_ptr<Library> library = parser.openLibrary(&code);
    if (!library)
        return code;
    QList<RunGroup> groups;
    for (const QString& word : words) {
        const Result<RunGroup> group = groupOf(*library, word);
        if (!group)
            return report(group.failure());
        for (const RunGroup& other : std::as_const(groups))
            if (runDirs(other) == runDirs(group.value()))
                return report({u"usage"_s, u"\"%1\" and \"%2\" are the same runs: there is nothing "
                                           "to compare."_s.arg(other.name, word)});
        groups << group.value();
    }
    const Comparison comparison =
        compareGroups(groups, parser.isSet(u"all"_s) ? Listed::All : Listed::Differing);
    const int exitCode = comparison.times.isEmpty() ? kNotReached : kOk;
    if (parser.json()) {
        printJson(QJsonDocument(comparisonJson(comparison, groups)));
        return exitCode;
    }
    for (const ComparedTime& time : comparison.times)
        out(comparedText(time, groups) + u'\n');
    if (comparison.times.isEmpty())
        out(u"They have no series on the same number of workers and nodes in common.\n"_s);
    for (const QString& sentence : comparison.unmatched)
        out(sentence + u'\n');
    printValues(u"settings"_s, comparison.settings, groups);
    printValues(u"environment"_s, comparison.environment, groups);
    return exitCode;
}

int commandClaim(const QStringList& arguments)
{
    CommandParser parser(u"claim TEXT"_s,
                         u"Checks a sentence about scaling, for example \"8→32 GPUs, 31.5→10.67 "
                         "min\": what it amounts to and what it leaves out."_s);
    parser.addJsonOption();
    parser.addPositionalArgument(u"text"_s, u"The claim."_s);
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    const Result<Claim> claim = checkClaim(parser.positionalArguments().join(u' '));
    if (!claim)
        return report(claim.failure());
    const Claim& c = claim.value();
    if (parser.json()) {
        printJson(QJsonDocument(QJsonObject{{u"speedup"_s, c.speedup()},
                                            {u"ideal"_s, c.ideal()},
                                            {u"efficiency"_s, c.efficiency()},
                                            {u"missing"_s, QJsonArray::fromStringList(c.missing)},
                                            {u"fair"_s, c.fair}}));
        return kOk;
    }
    out(c.fair + u'\n');
    if (!c.missing.isEmpty())
        out(u"\nIt does not say:\n"_s);
    for (const QString& question : c.missing)
        out(u"  "_s + question + u'\n');
    return kOk;
}

} // namespace scalebench::cli
