// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/shell_quote.h"
#include "base/translated.h"
#include "preflight/judge.h"

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {

/// Which cell a failure of ssh belongs to.
QString cellOf(const QString& code)
{
    if (code == "host_not_found"_L1)
        return u"name"_s;
    if (code.startsWith("host_key"_L1))
        return u"host_key"_s;
    if (code == "login_refused"_L1 || code == "remote_failed"_L1)
        return u"login"_s;
    return u"ssh"_s;
}

QString fixOf(const QString& code, const TargetMachine& machine, const QString& host)
{
    if (code == "host_not_found"_L1)
        return Launcher::tr("Correct the name, or add an entry \"Host %1\" to the ssh config.")
            .arg(host);
    if (code == "host_key_unknown"_L1)
        return machine.name == unsavedMachineName()
                   ? Launcher::tr("Look at its key and accept it: check again with --trust")
                   : Launcher::tr(
                         "Look at its key and accept it: scalebench machines check %1 --trust")
                         .arg(shellQuoted(machine.name));
    if (code == "host_key_changed"_L1)
        return Launcher::tr(
                   "Ask the administrator of %1. If the change was meant: ssh-keygen -R %1, then "
                   "check "
                   "again with --trust.")
            .arg(host);
    if (code == "login_refused"_L1)
        return Launcher::tr(
                   "Copy your key there: ssh-copy-id %1; or load it into the agent: ssh-add")
            .arg(host);
    if (code == "ssh_missing"_L1)
        return Launcher::tr(
            "Install an OpenSSH client (Debian, Ubuntu: apt install openssh-client).");
    if (code == "ssh_refused"_L1)
        return Launcher::tr(
            "Start the ssh server there (systemctl start ssh), or leave the host out.");
    return Launcher::tr("Switch %1 on or repair its network, or leave it out.").arg(host);
}

/// The login node could not reach the host: the sentence must say from where.
void judgeHop(Cells& cells)
{
    const HostAnswer& answer = cells.answer();
    const QString login = answer.via, host = cells.host();
    for (const char* test : {"ssh", "host_key", "login"})
        cells.ok(QLatin1StringView(test), Launcher::tr("%1 is reached").arg(login));
    const QString code = answer.failure.code;
    if (code == "host_not_found"_L1)
        cells.problem(
            u"name"_s, u"host_not_found"_s,
            Launcher::tr(
                "%1 is not known on %2: no such name there in the ssh config, in /etc/hosts "
                "or in DNS.")
                .arg(host, login),
            Launcher::tr("Correct the name."), answer.failure.details);
    else
        cells.ok(u"name"_s, answer.address.isEmpty()
                                ? Launcher::tr("an alias of ssh on %1").arg(login)
                                : answer.address);
    if (code.isEmpty()) {
        cells.ok(u"peers"_s, host == "localhost"_L1 ? Launcher::tr("%1 itself").arg(login)
                                                    : Launcher::tr("%1 can log in").arg(login));
        return;
    }
    QString fix = u"On %1: "_s.arg(login);
    QString reason = Launcher::tr("it does not answer");
    if (code == "login_refused"_L1) {
        reason = Launcher::tr("the login is refused");
        fix += Launcher::tr("ssh-keygen (if there is no key yet), then ssh-copy-id %1").arg(host);
    } else if (code == "host_key_unknown"_L1) {
        reason = Launcher::tr("its host key is not known there");
        fix += Launcher::tr("ssh %1 once, and compare the fingerprint").arg(host);
    } else if (code == "host_key_changed"_L1) {
        reason = Launcher::tr("its host key has changed");
        fix = Launcher::tr("Ask the administrator of %1.").arg(host);
    } else if (code == "ssh_refused"_L1) {
        reason = Launcher::tr("ssh connections are refused");
        fix = Launcher::tr("Leave %1 out, or ask its administrator to start the ssh server.")
                  .arg(host);
    } else if (code == "host_not_found"_L1) {
        return cells.skip(u"peers"_s, Launcher::tr("the name is not known"));
    } else {
        fix = Launcher::tr("Switch %1 on or repair its network, or leave it out.").arg(host);
    }
    cells.problem(
        u"peers"_s, u"peer_"_s + code,
        Launcher::tr("%1 cannot log in to %2: %3, and mpirun needs this.").arg(login, host, reason),
        fix, answer.failure.details);
}

} // namespace

void judgeConnection(Cells& cells)
{
    const HostAnswer& answer = cells.answer();
    if (!answer.via.isEmpty())
        return judgeHop(cells);
    const bool local = cells.machine().kind == TargetMachine::Kind::Local;
    cells.skip(u"peers"_s,
               cells.machine().kind == TargetMachine::Kind::Slurm
                   ? Launcher::tr("not needed: Slurm starts the workers")
               : local
                   ? Launcher::tr("not needed: one computer")
                   : Launcher::tr("not needed: this computer starts the workers on every host"));
    if (answer.withoutSsh) {
        cells.ok(u"name"_s, Launcher::tr("this computer"));
        for (const char* test : {"ssh", "host_key", "login"})
            cells.skip(QLatin1StringView(test), Launcher::tr("not needed on this computer"));
        return;
    }
    const QString code = answer.failure.code;
    // A cut-off check that had begun was connected all right.
    const QString failed = code.isEmpty() || answer.probe.began ? QString() : cellOf(code);
    for (const char* id : {"name", "ssh", "host_key", "login"}) {
        const QString test = QString::fromLatin1(id);
        if (test == failed) {
            if (code == "remote_failed"_L1)
                cells.problem(
                    test, u"shell_unusable"_s,
                    Launcher::tr("%1 lets you in but runs no commands: %2")
                        .arg(cells.host(),
                             (answer.errors + answer.probe.noise).trimmed().section(u'\n', 0, 0)),
                    Launcher::tr("Ask the administrator of %1 for a normal login shell.")
                        .arg(cells.host()),
                    answer.errors + answer.probe.noise);
            else
                cells.problem(test, code, answer.failure.message,
                              fixOf(code, cells.machine(), cells.host()), answer.failure.details);
            return;
        }
        if (test == "name"_L1) {
            // Where ssh really went, which an alias or a jump host may hide.
            const QString there = answer.probe.value(u"ssh"_s).section(u' ', 2, 2);
            cells.ok(test, there.isEmpty() ? u"found"_s : there);
        } else if (test == "login"_L1) {
            cells.ok(test, Launcher::tr("as %1").arg(answer.probe.value(u"user"_s)));
        } else {
            cells.ok(test, test == "ssh"_L1 ? u"answers"_s : u"known"_s);
        }
    }
    if (!answer.probe.began)
        cells.problem(
            u"login"_s, u"shell_unusable"_s,
            Launcher::tr("%1 lets you in but runs no commands.").arg(cells.host()),
            Launcher::tr("Ask the administrator of %1 for a normal login shell.").arg(cells.host()),
            answer.errors + answer.probe.noise);
}

} // namespace scalebench
