// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/host_failures.h"

#include "base/translated.h"
#include "machine/open_mpi.h"
#include "ssh/ssh.h"

#include <QRegularExpression>
#include <QStringList>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

/// What ssh and the shell said about one host, its name taken off.
static QString linesOf(const QString& host, const QString& text)
{
    const QString prefix = u'[' + host + u"] "_s;
    QStringList lines;
    for (const QString& line : text.split(u'\n'))
        if (line.startsWith(prefix))
            lines << line.mid(prefix.size());
    return lines.join(u'\n');
}

Failure hostFailure(const QString& text, bool hasTrained, const QString& where)
{
    const auto lost = [&](const QString& host, const QString& why) {
        return Failure{u"node_lost"_s,
                       Launcher::tr("%1 was lost (%2) %3. The other hosts' processes were ended.")
                           .arg(host, why, where),
                       text};
    };
    static const QRegularExpression kExit(u"@rsh-exit (\\S+) (\\d+)"_s);
    // Where one fails, the daemons of the others are ended too, in any order.
    for (const QRegularExpressionMatch& m : kExit.globalMatch(text)) {
        const QString host = m.captured(1), said = linesOf(host, text);
        const int code = m.captured(2).toInt();
        if (code == 126 || code == 127)
            return {
                u"mpi_missing"_s,
                Launcher::tr(
                    "Open MPI's daemon could not be started on %1: %2. Install the engine there "
                    "(scalebench machines deploy NAME), or correct the machine's MPI folder.")
                    .arg(host, said.section(u'\n', -1)),
                text};
        const Failure ssh = classifySsh(host, code, said);
        // Before the first step it never came up; afterwards it went away.
        if (code == 255 && !hasTrained && ssh.code != "host_timeout"_L1)
            return {ssh.code, ssh.message, text};
        if (code == 255)
            return lost(
                host, said.contains("not responding"_L1)
                          ? Launcher::tr(
                                "it stopped answering: its network is cut or it was switched off")
                          : Launcher::tr(
                                "the connection to it broke: it went down or its network failed"));
    }
    const QString lostHost = lostHostIn(text);
    if (const QString blocked = cannotConnectBack(text, hasTrained); !blocked.isEmpty())
        return {u"network_blocked"_s,
                Launcher::tr(
                    "%1 could not connect back to mpirun: a firewall between the hosts rejects it, "
                    "or the wrong network interface is used. Allow the connections, or name the "
                    "interface in the target machine.")
                    .arg(blocked),
                text};
    if (!lostHost.isEmpty())
        return lost(
            lostHost,
            Launcher::tr("it stopped answering: its network is cut, or it was switched off"));
    return {};
}

} // namespace scalebench
