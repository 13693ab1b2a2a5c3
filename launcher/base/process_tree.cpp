// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/process_tree.h"

#include <QDir>
#include <QFile>

#include <csignal>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static QByteArray procFile(qint64 pid, const char* name)
{
    QFile file(u"/proc/%1/%2"_s.arg(pid).arg(QLatin1StringView(name)));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

QString currentBootId()
{
    QFile file(u"/proc/sys/kernel/random/boot_id"_s);
    return file.open(QIODevice::ReadOnly) ? QString::fromLatin1(file.readAll().trimmed())
                                          : QString();
}

bool readProcessStat(qint64 pid, ProcessStat& stat)
{
    const QByteArray text = procFile(pid, "stat");
    const qsizetype nameEnd = text.lastIndexOf(')'); // the name may hold spaces and brackets
    if (nameEnd < 0)
        return false;
    const QList<QByteArray> fields = text.mid(nameEnd + 2).split(' '); // from field 3, the state
    if (fields.size() < 20)
        return false;
    stat.pid = pid;
    stat.state = fields[0].isEmpty() ? char(0) : fields[0][0];
    stat.parent = fields[1].toLongLong();
    stat.session = fields[3].toLongLong();
    stat.startTicks = fields[19].toLongLong();
    return true;
}

ProcessIdentity ProcessIdentity::of(qint64 pid)
{
    ProcessStat stat;
    if (!readProcessStat(pid, stat))
        return {};
    return {pid, stat.startTicks, currentBootId()};
}

ProcessIdentity ProcessIdentity::self()
{
    return of(::getpid());
}

bool ProcessIdentity::isAlive() const
{
    ProcessStat stat;
    return pid > 0 && bootId == currentBootId() && readProcessStat(pid, stat) &&
           stat.startTicks == startTicks && stat.state != 'Z' && stat.state != 'X';
}

QByteArray ProcessIdentity::toText() const
{
    return QByteArray::number(pid) + ' ' + QByteArray::number(startTicks) + ' ' +
           bootId.toLatin1() + '\n';
}

ProcessIdentity ProcessIdentity::fromText(const QByteArray& text)
{
    const QList<QByteArray> words = text.trimmed().split(' ');
    bool pidOk = false, ticksOk = false;
    const ProcessIdentity read{words.value(0).toLongLong(&pidOk),
                               words.value(1).toLongLong(&ticksOk),
                               QString::fromLatin1(words.value(2))};
    const bool valid = words.size() == 3 && pidOk && ticksOk && read.pid > 1;
    return valid ? read : ProcessIdentity();
}

bool hasFileOpen(qint64 pid, quint64 device, quint64 inode)
{
    const QString folder = u"/proc/%1/fd"_s.arg(pid);
    for (const QString& name :
         QDir(folder).entryList(QDir::Files | QDir::System | QDir::NoDotAndDotDot)) {
        struct stat info {
        };
        if (::stat(QFile::encodeName(folder + u'/' + name).constData(), &info) == 0 &&
            quint64(info.st_dev) == device && quint64(info.st_ino) == inode)
            return true;
    }
    return false;
}

static bool isMarkedWithRun(qint64 pid, const QByteArray& runDir)
{
    return ('\0' + procFile(pid, "environ") + '\0')
        .contains('\0' + QByteArray(kRunMark) + '=' + runDir + '\0');
}

static bool isCalledWithRun(qint64 pid, const QByteArray& runDir)
{
    const QList<QByteArray> arguments = procFile(pid, "cmdline").split('\0');
    const qsizetype at = arguments.indexOf("--run");
    return at >= 0 && at + 1 < arguments.size() && arguments[at + 1] == runDir;
}

void reapChildrenOf(qint64 session)
{
    const qint64 self = ::getpid();
    for (const QString& entry : QDir(u"/proc"_s).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        bool isPid = false;
        const qint64 pid = entry.toLongLong(&isPid);
        ProcessStat stat;
        if (isPid && pid != self && readProcessStat(pid, stat) && stat.state == 'Z' &&
            stat.parent == self && stat.session == session)
            ::waitpid(pid_t(pid), nullptr, WNOHANG);
    }
}

QList<qint64> RunProcesses::alive() const
{
    const QByteArray directory = QFile::encodeName(runDir);
    const qint64 self = ::getpid();
    ProcessStat leader;
    const bool led = session > 1 && readProcessStat(session, leader);
    const bool sameLeader = led && leader.startTicks == leaderTicks;
    const bool ours = fromFile ? sameLeader && isMarkedWithRun(session, directory)
                               : session > 1 && (!led || leaderTicks == 0 || sameLeader);
    QList<qint64> found;
    for (const QString& entry : QDir(u"/proc"_s).entryList(QDir::Dirs | QDir::NoDotAndDotDot)) {
        bool isPid = false;
        const qint64 pid = entry.toLongLong(&isPid);
        ProcessStat stat;
        if (!isPid || pid == self || !readProcessStat(pid, stat) || stat.state == 'Z' ||
            stat.state == 'X')
            continue;
        if ((ours && stat.session == session) || isCalledWithRun(pid, directory) ||
            isMarkedWithRun(pid, directory))
            found << pid;
    }
    return found;
}

bool RunProcesses::kill(int timeoutMs, bool reap) const
{
    for (int waited = 0;; waited += 20) {
        if (reap)
            reapChildrenOf(session);
        const QList<qint64> left = alive();
        if (left.isEmpty())
            return true;
        if (waited >= timeoutMs)
            return false;
        for (qint64 pid : left)
            ::kill(pid_t(pid), SIGKILL);
        ::usleep(20'000);
    }
}

} // namespace scalebench
