// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads an MLPerf training log as it comes, piece by piece, into the runs that are in it. Nothing
// is dropped silently: what cannot be read becomes a defect with its line.

#include "mlperf_line.h"
#include "own_stream.h"
#include "study/metrics.h"

#include <QByteArray>
#include <QByteArrayView>
#include <QHash>
#include <QList>
#include <QSet>
#include <QString>
#include <QStringList>

#include <algorithm>
#include <optional>

namespace scalebench::imports {

/// An `eval_accuracy` record.
struct MlperfEval {
    std::optional<double> tag; ///< the epoch as logged; for some benchmarks the samples trained
    double timeMs = 0;
    double value = 0;              ///< of the leading metric, on the log's scale
    QList<MetricValue> metrics;    ///< by the log's names, where it has several
    bool afterTraining = true;     ///< false: before the first train_epoch
    std::optional<double> samples; ///< metadata `samples_count`, and the tag where that is none
    bool late = false;             ///< after run_stop, in the file and by its time
};

/// One run as its log says it, before any description or rule is asked.
struct MlperfRun {
    MlperfGeneration generation = MlperfGeneration::V07;
    int firstLine = 0;
    QString benchmark, submitter, platform, division, status;
    double globalBatch = 0;                 ///< 0: not logged
    double inputBatch = 0;                  ///< v0.5's, of an accelerator or of all
    double workerBatch = 0;                 ///< d_batch_size, local_batch_size: of one accelerator
    double accumulation = 1;                ///< gradient_accumulation_steps
    int nodes = 0, acceleratorsPerNode = 0; ///< 0: not logged
    std::optional<quint64> seed;
    QList<MetricValue> targets;     ///< as logged; "" for a single one
    QList<MlperfEval> evals;        ///< each point once, in the order of the file
    QList<double> trainEpochs;      ///< v0.5: each tag once
    double startMs = 0, stopMs = 0; ///< 0: not logged
    double lastMs = 0;              ///< of the last record
    std::optional<bool> success;    ///< what run_stop says
    QString stopStatus;             ///< its word: "success", "aborted"
    double throughput = 0;          ///< mean of what was logged; 0: nothing
    std::optional<OwnSettings> own; ///< of a stream of our own engine
    QStringList remarks;
};

struct LogDefect {
    int line = 0;
    QString text;
};

struct MlperfLog {
    QList<MlperfRun> runs;    ///< with a run_start each, or one without when there are records
    QList<LogDefect> defects; ///< the first 100
    int defectCount = 0;
    int lines = 0;   ///< of the file
    int records = 0; ///< lines with a token
    int power = 0;   ///< records of MLPerf\'s power measurements, which lie beside its logs
    int doubled = 0; ///< equal lines of v0.5, counted once
    bool empty() const { return records == 0; }
    /// Measured watts of a node or switch, no training.
    bool onlyPower() const
    {
        return power > 0 && runs.size() == 1 && runs.first().startMs == 0 &&
               runs.first().evals.isEmpty();
    }
    /// The marker stands in it, as in a text about logs, but nothing of a run.
    bool holdsNoRun() const
    {
        return std::all_of(runs.begin(), runs.end(), [](const MlperfRun& run) {
            return run.startMs == 0 && run.stopMs == 0 && run.benchmark.isEmpty() &&
                   run.evals.isEmpty() && run.trainEpochs.isEmpty();
        });
    }
};

class MlperfLogReader
{
public:
    void feed(QByteArrayView bytes);
    /// Ends it; the reader is used up.
    MlperfLog finish();

private:
    void readLine(QByteArrayView line, bool ended);
    void readRecord(const MlperfLine& line);
    void setting(const MlperfLine& line, MlperfRun& run);
    void readRunStart(const MlperfLine& line);
    void readRunStop(const MlperfLine& line);
    void readEval(const MlperfLine& line);
    void defect(const QString& text);
    MlperfRun& current();

    MlperfLog m_log;
    QByteArray m_rest;        ///< of a line whose end has not come
    bool m_tooLong = false;   ///< only the beginning of the line is kept
    bool m_lostToken = false; ///< a token was in what is not
    bool m_stopped = false;   ///< the current run has its run_stop
    int m_samplesOfThroughput = 0;
    MlperfRun m_next;                ///< what may belong to a run that follows
    QSet<quint64> m_seen;            ///< hashes of v0.5's records
    QSet<quint64> m_points;          ///< hashes of the current run's evaluations
    QHash<QString, QString> m_first; ///< settings that must agree
};

/// The number of a value, which some write as a text; nothing for what is not
/// finite or too large.
std::optional<double> numberOf(const QJsonValue& value);

} // namespace scalebench::imports
