// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Folders of results as somebody with bad intentions would make them, and the scalebench command
// that opens them as another user would: with a data folder of its own, so nothing is "planned
// here".

#include "run/run_status.h"
#include "run/study.h"
#include "run/study_files.h"
#include "support/launcher_fixture.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

#include <csignal>
#include <memory>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace scalebench::test {

inline QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("<none>");
}

inline void put(const QString& path, const QByteArray& bytes)
{
    QDir().mkpath(QFileInfo(path).path());
    QFile::remove(path);
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("%s", qPrintable(path));
}

inline QJsonObject jsonOf(const QString& path)
{
    return QJsonDocument::fromJson(contentOf(path)).object();
}

inline void putJson(const QString& path, const QJsonObject& object)
{
    put(path, QJsonDocument(object).toJson());
}

/// A process in a session of its own that somebody wants to see ended.
class Victim
{
public:
    Victim()
    {
        m_pid = ::fork();
        if (m_pid == 0) {
            ::setsid();
            ::execlp("sleep", "sleep", "1000", nullptr);
            ::_exit(127);
        }
        while (ProcessIdentity::of(m_pid).pid != m_pid || sessionOf(m_pid) != m_pid)
            ::usleep(5000);
    }
    ~Victim()
    {
        ::kill(m_pid, SIGKILL);
        ::waitpid(m_pid, nullptr, 0);
    }
    ProcessIdentity identity() const { return ProcessIdentity::of(m_pid); }
    bool isAlive() const { return identity().isAlive(); }

private:
    static qint64 sessionOf(qint64 pid)
    {
        ProcessStat stat;
        return readProcessStat(pid, stat) ? stat.session : 0;
    }
    pid_t m_pid;
};

struct Answer {
    int code = -1; ///< -1: did not end in time
    QString out, err;
};

/// `dataHome`: whose studies are one's own.
inline Answer scalebench(const QStringList& arguments, const QString& dataHome, int seconds = 30)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("XDG_DATA_HOME"), dataHome);
    environment.insert(QStringLiteral("SCALEBENCH_GUI"), QStringLiteral("/does/not/exist"));
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(SB_BIN_DIR "/scalebench"), arguments);
    const bool ended = process.waitForFinished(seconds * 1000);
    if (!ended) {
        process.kill();
        process.waitForFinished();
    }
    return {ended && process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1,
            QString::fromUtf8(process.readAllStandardOutput()),
            QString::fromUtf8(process.readAllStandardError())};
}

/// A study that somebody sent: with an ordinary plan, its runs in `state`.
class HostileStudy
{
public:
    HostileStudy()
    {
        useFakeEngine("ok");
        const QByteArray before = qgetenv("XDG_DATA_HOME");
        qputenv("XDG_DATA_HOME", theirs().toUtf8());
        m_study = m_library.create({1, 2});
        before.isEmpty() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", before);
    }
    const QString& dir() const { return m_study.dir; }
    QString file(const QString& name) const { return m_study.dir + u'/' + name; }
    QString runDir(int index = 0) const { return m_study.runs[index].runDir; }
    QString libraryDir() const { return m_library.folder.path(); }
    /// The data folders of the one who planned it, and of the one who got it.
    QString theirs() const { return m_library.folder.filePath(QStringLiteral("theirs")); }
    QString mine() const { return m_library.folder.filePath(QStringLiteral("mine")); }
    QString outside(const char* name) const
    {
        return m_library.folder.filePath(QLatin1StringView(name));
    }

    void setStatus(const QJsonObject& values, int index = 0) const
    {
        QJsonObject status = jsonOf(runDir(index) + QStringLiteral("/status.json"));
        for (auto it = values.begin(); it != values.end(); ++it)
            status.insert(it.key(), it.value());
        putJson(runDir(index) + QStringLiteral("/status.json"), status);
    }
    void setRun(const QString& key, const QJsonValue& value, int index = 0) const
    {
        QJsonObject run = jsonOf(runDir(index) + QStringLiteral("/run.json"));
        run.insert(key, value);
        putJson(runDir(index) + QStringLiteral("/run.json"), run);
    }
    Answer open(QStringList arguments, int seconds = 30) const
    {
        return scalebench(arguments << QStringLiteral("--library") << libraryDir(), mine(),
                          seconds);
    }
    /// No supervisor has ever had it.
    bool isUntouched() const
    {
        return !QFileInfo::exists(file(QStringLiteral("supervisor.lock"))) &&
               !QFileInfo::exists(file(QStringLiteral("supervisor.log"))) &&
               processesMentioning(dir()).isEmpty();
    }

private:
    TemporaryLibrary m_library;
    Study m_study;
};

} // namespace scalebench::test
