// SPDX-License-Identifier: GPL-3.0-or-later
// The hosts of a target machine, wherever they are listed.
#include "base/translated.h"
#include "machine/machines.h"

#include "base/file_io.h"

#include <QFileInfo>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

using Kind = TargetMachine::Kind;

static Result<QList<HostSlots>> hostsOfFile(const QString& path)
{
    const QFileInfo info(path);
    if (info.isDir())
        return Failure{u"hostfile_folder"_s,
                       Launcher::tr("The hostfile %1 is a folder. Choose a file.").arg(path)};
    if (info.size() > 16 * 1024 * 1024)
        return Failure{
            u"hostfile_too_long"_s,
            Launcher::tr("The hostfile %1 has more than 16 MiB; that is no hostfile.").arg(path)};
    const Result<QByteArray> bytes = readFile(path);
    if (!bytes)
        return Failure{bytes.failure().code == "not_found"_L1 ? u"hostfile_missing"_s
                                                              : u"hostfile_not_readable"_s,
                       Launcher::tr("The hostfile %1").arg(bytes.failure().message)};
    const Hostfile file = parseHostfile(bytes.value());
    for (const HostfileRemark& remark : file.remarks)
        if (remark.isError)
            return Failure{remark.code, u"%1: %2"_s.arg(path, remark.message)};
    return file.hosts;
}

Result<QList<HostSlots>> hostsOf(const TargetMachine& machine)
{
    if (machine.kind == Kind::Local || machine.kind == Kind::Slurm)
        return QList<HostSlots>();
    if (!machine.hostfile.isEmpty())
        return hostsOfFile(machine.hostfile);
    Result<QList<HostSlots>> hosts = parseHostList(machine.hosts);
    if (!hosts || machine.kind != Kind::Login)
        return hosts;
    // A big machine reached by its name alone is its own login node.
    const QString itself = u"localhost"_s;
    if (hosts.value().isEmpty())
        return QList<HostSlots>{{itself, 0}};
    // So is one whose only host is called as the login node: it needs no ssh to itself.
    if (hosts.value().size() == 1 && hosts.value().first().name == machine.login.section(u'@', -1))
        hosts.value().first().name = itself;
    return hosts;
}

} // namespace scalebench
