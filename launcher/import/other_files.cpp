// SPDX-License-Identifier: GPL-3.0-or-later
#include "other_files.h"
#include "base/translated.h"

#include "base/ordinary_file.h"
#include "bench_table.h"

#include <QFileInfo>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qint64 kMostFileBytes = 256 << 20;

ImportedFile damagedFile(ImportedFile file, const Failure& failure)
{
    file.outcome = FileOutcome::Damaged;
    file.defects = {{0, failure.message}};
    file.defectCount = 1;
    file.reason = failure.message;
    return file;
}

void finish(ImportedFile& file, FileOutcome whole)
{
    int number = 0;
    for (ImportedRun& run : file.runs)
        run.source = {file.path, file.sha256, file.bytes, ++number};
    file.outcome = file.defectCount > 0 ? FileOutcome::Damaged : whole;
}

ImportedFile readEvents(ImportedFile file, const QByteArray& bytes, const ImportOptions& options)
{
    file.kind = u"tensorboard"_s;
    const Result<EventFile> events = parseEventFile(bytes, file.path);
    if (!events)
        return damagedFile(file, events.failure());
    file.records = events.value().records;
    file.defects = events.value().defects;
    file.defectCount = events.value().defectCount;
    if (auto run = runOfEvents(events.value(), file.path, options.tags)) {
        run->accelerators = options.accelerators;
        for (const LogDefect& defect : file.defects)
            run->remarks << Launcher::tr("record %1: %2").arg(defect.line).arg(defect.text);
        file.runs << *run;
    } else {
        file.defects.prepend({0, Launcher::tr("the file holds no scalars")});
        ++file.defectCount;
    }
    const bool converged = !file.runs.isEmpty() && file.runs.first().converged;
    finish(file, converged ? FileOutcome::Converged : FileOutcome::NotConverged);
    return file;
}

ImportedFile readCsv(ImportedFile file, const QByteArray& bytes, const ImportOptions& options)
{
    file.kind = u"csv"_s;
    const Result<CsvTable> table = parseCsv(bytes, file.path, options.csv);
    if (!table)
        return damagedFile(file, table.failure());
    const Result<CsvRuns> runs = runsOfCsv(table.value(), options.columns, file.path);
    file.isChart = isChartTable(table.value());
    if (!runs && file.isChart && runs.failure().code == "columns_missing"_L1) {
        file.kind = u"chart"_s;
        file.records = int(table.value().rows.size());
        file.defects = table.value().defects;
        file.defectCount = table.value().defectCount;
        finish(file, FileOutcome::Reference);
        return file;
    }
    if (!runs)
        return damagedFile(file, runs.failure());
    file.records = int(table.value().rows.size());
    file.runs = runs.value().runs;
    file.defects = runs.value().defects;
    file.defectCount = runs.value().defectCount;
    bool converged = true;
    for (const ImportedRun& run : file.runs)
        converged = converged && run.converged;
    finish(file, converged ? FileOutcome::Converged : FileOutcome::NotConverged);
    return file;
}

ImportedFile readReferences(ImportedFile file, const QByteArray& bytes)
{
    file.kind = u"rcp"_s;
    const Result<QList<ReferencePoint>> points = parseReferencePoints(bytes, file.path);
    if (!points)
        return damagedFile(file, points.failure());
    file.references = points.value();
    file.records = int(file.references.size());
    finish(file, FileOutcome::Reference);
    return file;
}

ImportedFile readCollectives(ImportedFile file, const QByteArray& bytes)
{
    file.kind = u"nccl_tests"_s;
    const Result<CollectiveTable> table = parseCollectiveTable(bytes, file.path);
    if (!table)
        return damagedFile(file, table.failure());
    file.collectives = table.value();
    file.records = int(table.value().rows.size());
    file.defects = table.value().defects;
    file.defectCount = table.value().defectCount;
    finish(file, FileOutcome::Reference);
    return file;
}

/// What `scalebench bench` wrote: bandwidths of collectives are kept as nccl-tests' are; of the
/// rest it is said where it is of use.
std::optional<ImportedFile> readOwnBench(ImportedFile file, const QByteArray& bytes,
                                         const QByteArray& head)
{
    const QByteArray titles = head.left(head.indexOf('\n'));
    const bool json = head.startsWith('{') && head.contains("\"scalebench.bench\"");
    const bool csv = titles.contains("_busbw_gb_per_s") ||
                     titles.contains("share_of_peak_percent") ||
                     (titles.startsWith("pattern,") && titles.contains("gb_per_s"));
    if (!json && !csv)
        return {};
    file.kind = u"bench_collectives"_s;
    if (imports::readCollectives(bytes, file.path)) {
        finish(file, FileOutcome::Reference);
        return file;
    }
    file.outcome = FileOutcome::Skipped;
    file.reason =
        readStorageRates(bytes, file.path)
            ? Launcher::tr("rates of storage, which the workbench lays beside a study's: Scaling, "
                           "Measured")
            : Launcher::tr("a benchmark of `scalebench bench`, which is no training: nothing of it "
                           "is kept");
    return file;
}

} // namespace

std::optional<ImportedFile> readOtherFile(const QString& path, const QString& sha256,
                                          const ImportOptions& options)
{
    const QString name = QFileInfo(path).fileName().toLower();
    const bool table =
        name.endsWith(".csv"_L1) || name.endsWith(".tsv"_L1) || !options.columns.isEmpty();
    const bool events = name.contains(".tfevents."_L1);
    const Result<QByteArray> bytes = readFile(path, kMostFileBytes);
    if (!bytes)
        return {};
    ImportedFile file;
    file.path = path;
    file.sha256 = sha256;
    file.bytes = bytes.value().size();
    const QByteArray head = bytes.value().left(64 << 10);
    if (events)
        return readEvents(file, bytes.value(), options);
    if (isCollectiveTable(head))
        return readCollectives(file, bytes.value());
    if (const auto bench = readOwnBench(file, bytes.value(), head))
        return bench;
    if (name.endsWith(".json"_L1) && isReferenceFile(bytes.value()))
        return readReferences(file, bytes.value());
    if (table)
        return readCsv(file, bytes.value(), options);
    return {};
}

} // namespace scalebench::imports
