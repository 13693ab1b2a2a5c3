// SPDX-License-Identifier: GPL-3.0-or-later
#include "csv_runs.h"
#include "base/translated.h"
#include "csv_row.h"
#include "csv_settings.h"

#include "base/json_fields.h"
#include "base/plain_text.h"
#include "mlperf_facts.h"

#include <QFileInfo>

#include <cmath>
#include <utility>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kMostRunDefects = 100;

struct Field {
    const char* name;
    const char* others; ///< columns that mean it, besides one of that name
};
constexpr Field kFields[] = {{"workload", "benchmark|model name|network"},
                             {"scale", ""},
                             {"model", "series"},
                             {"device", "accelerator|gpu model"},
                             {"precision", "dtype"},
                             {"system", "machine|platform"},
                             {"submitter", "org|organization"},
                             {"round", "version"},
                             {"nodes", "hosts|servers"},
                             {"workers", "gpus|accelerators|num_gpus|ranks|processes|devices"},
                             {"global_batch", "batch|batch_size|global_batch_size"},
                             {"seed", ""},
                             {"status", "converged|state"},
                             {"quality", "accuracy|metric value"},
                             {"target", ""},
                             {"epochs", "epoch"},
                             {"seconds", "time_to_train_s|time_s|time (s)"},
                             {"minutes", "time_to_train_min|time_min|time (min)|minutes to train"},
                             {"samples_per_s", "throughput|images/sec|imgs_sec|samples/s"},
                             {"threads_per_worker", ""},
                             {"data", ""},
                             {"batch_policy", ""},
                             {"compute_precision", ""},
                             {"learning_rate", "lr|base_lr"},
                             {"series", ""},
                             {"oversubscribed", ""},
                             {"marks", ""},
                             {"remarks", ""},
                             {"run_id", "run"}};

const Field* fieldNamed(const QString& name)
{
    for (const Field& field : kFields)
        if (name == QLatin1StringView(field.name))
            return &field;
    return nullptr;
}

void findColumns(const CsvTable& table, CsvMapping& mapping)
{
    for (const Field& field : kFields) {
        const QString name = QString::fromLatin1(field.name);
        if (mapping.contains(name))
            continue;
        for (const QString& candidate : csvColumnsOf(name))
            if (const qsizetype column = table.column(candidate); column >= 0) {
                mapping.insert(name, table.header[column]);
                break;
            }
    }
    // A chart's series are networks, where no other column is.
    if (mapping.value(u"series"_s) == mapping.value(u"model"_s))
        mapping.remove(u"series"_s);
}

/// The time to train, and what stands there instead where it cannot be one.
struct TimeTold {
    std::optional<double> seconds;
    QString unread;        ///< why the cell that should tell it does not
    QString contradiction; ///< seconds and minutes are two times
};

QString unreadTime(const QString& text, const std::optional<double>& seconds)
{
    return (seconds.value_or(0) > 0
                ? Launcher::tr("\"%1\" is no time of a training: it is shorter than a millisecond "
                               "or longer than 30 years")
                : Launcher::tr(
                      "\"%1\" is no time: a number above 0 is expected, of seconds or minutes"))
        .arg(text.left(40));
}

TimeTold readTime(CsvRow& row)
{
    constexpr double kShortestS = 1e-3, kLongestS = 1e9;
    constexpr double kRounded = 0.02, kRoundedS = 3; // of minutes with one decimal
    TimeTold time;
    QString readField;
    for (const auto& [field, factor] : {std::pair{u"seconds"_s, 1.0}, {u"minutes"_s, 60.0}}) {
        if (!row.tells(field))
            continue;
        std::optional<double> seconds = row.plainNumber(field);
        if (seconds)
            *seconds *= factor;
        if (!seconds || *seconds < kShortestS || *seconds > kLongestS) {
            time.unread = unreadTime(row.text(field), seconds);
        } else if (!time.seconds) {
            time.seconds = seconds;
            readField = field;
        } else if (std::abs(*seconds - *time.seconds) > kRounded * *seconds + kRoundedS) {
            time.contradiction = Launcher::tr("%1 and %2 are two times: which one it took is not "
                                              "known")
                                     .arg(row.quoted(readField), row.quoted(field));
        }
    }
    if (time.seconds && !time.unread.isEmpty())
        row.complain(std::exchange(time.unread, {}));
    return time;
}

/// Why a row's run is not one that reached its target; empty where it is. Without a status one that
/// has a time ended well, unless its quality says otherwise.
QString whyNotCompleted(const CsvRow& row, const TimeTold& time,
                        const std::optional<double>& quality, const std::optional<double>& target)
{
    if (!time.unread.isEmpty())
        return Launcher::tr("Line %1: %2.").arg(QString::number(row.line()), time.unread);
    if (!time.seconds)
        return Launcher::tr("Line %1 tells samples/s, but no time to train.").arg(row.line());
    static const QStringList kWell{u"completed"_s, u"converged"_s, u"success"_s,
                                   u"yes"_s,       u"true"_s,      u"1"_s};
    const QString status = row.text(u"status"_s);
    if (!status.isEmpty() && !kWell.contains(status, Qt::CaseInsensitive))
        return Launcher::tr("Line %1 does not call this run completed, but \"%2\".")
            .arg(QString::number(row.line()), status.left(40));
    if (status.isEmpty() && quality && target && *quality < *target)
        return Launcher::tr("Line %1: the quality is below the target.").arg(row.line());
    return {};
}

