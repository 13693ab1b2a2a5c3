// SPDX-License-Identifier: GPL-3.0-or-later
#include "csv_runs.h"
#include "base/translated.h"
#include "csv_settings.h"

#include "base/json_fields.h"
#include "base/plain_text.h"
#include "mlperf_facts.h"

#include <QFileInfo>

#include <algorithm>
#include <cmath>

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
        QStringList candidates{name};
        candidates += QString::fromLatin1(field.others).split(u'|', Qt::SkipEmptyParts);
        for (const QString& candidate : candidates)
            if (const qsizetype column = table.column(candidate); column >= 0) {
                mapping.insert(name, table.header[column]);
                break;
            }
    }
    // A chart's series are networks, where no other column is.
    if (mapping.value(u"series"_s) == mapping.value(u"model"_s))
        mapping.remove(u"series"_s);
}

/// One row through the mapping.
class RowReader
{
public:
    RowReader(const CsvTable& table, const CsvMapping& mapping, qsizetype row)
        : m_table(table), m_mapping(mapping), m_row(row)
    {
    }

    QString text(const QString& field) const
    {
        const qsizetype column = columnOf(field);
        return column < 0 ? QString() : m_table.rows[m_row][column].simplified().left(200);
    }
    std::optional<double> number(const QString& field) const
    {
        return m_table.number(m_row, columnOf(field));
    }
    int line() const { return m_table.lines[m_row]; }
    int count(const QString& field) const
    {
        const double value = number(field).value_or(0);
        return value >= 1 && value <= 1e6 ? int(std::llround(value)) : 0;
    }

private:
    qsizetype columnOf(const QString& field) const
    {
        const auto column = m_mapping.constFind(field);
        return column == m_mapping.cend() ? -1 : m_table.column(column.value());
    }

    const CsvTable& m_table;
    const CsvMapping& m_mapping;
    qsizetype m_row;
};

/// The time to train, and what stands there instead where it cannot be one.
struct TimeTold {
    std::optional<double> seconds;
    QString unread;
};

TimeTold readTime(const RowReader& row)
{
    constexpr double kLongestS = 1e9;
    TimeTold time;
    for (const auto& [field, factor] : {std::pair{u"seconds"_s, 1.0}, {u"minutes"_s, 60.0}}) {
        const double seconds = row.number(field).value_or(0) * factor;
        if (seconds > 0 && seconds < kLongestS)
            return {seconds, {}};
        if (time.unread.isEmpty())
            time.unread = row.text(field);
    }
    return time;
}

QString unreadTime(const QString& text)
{
    return Launcher::tr("\"%1\" is no time: a number above 0 is expected, of seconds or minutes")
        .arg(text.left(40));
}

/// Why a row's run is not one that reached its target; empty where it is. Without a status one that
/// has a time ended well, unless its quality says otherwise.
QString whyNotCompleted(const RowReader& row, const TimeTold& time,
                        const std::optional<double>& quality, const std::optional<double>& target)
{
    if (!time.unread.isEmpty())
        return Launcher::tr("Line %1: %2.")
            .arg(QString::number(row.line()), unreadTime(time.unread));
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

std::optional<ImportedRun> readRow(const RowReader& row, QString& why)
{
    ImportedRun r;
    r.accelerators = row.count(u"workers"_s);
    const TimeTold time = readTime(row);
    r.throughput = std::max(0.0, row.number(u"samples_per_s"_s).value_or(0));
    if (r.accelerators == 0)
        why = Launcher::tr("no number of workers");
    else if (!time.seconds && !(r.throughput > 0))
        why = time.unread.isEmpty() ? Launcher::tr("neither a time nor samples/s")
                                    : unreadTime(time.unread);
    if (!why.isEmpty())
        return {};
    r.benchmark = canonicalBenchmark(row.text(u"workload"_s));
    if (r.benchmark.isEmpty())
        r.benchmark = u"unknown"_s;
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
    r.threads = row.count(u"threads_per_worker"_s);
    r.computePrecision = row.text(u"compute_precision"_s);
    r.learningRate = std::clamp(row.number(u"learning_rate"_s).value_or(0), 0.0, 1e9);
    r.oversubscribed = isYes(row.text(u"oversubscribed"_s));
    r.marks = readMarks(row.text(u"marks"_s));
    r.nodes = row.count(u"nodes"_s);
    r.acceleratorsFrom = u"table"_s;
    r.globalBatch = qint64(std::clamp(row.number(u"global_batch"_s).value_or(0), 0.0, 2e9));
    if (const auto seed = row.number(u"seed"_s); seed && *seed >= 0 && *seed < 9e15)
        r.seed = quint64(*seed);
    const auto quality = row.number(u"quality"_s);
    r.target = row.number(u"target"_s);
    r.epochs = row.number(u"epochs"_s);
    r.epochUnit = u"epochs"_s;
    // A table tells how long, not when.
    r.startMs = 1;
    r.stopMs = time.seconds ? 1 + *time.seconds * 1000 : 0;
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
        return Failure{u"columns_missing"_s,
                       Launcher::tr("%1: which column is %2? Give --columns %3=COLUMN. It has: %4.")
                           .arg(fileName,
                                timed ? Launcher::tr("the number of workers")
                                      : Launcher::tr("the time to train"),
                                timed ? u"workers"_s : u"seconds"_s, known)};
    const CsvSettings settings(table, result.mapping);
    for (qsizetype i = 0; i < table.rows.size(); ++i) {
        QString why;
        if (auto run = readRow(RowReader(table, result.mapping, i), why)) {
            if (run->title.isEmpty())
                run->title = QFileInfo(fileName).completeBaseName();
            run->settings = settings.of(i);
            result.runs << *run;
            continue;
        }
        ++result.defectCount;
        if (result.defects.size() < kMostRunDefects)
            result.defects << LogDefect{table.lines[i], why};
    }
    dropToldSeries(result.runs);
    return result;
}

} // namespace scalebench::imports
