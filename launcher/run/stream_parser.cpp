// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/stream_parser.h"

#include "base/plain_text.h"
#include "run/eval_values.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSet>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr QByteArrayView kPrefix(":::MLLOG ");
static constexpr qsizetype kLongestLine = 1 << 20; ///< far beyond the protocol's 64 KiB

/// MLPerf's keys that tell us nothing but are no surprise.
static const QSet<QString>& silentKeys()
{
    static const QSet<QString> keys{u"submission_benchmark"_s,
                                    u"submission_org"_s,
                                    u"submission_division"_s,
                                    u"submission_status"_s,
                                    u"submission_platform"_s,
                                    u"submission_entry"_s,
                                    u"submission_poc_name"_s,
                                    u"submission_poc_email"_s,
                                    u"cache_clear"_s,
                                    u"init_start"_s,
                                    u"init_stop"_s,
                                    u"seed"_s,
                                    u"opt_name"_s,
                                    u"opt_base_learning_rate"_s,
                                    u"opt_weight_decay"_s,
                                    u"opt_learning_rate_warmup_epochs"_s,
                                    u"gradient_accumulation_steps"_s,
                                    u"train_samples"_s,
                                    u"eval_samples"_s,
                                    u"eval_start"_s,
                                    u"eval_stop"_s,
                                    u"block_start"_s,
                                    u"block_stop"_s};
    return keys;
}

RunDelta StreamParser::feed(QByteArrayView bytes)
{
    RunDelta delta;
    delta.bytes = bytes.size();
    m_bytes += bytes.size();
    qsizetype from = 0;
    while (from < bytes.size()) {
        const qsizetype end = bytes.indexOf('\n', from);
        if (end < 0) {
            m_rest.append(bytes.sliced(from).data(), bytes.size() - from);
            if (m_rest.size() > kLongestLine) {
                m_rest.clear();
                ++delta.foreignLines;
            }
            break;
        }
        const QByteArrayView line = bytes.sliced(from, end - from);
        if (m_rest.isEmpty()) {
            parseLine(line, delta);
        } else {
            m_rest.append(line.data(), line.size());
            const QByteArray whole = std::exchange(m_rest, {});
            parseLine(whole, delta);
        }
        from = end + 1;
    }
    return delta;
}

void StreamParser::parseLine(QByteArrayView line, RunDelta& delta)
{
    const qsizetype at = line.lastIndexOf(kPrefix);
    if (at < 0) {
        if (!line.trimmed().isEmpty())
            ++delta.foreignLines;
        return;
    }
    const QByteArrayView json = line.sliced(at + kPrefix.size());
    const QJsonDocument document =
        QJsonDocument::fromJson(QByteArray::fromRawData(json.data(), json.size()));
    const QJsonObject record = document.object();
    if (!document.isObject() || !record.value("key"_L1).isString()) {
        ++delta.foreignLines;
        return;
    }
    const QJsonObject metadata = record.value("metadata"_L1).toObject();
    if (const QJsonValue sequence = metadata.value("seq"_L1); sequence.isDouble()) {
        const qint64 number = std::clamp<qint64>(sequence.toInteger(), -1, qint64(1) << 53);
        if (number < m_nextSequence) {
            ++delta.sequenceRepeats; // taken already: no point is doubled
            return;
        }
        delta.sequenceGaps += number - m_nextSequence;
        m_nextSequence = number + 1;
    }
    const QString key = record.value("key"_L1).toString();
    const double timeMs = record.value("time_ms"_L1).toDouble();
    if (record.value("namespace"_L1).toString() == "scalebench"_L1)
        parseOurRecord(key, record.value("value"_L1), timeMs, delta);
    else
        parseMlperfRecord(key, record.value("value"_L1), metadata, timeMs, delta);
}

/// An epoch or rank as a stream may give it: any number.
static int bounded(double value)
{
    return value >= -1 && value <= 1e9 ? int(value) : -1;
}

