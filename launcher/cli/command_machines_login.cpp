// SPDX-License-Identifier: GPL-3.0-or-later
// scalebench machines login|logout: for hosts that want a password or a second factor. ssh asks for
// it itself, in this terminal or through the system's askpass; Scalebench never sees it. The
// connection that results carries everything that follows until logout.
#include "machine_options.h"
#include "ssh/ssh.h"

#include <QProcess>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

static int runSsh(const QStringList& arguments)
{
    QProcess ssh;
    ssh.setProcessChannelMode(QProcess::ForwardedChannels);
    ssh.setInputChannelMode(QProcess::ForwardedInputChannel);
    ssh.start(u"ssh"_s, arguments);
    if (!ssh.waitForFinished(-1))
        return -1;
    return ssh.exitStatus() == QProcess::NormalExit ? ssh.exitCode() : -1;
}

int commandMachinesLogin(const QStringList& arguments, bool logout)
{
    CommandParser parser(logout ? u"machines logout NAME"_s : u"machines login NAME"_s,
                         logout ? u"Ends the connections that \"machines login\" opened."_s
                                : u"Logs in once to hosts that ask for a password; ssh asks, and "
                                  "the open connection is used until \"machines logout\"."_s);
    parser.addPositionalArgument(u"name"_s, u"A target machine."_s);
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    if (parser.positionalArguments().size() != 1)
        return report({u"usage"_s, u"Which machine? \"scalebench machines list\" shows them."_s});
    int code = kUsage;
    const std::optional<TargetMachine> machine =
        findMachine(parser.positionalArguments().first(), &code);
    if (!machine)
        return code;
    const Result<QStringList> hosts = loginHosts(*machine);
    if (!hosts)
        return report(hosts.failure());
    if (Result<void> marked = setSharedLogin(*machine, !logout); !marked)
        return report(marked.failure());
    int failed = 0;
    for (const QString& host : hosts.value()) {
        const int exit = runSsh(logout ? sharedLogoutArguments(*machine, host)
                                       : sharedLoginArguments(*machine, host));
        if (exit != 0 && !logout) {
            error(u"%1: the login did not succeed (ssh ended with %2)."_s.arg(host).arg(exit));
            ++failed;
        } else if (!logout) {
            out(u"%1: logged in\n"_s.arg(host));
        }
    }
    if (failed == int(hosts.value().size()) && failed > 0)
        (void)setSharedLogin(*machine, false);
    return failed == 0 ? kOk : kFailed;
}

} // namespace scalebench::cli
