// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/shell_quote.h"
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
        return u"Correct the name, or add an entry \"Host %1\" to the ssh config."_s.arg(host);
    if (code == "host_key_unknown"_L1)
        return machine.name == unsavedMachineName()
                   ? u"Look at its key and accept it: check again with --trust"_s
                   : u"Look at its key and accept it: scalebench machines check %1 --trust"_s.arg(
                         shellQuoted(machine.name));
    if (code == "host_key_changed"_L1)
        return u"Ask the administrator of %1. If the change was meant: ssh-keygen -R %1, then "
               u"check "
               "again with --trust."_s.arg(host);
    if (code == "login_refused"_L1)
        return u"Copy your key there: ssh-copy-id %1; or load it into the agent: ssh-add"_s.arg(
            host);
    if (code == "ssh_missing"_L1)
        return u"Install an OpenSSH client (Debian, Ubuntu: apt install openssh-client)."_s;
    if (code == "ssh_refused"_L1)
        return u"Start the ssh server there (systemctl start ssh), or leave the host out."_s;
    return u"Switch %1 on or repair its network, or leave it out."_s.arg(host);
}

/// The login node could not reach the host: the sentence must say from where.
void judgeHop(Cells& cells)
{
    const HostAnswer& answer = cells.answer();
    const QString login = answer.via, host = cells.host();
    for (const char* test : {"ssh", "host_key", "login"})
        cells.ok(QLatin1StringView(test), u"%1 is reached"_s.arg(login));
    const QString code = answer.failure.code;
    if (code == "host_not_found"_L1)
        cells.problem(u"name"_s, u"host_not_found"_s,
                      u"%1 is not known on %2: no such name there in the ssh config, in /etc/hosts "
                      "or in DNS."_s.arg(host, login),
                      u"Correct the name."_s, answer.failure.details);
    else
        cells.ok(u"name"_s,
                 answer.address.isEmpty() ? u"an alias of ssh on %1"_s.arg(login) : answer.address);
    if (code.isEmpty()) {
        cells.ok(u"peers"_s, host == "localhost"_L1 ? u"%1 itself"_s.arg(login)
                                                    : u"%1 can log in"_s.arg(login));
        return;
    }
    QString fix = u"On %1: "_s.arg(login);
    QString reason = u"it does not answer"_s;
    if (code == "login_refused"_L1) {
        reason = u"the login is refused"_s;
        fix += u"ssh-keygen (if there is no key yet), then ssh-copy-id %1"_s.arg(host);
    } else if (code == "host_key_unknown"_L1) {
        reason = u"its host key is not known there"_s;
        fix += u"ssh %1 once, and compare the fingerprint"_s.arg(host);
    } else if (code == "host_key_changed"_L1) {
        reason = u"its host key has changed"_s;
        fix = u"Ask the administrator of %1."_s.arg(host);
    } else if (code == "ssh_refused"_L1) {
        reason = u"ssh connections are refused"_s;
        fix = u"Leave %1 out, or ask its administrator to start the ssh server."_s.arg(host);
    } else if (code == "host_not_found"_L1) {
        return cells.skip(u"peers"_s, u"the name is not known"_s);
    } else {
        fix = u"Switch %1 on or repair its network, or leave it out."_s.arg(host);
    }
    cells.problem(u"peers"_s, u"peer_"_s + code,
                  u"%1 cannot log in to %2: %3, and mpirun needs this."_s.arg(login, host, reason),
                  fix, answer.failure.details);
}

} // namespace

void judgeConnection(Cells& cells)
{
    const HostAnswer& answer = cells.answer();
    if (!answer.via.isEmpty())
        return judgeHop(cells);
    const bool local = cells.machine().kind == TargetMachine::Kind::Local;
    cells.skip(u"peers"_s, cells.machine().kind == TargetMachine::Kind::Slurm
                               ? u"not needed: Slurm starts the workers"_s
                           : local
                               ? u"not needed: one computer"_s
                               : u"not needed: this computer starts the workers on every host"_s);
    if (answer.withoutSsh) {
        cells.ok(u"name"_s, u"this computer"_s);
        for (const char* test : {"ssh", "host_key", "login"})
            cells.skip(QLatin1StringView(test), u"not needed on this computer"_s);
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
                    u"%1 lets you in but runs no commands: %2"_s.arg(
                        cells.host(),
                        (answer.errors + answer.probe.noise).trimmed().section(u'\n', 0, 0)),
                    u"Ask the administrator of %1 for a normal login shell."_s.arg(cells.host()),
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
            cells.ok(test, u"as %1"_s.arg(answer.probe.value(u"user"_s)));
        } else {
            cells.ok(test, test == "ssh"_L1 ? u"answers"_s : u"known"_s);
        }
    }
    if (!answer.probe.began)
        cells.problem(u"login"_s, u"shell_unusable"_s,
                      u"%1 lets you in but runs no commands."_s.arg(cells.host()),
                      u"Ask the administrator of %1 for a normal login shell."_s.arg(cells.host()),
                      answer.errors + answer.probe.noise);
}

} // namespace scalebench
