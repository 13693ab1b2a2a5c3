// SPDX-License-Identifier: GPL-3.0-or-later
#include "collective_table.h"
#include "base/translated.h"

#include "base/json_fields.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>
#include <QSet>

#include <cmath>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr int kMostRows = 100'000;
constexpr int kMostTableDefects = 100;

/// "/opt/nccl-tests/build/all_reduce_perf" is "all_reduce".
QString collectiveOf(const QString& program)
{
    static const QRegularExpression kProgram(
        u"(all_reduce|all_gather|reduce_scatter|alltoall|broadcast|reduce|gather|scatter|sendrecv|"
        "hypercube)(?:_perf)?(?:_mpi)?\\b"_s);
    return kProgram.match(QFileInfo(program).fileName()).captured(1);
}

// ---- text --------------------------------------------------------------------------------------

class TextReader
{
public:
    explicit TextReader(CollectiveTable& table) : m_table(table) {}

    void line(const QString& text, int number)
    {
        m_line = number;
        const QString trimmed = text.trimmed();
        if (trimmed.startsWith(u'#'))
            comment(trimmed.mid(1).trimmed());
        else if (!m_columns.isEmpty() && !trimmed.isEmpty() && trimmed.front().isDigit())
            row(trimmed.split(kBlank, Qt::SkipEmptyParts));
        else if (m_table.collective.isEmpty() && trimmed.contains("_perf"_L1))
            m_table.collective = collectiveOf(trimmed.split(kBlank).first());
    }
    void end() { m_table.hosts = int(m_hosts.size()); }

private:
    void defect(const QString& text)
    {
        ++m_table.defectCount;
        if (m_table.defects.size() < kMostTableDefects)
            m_table.defects << LogDefect{m_line, text};
    }

