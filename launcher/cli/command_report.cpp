// SPDX-License-Identifier: GPL-3.0-or-later
// `scalebench report STUDY --out DIR`: a study for people who were not there.
#include "analysis/speedup_table.h"
#include "base/interruption.h"
#include "cli.h"
#include "import/published_studies.h"
#include "library/library.h"
#include "report/study_report.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

/// The options of the charts, for the program that draws them.
static Result<QStringList> chartOptions(const CommandParser& parser)
{
    static const QStringList kQuantities{u"time"_s, u"epoch"_s, u"throughput"_s};
    QStringList references;
    for (const imports::PublishedFigure& figure : imports::publishedStudies())
        references << figure.id;
    const auto unknown = [](const QString& what, const QString& word, const QString& known) {
        return Failure{u"usage"_s, u"There is no %1 \"%2\": %3."_s.arg(what, word, known)};
    };
    const QString quantity = parser.value(u"quantity"_s), baseline = parser.value(u"baseline"_s),
                  reference = parser.value(u"reference"_s);
    if (!quantity.isEmpty() && !kQuantities.contains(quantity))
        return unknown(u"quantity"_s, quantity, kQuantities.join(u", "_s));
    if (!baseline.isEmpty() && !Baseline::fromText(baseline))
        return unknown(u"baseline"_s, baseline, u"smallest, node, or a number of workers"_s);
    if (!reference.isEmpty() && !references.contains(reference))
        return unknown(u"published result"_s, reference, references.join(u", "_s));
    QStringList options;
    for (const QString& option : {u"quantity"_s, u"baseline"_s, u"reference"_s})
        if (parser.isSet(option))
            options << u"--"_s + option << parser.value(option);
    return options;
}

int commandReport(const QStringList& arguments)
{
    CommandParser parser(u"report STUDY --out DIR"_s,
                         u"Writes a study as report.html and report.pdf: findings, charts, tables, "
                         "system and method, with CSV files, pictures and a bundle beside them. "
                         "STUDY is an id, the beginning of one, a folder or \"latest\"."_s);
    parser.addJsonOption();
    parser.addLibraryOption();
    parser.addOption({u"out"_s,
                      u"Folder for the report; made if it is not there. An earlier report in it "
                      "is replaced, and files of the same names; all else stays."_s,
                      u"DIR"_s});
    parser.addOption({u"quantity"_s,
                      u"What the speedup chart is of: time (default), epoch, throughput."_s,
                      u"WHAT"_s});
    parser.addOption(
        {u"baseline"_s,
         u"What it is told against: smallest (default), node, or a number of workers."_s,
         u"WHAT"_s});
    parser.addOption({u"reference"_s,
                      u"Published results drawn beside it (scalebench results reference)."_s,
                      u"ID"_s});
    parser.addPositionalArgument(u"study"_s, u"Which study (default: latest)."_s, u"[STUDY]"_s);
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    const QStringList words = parser.positionalArguments();
    if (words.size() > 1)
        return scalebench::cli::report(
            {u"usage"_s, u"\"%1\" is one word too many."_s.arg(words[1])});
    if (parser.value(u"out"_s).isEmpty())
        return scalebench::cli::report({u"usage"_s, u"report needs --out DIR."_s});
    const Result<QStringList> pictures = chartOptions(parser);
    if (!pictures)
        return scalebench::cli::report(pictures.failure());
    int code = kOk;
    const std::shared_ptr<Library> library = parser.openLibrary(&code);
    if (!library)
        return code;
    const Result<QString> dir = library->findStudyDir(words.value(0, u"latest"_s));
    if (!dir)
        return scalebench::cli::report(dir.failure());
    watchInterruption();
    const Result<scalebench::report::ReportWritten> written = scalebench::report::writeReport(
        dir.value(), QFileInfo(parser.value(u"out"_s)).absoluteFilePath(), pictures.value());
    if (!written)
        return scalebench::cli::report(written.failure());
    const auto& done = written.value();
    if (!done.without.isEmpty())
        error(done.without);
    if (parser.json())
        printJson(QJsonDocument(QJsonObject{{u"folder"_s, done.folder},
                                            {u"files"_s, QJsonArray::fromStringList(done.files)},
                                            {u"without"_s, done.without}}));
    else
        out(u"Wrote %1 to %2: %3\n"_s.arg(counted(done.files.size(), u"file"_s), done.folder,
                                          done.files.join(u", "_s)));
    return done.without.isEmpty() ? kOk : kFailed;
}

} // namespace scalebench::cli
