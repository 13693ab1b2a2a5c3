// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine_lock.h"

#include "remote/ssh.h"

#include <QCryptographicHash>
#include <QFile>

#include <algorithm>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

MachineLock::MachineLock(const TargetMachine& machine)
{
    const QString folder = sshControlFolder();
    if (folder.isEmpty() || machine.kind == TargetMachine::Kind::Slurm ||
        qEnvironmentVariable("SCALEBENCH_MACHINE_LOCKS") == "off"_L1)
        return;
    QStringList hosts;
    if (const Result<QList<HostSlots>> known = hostsOf(machine))
        for (const HostSlots& host : known.value())
            hosts << host.name;
    // This computer by its name is the same machine as without one.
    if (std::all_of(hosts.begin(), hosts.end(), &isThisComputer))
        hosts.clear();
    hosts.sort();
    const QByteArray key =
        QCryptographicHash::hash(hosts.join(u'\n').toUtf8(), QCryptographicHash::Sha256);
    m_path = QFile::encodeName(folder) + "/machine-" + key.toHex().left(16) + ".lock";
}

MachineLock::~MachineLock()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

bool MachineLock::tryAcquire(const QString& who)
{
    if (m_path.isEmpty() || m_fd >= 0)
        return true;
    const int fd = ::open(m_path.constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return true; // better two at once than none
    if (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
        ::close(fd);
        return false;
    }
    const QByteArray text = who.toUtf8();
    m_fd = fd;
    if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, text.constData(), size_t(text.size()), 0) < 0)
        qWarning("the lock of the machine could not be labelled");
    return true;
}

QString MachineLock::holder() const
{
    QFile file(QFile::decodeName(m_path));
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.read(400)) : QString();
}

} // namespace scalebench