/// A number of things that can be multiplied by 100 and added up without overflow.
static qint64 amount(const QJsonValue& value)
{
    return std::clamp<qint64>(value.toInteger(), 0, qint64(1) << 53);
}

static double since(double startMs, double timeMs)
{
    return startMs > 0 ? (timeMs - startMs) / 1000 : 0;
}

/// A share or an amount of something.
static double positive(const QJsonValue& value)
{
    return std::clamp(value.toDouble(), 0.0, 1e9);
}

static StepPoint stepFrom(const QJsonObject& v)
{
    StepPoint p;
    p.epoch = v.value("epoch"_L1).toDouble();
    p.step = amount(v.value("step"_L1));
    p.samples = amount(v.value("samples"_L1));
    p.loss = v.value("loss"_L1).toDouble();
    p.learningRate = v.value("learning_rate"_L1).toDouble();
    p.samplesPerSecond = v.value("samples_per_s"_L1).toDouble();
    p.stepMs = v.value("step_ms"_L1).toDouble();
    p.computeMs = v.value("compute_ms"_L1).toDouble();
    p.commMs = v.value("comm_ms"_L1).toDouble();
    p.rowsMs = std::clamp(v.value("rows_ms"_L1).toDouble(), 0.0, std::max(p.commMs, 0.0));
    p.inputMs = v.value("input_ms"_L1).toDouble();
    p.otherMs = v.value("other_ms"_L1).toDouble();
    p.readMs = positive(v.value("read_ms"_L1));
    p.decodeMs = positive(v.value("decode_ms"_L1));
    p.augmentMs = positive(v.value("augment_ms"_L1));
    return p;
}

/// A text for people.
static QString shown(const QJsonObject& object, const char* key)
{
    return visibleText(object.value(QLatin1StringView(key)).toString());
}

static void readHostLoads(const QJsonArray& hosts, int epoch, RunDelta& delta)
{
    for (const QJsonValue& item : hosts) {
        const QJsonObject h = item.toObject();
        HostLoad load;
        load.epoch = epoch;
        load.host = shown(h, "host").simplified();
        load.seconds = positive(h.value("seconds"_L1));
        load.processors = bounded(positive(h.value("processors"_L1)));
        load.own = positive(h.value("own"_L1));
        load.others = positive(h.value("others"_L1));
        load.stolen = positive(h.value("stolen"_L1));
        load.swappedBytes = amount(h.value("swapped_bytes"_L1));
        load.clockMhz = positive(h.value("clock_mhz"_L1));
        load.memoryBytes = amount(h.value("memory_bytes"_L1));
        load.memoryUsedBytes = amount(h.value("memory_used_bytes"_L1));
        load.sentBytes = amount(h.value("sent_bytes"_L1));
        load.receivedBytes = amount(h.value("received_bytes"_L1));
        load.energyJ = positive(h.value("energy_j"_L1));
        delta.hostLoads << load;
    }
}

/// Of the reasons that keep clocks down, those that no healthy run has; the power limit is one of
/// the ordinary ones.
static bool countGpu(const QJsonObject& v, GpuReadings& readings)
{
    static const QStringList unhealthy{u"thermal"_s, u"hw_thermal"_s, u"hw_slowdown"_s,
                                       u"power_brake"_s};
    ++readings.readings;
    const QJsonArray told = v.value("throttle"_L1).toArray();
    bool slowed = false;
    for (const QString& reason : unhealthy) {
        if (!told.contains(reason))
            continue;
        slowed = true;
        if (!readings.reasons.contains(reason))
            readings.reasons << reason;
    }
    readings.slowed += slowed ? 1 : 0;
    return slowed;
}

