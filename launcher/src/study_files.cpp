// SPDX-License-Identifier: GPL-3.0-or-later
#include "study_files.h"

#include "file_io.h"
#include "json_fields.h"
#include "launcher/stream_parser.h"
#include "run_status.h"

#include <QCryptographicHash>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>

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

Result<QStringList> readPlan(const QString& studyDir)
{
    const QString path = studyDir + u"/plan.json"_s;
    const Result<QByteArray> bytes = readFile(path);
    if (!bytes)
        return bytes.failure();
    const Result<QJsonObject> parsed = parseJsonObject(bytes.value(), path);
    if (!parsed)
        return parsed.failure();
    JsonFields f(parsed.value(), path);
    f.checkFormat(u"scalebench.plan"_s, 1);
    const QStringList runs = f.textList(u"runs"_s, {});
    for (const QString& run : runs)
        if (run.isEmpty() || run.contains(u'/') || run.startsWith(u'.'))
            f.fail(u"wrong_type"_s, u"%1: \"%2\" is not a run's name."_s.arg(path, run));
    if (f.failed())
        return f.failure();
    return runs;
}

Result<RunRecord> loadRunHead(const QString& runDir)
{
    const QString path = runDir + u"/run.json"_s;
    const Result<QByteArray> bytes = readFile(path);
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
    return record;
}

Result<RunRecord> loadRun(const QString& runDir)
{
    Result<RunRecord> record = loadRunHead(runDir);
    if (!record)
        return record;
    QFile stream(runDir + u"/result_0.txt"_s);
    if (stream.open(QIODevice::ReadOnly)) {
        StreamParser parser;
        while (true) {
            const QByteArray bytes = stream.read(1 << 20);
            if (bytes.isEmpty())
                break;
            record.value().apply(parser.feed(bytes));
        }
    }
    return record;
}

static Result<Study> loadStudyWith(const QString& studyDir,
                                   Result<RunRecord> (*loader)(const QString&))
{
    const QString dir = QFileInfo(studyDir).absoluteFilePath();
    const QString path = dir + u"/study.json"_s;
    const Result<QByteArray> bytes = readFile(path);
    if (!bytes)
        return bytes.failure();
    const Result<StudySpec> spec = StudySpec::fromJson(bytes.value(), path);
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
        broken.state = RunState::Failed;
        broken.failure = {u"run_damaged"_s, run.failure().message, run.failure().details};
        study.runs << broken;
    }
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

QStringList queuedRuns(const QString& studyDir)
{
    QStringList queued;
    const Result<QStringList> plan = readPlan(studyDir);
    if (!plan)
        return queued;
    for (const QString& runId : plan.value()) {
        const Result<RunStatus> status = readRunStatus(runDirOf(studyDir, runId));
        if (status && status.value().state == RunState::Queued)
            queued << runId;
    }
    return queued;
}

void cancelQueuedRuns(const QString& studyDir)
{
    for (const QString& runId : queuedRuns(studyDir)) {
        Result<RunStatus> status = readRunStatus(runDirOf(studyDir, runId));
        if (!status)
            continue;
        status.value().state = RunState::Cancelled;
        status.value().finishedMs = QDateTime::currentMSecsSinceEpoch();
        status.value().error = {u"cancelled"_s, u"Not started: the study was stopped before."_s};
        (void)writeRunStatus(runDirOf(studyDir, runId), status.value());
    }
}

static QString stopMarker(const QString& studyDir)
{
    return studyDir + u"/stop_after_run"_s;
}

bool stopAfterRunRequested(const QString& studyDir)
{
    return QFileInfo::exists(stopMarker(studyDir));
}

Result<void> requestStopAfterRun(const QString& studyDir)
{
    return writeFileAtomically(stopMarker(studyDir), {});
}

void withdrawStopAfterRun(const QString& studyDir)
{
    QFile::remove(stopMarker(studyDir));
}

static QString pauseMarker(const QString& studyDir)
{
    return studyDir + u"/paused"_s;
}

bool queuePaused(const QString& studyDir)
{
    return QFileInfo::exists(pauseMarker(studyDir));
}

void setQueuePaused(const QString& studyDir, bool paused)
{
    if (paused)
        (void)writeFileAtomically(pauseMarker(studyDir), {});
    else
        QFile::remove(pauseMarker(studyDir));
}

QString remoteStudyName(const QString& studyDir)
{
    const Result<Study> study = loadStudyHead(studyDir);
    const QString id = study ? study.value().id : QString();
    return id.isEmpty() || id.contains(u'/') || id.startsWith(u'.') ? u"study"_s : id;
}

