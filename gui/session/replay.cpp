// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/replay.h"

#include "base/file_io.h"
#include "base/let_go.h"
#include "base/ordinary_file.h"
#include "import/bundle.h"
#include "library/library.h"
#include "run/run_status.h"
#include "run/study_files.h"
#include "run/study_lock.h"
#include "work/background.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QThread>
#include <QThreadPool>

#include <algorithm>
#include <utility>

namespace scalebench {

namespace {

constexpr int kTurnMs = 100; ///< between two looks at the clock
constexpr int kLockMs = 2000;

/// When a line was written; < 0: it does not say.
double timeOf(const QByteArray& line)
{
    static const QByteArray kKey("\"time_ms\":");
    const qsizetype at = line.indexOf(kKey);
    if (at < 0)
        return -1;
    qsizetype end = at + kKey.size();
    while (end < line.size() && (std::isdigit(uchar(line[end])) || line[end] == '.'))
        ++end;
    return line.mid(at + kKey.size(), end - at - kKey.size()).toDouble();
}

struct RecordedRun {
    QString dir; ///< of the copy
    QByteArray stream;
    RunStatus end;
};

} // namespace

struct Replay::Story {
    QString dir;
    QList<RecordedRun> runs;
    /// Held as by a supervisor, from before anybody hears of the copy until all is told: so it
    /// counts as going on. A study whose runs wait, and that nobody holds, is over.
    std::shared_ptr<StudyLock> lock = std::make_shared<StudyLock>();

    /// What tells of the study and its runs, without what they wrote.
    static Result<Story> copy(const QString& from, const QString& to);
    /// As above, of a bundle.
    static Result<Story> unpack(const QString& bundle, const QString& to);
    void tell(double speed);

private:
    static bool tellRun(const RecordedRun& run, double speed);
};

Result<Replay::Story> Replay::Story::copy(const QString& from, const QString& to)
{
    const Result<Study> study = loadStudyHead(from);
    if (!study)
        return study.failure();
    Story story;
    story.dir = QDir(to).filePath(QStringLiteral("study"));
    const auto take = [](const QString& file, const QString& into) {
        const Result<QByteArray> bytes = readFile(file);
        QFile copy(into);
        return bytes && copy.open(QIODevice::WriteOnly) &&
               copy.write(bytes.value()) == bytes.value().size();
    };
    QDir().mkpath(story.dir);
    for (const QFileInfo& file : QDir(study.value().dir).entryInfoList(QDir::Files))
        // With bundle.json, where there is one: what others measured is never taken for one's own.
        if (file.suffix() == QLatin1String("json"))
            (void)take(file.filePath(), QDir(story.dir).filePath(file.fileName()));
    for (const RunRecord& run : study.value().runs) {
        RecordedRun recorded;
        recorded.dir =
            QDir(story.dir).filePath(QDir(study.value().dir).relativeFilePath(run.runDir));
        const Result<QByteArray> stream =
            readFile(QDir(run.runDir).filePath(QStringLiteral("result_0.txt")), kMostStreamBytes);
        const Result<RunStatus> end = readRunStatus(run.runDir);
        QDir().mkpath(recorded.dir);
        for (const char* name : {"run.json", "system.json"})
            (void)take(QDir(run.runDir).filePath(QLatin1String(name)),
                       QDir(recorded.dir).filePath(QLatin1String(name)));
        if (!end)
            return end.failure();
        recorded.stream = stream ? stream.value() : QByteArray();
        recorded.end = end.value();
        RunStatus queued;
        queued.createdMs = recorded.end.createdMs;
        if (const auto written = writeRunStatus(recorded.dir, queued); !written)
            return written.failure();
        story.runs << recorded;
    }
    if (std::all_of(story.runs.begin(), story.runs.end(),
                    [](const RecordedRun& run) { return run.stream.isEmpty(); }))
        return Failure{
            QStringLiteral("nothing_recorded"),
            Replay::tr("“%1” holds results only, not what its runs wrote as they trained. It "
                       "cannot be shown again.")
                .arg(from)};
    if (!story.lock->acquire(story.dir, kLockMs))
        return Failure{QStringLiteral("not_writable"),
                       Replay::tr("A copy of the study could not be made in “%1”.").arg(to)};
    return story;
}

Result<Replay::Story> Replay::Story::unpack(const QString& bundle, const QString& to)
{
    // The example is one of the program's own resources, which are no files.
    const QString file = QDir(to).filePath(QStringLiteral("recorded.zip"));
    QFile source(bundle);
    if (!source.copy(file))
        return Failure{QStringLiteral("not_readable"),
                       Replay::tr("“%1” could not be read: %2.")
                           .arg(bundle, systemText(source.errorString()))};
    const auto library = Library::open(QDir(to).filePath(QStringLiteral("recorded")));
    if (!library)
        return library.failure();
    const auto read = imports::readBundle(file, *library.value());
    if (!read)
        return read.failure();
    const auto dir = library.value()->findStudyDir(read.value().study);
    return dir ? copy(dir.value(), to) : dir.failure();
}

bool Replay::Story::tellRun(const RecordedRun& run, double speed)
{
    RunStatus running;
    running.state = RunState::Running;
    running.createdMs = run.end.createdMs;
    running.startedMs = run.end.startedMs;
    QFile file(QDir(run.dir).filePath(QStringLiteral("result_0.txt")));
    if (!writeRunStatus(run.dir, running) || !file.open(QIODevice::WriteOnly))
        return false;
    QElapsedTimer clock;
    clock.start();
    double first = -1, last = 0;
    for (qsizetype begin = 0; begin < run.stream.size();) {
        const qsizetype newLine = run.stream.indexOf('\n', begin);
        const qsizetype end = newLine < 0 ? run.stream.size() : newLine + 1;
        const QByteArray line = run.stream.mid(begin, end - begin);
        if (const double time = timeOf(line); time >= 0) {
            first = first < 0 ? time : first;
            last = std::max(last, (time - first) / speed);
        }
        while (double(clock.elapsed()) < last) {
            file.flush();
            if (QThread::currentThread()->isInterruptionRequested())
                return false;
            QThread::msleep(
                ulong(std::clamp(last - double(clock.elapsed()), 1.0, double(kTurnMs))));
        }
        file.write(line);
        begin = end;
    }
    file.close();
    return writeRunStatus(run.dir, run.end).ok();
}

void Replay::Story::tell(double speed)
{
    for (const RecordedRun& run : std::as_const(runs))
        if (!tellRun(run, speed))
            break;
    lock->release();
}

Replay::Replay(const QString& recorded, double speed, QObject* parent)
    : QObject(parent), m_recorded(recorded), m_speed(speed)
{
}

Replay::~Replay()
{
    letGo(std::move(m_thread));
    // Removing files may wait for the disk.
    QThreadPool::globalInstance()->start(
        [folder = std::exchange(m_folder, {})]() mutable { folder.reset(); });
}

void Replay::start()
{
    m_folder = std::make_shared<QTemporaryDir>();
    inBackground(
        this,
        [folder = m_folder, from = m_recorded] {
            return QFileInfo(from).isDir() ? Story::copy(from, folder->path())
                                           : Story::unpack(from, folder->path());
        },
        [this](const Result<Story>& copied) {
            if (!copied) {
                Q_EMIT failed(copied.failure());
                return;
            }
            m_thread.reset(QThread::create([folder = m_folder, story = copied.value(),
                                            speed = m_speed]() mutable { story.tell(speed); }));
            m_thread->start();
            m_dir = copied.value().dir;
            Q_EMIT begun(m_dir);
        });
}

} // namespace scalebench