static GpuPoint gpuPoint(const QJsonObject& v)
{
    const auto told = [&v](QLatin1StringView key) {
        const double value = v.value(key).toDouble(qQNaN());
        return value >= 0 && value < 1e18 ? value : qQNaN();
    };
    GpuPoint point;
    point.use = told("utilization"_L1) / 100;
    point.memoryUsedBytes = told("memory_used_bytes"_L1);
    point.powerW = told("power_w"_L1);
    point.energyJ = told("energy_j"_L1);
    point.clockMhz = told("sm_mhz"_L1);
    point.temperatureC = told("temperature_c"_L1);
    return point;
}

static void readEpochSplit(const QJsonObject& v, RunDelta& delta)
{
    const int epoch = bounded(v.value("epoch"_L1).toDouble());
    for (const QJsonValue& item : v.value("ranks"_L1).toArray()) {
        const QJsonObject r = item.toObject();
        EpochSplit split;
        split.epoch = epoch;
        split.rank = r.value("rank"_L1).toInt();
        split.stepMs = r.value("step_ms"_L1).toDouble();
        split.computeMs = r.value("compute_ms"_L1).toDouble();
        split.commMs = r.value("comm_ms"_L1).toDouble();
        split.inputMs = r.value("input_ms"_L1).toDouble();
        split.otherMs = r.value("other_ms"_L1).toDouble();
        split.evalMs = r.value("eval_ms"_L1).toDouble();
        delta.splits << split;
    }
    readHostLoads(v.value("hosts"_L1).toArray(), epoch, delta);
    EpochSummary summary;
    summary.epoch = epoch;
    summary.trainS = v.value("train_s"_L1).toDouble();
    summary.evalS = v.value("eval_s"_L1).toDouble();
    summary.trainLoss = v.value("train_loss"_L1).toDouble();
    summary.bytesRead = amount(v.value("bytes_read"_L1));
    delta.epochs << summary;
}

static QJsonObject shownFlat(QJsonObject object)
{
    for (auto it = object.begin(); it != object.end(); ++it)
        if (it.value().isString())
            it.value() = visibleText(it.value().toString());
    return object;
}

static QJsonObject shownValues(QJsonObject object)
{
    for (auto it = object.begin(); it != object.end(); ++it) {
        if (it.value().isString())
            it.value() = visibleText(it.value().toString());
        else if (it.value().isObject()) // "switches": no deeper ones
            it.value() = QJsonValue(shownFlat(it.value().toObject()));
    }
    return object;
}

void StreamParser::parseOurRecord(const QString& key, const QJsonValue& value, double timeMs,
                                  RunDelta& delta)
{
    const QJsonObject v = value.toObject();
    if (key == "step"_L1) {
        StepPoint point = stepFrom(v);
        point.seconds = since(m_runStartMs, timeMs);
        m_epoch = point.epoch;
        m_samples = point.samples;
        m_step = point.step;
        delta.steps << point;
        delta.phase = u"train"_s;
    } else if (key == "epoch_split"_L1) {
        readEpochSplit(v, delta);
    } else if (key == "progress"_L1) {
        delta.phase = shown(v, "phase");
        delta.phaseDone = amount(v.value("done"_L1));
        delta.phaseTotal = amount(v.value("total"_L1));
    } else if (key == "worker"_L1) {
        WorkerInfo worker;
        worker.rank = v.value("rank"_L1).toInt();
        worker.host = shown(v, "host");
        worker.pid = amount(v.value("pid"_L1));
        worker.deviceName = shown(v, "device_name");
        worker.threads = v.value("threads"_L1).toInt();
        delta.workers << worker;
    } else if (key == "setup"_L1) {
        delta.setup = shownValues(v);
    } else if (key == "warning"_L1) {
        delta.warnings << Failure{shown(v, "code"), shown(v, "message")};
    } else if (key == "error"_L1) {
        delta.error = Failure{shown(v, "code"), shown(v, "message")};
        delta.errorRank = v.value("rank"_L1).toInt(-1);
    } else if (key == "resume"_L1) {
        // The clock stands still between the checkpoint and the resumed run.
        const double pause = std::clamp(v.value("pause_ms"_L1).toDouble(), 0.0, 1e15);
        m_runStartMs += pause;
        delta.pausedMs += pause;
        ++delta.resumes;
        ++m_resumes;
        delta.runStartMs = m_runStartMs;
    } else if (key == "checkpoint"_L1) {
        delta.phase = u"checkpoint"_s;
        delta.phaseDone = delta.phaseTotal = 0;
    } else if (key == "gpu"_L1) {
        GpuPoint point = gpuPoint(v);
        point.seconds = since(m_runStartMs, timeMs);
        point.attempt = m_resumes;
        point.epoch = m_epoch;
        point.step = m_step;
        point.samples = m_samples;
        point.slowed = countGpu(v, delta.gpuReadings);
        delta.gpu << point;
    } else if (key != "stream"_L1) {
        ++delta.unknownKeys;
    }
}

