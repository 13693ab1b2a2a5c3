// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Where studies are kept. The folders are the truth; index.sqlite only makes lists fast and can be
// rebuilt. Studies written elsewhere (--out) are remembered in external_studies.txt.

#include "base/result.h"
#include "library/annotations.h"
#include "machine/machines.h"
#include "run/run_record.h"
#include "run/study.h"
#include "study/study_spec.h"

#include <QDateTime>
#include <QList>
#include <QMap>
#include <QString>

#include <memory>

namespace scalebench {

struct StudySummary {
    QString id;
    QString name;
    QString dir;
    QString workload;
    QString scale;
    qint64 createdMs = 0;
    int runs = 0;
    int finishedRuns = 0;
    QString origin;             ///< of its runs; empty: trained with Scalebench
    bool active = false;        ///< a supervisor is alive, or a run is not final
    bool supervised = false;    ///< a supervisor is alive
    QMap<RunState, int> states; ///< how many runs are in each
    int disturbedRuns = 0;
    QStringList tags; ///< that a person gave it, and what it was noted
    QString note;
};
/// "running, 1 of 4 done", "waiting", "4 runs", "2 of 4 runs completed, 1 failed, 1 cancelled":
/// what is true of a study, for lists.
QString stateText(const StudySummary& study);

struct RunSummary {
    QString studyId, runId, runDir, workload, scale, device, precision;
    int nodes = 1, workers = 1, globalBatch = 0, repeat = 1;
    quint64 seed = 0;
    RunState state = RunState::Queued;
    double quality = 0, target = -1, epochs = 0, timeToTrainS = 0, samplesPerSecond = 0;
    double energyJ = 0; ///< 0: not told
    qint64 createdMs = 0;
    QStringList tags; ///< of its study, and its note
    QString note;
    QString studyName; ///< as the person named it, or what it is of
    QStringList marks; ///< markKeys() of what must be said with its numbers
    QString machine; ///< that it ran on: the target machine's name, else the first worker's device
    QString variant; ///< what it differs in from its study's others, in English: "bf16, overlap on"
};
/// "resumed, oversubscribed"
QString marksText(const RunSummary& run);

class Library
{
public:
    enum class IfMissing { Create, Fail };
    /// Opens the library in `dir`; empty: the user's data folder. One that may not be written to,
    /// or is on a full disk, is opened with its index in a temporary file; so is one whose index is
    /// another user's and cannot be made anew. Codes "not_writable",
    /// "disk_full", "library_gone".
    static Result<std::shared_ptr<Library>> open(const QString& dir,
                                                 IfMissing missing = IfMissing::Create);
    static QString defaultDir();
    ~Library();

    QString dir() const;
    /// Failed ("not_writable"): studies can be looked at, but none begun or put away.
    Result<void> mayWrite() const;
    QString generatedDataDir() const; ///< <dir>/data

    /// Creates the study's folder (inside the library, or `outDir`) with study.json, plan.json,
    /// queued run folders and, unless it is this computer, machine.json: the study keeps its
    /// machine as it was. It is called `studyId`, or where another study of this library is called
    /// so already, also one begun in this moment elsewhere, `studyId`-2, -3 ….
    Result<Study> createStudy(const StudySpec& spec, const QList<RunConfig>& runs,
                              const QString& studyId, const QString& outDir,
                              const TargetMachine& machine = {});
    /// Readable: "resnet-desk-20261121-093601". Two in one second are the same.
    QString newStudyId(const StudySpec& spec) const;

    Result<QList<StudySummary>> studies();
    Result<QList<RunSummary>> runs(const QString& studyId = {});
    /// Why studies whose folders are there are not among those listed last.
    QList<Failure> leftOut() const;
    /// By id, by folder or by an unambiguous beginning of the id; "latest" is the newest.
    Result<QString> findStudyDir(const QString& idOrDir);
    /// Tags and note of a study (library/annotations.h).
    Result<Annotation> annotate(const QString& studyDir, const AnnotationEdit& edit);
    Result<void> updateIndex(const QString& studyDir);
    /// Reads all folders again; returns how many studies were found.
    Result<int> rebuild();

private:
    struct Private;
    explicit Library(std::unique_ptr<Private> d);
    std::unique_ptr<Private> d;
};

} // namespace scalebench
