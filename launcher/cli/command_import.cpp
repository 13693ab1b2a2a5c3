// SPDX-License-Identifier: GPL-3.0-or-later
// `scalebench import PATH...`: results of other origin into the library.
#include "cli.h"
#include "import/take_in.h"
#include "import_json.h"
#include "text_table.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QMap>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <unistd.h>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;
using namespace scalebench::imports;

namespace {

volatile std::sig_atomic_t interrupted = 0;

void onInterrupt(int)
{
    interrupted = 1;
}

QString countText(qint64 value)
{
    return value > 0 ? QString::number(value) : u"-"_s;
}

QString epochsText(const ImportedRun& run)
{
    if (!run.epochs)
        return u"-"_s;
    if (run.epochUnit == "samples"_L1)
        return QString::number(*run.epochs, 'f', 0) + u" samples"_s;
    return QString::number(*run.epochs, 'g', 9);
}

/// Damaged files count as read, and nothing may have come of them.
bool hasRuns(const ImportReport& report)
{
    return std::ranges::any_of(report.files,
                               [](const ImportedFile& file) { return !file.runs.isEmpty(); });
}

void addRow(TextTable& table, const ImportedFile& file, const ImportedRun& run)
{
    const auto minutes = run.minutes();
    const auto quality = run.lastQuality();
    const QString state = file.outcome == FileOutcome::Damaged ? u"damaged"_s
                          : run.converged                      ? u"yes"_s
                                                               : u"no"_s;
    table.add({shortImportPath(file.path) +
                   (file.runs.size() > 1 ? u" #%1"_s.arg(run.source.run) : QString()),
               run.benchmark, run.round, run.submitter.isEmpty() ? u"-"_s : run.submitter, state,
               run.processors > 0 ? u"%1 CPUs"_s.arg(run.processors) : countText(run.accelerators),
               countText(run.globalBatch), QString::number(run.evals.size()),
               quality ? QString::number(*quality, 'g', 6) : u"-"_s, epochsText(run),
               minutes ? QString::number(*minutes, 'f', 4) : u"-"_s});
}

/// Reference points and collectives: one line each.
QString referencesText(const ImportReport& report)
{
    QString text;
    for (const ImportedFile& file : report.files) {
        for (const ReferencePoint& p : file.references)
            text += u"%1: %2, batch %3: %4 %5 on average over %6 runs\n"_s.arg(
                shortImportPath(file.path), p.benchmark, QString::number(p.globalBatch),
                QString::number(p.mean(), 'g', 6), p.unit, QString::number(p.values.size()));
        if (file.collectives) {
            double best = 0;
            for (const CollectiveRow& row : file.collectives->rows)
                for (const auto& time : {row.outOfPlace, row.inPlace})
                    best = std::max(best, time && !time->isWrong() ? time->busGBs : 0);
            text += u"%1: %2 over %3 ranks, %4 sizes, at most %5 GB/s on the bus\n"_s.arg(
                shortImportPath(file.path),
                file.collectives->collective.isEmpty() ? u"collective"_s
                                                       : file.collectives->collective,
                countText(file.collectives->ranks), QString::number(file.collectives->rows.size()),
                QString::number(best, 'g', 4));
        }
    }
    return text;
}

void printReport(const ImportReport& report, const std::optional<StoreOutcome>& stored)
{
    TextTable table({u"file"_s, u"benchmark"_s, u"version"_s, u"submitter"_s, u"converged"_s,
                     u"accelerators"_s, u"batch"_s, u"evaluations"_s, u"last quality"_s,
                     u"epochs"_s, u"minutes"_s},
                    5);
    for (const ImportedFile& file : report.files)
        for (const ImportedRun& run : file.runs)
            addRow(table, file, run);
    if (hasRuns(report))
        out(table.text() + u'\n');
    if (const QString references = referencesText(report); !references.isEmpty())
        out(references + u'\n');
    if (const QStringList remarks = importRemarks(report); !remarks.isEmpty())
        out(remarks.join(u'\n') + u"\n\n"_s);
    out(u"Files: %1 read (%2 converged, %3 not converged, %4 damaged%5), %6 skipped.\n"_s
            .arg(report.read())
            .arg(report.converged)
            .arg(report.notConverged)
            .arg(report.damaged)
            .arg(report.references > 0 ? u", %1 references"_s.arg(report.references) : QString())
            .arg(report.skippedCount()));
    for (auto it = report.skipped.begin(); it != report.skipped.end(); ++it)
        out(u"  skipped, %1: %2\n"_s.arg(it.key()).arg(it.value()));
    if (!stored)
        return;
    out(u"Library: %1 and %2 stored, %3 there already%4.\n"_s
            .arg(counted(stored->stored, u"run"_s), counted(stored->references, u"reference"_s),
                 counted(stored->known + stored->knownReferences, u"was"_s, u"were"_s))
            .arg(stored->updated > 0 ? u", %1 read anew"_s.arg(stored->updated) : QString()));
    for (const QString& reason : stored->unread)
        out(u"  not read, left as it is: %1\n"_s.arg(reason));
    for (const QString& id : stored->studies)
        out(u"  scalebench results show %1\n"_s.arg(id));
}

/// Progress on a terminal only: a file of the output should hold the result.
bool showProgress(const ImportProgress& progress)
{
    if (progress.total > 100 && ::isatty(STDERR_FILENO))
        std::fprintf(stderr, "\r%d of %d files, %lld MB ", progress.done, progress.total,
                     static_cast<long long>(progress.bytes >> 20));
    return interrupted == 0;
}

Result<void> readTableOptions(const CommandParser& parser, ImportOptions& options)
{
    if (parser.isSet(u"columns"_s)) {
        const Result<CsvMapping> mapping = parseCsvMapping(parser.value(u"columns"_s));
        if (!mapping)
            return mapping.failure();
        options.columns = mapping.value();
    }
    if (parser.isSet(u"separator"_s)) {
        static const QMap<QString, QChar> kSeparators{
            {u"comma"_s, u','}, {u"semicolon"_s, u';'}, {u"tab"_s, u'\t'}, {u"bar"_s, u'|'}};
        options.csv.separator = kSeparators.value(parser.value(u"separator"_s));
        if (options.csv.separator.isNull())
            return Failure{u"usage"_s, u"--separator is comma, semicolon, tab or bar."_s};
    }
    if (parser.isSet(u"decimal-comma"_s))
        options.csv.decimalComma = true;
    options.tags.quality = parser.value(u"quality-tag"_s);
    options.tags.loss = parser.value(u"loss-tag"_s);
    return {};
}

/// Returns an exit code.
int printBundles(const TakenIn& taken, bool json, QJsonArray& list)
{
    int code = kOk;
    for (const auto& [file, read] : taken.bundles) {
        if (!read) {
            code = report(read.failure());
            list << QJsonObject{{u"path"_s, file},
                                {u"error"_s, QJsonObject{{u"code"_s, read.failure().code},
                                                         {u"message"_s, read.failure().message}}}};
            continue;
        }
        list << QJsonObject{{u"path"_s, file},
                            {u"study"_s, read.value().study},
                            {u"runs"_s, read.value().runs},
                            {u"known"_s, read.value().known}};
        if (!json)
            out(read.value().known
                    ? u"%1: was there already as %2.\n"_s.arg(file, read.value().study)
                    : u"%1: %2. scalebench results show %3\n"_s.arg(
                          file, counted(read.value().runs, u"run"_s), read.value().study));
    }
    return code;
}

} // namespace

