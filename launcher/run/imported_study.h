// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs that were not trained here: what the library keeps of them,
// <library>/imported/<id>/record.json (resources/docs/import.md), and how it becomes a Study like
// any other. The record holds the values; the file they came from stays where it is, named with its
// checksum.

#include "base/result.h"
#include "run/run_record.h"
#include "run/study.h"

#include <QByteArray>
#include <QList>
#include <QString>
#include <QStringList>

#include <cmath>
#include <optional>

namespace scalebench::imports {

/// Larger numbers say nothing of a training and are no JSON integer any more: readers leave them
/// out as they do NaN. A record may hold more, so that what is scaled on its way still fits.
constexpr double kMostReadNumber = 1e15;
constexpr double kMostStoredNumber = 1e18;
constexpr int kMostRunPoints = 20'000; ///< evaluations or steps of a run
/// A table tells how long, not when: its clock begins here, and its runs are of the import's day.
constexpr double kUndatedStartMs = 1;
inline bool isReadable(double value)
{
    return std::isfinite(value) && std::abs(value) <= kMostReadNumber;
}

/// The file a run was read from. It is never opened again unless a person imports it again.
struct ImportSource {
    QString path;
    QString sha256; ///< of the whole file, hexadecimal
    qint64 bytes = 0;
    int run = 1; ///< which of the runs in it
    bool operator==(const ImportSource&) const = default;
};

struct ImportedRun {
    QString runId; ///< given when it is stored
    ImportSource source;
    qint64 importedMs = 0;

    QString benchmark; ///< as its source names it
    QString title;     ///< "ResNet-50"
    QString workload;  ///< ours, or the benchmark's name
    QString round;     ///< "v2.0"
    QString roundFrom; ///< "log", "folder" or "date"
    QString submitter, division, status, system, accelerator, framework;
    QString scale, model, precision, dataSource, batchPolicy; ///< where a table tells them
    int threads = 0;                                          ///< of a worker; 0: not told
    QString computePrecision;                                 ///< where it is another one
    double learningRate = 0;                                  ///< 0: not told
    QMap<QString, QString> settings; ///< of a table's further columns, by path
    bool oversubscribed = false;
    QStringList marks; ///< what it was measured under, in the table's words
    /// The rate grows with the batch: weak and table.
    bool followsBatch() const;
    int nodes = 0; ///< 0: not known, as are the next four
    int accelerators = 0;
    int processors = 0;       ///< in place of accelerators, where there are none
    QString acceleratorsFrom; ///< "option", "system description", "log", "batch sizes", "name"
    qint64 globalBatch = 0;
    QString batchUnit; ///< "samples" or "tokens"
    std::optional<quint64> seed;

    bool converged = false;
    Failure failure; ///< why it did not, or what is damaged
    bool damaged = false;
    double startMs = 0, stopMs = 0;
    std::optional<double> minutes() const;

    /// Epochs at the end as the source counts them; for some benchmarks samples.
    std::optional<double> epochs;
    QString epochUnit; ///< "epochs" or "samples"
    QString metric;    ///< leading
    double qualityScale =
        1; ///< values below are the source's times this: BLEU as a share, times 100
    std::optional<double> target;
    QList<MetricValue> furtherTargets;
    QList<EvalPoint> evals; ///< epochs are passes over the data, or millions of samples
    PointList<StepPoint> steps;
    double throughput = 0; ///< samples/s; 0: not known
    QStringList remarks;

    std::optional<double> lastQuality() const; ///< as the source has it
    /// Processes to compare by: accelerators, or processors of a machine without.
    int workers() const { return accelerators > 0 ? accelerators : processors; }
};

/// Runs that belong together: of one submitter, benchmark and round.
struct ImportedStudy {
    QString id;   ///< a checked folder name
    QString name; ///< for people
    QString kind; ///< "mlperf_log", "scalebench_log", "tensorboard", "csv", "bundle"
    QList<ImportedRun> runs;
};

/// For people: "imported: MLPerf log".
QString originTitle(const QString& kind);
/// What every export of such runs has to say; empty: nothing.
QString originNotice(const QString& kind);

QJsonObject toJson(const ImportedStudy& study);
/// Every number, text and list in it is bounded; codes as of JsonFields.
Result<ImportedStudy> parseImportedStudy(const QByteArray& json, const QString& fileName);

/// `dir`/record.json as the library's value. Starts, connects and recovers nothing.
Result<Study> loadImportedStudy(const QString& dir);
/// One run of it.
Result<RunRecord> loadImportedRun(const QString& dir, const QString& runId);
/// Whether `dir` holds one: a record.json and no study.json.
bool isImportedStudy(const QString& dir);
/// Whether it holds a study from another computer: a study.json, and the bundle.json it came with.
bool isUnpackedBundle(const QString& dir);
/// As the library's run: `studyDir`/runs/ID is a name only.
RunRecord toRunRecord(const ImportedRun& run, const ImportedStudy& study, const QString& studyDir);

} // namespace scalebench::imports