    void comment(const QString& text)
    {
        static const QRegularExpression kRank(
            u"^Rank\\s+(\\d+)\\s.*\\son\\s+(\\S+)\\s+device\\s+\\d+\\s+\\[[^\\]]*\\]\\s*(.*)$"_s);
        static const QRegularExpression kStart(u"^Collective test starting: (\\S+)"_s);
        static const QRegularExpression kAverage(u"^Avg bus bandwidth\\s*:\\s*([0-9.eE+-]+)"_s);
        static const QRegularExpression kVersion(u"nccl-library=(\\d+)"_s);
        if (const auto match = kRank.match(text); match.hasMatch()) {
            ++m_table.ranks;
            if (m_hosts.size() < 100'000)
                m_hosts.insert(match.captured(2));
            if (m_table.device.isEmpty())
                m_table.device = match.captured(3).simplified().left(200);
        } else if (text.startsWith("size "_L1) && text.contains("busbw"_L1)) {
            m_columns = text.split(kBlank, Qt::SkipEmptyParts);
        } else if (const auto start = kStart.match(text); start.hasMatch()) {
            m_table.collective = collectiveOf(start.captured(1));
        } else if (const auto average = kAverage.match(text); average.hasMatch()) {
            m_table.averageBusGBs = average.captured(1).toDouble();
        } else if (const auto version = kVersion.match(text); version.hasMatch()) {
            m_table.ncclVersion = version.captured(1);
        }
    }

    /// The numbers stand right of the texts, of which some versions leave some out.
    void row(const QStringList& cells)
    {
        const qsizetype first = m_columns.indexOf(u"time"_s) >= 0 ? m_columns.indexOf(u"time"_s)
                                                                  : m_columns.indexOf(u"cputime"_s);
        const qsizetype numbers = m_columns.size() - first - m_columns.count(u"timestamp"_s);
        const qsizetype stamp = m_columns.contains(u"timestamp"_s) ? 2 : 0;
        const qsizetype from = cells.size() - numbers - stamp;
        if (first < 0 || from < 2 || from > first) {
            defect(Launcher::tr("%1 cells do not fit the header's %2")
                       .arg(cells.size())
                       .arg(m_columns.size()));
            return;
        }
        CollectiveRow row;
        row.bytes = cells[0].toLongLong();
        row.count = cells[1].toLongLong();
        row.type = from > 2 ? cells[2].left(20) : QString();
        row.operation = from > 3 ? cells[3].left(20) : QString();
        const qsizetype half = numbers / 2;
        row.outOfPlace = time(cells.mid(from, half));
        row.inPlace = time(cells.mid(from + half, half));
        if (!row.outOfPlace && !row.inPlace) {
            defect(Launcher::tr("no time and bandwidth can be read"));
            return;
        }
        if (m_table.rows.size() < kMostRows)
            m_table.rows << row;
    }

    static std::optional<CollectiveTime> time(const QStringList& cells)
    {
        if (cells.size() < 3)
            return {};
        bool ok[3] = {};
        CollectiveTime t{
            cells[0].toDouble(&ok[0]), cells[1].toDouble(&ok[1]), cells[2].toDouble(&ok[2]), {}};
        if (!ok[0] || !ok[1] || !ok[2] || !std::isfinite(t.microseconds))
            return {};
        bool checked = false;
        const double wrong = cells.value(3).toDouble(&checked);
        if (checked)
            t.wrong = wrong;
        return t;
    }

    inline static const QRegularExpression kBlank{u"\\s+"_s};
    CollectiveTable& m_table;
    QStringList m_columns;
    QSet<QString> m_hosts;
    int m_line = 0;
};

// ---- JSON --------------------------------------------------------------------------------------

std::optional<CollectiveTime> timeOf(const QJsonObject& object)
{
    const auto us = numberOf(object.value(object.contains("time"_L1) ? "time"_L1 : "cpu_time"_L1));
    const auto algorithm = numberOf(object.value("alg_bw"_L1));
    const auto bus = numberOf(object.value("bus_bw"_L1));
    if (!us || !algorithm || !bus)
        return {};
    return CollectiveTime{*us, *algorithm, *bus, numberOf(object.value("nwrong"_L1))};
}

void readJson(const QJsonObject& file, CollectiveTable& table)
{
    table.collective = collectiveOf(file.value("args"_L1).toArray().at(0).toString());
    const QJsonValue version = file.value("nccl_version"_L1);
    table.ncclVersion = version.isDouble() ? QString::number(version.toInteger()) : QString();
    QSet<QString> hosts;
    for (const QJsonValue& value :
         file.value("config"_L1).toObject().value("devices"_L1).toArray()) {
        const QJsonObject device = value.toObject();
        ++table.ranks;
        hosts.insert(device.value("hostname"_L1).toString());
        if (table.device.isEmpty())
            table.device = device.value("device_info"_L1).toString().simplified().left(200);
    }
    table.hosts = int(hosts.size());
    int number = 0;
    for (const QJsonValue& value : file.value("results"_L1).toArray()) {
        ++number;
        const QJsonObject result = value.toObject();
        CollectiveRow row;
        row.bytes = result.value("size"_L1).toInteger();
        row.count = result.value("count"_L1).toInteger();
        row.type = result.value("type"_L1).toString().left(20);
        row.operation = result.value("redop"_L1).toString().left(20);
        row.outOfPlace = timeOf(result.value("out_of_place"_L1).toObject());
        row.inPlace = timeOf(result.value("in_place"_L1).toObject());
        if (!row.outOfPlace && !row.inPlace) {
            ++table.defectCount;
            if (table.defects.size() < kMostTableDefects)
                table.defects << LogDefect{
                    number, Launcher::tr("result %1 has no time and bandwidth").arg(number)};
        } else if (table.rows.size() < kMostRows) {
            table.rows << row;
        }
    }
    table.averageBusGBs =
        numberOf(file.value("average_bus_bandwidth"_L1).toObject().value("bandwidth"_L1));
}

bool looksLikeJson(const QByteArray& bytes)
{
    return bytes.trimmed().startsWith('{');
}

} // namespace

bool isCollectiveTable(const QByteArray& head)
{
    if (head.contains("ours_busbw_gb_per_s")) // of `scalebench bench`: bench_table.h
        return false;
    if (looksLikeJson(head))
        return head.contains("\"bus_bw\"") ||
               (head.contains("\"nccl_version\"") && head.contains("\"args\""));
    return head.contains("# nThread ") || (head.contains("algbw") && head.contains("busbw"));
}

Result<CollectiveTable> parseCollectiveTable(const QByteArray& bytes, const QString& fileName)
{
    CollectiveTable table;
    if (looksLikeJson(bytes)) {
        const Result<QJsonObject> json = parseJsonObject(bytes, fileName);
        if (!json)
            return json.failure();
        readJson(json.value(), table);
    } else {
        TextReader reader(table);
        int number = 0;
        for (const QByteArray& line : bytes.split('\n'))
            reader.line(QString::fromUtf8(line.left(4096)), ++number);
        reader.end();
    }
    if (table.rows.isEmpty())
        return Failure{u"nccl_damaged"_s,
                       Launcher::tr("%1 has no row of nccl-tests that can be read.").arg(fileName)};
    return table;
}

} // namespace scalebench::imports
