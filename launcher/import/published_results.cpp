// SPDX-License-Identifier: GPL-3.0-or-later
#include "published_results.h"
#include "base/translated.h"

#include "csv_table.h"

#include <QFile>
#include <QStringList>

#include <algorithm>
#include <cmath>

static void initReferences()
{
    Q_INIT_RESOURCE(references); // a static library's resources are not registered by themselves
}

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

const QStringList kColumns{u"figure"_s,
                           u"version"_s,
                           u"workload"_s,
                           u"system"_s,
                           u"accelerator"_s,
                           u"nodes"_s,
                           u"gpus_per_node"_s,
                           u"gpus"_s,
                           u"global_batch"_s,
                           u"metric"_s,
                           u"target"_s,
                           u"epochs"_s,
                           u"minutes_per_epoch"_s,
                           u"time_to_train_min"_s,
                           u"speedup"_s,
                           u"speedup_vs"_s,
                           u"gap_percent"_s,
                           u"precision"_s,
                           u"source"_s,
                           u"note"_s};

/// One row; the first thing that is wrong is kept.
class ResultReader
{
public:
    ResultReader(const CsvTable& table, qsizetype row) : m_table(table), m_row(row) {}

    QString text(const char* name) const { return m_table.rows[m_row][column(name)]; }

    std::optional<double> number(const char* name)
    {
        if (text(name).isEmpty())
            return {};
        const auto value = m_table.number(m_row, column(name));
        if (!value || !(*value > 0))
            m_wrong = Launcher::tr("\"%1\" is \"%2\", which is no positive number")
                          .arg(QString::fromLatin1(name), text(name).left(40));
        return value;
    }
    std::optional<qint64> count(const char* name)
    {
        const auto value = number(name);
        if (value && (*value != std::floor(*value) || *value > 1e12))
            m_wrong = Launcher::tr("\"%1\" is \"%2\", which is no count")
                          .arg(QString::fromLatin1(name), text(name).left(40));
        return value && m_wrong.isEmpty() ? std::optional(qint64(*value)) : std::nullopt;
    }
    std::optional<int> small(const char* name)
    {
        const auto value = count(name);
        return value ? std::optional(int(std::min<qint64>(*value, 1'000'000))) : std::nullopt;
    }
    const QString& wrong() const { return m_wrong; }

private:
    qsizetype column(const char* name) const { return m_table.column(QString::fromLatin1(name)); }

    const CsvTable& m_table;
    qsizetype m_row;
    QString m_wrong;
};

} // namespace

QList<PublishedFigure> publishedFigures()
{
    return {
        {u"dgx1"_s, Launcher::tr("Six workloads on 1, 4 and 8 GPUs of a DGX-1")},
        {u"time-to-train"_s, Launcher::tr("Time to train from 4 to 128 GPUs, two accelerators")},
        {u"scale-up-out"_s, Launcher::tr("Scale-up against scale-out")},
        {u"nodes"_s, Launcher::tr("Speedup over 1, 2 and 4 nodes")},
        {u"v2.0-records"_s,
         Launcher::tr("MLPerf v2.0, for each accelerator and at the largest scale")},
        {u"mlperf-logs"_s, Launcher::tr("Computed from the public logs of MLPerf v0.5 to v2.0")}};
}

Result<QList<PublishedResult>> parsePublishedResults(const QByteArray& csv, const QString& fileName)
{
    CsvDialect dialect;
    dialect.separator = u',';
    dialect.decimalComma = false;
    const Result<CsvTable> table = parseCsv(csv, fileName, dialect);
    if (!table)
        return table.failure();
    const auto damaged = [&fileName](int line, const QString& what) {
        return Failure{
            u"reference_damaged"_s,
            Launcher::tr("%1:%2: %3. Install Scalebench again.").arg(fileName).arg(line).arg(what)};
    };
    if (table.value().header != kColumns)
        return damaged(1, Launcher::tr("the columns are others than expected"));
    if (table.value().defectCount > 0)
        return damaged(table.value().defects.first().line, table.value().defects.first().text);
    QList<PublishedResult> results;
    for (qsizetype i = 0; i < table.value().rows.size(); ++i) {
        ResultReader row(table.value(), i);
        PublishedResult r;
        r.figure = row.text("figure");
        r.round = row.text("version");
        r.workload = row.text("workload");
        r.system = row.text("system");
        r.accelerator = row.text("accelerator");
        r.nodes = row.small("nodes");
        r.gpusPerNode = row.small("gpus_per_node");
        r.gpus = row.small("gpus");
        r.globalBatch = row.count("global_batch");
        r.metric = row.text("metric");
        r.target = row.text("target");
        r.epochs = row.number("epochs");
        r.minutesPerEpoch = row.number("minutes_per_epoch");
        r.minutes = row.number("time_to_train_min");
        r.speedup = row.number("speedup");
        r.speedupAgainst = row.text("speedup_vs");
        r.gapPercent = row.number("gap_percent");
        r.precision = row.text("precision");
        r.source = row.text("source");
        r.note = row.text("note");
        const auto figures = publishedFigures();
        const bool known = std::any_of(figures.begin(), figures.end(),
                                       [&r](const PublishedFigure& f) { return f.id == r.figure; });
        if (!row.wrong().isEmpty())
            return damaged(table.value().lines[i], row.wrong());
        if (!known || r.workload.isEmpty() || r.system.isEmpty() || r.source.isEmpty())
            return damaged(
                table.value().lines[i],
                Launcher::tr("a known figure, a workload, a system and a source are expected"));
        results << r;
    }
    return results;
}

const QList<PublishedResult>& publishedResults()
{
    static const QList<PublishedResult> kResults = [] {
        initReferences();
        QFile file(u":/references/published_scaling.csv"_s);
        if (!file.open(QIODevice::ReadOnly))
            return QList<PublishedResult>();
        const auto results = parsePublishedResults(file.readAll(), file.fileName());
        return results ? results.value() : QList<PublishedResult>();
    }();
    return kResults;
}

QString publishedNotice()
{
    return Launcher::tr(
        "Published results, for reference only: other implementations on other machines. "
        "MLPerf "
        "results are retrieved from the public logs and articles named as their source; what "
        "was "
        "computed from them is not verified by MLCommons Association. The MLPerf name and logo "
        "are "
        "registered and unregistered trademarks of MLCommons Association.");
}

} // namespace scalebench::imports
