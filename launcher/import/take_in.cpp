// SPDX-License-Identifier: GPL-3.0-or-later
#include "import/take_in.h"

#include "base/translated.h"

#include <algorithm>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

QStringList TakenIn::studyDirs(const Library& library) const
{
    QStringList ids;
    for (const auto& [path, read] : bundles)
        if (read)
            ids << read.value().study;
    if (stored)
        ids << stored->studies;
    for (QString& id : ids)
        id.prepend(library.dir() + u"/imported/"_s);
    ids.removeDuplicates();
    return ids;
}

TakenIn takeIn(const QStringList& paths, Library* library, const ImportOptions& options,
               const ImportProgressFunction& progress)
{
    TakenIn taken;
    QStringList others;
    for (const QString& path : paths) {
        if (!isZipFile(path))
            others << path;
        else if (library)
            taken.bundles.emplace_back(path, readBundle(path, *library));
        else
            taken.bundles.emplace_back(
                path,
                Failure{u"usage"_s,
                        Launcher::tr("%1 is a bundle; --dry-run does not unpack it.").arg(path)});
    }
    if (others.isEmpty())
        return taken;
    taken.report = importFiles(others, options, progress);
    if (!library || taken.report.cancelled || taken.report.read() == 0)
        return taken;
    Result<StoreOutcome> outcome = storeImports(*library, taken.report, options.accelerators > 0);
    if (outcome)
        taken.stored = outcome.value();
    else
        taken.failure = outcome.failure();
    return taken;
}

QString shortImportPath(const QString& path)
{
    const QStringList parts = path.split(u'/', Qt::SkipEmptyParts);
    const qsizetype results = parts.lastIndexOf(u"results"_s);
    const qsizetype from = results > 0 ? results + 1 : parts.size() - 1;
    return parts.mid(std::min(from, parts.size() - 1)).join(u'/');
}

/// Where what is kept beside the runs is looked at; empty for runs alone.
static QString keptText(const ImportedFile& file)
{
    if (!file.isKept())
        return {};
    if (file.isChart)
        return Launcher::tr("kept; the workbench draws it: Scaling, Tools, Charts from files");
    if (file.kind == "nccl_tests"_L1 || file.kind == "bench_collectives"_L1)
        return Launcher::tr("kept; the workbench draws it: Scaling, Tools, Collective bandwidth");
    if (file.kind == "rcp"_L1)
        return Launcher::tr("kept; the workbench compares runs with it: Scaling, Tools, Epochs "
                            "against MLPerf's reference points");
    return {};
}

/// A bandwidth at which other bytes arrived than were sent is none.
static QString wrongText(const ImportedFile& file)
{
    int wrong = 0, all = 0;
    if (file.collectives)
        for (const CollectiveRow& row : file.collectives->rows)
            for (const auto& time : {row.outOfPlace, row.inPlace}) {
                all += time.has_value();
                wrong += time && time->isWrong();
            }
    if (wrong == 0)
        return {};
    return Launcher::tr("%1 of %2 bandwidths are of wrong results (#wrong): what was reduced or "
                        "moved there is not right. Check the links, the driver and the library.")
        .arg(wrong)
        .arg(all);
}

QStringList importRemarks(const ImportReport& report)
{
    static constexpr int kMostSkipped = 20; // a submission has thousands of other files
    QStringList remarks;
    int skippedFiles = 0;
    for (const ImportedFile& file : report.files) {
        QStringList lines{keptText(file), wrongText(file)};
        lines.removeAll(QString());
        for (const LogDefect& defect : file.defects)
            if (file.kind == "csv"_L1 && defect.line > 0)
                lines << Launcher::tr("line %1: %2").arg(defect.line).arg(defect.text);
            else if (file.runs.isEmpty())
                lines << defect.text;
        if (file.outcome == FileOutcome::Skipped && ++skippedFiles <= kMostSkipped)
            lines << Launcher::tr("skipped: %1").arg(file.reason);
        for (const ImportedRun& run : file.runs) {
            if (!run.converged)
                lines << run.failure.message;
            for (const QString& remark : run.remarks)
                if (!lines.contains(remark))
                    lines << remark;
        }
        for (const QString& line : lines)
            remarks << (line.startsWith(file.path)
                            ? line // it names its file
                            : u"%1: %2"_s.arg(file.outcome == FileOutcome::Skipped
                                                  ? file.path
                                                  : shortImportPath(file.path),
                                              line));
    }
    return remarks;
}

} // namespace scalebench::imports