void StreamParser::parseMlperfRecord(const QString& key, const QJsonValue& value,
                                     const QJsonObject& metadata, double timeMs, RunDelta& delta)
{
    const QJsonValue epochNumber = metadata.value("epoch_num"_L1);
    if (key == "eval_accuracy"_L1) {
        EvalPoint point;
        point.epoch = epochNumber.toDouble(m_epoch);
        point.samples = metadata.value("samples_count"_L1).toInteger();
        point.seconds = since(m_runStartMs, timeMs);
        const EvalValues values = readEvalValues(value, metadata);
        point.value = values.value;
        point.metrics = values.metrics;
        delta.evals << point;
        // After a whole epoch it tells the samples of the epoch's end; the last step is before it.
        if (const int epoch = bounded(point.epoch);
            epoch > 0 && epoch == point.epoch && point.samples > 0) {
            EpochSummary summary;
            summary.epoch = epoch;
            summary.samples = point.samples;
            delta.epochs << summary;
            m_evaluatedEpoch = epoch;
        }
    } else if (key == "epoch_start"_L1) {
        m_epoch = epochNumber.toDouble(m_epoch);
        delta.phase = u"train"_s;
        delta.phaseDone = delta.phaseTotal = 0;
    } else if (key == "epoch_stop"_L1) {
        EpochSummary summary;
        summary.epoch = bounded(epochNumber.toDouble(m_epoch));
        summary.samples = metadata.value("samples_count"_L1).toInteger(m_samples);
        summary.seconds = since(m_runStartMs, timeMs);
        delta.epochs << summary;
    } else if (key == "tracked_stats"_L1) {
        const QJsonObject v = value.toObject();
        delta.throughput = v.value("throughput"_L1).toDouble(v.value("imgs_sec"_L1).toDouble());
        EpochSummary summary;
        summary.epoch = bounded(epochNumber.toDouble(m_epoch));
        summary.samplesPerSecond = delta.throughput;
        if (summary.epoch != m_evaluatedEpoch)
            summary.samples = // without overflow
                std::min<qint64>(amount(metadata.value("step"_L1)), qint64(1) << 32) *
                m_globalBatch;
        delta.epochs << summary;
    } else if (key == "run_start"_L1) {
        if (m_runStartMs > 0) { // a clock is not set back
            ++delta.secondStarts;
            return;
        }
        m_runStartMs = timeMs;
        delta.runStartMs = timeMs;
    } else if (key == "run_stop"_L1) {
        delta.runStopMs = timeMs;
        delta.stopStatus = shown(metadata, "status");
        delta.stopReason = shown(metadata, "reason");
    } else if (key == "global_batch_size"_L1) {
        m_globalBatch = std::min<qint64>(amount(value), 1 << 30);
    } else if (key == "eval_start"_L1) {
        delta.phase = u"eval"_s;
        delta.phaseDone = delta.phaseTotal = 0;
    } else if (!silentKeys().contains(key)) {
        ++delta.unknownKeys;
    }
}

} // namespace scalebench
