// SPDX-License-Identifier: GPL-3.0-or-later
#include "mlperf_log.h"
#include "base/translated.h"
#include "run/imported_study.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string_view>

namespace scalebench::imports {

using namespace Qt::Literals::StringLiterals;

namespace {

constexpr qsizetype kLongestLine = 4 << 20;
constexpr int kMostLogDefects = 100;
constexpr int kMostRemarks = 50;
constexpr int kMostRuns = 1000;
constexpr int kMostEpochs = 10'000;

quint64 hashOf(const QByteArray& bytes)
{
    return std::hash<std::string_view>{}(std::string_view(bytes.constData(), size_t(bytes.size())));
}

void remark(MlperfRun& run, const QString& text)
{
    if (run.remarks.size() < kMostRemarks && !run.remarks.contains(text))
        run.remarks << text;
}

/// The numbers of an object and of the objects in it: {"accuracy": {"BBOX": .., "SEGM": ..}}.
void collect(const QJsonObject& object, int deeper, QList<MetricValue>& values)
{
    for (auto it = object.begin(); it != object.end() && values.size() < kMostMetrics; ++it) {
        if (it.value().isObject() && deeper > 0)
            collect(it.value().toObject(), deeper - 1, values);
        else if (const auto number = numberOf(it.value());
                 number && isMetricName(it.key()) && !valueOf(values, it.key()))
            values << MetricValue{it.key(), *number};
    }
}

/// A number, an object of them, or Mask R-CNN's two as a list; empty when there is none.
QList<MetricValue> readValues(const QJsonValue& value)
{
    QList<MetricValue> values;
    const QJsonArray list = value.toArray();
    const auto box = numberOf(list.at(0)), mask = numberOf(list.at(1));
    if (list.size() == 2 && box && mask)
        return {{u"BBOX"_s, *box}, {u"SEGM"_s, *mask}};
    if (value.isObject())
        collect(value.toObject(), 1, values);
    else if (const auto number = numberOf(value))
        values << MetricValue{QString(), *number};
    return values;
}

void setOnce(QString& field, const QJsonValue& value)
{
    if (field.isEmpty())
        field = value.toString().simplified().left(200);
}

void setOnce(double& field, const QJsonValue& value)
{
    if (const auto number = numberOf(value); field == 0 && number && *number > 0 && *number < 1e15)
        field = *number;
}

void setOnce(int& field, const QJsonValue& value)
{
    double number = 0;
    setOnce(number, value);
    if (field == 0 && number <= 1e6)
        field = int(number);
}

/// What a second run in a file has from the first where its own lines do not say it.
void inherit(MlperfRun& run, const MlperfRun& from)
{
    for (QString MlperfRun::*field :
         {&MlperfRun::benchmark, &MlperfRun::submitter, &MlperfRun::platform, &MlperfRun::division})
        if ((run.*field).isEmpty())
            run.*field = from.*field;
    for (double MlperfRun::*field :
         {&MlperfRun::globalBatch, &MlperfRun::inputBatch, &MlperfRun::workerBatch})
        if (run.*field == 0)
            run.*field = from.*field;
    if (run.targets.isEmpty())
        run.targets = from.targets;
    if (!run.own)
        run.own = from.own;
}

} // namespace

std::optional<double> numberOf(const QJsonValue& value)
{
    bool ok = value.isDouble();
    const double number = value.isString() ? value.toString().toDouble(&ok) : value.toDouble();
    return ok && isReadable(number) ? std::optional(number) : std::nullopt;
}

void MlperfLogReader::defect(const QString& text)
{
    ++m_log.defectCount;
    if (m_log.defects.size() < kMostLogDefects)
        m_log.defects << LogDefect{m_log.lines, text};
}

MlperfRun& MlperfLogReader::current()
{
    return m_log.runs.isEmpty() ? m_next : m_log.runs.last();
}

void MlperfLogReader::feed(QByteArrayView bytes)
{
    while (!bytes.isEmpty()) {
        const qsizetype end = bytes.indexOf('\n');
        const QByteArrayView part = end < 0 ? bytes : bytes.first(end);
        if (m_rest.size() + part.size() > kLongestLine) {
            m_tooLong = true;
            m_lostToken = m_lostToken || part.indexOf(":::ML") >= 0;
        } else if (end < 0 || !m_rest.isEmpty()) {
            m_rest.append(part);
        }
        if (end < 0)
            return;
        if (m_rest.isEmpty() && !m_tooLong)
            readLine(part, true);
        else
            readLine(m_rest, true);
        m_rest.clear();
        m_tooLong = m_lostToken = false;
        bytes = bytes.sliced(end + 1);
    }
}

void MlperfLogReader::readLine(QByteArrayView line, bool ended)
{
    ++m_log.lines;
    if (m_tooLong && (m_lostToken || line.indexOf(":::ML") >= 0))
        defect(Launcher::tr("the line has more than %1 MiB and was read in part")
                   .arg(kLongestLine >> 20));
    if (line.indexOf(":::ML") < 0)
        return;
    // A progress bar goes back with \r and writes over what stood there.
    while (!line.isEmpty()) {
        const qsizetype end = line.indexOf('\r');
        const QByteArrayView part = end < 0 ? line : line.first(end);
        line = end < 0 ? QByteArrayView() : line.sliced(end + 1);
        const MlperfLine record = parseMlperfLine(part);
        if (record.kind == MlperfLine::Kind::None)
            continue;
        ++m_log.records;
        if (record.kind == MlperfLine::Kind::Broken)
            defect(ended ? record.problem
                         : Launcher::tr("the file ends inside this line: it was cut off (%1)")
                               .arg(record.problem));
        else
            readRecord(record);
        if (record.kind == MlperfLine::Kind::Record && !record.problem.isEmpty())
            defect(record.problem);
    }
}

void MlperfLogReader::readRecord(const MlperfLine& line)
{
    // v0.5's checker reads the set of its lines: writers that logged each twice were accepted.
    if (line.generation == MlperfGeneration::V05) {
        const quint64 hash = hashOf(line.record);
        if (m_seen.contains(hash)) {
            ++m_log.doubled;
            return;
        }
        m_seen.insert(hash);
    }
    if (m_log.records == 1 || m_log.runs.isEmpty())
        m_next.generation = line.generation;
    if (m_next.firstLine == 0)
        m_next.firstLine = m_log.lines;
    if (line.key.startsWith("power_"_L1) || line.key == "interconnect_power_est"_L1)
        ++m_log.power;
    if (line.key == "run_start"_L1)
        readRunStart(line);
    else if (line.key == "run_stop"_L1)
        readRunStop(line);
    else if (line.key == "eval_accuracy"_L1)
        readEval(line);
    else {
        setting(line, current());
        if (m_stopped)
            setting(line, m_next);
    }
    readOwnRecord(line, current().own);
    MlperfRun& run = current();
    run.lastMs = std::max(run.lastMs, line.timeMs);
    if (!line.remark.isEmpty())
        remark(run, Launcher::tr("line %1: %2").arg(m_log.lines).arg(line.remark));
}

void MlperfLogReader::setting(const MlperfLine& line, MlperfRun& run)
{
    const QString& key = line.key;
    const QJsonValue& value = line.value;
    if (!line.benchmark.isEmpty())
        setOnce(run.benchmark, line.benchmark);
    static const QSet<QString> kOneValue{u"submission_benchmark"_s, u"submission_org"_s,
                                         u"submission_platform"_s, u"global_batch_size"_s};
    if (kOneValue.contains(key)) {
        const QString text = value.toVariant().toString();
        if (!m_first.contains(key))
            m_first.insert(key, text);
        else if (m_first.value(key) != text && !m_stopped)
            remark(run, Launcher::tr("line %1: %2 is \"%3\", before it was \"%4\"")
                            .arg(m_log.lines)
                            .arg(key, text.left(80), m_first.value(key).left(80)));
    }
    if (key == "submission_benchmark"_L1) // ours tell RetinaNet from SSD, which share a name
        setOnce(run.benchmark,
                line.metadata.contains("workload"_L1) ? line.metadata.value("workload"_L1) : value);
    else if (key == "submission_org"_L1)
        setOnce(run.submitter, value);
    else if (key == "submission_platform"_L1)
        setOnce(run.platform, value);
    else if (key == "submission_division"_L1)
        setOnce(run.division, value);
    else if (key == "submission_status"_L1)
        setOnce(run.status, value);
    else if (key == "global_batch_size"_L1)
        setOnce(run.globalBatch, value);
    else if (key == "input_batch_size"_L1)
        setOnce(run.inputBatch, value);
    else if (key == "d_batch_size"_L1 || key == "local_batch_size"_L1)
        setOnce(run.workerBatch, value);
    else if (key == "gradient_accumulation_steps"_L1)
        run.accumulation = std::max(1.0, numberOf(value).value_or(1));
    else if (key == "number_of_nodes"_L1)
        setOnce(run.nodes, value);
    else if (key == "accelerators_per_node"_L1)
        setOnce(run.acceleratorsPerNode, value);
    else if (key == "seed"_L1 || key == "run_set_random_seed"_L1) {
        if (const auto seed = numberOf(value); seed && !run.seed && *seed >= 0 && *seed < 9e15)
            run.seed = quint64(*seed);
    } else if (key == "eval_target"_L1 || key == "target_accuracy"_L1) {
        if (run.targets.isEmpty())
            run.targets = readValues(value);
    } else if (key == "train_epoch"_L1) {
        if (const auto epoch = numberOf(value);
            epoch && !run.trainEpochs.contains(*epoch) && run.trainEpochs.size() < kMostEpochs)
            run.trainEpochs << *epoch;
    } else if (key == "throughput"_L1) {
        if (const auto rate = numberOf(value); rate && *rate > 0) {
            ++m_samplesOfThroughput;
            run.throughput += (*rate - run.throughput) / m_samplesOfThroughput;
        }
    } else if (key == "submission_entry"_L1 && run.acceleratorsPerNode == 0) {
        // v0.6: a printed Python dictionary with the node's description.
        static const QRegularExpression kNodes(u"'num_nodes': '(\\d{1,6})'"_s);
        static const QRegularExpression kEach(u"'num_accelerators': '(\\d{1,6})'"_s);
        const QString text = value.toString();
        run.nodes = kNodes.match(text).captured(1).toInt();
        run.acceleratorsPerNode = kEach.match(text).captured(1).toInt();
    }
}

void MlperfLogReader::readRunStart(const MlperfLine& line)
{
    const bool begun = !m_log.runs.isEmpty();
    if (begun && !m_stopped && m_log.runs.last().evals.isEmpty() &&
        m_log.runs.last().trainEpochs.isEmpty()) {
        // As MLPerf's summariser: the last one before run_stop.
        remark(m_log.runs.last(),
               Launcher::tr("line %1: run_start once more; the last one counts").arg(m_log.lines));
        m_log.runs.last().startMs = line.timeMs;
        return;
    }
    if (begun)
        defect(m_stopped ? Launcher::tr("a second run begins here: the file holds several")
                         : Launcher::tr("a second run begins here before the first one's run_stop: "
                                        "the file holds several"));
    if (m_log.runs.size() >= kMostRuns)
        return;
    MlperfRun run = m_next;
    if (run.benchmark.isEmpty())
        run.benchmark = line.benchmark;
    run.startMs = line.timeMs;
    run.generation = line.generation;
    if (begun)
        inherit(run, m_log.runs.last());
    m_log.runs << run;
    m_next = {};
    m_next.generation = line.generation;
    m_first.clear();
    m_points.clear();
    m_samplesOfThroughput = 0;
    m_stopped = false;
}

void MlperfLogReader::readRunStop(const MlperfLine& line)
{
    MlperfRun& run = current();
    if (m_stopped) {
        remark(run,
               Launcher::tr("line %1: run_stop once more; the first one counts").arg(m_log.lines));
        return;
    }
    run.stopMs = line.timeMs;
    if (line.generation == MlperfGeneration::V05) {
        const QJsonValue success = line.value.toObject().value("success"_L1);
        // Written by some as a text.
        const QString text = success.toVariant().toString().toLower();
        if (text == "true"_L1 || text == "false"_L1)
            run.success = text == "true"_L1;
    } else {
        run.stopStatus = line.metadata.value("status"_L1).toString().simplified().left(40);
        if (!run.stopStatus.isEmpty())
            run.success = run.stopStatus.compare(u"success"_s, Qt::CaseInsensitive) == 0;
    }
    if (m_log.runs.isEmpty())
        return; // the head of the file is missing
    m_stopped = true;
    m_next = {};
    m_first.clear();
}

void MlperfLogReader::readEval(const MlperfLine& line)
{
    MlperfRun& run = current();
    if (!line.benchmark.isEmpty())
        setOnce(run.benchmark, line.benchmark);
    MlperfEval eval;
    eval.timeMs = line.timeMs;
    eval.afterTraining = !run.trainEpochs.isEmpty();
    eval.late = m_stopped && line.timeMs > run.stopMs;
    QJsonValue value = line.value;
    QJsonValue tag = line.metadata.value("epoch_num"_L1);
    if (line.generation == MlperfGeneration::V05) {
        const QJsonObject object = value.toObject();
        tag = object.value("epoch"_L1);
        if (object.contains("value"_L1))
            value = object.value("value"_L1);
    } else {
        eval.samples = numberOf(line.metadata.value("samples_count"_L1));
    }
    eval.tag = numberOf(tag);
    if (!eval.tag && tag.isUndefined())
        eval.tag = eval.samples;
    if (!eval.tag && tag.isDouble())
        remark(run, Launcher::tr("line %1: epoch_num is no number between -1e15 and 1e15")
                        .arg(m_log.lines));
    const QList<MetricValue> values = readValues(value);
    if (values.isEmpty()) {
        remark(run, Launcher::tr("line %1: eval_accuracy has no number between -1e15 and 1e15")
                        .arg(m_log.lines));
        return;
    }
    eval.value = values.first().value;
    if (value.isObject() || value.isArray())
        eval.metrics = values;
    if (run.own)
        eval.metrics = ownMetrics(line);
    // Some ranks log it too, at other times.
    if (eval.tag) {
        const quint64 point = hashOf(QByteArray::number(*eval.tag, 'g', 17) + ' ' +
                                     QByteArray::number(eval.samples.value_or(0), 'g', 17) + ' ' +
                                     QByteArray::number(eval.value, 'g', 17));
        if (m_points.contains(point))
            return;
        m_points.insert(point);
    }
    if (run.evals.size() < kMostRunPoints)
        run.evals << eval;
}

MlperfLog MlperfLogReader::finish()
{
    if (!m_rest.isEmpty())
        readLine(m_rest, false);
    m_rest.clear();
    if (m_log.runs.isEmpty() && m_log.records > 0) {
        defect(Launcher::tr("there is no run_start: the head of the log is missing"));
        m_log.runs << m_next;
    }
    return std::move(m_log);
}

} // namespace scalebench::imports
