// SPDX-License-Identifier: GPL-3.0-or-later
#include "library/new_study.h"

#include "base/file_io.h"
#include "base/host_names.h"
#include "base/translated.h"
#include "machine/study_machine.h"
#include "run/run_status.h"
#include "run/study_files.h"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonObject>

#include <cerrno>
#include <sys/stat.h>
#include <utility>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

NewFolder::NewFolder(QString path, QString name, int number)
    : m_path(std::move(path)), m_name(std::move(name)), m_number(number)
{
}

NewFolder::NewFolder(NewFolder&& other) noexcept
    : m_path(std::exchange(other.m_path, {})),
      m_name(std::move(other.m_name)),
      m_number(other.m_number),
      m_kept(other.m_kept)
{
}

NewFolder& NewFolder::operator=(NewFolder&& other) noexcept
{
    std::swap(m_path, other.m_path);
    std::swap(m_name, other.m_name);
    std::swap(m_number, other.m_number);
    std::swap(m_kept, other.m_kept);
    return *this;
}

NewFolder::~NewFolder()
{
    if (!m_path.isEmpty() && !m_kept)
        QDir(m_path).removeRecursively();
}

Result<NewFolder> NewFolder::claim(const QString& parent, const QString& name, int first)
{
    if (const Result<void> made = makeFolder(parent); !made)
        return made.failure();
    for (int n = first;; ++n) {
        const QString free = n == 1 ? name : u"%1-%2"_s.arg(name).arg(n);
        const QString path = parent + u'/' + free;
        // One call looks and takes: two programs cannot both find the name free.
        if (::mkdir(QFile::encodeName(path).constData(), 0777) == 0)
            return NewFolder(path, free, n);
        if (errno != EEXIST)
            return writeFailure(path, errno);
    }
}

static Failure notEmpty(const QString& dir)
{
    return {
        u"folder_not_empty"_s,
        Launcher::tr("%1 is not empty. Choose a new or an empty folder for the results.").arg(dir)};
}

Result<void> mayHoldNewStudy(const QString& dir)
{
    // Lists of studies have one a line.
    if (hasControlCharacters(dir))
        return Failure{
            u"path_invalid"_s,
            Launcher::tr(
                "The folder \"%1\" holds a line break or another control character. Choose "
                "another name.")
                .arg(printable(dir))};
    const QString studyDir = QFileInfo(dir).absoluteFilePath();
    if (QFileInfo::exists(studyDir + u"/study.json"_s))
        return Failure{
            u"study_exists"_s,
            Launcher::tr(
                "%1 already holds a study. Choose another folder; \"scalebench results show %1\" "
                "shows what is there.")
                .arg(studyDir)};
    if (QDir(studyDir).exists() && !QDir(studyDir).isEmpty(QDir::AllEntries | QDir::Hidden |
                                                           QDir::System | QDir::NoDotAndDotDot))
        return notEmpty(studyDir);
    return {};
}

QList<RunConfig> withStudyId(QList<RunConfig> runs, const QString& id)
{
    for (RunConfig& run : runs) {
        run.study = id;
        run.json.insert(u"study"_s, id);
    }
    return runs;
}

static Result<void> writeRunFolder(const QString& runDir, const RunConfig& run, qint64 nowMs)
{
    if (Result<void> r = makeFolder(runDir); !r)
        return r;
    if (Result<void> r = writeJsonAtomically(runDir + u"/run.json"_s, run.json); !r)
        return r;
    RunStatus status;
    status.createdMs = nowMs;
    return writeRunStatus(runDir, status);
}

Result<void> writeNewStudy(const QString& studyDir, const StudySpec& spec,
                           const QList<RunConfig>& runs, const TargetMachine& machine)
{
    if (Result<void> r = makeFolder(studyDir); !r)
        return r;
    if (Result<void> room = hasRoomToBegin(studyDir); !room)
        return room;
    const QString runsDir = studyDir + u"/runs"_s;
    // Who makes it has the folder; it was empty a moment ago.
    if (::mkdir(QFile::encodeName(runsDir).constData(), 0777) != 0)
        return errno == EEXIST ? notEmpty(studyDir) : writeFailure(runsDir, errno);
    const qint64 now = QDateTime::currentMSecsSinceEpoch();
    QJsonArray plan;
    for (const RunConfig& run : runs) {
        if (Result<void> r = writeRunFolder(runDirOf(studyDir, run.runId), run, now); !r)
            return r;
        plan << run.runId;
    }
    if (Result<void> r = writeJsonAtomically(
            studyDir + u"/plan.json"_s,
            {{u"format"_s, u"scalebench.plan"_s}, {u"version"_s, 1}, {u"runs"_s, plan}});
        !r)
        return r;
    const bool plainLocal = machine.kind == TargetMachine::Kind::Local &&
                            machine.environment.isEmpty() && machine.nccl.isEmpty() &&
                            machine.ucx.isEmpty();
    if (!plainLocal)
        if (Result<void> r = writeStudyMachine(studyDir, machine); !r)
            return r;
    // Last: a folder with study.json is a whole study.
    return writeJsonAtomically(studyDir + u"/study.json"_s, spec.toJson());
}

} // namespace scalebench
