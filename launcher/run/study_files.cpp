// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/study_files.h"

#include "base/checked_names.h"
#include "base/file_io.h"
#include "base/json_fields.h"
#include "base/translated.h"
#include "run/imported_study.h"
#include "run/run_status.h"
#include "run/run_store.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSet>

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

QString runDirOf(const QString& studyDir, const QString& runId)
{
    return studyDir + u"/runs/"_s + runId;
}

QString studyDirOf(const QString& runDir)
{
    return QFileInfo(QFileInfo(runDir).absolutePath()).absolutePath();
}

static Result<QStringList> parsePlan(const QByteArray& json, const QString& path)
{
    static constexpr int kMostRuns = 100'000;
    const Result<QJsonObject> parsed = parseJsonObject(json, path);
    if (!parsed)
        return parsed.failure();
    JsonFields f(parsed.value(), path);
    f.checkFormat(u"scalebench.plan"_s, 1);
    const QStringList runs = f.textList(u"runs"_s, {});
    if (runs.size() > kMostRuns)
        f.fail(u"out_of_range"_s,
               Launcher::tr("%1: the plan has more than %2 runs.").arg(path).arg(kMostRuns));
    for (const QString& run : runs)
        if (const Result<RunId> id = RunId::parse(run); !id)
            f.fail(id.failure().code, u"%1: %2"_s.arg(path, id.failure().message));
    if (QSet<QString>(runs.begin(), runs.end()).size() != runs.size())
        f.fail(u"run_twice"_s, Launcher::tr("%1: a run is in the plan twice.").arg(path));
    if (f.failed())
        return f.failure();
    return runs;
}

Result<QStringList> readPlan(const QString& studyDir)
{
    const Result<QByteArray> bytes = readFileBelow(studyDir, u"plan.json"_s);
    return bytes ? parsePlan(bytes.value(), studyDir + u"/plan.json"_s) : bytes.failure();
}

Result<RunRecord> loadRunHead(const QString& runDir)
{
    if (const QString studyDir = studyDirOf(runDir); imports::isImportedStudy(studyDir))
        return imports::loadImportedRun(studyDir, QFileInfo(runDir).fileName());
    const QString path = runDir + u"/run.json"_s;
    const Result<QByteArray> bytes = readRunFile(runDir, u"run.json"_s);
    if (!bytes)
        return bytes.failure();
    const Result<RunConfig> config = RunConfig::fromJson(bytes.value(), path);
    if (!config)
        return config.failure();
    RunRecord record;
    record.config = config.value();
    record.runDir = runDir;
    if (record.config.runId.isEmpty())
        record.config.runId = QFileInfo(runDir).fileName();
    const Result<RunStatus> status = readRunStatus(runDir);
    if (!status) {
        if (status.failure().code != "not_found"_L1)
            return status.failure();
        return record;
    }
    record.state = status.value().state;
    record.failure = status.value().error;
    record.command = status.value().command;
    record.createdMs = status.value().createdMs;
    record.startedMs = status.value().startedMs;
    record.finishedMs = status.value().finishedMs;
    record.waiting = status.value().waiting;
    record.nodeEnds = status.value().nodeEnds;
    record.attempts = status.value().attempt;
    return record;
}

Result<RunRecord> loadRun(const QString& runDir)
{
    if (const QString studyDir = studyDirOf(runDir); imports::isImportedStudy(studyDir))
        return imports::loadImportedRun(studyDir, QFileInfo(runDir).fileName());
    return RunStore::ofThisProcess().read(QDir::cleanPath(QFileInfo(runDir).absoluteFilePath()));
}

QList<int> ranksWithStderr(const QString& runDir, int workers)
{
    static const QRegularExpression kName(u"^stderr_(0|[1-9][0-9]{0,6})\\.txt$"_s);
    QList<int> ranks;
    QDirIterator it(runDir, {u"stderr_*.txt"_s}, QDir::Files | QDir::NoSymLinks);
    for (int seen = 0; it.hasNext() && seen < 20'000; ++seen) {
        const auto match = kName.match(QFileInfo(it.next()).fileName());
        if (match.hasMatch() && match.captured(1).toInt() < workers)
            ranks << match.captured(1).toInt();
    }
    std::sort(ranks.begin(), ranks.end());
    return ranks.first(std::min<qsizetype>(ranks.size(), 4096));
}

Result<StudySpec> readStudySpec(const QString& studyDir)
{
    const Result<QByteArray> bytes = readFileBelow(studyDir, u"study.json"_s);
    if (!bytes)
        return bytes.failure();
    return StudySpec::fromJson(bytes.value(), studyDir + u"/study.json"_s);
}

static Result<Study> loadStudyWith(const QString& studyDir,
                                   Result<RunRecord> (*loader)(const QString&))
{
    const QString dir = QFileInfo(studyDir).absoluteFilePath();
    if (imports::isImportedStudy(dir))
        return imports::loadImportedStudy(dir);
    const Result<StudySpec> spec = readStudySpec(dir);
    if (!spec)
        return spec.failure();
    const Result<QStringList> plan = readPlan(dir);
    if (!plan)
        return plan.failure();
    Study study;
    study.dir = dir;
    study.id = QFileInfo(dir).fileName();
    study.spec = spec.value();
    for (const QString& runId : plan.value()) {
        Result<RunRecord> run = loader(runDirOf(dir, runId));
        if (run) {
            study.runs << run.value();
            if (!run.value().config.study.isEmpty())
                study.id = run.value().config.study;
            continue;
        }
        RunRecord broken; // one damaged folder must not hide the other runs
        broken.config.runId = runId;
        broken.runDir = runDirOf(dir, runId);
        broken.config.workers = broken.config.nodes = 0; // nobody knows
        broken.state = RunState::Unreadable;
        broken.failure = {u"run_damaged"_s, run.failure().message, run.failure().details};
        study.runs << broken;
    }
    if (imports::isUnpackedBundle(dir)) {
        // One of this name may have been trained here too.
        study.id = QFileInfo(dir).fileName();
        for (RunRecord& run : study.runs)
            run.origin = imports::originTitle(u"bundle"_s);
    }
    return study;
}

Study withoutUnreadable(Study study)
{
    study.runs.removeIf([](const RunRecord& run) { return run.state == RunState::Unreadable; });
    return study;
}

Result<Study> loadStudy(const QString& studyDir)
{
    return loadStudyWith(studyDir, &loadRun);
}

Result<Study> loadStudyHead(const QString& studyDir)
{
    return loadStudyWith(studyDir, &loadRunHead);
}

StudyId remoteStudyName(const QString& studyDir)
{
    const Result<Study> study = loadStudyHead(studyDir);
    if (study)
        if (const Result<StudyId> id = StudyId::parse(study.value().id))
            return id.value();
    // A folder of any name: two of them must not become one over there.
    const QByteArray hash =
        QCryptographicHash::hash(QFile::encodeName(studyDir), QCryptographicHash::Sha256).toHex();
    return StudyId::parse(u"study-"_s + QString::fromLatin1(hash.left(16))).value();
}

} // namespace scalebench