bool isYes(const QString& text)
{
    return QStringList{u"true"_s, u"yes"_s, u"1"_s}.contains(text, Qt::CaseInsensitive);
}

/// As runs.csv writes them; where the runs came from before is not how they were measured.
QStringList readMarks(const QString& text)
{
    QStringList marks = text.split(u"; "_s, Qt::SkipEmptyParts);
    marks.removeIf([](const QString& mark) {
        return mark == "published"_L1 || mark.startsWith("imported"_L1);
    });
    return marks;
}

QString benchmarkOf(const CsvRow& row)
{
    const QString name = canonicalBenchmark(row.text(u"workload"_s));
    return name.isEmpty() ? u"unknown"_s : name;
}

/// Of a share of 1, each cell by itself: 76.1 is one of 100, whatever the other rows say.
std::optional<double> readQuality(CsvRow& row, ImportedRun& run, const QString& field,
                                  bool namedAccuracy)
{
    constexpr double kNearlyOne = 1 + 1e-9;
    const auto value = row.number(field, -kMostReadNumber, kMostReadNumber);
    const bool isShare =
        namedAccuracy || benchmarkFacts(run.benchmark, {}, 0).unit == MetricUnit::Share;
    if (!value || !isShare || *value <= kNearlyOne)
        return value;
    if (*value <= 100) {
        run.remarks << Launcher::tr("%1 was read as per cent").arg(row.quoted(field));
        return *value / 100;
    }
    row.complain(Launcher::tr("%1 is neither a share of 1 nor per cent: it was left out")
                     .arg(row.quoted(field)));
    return {};
}

/// Why the row has no run; empty where it has.
QString whyNoRun(const CsvRow& row, const ImportedRun& run, const TimeTold& time)
{
    if (run.accelerators == 0)
        return row.tells(u"workers"_s)
                   ? Launcher::tr("%1 is no number of workers: a whole number from 1 to 1000000 is "
                                  "expected")
                         .arg(row.quoted(u"workers"_s))
                   : Launcher::tr("no number of workers");
    if (!time.contradiction.isEmpty())
        return time.contradiction;
    if (!time.seconds && !(run.throughput > 0))
        return time.unread.isEmpty() ? Launcher::tr("neither a time nor samples/s") : time.unread;
    return {};
}

int countIn(CsvRow& row, const QString& field, int least)
{
    return int(row.whole(field, least, 1'000'000).value_or(0));
}

void readSettings(CsvRow& row, ImportedRun& r)
{
    r.threads = countIn(row, u"threads_per_worker"_s, 0); // 0: not told, in older tables of ours
    r.learningRate = row.number(u"learning_rate"_s, 0, 1e9).value_or(0);
    r.nodes = countIn(row, u"nodes"_s, 1);
    r.globalBatch = row.whole(u"global_batch"_s, 0, 2'000'000'000).value_or(0);
    // Ours may have larger ones, which no double holds.
    bool isSeed = false;
    const quint64 seed = row.text(u"seed"_s).toULongLong(&isSeed);
    constexpr qint64 kMostSeed = 9'000'000'000'000'000;
    if (isSeed && seed < quint64(kMostSeed))
        r.seed = seed;
    else if (const auto number = isSeed ? std::nullopt : row.whole(u"seed"_s, 0, kMostSeed))
        r.seed = quint64(*number);
}

std::optional<ImportedRun> readRow(CsvRow& row, bool namedAccuracy, QString& why)
{
    ImportedRun r;
    if (const auto workers = row.plainNumber(u"workers"_s);
        workers && *workers >= 1 && *workers <= 1e6 && *workers == std::floor(*workers))
        r.accelerators = int(*workers);
    const TimeTold time = readTime(row);
    r.throughput = row.number(u"samples_per_s"_s, 0, kMostReadNumber).value_or(0);
    why = whyNoRun(row, r, time);
    if (!why.isEmpty())
        return {};
    r.benchmark = benchmarkOf(row);
    r.workload = benchmarkFacts(r.benchmark, {}, 0).workload;
    r.title = row.text(u"workload"_s);
    r.scale = row.text(u"scale"_s);
    r.model = row.text(u"model"_s);
    r.accelerator = row.text(u"device"_s);
    r.precision = row.text(u"precision"_s);
    r.system = row.text(u"system"_s);
    r.submitter = row.text(u"submitter"_s);
    r.round = row.text(u"round"_s);
    r.dataSource = row.text(u"data"_s);
    r.batchPolicy = row.text(u"batch_policy"_s);
    r.computePrecision = row.text(u"compute_precision"_s);
    r.oversubscribed = isYes(row.text(u"oversubscribed"_s));
    r.marks = readMarks(row.text(u"marks"_s));
    r.acceleratorsFrom = u"table"_s;
    readSettings(row, r);
    if (const QString remark = row.text(u"remarks"_s, 2000); !remark.isEmpty())
        r.remarks << remark;
    const auto quality = readQuality(row, r, u"quality"_s, namedAccuracy);
    r.target = readQuality(row, r, u"target"_s, namedAccuracy);
    if (row.plainNumber(u"epochs"_s) != 0.0) // none told
        r.epochs = row.number(u"epochs"_s, 1e-6, 1e9);
    r.epochUnit = u"epochs"_s;
    r.startMs = kUndatedStartMs;
    r.stopMs = time.seconds ? r.startMs + *time.seconds * 1000 : 0;
    if (quality) {
        EvalPoint end;
        end.epoch = r.epochs.value_or(0);
        end.seconds = time.seconds.value_or(0);
        end.value = *quality;
        r.evals << end;
    }
    const QString missed = whyNotCompleted(row, time, quality, r.target);
    r.converged = missed.isEmpty();
    if (!r.converged)
        r.failure = {u"not_converged"_s, missed};
    return r;
}

} // namespace

