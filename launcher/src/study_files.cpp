// SPDX-License-Identifier: GPL-3.0-or-later
#include "study_files.h"

#include "checked_names.h"
#include "file_io.h"
#include "import/imported_study.h"
#include "json_fields.h"
#include "launcher/stream_parser.h"
#include "run_status.h"

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
               u"%1: the plan has more than %2 runs."_s.arg(path).arg(kMostRuns));
    for (const QString& run : runs)
        if (const Result<RunId> id = RunId::parse(run); !id)
            f.fail(id.failure().code, u"%1: %2"_s.arg(path, id.failure().message));
    if (QSet<QString>(runs.begin(), runs.end()).size() != runs.size())
        f.fail(u"run_twice"_s, u"%1: a run is in the plan twice."_s.arg(path));
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
    return record;
}

Result<RunRecord> loadRun(const QString& runDir)
{
    Result<RunRecord> record = loadRunHead(runDir);
    QFile stream;
    if (!record || !openOrdinaryFile(stream, runDir + u"/result_0.txt"_s))
        return record;
    StreamParser parser;
    for (qint64 left = kMostStreamBytes; left > 0;) {
        const QByteArray bytes = stream.read(std::min<qint64>(left, 1 << 20));
        if (bytes.isEmpty())
            break;
        left -= bytes.size();
        record.value().apply(parser.feed(bytes));
    }
    return record;
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
        broken.state = RunState::Failed;
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

void cancelQueuedRun(const QString& studyDir, const QString& runId, const Failure& reason)
{
    Result<RunStatus> status = readRunStatus(runDirOf(studyDir, runId));
    if (!status)
        return;
    status.value().state = RunState::Cancelled;
    status.value().finishedMs = QDateTime::currentMSecsSinceEpoch();
    status.value().error = reason;
    (void)writeRunStatus(runDirOf(studyDir, runId), status.value());
}

void cancelQueuedRuns(const QString& studyDir, const Failure& reason)
{
    for (const QString& runId : queuedRuns(studyDir))
        cancelQueuedRun(studyDir, runId, reason);
}

void cancelQueuedRuns(const QString& studyDir)
{
    cancelQueuedRuns(studyDir, {u"cancelled"_s, u"Not started: the study was stopped before."_s});
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

Result<TargetMachine> studyMachine(const QString& studyDir)
{
    const QString path = studyDir + u"/machine.json"_s;
    const Result<QByteArray> bytes = readFileBelow(studyDir, u"machine.json"_s);
    if (!bytes && bytes.failure().code == "not_found"_L1)
        return TargetMachine{};
    if (!bytes)
        return bytes.failure();
    const Result<QJsonObject> parsed = parseJsonObject(bytes.value(), path);
    if (!parsed)
        return parsed.failure();
    const Result<TargetMachine> machine = TargetMachine::fromJson(parsed.value(), path);
    if (!machine)
        return machine;
    if (const Result<void> ok = machine.value().check(); !ok)
        return Failure{ok.failure().code, u"%1: %2"_s.arg(path, ok.failure().message)};
    return machine;
}

TargetMachine machineBehindLogin(TargetMachine machine)
{
    if (machine.kind == TargetMachine::Kind::Login)
        machine.kind = TargetMachine::Kind::Ssh;
    for (QString* ours :
         {&machine.login, &machine.user, &machine.jumpHost, &machine.sshConfig, &machine.hostfile})
        ours->clear();
    // A big machine reached by its name alone is its own login node.
    if (machine.kind == TargetMachine::Kind::Ssh && machine.hosts.trimmed().isEmpty())
        machine.hosts = u"localhost"_s;
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
    // Its environment may hold tokens.
    return writeJsonAtomically(studyDir + u"/machine.json"_s, machine.toJson(), Readers::OwnerOnly);
}

static QByteArray lockPath(const QString& studyDir)
{
    return QFile::encodeName(studyDir + u"/supervisor.lock"_s);
}

/// The lock file itself, never what a link, a pipe or a device of that name would lead to.
static int openLock(const QString& studyDir, int flags)
{
    const int fd = ::open(lockPath(studyDir).constData(),
                          flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0666);
    struct stat info {
    };
    if (fd < 0 || (::fstat(fd, &info) == 0 && S_ISREG(info.st_mode)))
        return fd;
    ::close(fd);
    return -1;
}

static void writeHolder(int fd)
{
    const QByteArray text = ProcessIdentity::self().toText();
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
    const int fd = openLock(studyDir, O_RDWR | O_CREAT);
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

/// The process that the lock's text names, if it is alive, the same one, and has this very file
/// open: the text alone could name anybody.
static qint64 verifiedHolder(int fd)
{
    char text[128] = {};
    struct stat info {
    };
    if (::pread(fd, text, sizeof text - 1, 0) <= 0 || ::fstat(fd, &info) != 0)
        return 0;
    const ProcessIdentity holder = ProcessIdentity::fromText(QByteArray(text));
    const bool really = holder.isAlive() && hasFileOpen(holder.pid, info.st_dev, info.st_ino);
    return really ? holder.pid : 0;
}

std::optional<qint64> lockHolder(const QString& studyDir)
{
    const int fd = openLock(studyDir, O_RDONLY);
    if (fd < 0)
        return {};
    std::optional<qint64> holder;
    if (::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        holder = verifiedHolder(fd);
    ::close(fd);
    return holder;
}

bool isStudyHeld(const QString& studyDir)
{
    return lockHolder(studyDir).has_value();
}

} // namespace scalebench