Result<TargetMachine> studyMachine(const QString& studyDir)
{
    const QString path = studyDir + u"/machine.json"_s;
    if (!QFileInfo::exists(path))
        return TargetMachine{};
    const Result<QByteArray> bytes = readFile(path);
    if (!bytes)
        return bytes.failure();
    const Result<QJsonObject> parsed = parseJsonObject(bytes.value(), path);
    return parsed ? TargetMachine::fromJson(parsed.value(), path) : parsed.failure();
}

TargetMachine machineBehindLogin(TargetMachine machine)
{
    if (machine.kind == TargetMachine::Kind::Login)
        machine.kind = TargetMachine::Kind::Ssh;
    for (QString* ours :
         {&machine.login, &machine.user, &machine.jumpHost, &machine.sshConfig, &machine.hostfile})
        ours->clear();
    return machine;
}

Result<void> writeStudyMachine(const QString& studyDir, const TargetMachine& given)
{
    TargetMachine machine = given;
    if (!machine.hostfile.isEmpty()) { // it may change or be out of reach later
        const Result<QList<HostSlots>> hosts = hostsOf(machine);
        if (!hosts)
            return hosts.failure();
        QStringList words;
        for (const HostSlots& host : hosts.value())
            words << (host.count > 0 ? u"%1:%2"_s.arg(host.name).arg(host.count) : host.name);
        machine.hosts = words.join(u',');
        machine.hostfile.clear();
    }
    return writeJsonAtomically(studyDir + u"/machine.json"_s, machine.toJson());
}

static QString ownStudiesPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           u"/scalebench/own_studies.txt"_s;
}

/// What a study does is in these files.
static QByteArray studyMark(const QString& studyDir)
{
    QCryptographicHash hash(QCryptographicHash::Sha256);
    for (const QString& name : {u"/study.json"_s, u"/plan.json"_s, u"/machine.json"_s}) {
        const Result<QByteArray> bytes = readFile(studyDir + name);
        hash.addData(bytes ? bytes.value() : QByteArray("-"));
        hash.addData(QByteArrayView("\n", 1));
    }
    return hash.result().toHex();
}

void rememberOwnStudy(const QString& studyDir)
{
    const QString path = ownStudiesPath();
    (void)makeFolder(QFileInfo(path).path());
    QFile file(path);
    if (file.open(QIODevice::WriteOnly | QIODevice::Append | QIODevice::Unbuffered))
        file.write(studyMark(studyDir) + '\n');
}

bool isOwnStudy(const QString& studyDir)
{
    QFile file(ownStudiesPath());
    return file.open(QIODevice::ReadOnly) &&
           file.readAll().split('\n').contains(studyMark(studyDir));
}

static QByteArray lockPath(const QString& studyDir)
{
    return QFile::encodeName(studyDir + u"/supervisor.lock"_s);
}

static void writeHolder(int fd)
{
    const QByteArray text = QByteArray::number(qint64(::getpid())) + '\n';
    if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, text.constData(), size_t(text.size()), 0) < 0)
        return; // the lock itself holds; only its label is missing
}

StudyLock::~StudyLock()
{
    release();
}

void StudyLock::release()
{
    if (m_fd >= 0)
        ::close(m_fd);
    m_fd = -1;
}

bool StudyLock::acquire(const QString& studyDir, int timeoutMs)
{
    const int fd = ::open(lockPath(studyDir).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0)
        return false;
    for (int waited = 0; ::flock(fd, LOCK_EX | LOCK_NB) != 0; waited += 10) {
        if ((errno != EWOULDBLOCK && errno != EINTR) || waited >= timeoutMs) {
            ::close(fd);
            return false;
        }
        ::usleep(10'000);
    }
    writeHolder(fd);
    m_fd = fd;
    return true;
}

bool StudyLock::adopt(const QString& studyDir, int fd)
{
    struct stat given {
    }, expected{};
    if (fd < 0 || ::fstat(fd, &given) != 0 ||
        ::stat(lockPath(studyDir).constData(), &expected) != 0 || given.st_dev != expected.st_dev ||
        given.st_ino != expected.st_ino || ::flock(fd, LOCK_EX | LOCK_NB) != 0)
        return false;
    ::fcntl(fd, F_SETFD, FD_CLOEXEC);
    m_fd = fd;
    return true;
}

int StudyLock::passOn()
{
    ::fcntl(m_fd, F_SETFD, 0);
    return m_fd;
}

std::optional<qint64> lockHolder(const QString& studyDir)
{
    const int fd = ::open(lockPath(studyDir).constData(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return {};
    std::optional<qint64> holder;
    if (::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        char text[32] = {};
        const bool labelled = ::pread(fd, text, sizeof text - 1, 0) > 0;
        holder = labelled ? QByteArray(text).trimmed().toLongLong() : 0;
    }
    ::close(fd);
    return holder;
}

} // namespace scalebench