QStringList csvFields()
{
    QStringList names;
    for (const Field& field : kFields)
        names << QString::fromLatin1(field.name);
    return names;
}

QStringList csvColumnsOf(const QString& field)
{
    QStringList names{field};
    if (const Field* known = fieldNamed(field))
        names += QString::fromLatin1(known->others).split(u'|', Qt::SkipEmptyParts);
    return names;
}

Result<CsvMapping> parseCsvMapping(const QString& text)
{
    CsvMapping mapping;
    for (const QString& part : text.split(u',', Qt::SkipEmptyParts)) {
        const qsizetype equals = part.indexOf(u'=');
        const QString field = part.left(equals).trimmed();
        const QString column = equals < 0 ? QString() : part.mid(equals + 1).trimmed();
        if (!fieldNamed(field) || column.isEmpty())
            return Failure{u"usage"_s, Launcher::tr("\"%1\" is no FIELD=COLUMN%2. Fields: %3.")
                                           .arg(part.trimmed(), didYouMean(field, csvFields()),
                                                csvFields().join(u", "_s))};
        mapping.insert(field, column);
    }
    return mapping;
}

Result<CsvRuns> runsOfCsv(const CsvTable& table, const CsvMapping& mapping, const QString& fileName)
{
    CsvRuns result;
    result.mapping = mapping;
    result.defects = table.defects;
    result.defectCount = table.defectCount;
    const QString known = visibleLine(table.header.mid(0, 30).join(u", "_s).left(1000));
    for (const QString& column : mapping)
        if (table.column(column) < 0)
            return Failure{u"columns_missing"_s,
                           Launcher::tr("%1 has no column \"%2\"%3. It has: %4.")
                               .arg(fileName, column, didYouMean(column, table.header), known)};
    findColumns(table, result.mapping);
    const bool timed = result.mapping.contains(u"seconds"_s) ||
                       result.mapping.contains(u"minutes"_s) ||
                       result.mapping.contains(u"samples_per_s"_s);
    if (!timed || !result.mapping.contains(u"workers"_s))
        return Failure{
            u"columns_missing"_s,
            (timed ? Launcher::tr("%1: which column is the number of workers? Give --columns "
                                  "workers=COLUMN. It has: %2.")
                   : Launcher::tr("%1: which column is the time to train? Give --columns "
                                  "minutes=COLUMN or seconds=COLUMN. It has: %2."))
                .arg(fileName, known)};
    const auto defect = [&result](int line, const QString& text) {
        ++result.defectCount;
        if (result.defects.size() < kMostRunDefects)
            result.defects << LogDefect{line, text};
    };
    for (const QString& text : doubledColumns(table, result.mapping, mapping))
        defect(table.headerLine, text);
    const CsvSettings settings(table, result.mapping);
    const bool namedAccuracy =
        result.mapping.value(u"quality"_s).contains("accuracy"_L1, Qt::CaseInsensitive);
    for (qsizetype i = 0; i < table.rows.size(); ++i) {
        CsvRow row(table, result.mapping, i);
        QString why;
        if (auto run = readRow(row, namedAccuracy, why)) {
            if (run->title.isEmpty())
                run->title = QFileInfo(fileName).completeBaseName();
            run->settings = settings.of(i);
            result.runs << *run;
        } else {
            defect(row.line(), why);
        }
        for (const QString& text : row.complaints())
            defect(row.line(), text);
    }
    dropToldSeries(result.runs);
    return result;
}

} // namespace scalebench::imports
