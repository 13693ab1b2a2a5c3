// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/machine_lock.h"

#include "base/translated.h"
#include "base/user_account.h"
#include "ssh/ssh.h"

#include <QCryptographicHash>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSysInfo>

#include <algorithm>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

bool MachineLock::isWanted()
{
    return qEnvironmentVariable("SCALEBENCH_MACHINE_LOCKS") != "off"_L1;
}

MachineLock::MachineLock(const TargetMachine& machine)
{
    const QString folder = sshControlFolder();
    if (folder.isEmpty() || machine.kind == TargetMachine::Kind::Slurm || !isWanted())
        return;
    QStringList hosts;
    if (const Result<QList<HostSlots>> known = hostsOf(machine))
        for (const HostSlots& host : known.value()) // this computer has no name: it may have many
            hosts << (isThisComputer(host.name) ? QString() : host.name.toLower());
    if (hosts.isEmpty())
        hosts << QString();
    hosts.removeDuplicates();
    for (const QString& host : hosts) {
        const QByteArray key =
            QCryptographicHash::hash(host.toUtf8(), QCryptographicHash::Sha256).toHex();
        m_paths << QFile::encodeName(folder) + "/host-" + key.left(16) + ".lock";
    }
}

MachineLock::~MachineLock()
{
    release();
    endWaiting();
}

void MachineLock::release()
{
    for (const int fd : m_held)
        ::close(fd);
    m_held.clear();
}

void MachineLock::endWaiting()
{
    for (const int fd : m_waits)
        ::close(fd);
    m_waits.clear();
}

static int openLock(const QByteArray& path)
{
    return ::open(path.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
}

static void label(int fd, const QByteArray& who)
{
    if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, who.constData(), size_t(who.size()), 0) < 0)
        qWarning("the lock of the machine could not be labelled");
}

static QByteArray waitingPath(const QByteArray& path)
{
    return path + ".waiting";
}

static bool isWaitedFor(const QByteArray& path)
{
    const int fd = openLock(waitingPath(path));
    const bool waited = fd >= 0 && ::flock(fd, LOCK_EX | LOCK_NB) != 0;
    if (fd >= 0)
        ::close(fd);
    return waited;
}

void MachineLock::waitFor(const QByteArray& path, const QByteArray& who)
{
    if (m_waits.contains(path))
        return;
    const int fd = openLock(waitingPath(path));
    if (fd >= 0 && ::flock(fd, LOCK_SH | LOCK_NB) == 0) {
        label(fd, who);
        m_waits.insert(path, fd);
    } else if (fd >= 0) { // somebody looks just now: with the next try
        ::close(fd);
    }
}

bool MachineLock::tryHost(const QByteArray& path, const QByteArray& who)
{
    const int fd = openLock(path);
    if (fd < 0)
        return true; // better two at once than none
    m_held << fd;
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
        m_busy = path;
        release();
        waitFor(path, who);
        return false;
    }
    QByteArray last(who.size() + 1, '\0');
    last.resize(std::max<qsizetype>(::pread(fd, last.data(), size_t(last.size()), 0), 0));
    if (last == who && m_letBy < kPolls && isWaitedFor(path)) {
        ++m_letBy;
        m_busy = waitingPath(path);
        release();
        return false;
    }
    return true;
}

bool MachineLock::tryAcquire(const QString& who)
{
    if (!m_held.isEmpty())
        return true;
    const QByteArray text = who.toUtf8();
    for (const QByteArray& path : m_paths)
        if (!tryHost(path, text))
            return false;
    for (const int fd : m_held)
        label(fd, text);
    endWaiting();
    return true;
}

QString MachineLock::holder() const
{
    QFile file(QFile::decodeName(m_busy));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.read(400)) : QString();
}

QString MachineLock::nameForOthers(const QString& studyDir)
{
    static const QRegularExpression kOther(u"[^A-Za-z0-9._ -]"_s);
    return Launcher::tr("the study %1 of %2 from %3")
        .arg(QFileInfo(studyDir).fileName(), userName(), QSysInfo::machineHostName())
        .replace(kOther, u"_"_s);
}

} // namespace scalebench