int commandImport(const QStringList& arguments)
{
    CommandParser parser(
        u"import PATH... [options]"_s,
        u"Takes results of other origin into the library: bundles and result streams of "
        "Scalebench, MLPerf Training logs of all rounds (files or whole submissions), event files "
        "of TensorBoard, tables (CSV), reference convergence points, nccl-tests and what "
        "\"scalebench bench allreduce\" and \"alltoall\" wrote. Shows what is in each file; "
        "nothing of it is executed."_s);
    parser.addJsonOption();
    parser.addLibraryOption();
    parser.addOption({u"accelerators"_s,
                      u"How many accelerators ran, for logs that do not say (MLPerf v0.5)."_s,
                      u"N"_s});
    parser.addOption(
        {u"columns"_s,
         u"Which columns of a table hold what: workers=GPUs,minutes=Time. Those not named "
         "are found by common names."_s,
         u"FIELD=COLUMN,…"_s});
    parser.addOption({u"separator"_s, u"Of a table: comma, semicolon, tab or bar."_s, u"NAME"_s});
    parser.addOption({u"decimal-comma"_s, u"Numbers of a table are written 1,5."_s});
    parser.addOption(
        {u"quality-tag"_s, u"The scalar of an event file that is the quality."_s, u"TAG"_s});
    parser.addOption({u"loss-tag"_s, u"The scalar of an event file that is the loss."_s, u"TAG"_s});
    parser.addOption({u"dry-run"_s, u"Show only; store nothing."_s});
    parser.addPositionalArgument(u"path"_s, u"files or folders"_s, u"PATH..."_s);
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    if (parser.positionalArguments().isEmpty())
        return report({u"usage"_s,
                       u"Which files or folders? \"scalebench import --help\" lists what "
                       "is possible."_s});
    ImportOptions options;
    if (parser.isSet(u"accelerators"_s)) {
        bool ok = false;
        options.accelerators = parser.value(u"accelerators"_s).toInt(&ok);
        if (!ok || options.accelerators < 1 || options.accelerators > 1'000'000)
            return report({u"usage"_s, u"--accelerators must be a number from 1 to 1000000."_s});
    }
    if (Result<void> ok = readTableOptions(parser, options); !ok)
        return report(ok.failure());
    std::shared_ptr<Library> library;
    int code = kOk;
    if (!parser.isSet(u"dry-run"_s)) {
        library = parser.openLibrary(&code, Library::IfMissing::Create);
        if (!library)
            return code;
    }
    std::signal(SIGINT, onInterrupt);
    const TakenIn taken =
        takeIn(parser.positionalArguments(), library.get(), options, showProgress);
    const ImportReport& read = taken.report;
    if (::isatty(STDERR_FILENO))
        std::fprintf(stderr, "\r                                        \r");
    QJsonArray unpacked;
    code = printBundles(taken, parser.json(), unpacked);
    if (taken.failure)
        return report(*taken.failure);
    if (qsizetype(taken.bundles.size()) == parser.positionalArguments().size()) {
        if (parser.json())
            printJson(QJsonDocument(QJsonObject{{u"bundles"_s, unpacked}}));
        return code;
    }
    if (parser.json())
        printJson(QJsonDocument(withBundles(reportJson(read, taken.stored), unpacked)));
    else
        printReport(read, taken.stored);
    if (read.cancelled) {
        error(u"Cancelled: nothing was stored."_s);
        return kCancelled;
    }
    const QStringList paths = parser.positionalArguments();
    const bool allRead = std::ranges::all_of(
        paths, [](const QString& path) { return QFileInfo(path).isReadable(); });
    return (!hasRuns(read) && read.references == 0) || !allRead ? kUsage : code;
}

} // namespace scalebench::cli
