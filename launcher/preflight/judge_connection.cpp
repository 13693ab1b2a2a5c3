// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/shell_quote.h"
#include "base/translated.h"
#include "preflight/judge.h"

#include <QRegularExpression>

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
    if (code == "login_refused"_L1 || code == "shell_unusable"_L1)
        return u"login"_s;
    return u"ssh"_s;
}

/// Removes the old key as ssh itself names it: with the port or alias, from the file it looked in.
QString removeKeyCommand(const QString& host, const QString& said)
{
    static const QRegularExpression name(u"[Hh]ost key for (\\S+) has changed"_s);
    static const QRegularExpression file(u"Offending .*key in (.+):\\d+"_s);
    const QString known = name.match(said).captured(1), where = file.match(said).captured(1);
    QStringList words{u"ssh-keygen"_s};
    if (!where.isEmpty())
        words << u"-f"_s << shellQuoted(where);
    words << u"-R"_s << shellQuoted(known.isEmpty() ? host : known);
    return words.join(u' ');
}

QString noAnswerFix(const HostAnswer& answer)
{
    const QString host = answer.host.name;
    QString fix = Launcher::tr("Switch %1 on or repair its network, or leave it out.").arg(host);
    if (answer.timedOut) // ssh itself gives up earlier where nothing answers
        fix += u' ' + Launcher::tr("If \"ssh %1\" lets you in, a login script hangs there: look at "
                                   "its ~/.bashrc.")
                          .arg(host);
    return fix;
}

QString fixOf(const Failure& failure, const TargetMachine& machine, const HostAnswer& answer)
{
    const QString code = failure.code, host = answer.host.name;
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
        return Launcher::tr("Ask the administrator of %1. If the change was meant: %2, then check "
                            "again with --trust.")
            .arg(host, removeKeyCommand(host, failure.details));
    if (code == "login_refused"_L1)
        return Launcher::tr(
                   "Copy your key there: ssh-copy-id %1; or load it into the agent: ssh-add")
            .arg(host);
    if (code == "shell_unusable"_L1)
        return loginScriptFix(host);
    if (code == "ssh_missing"_L1)
        return Launcher::tr(
            "Install an OpenSSH client (Debian, Ubuntu: apt install openssh-client).");
    if (code == "ssh_refused"_L1)
        return Launcher::tr(
            "Start the ssh server there (systemctl start ssh), or leave the host out.");
    if (code == "ssh_failed"_L1)
        return Launcher::tr("Correct what ssh names (its config, the network), until \"ssh %1\" "
                            "lets you in.")
            .arg(host);
    return noAnswerFix(answer);
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
    const auto there = [&](const QString& fix) {
        return Launcher::tr("On %1: %2").arg(login, fix);
    };
    QString fix, reason = Launcher::tr("it does not answer");
    if (code == "login_refused"_L1) {
        reason = Launcher::tr("the login is refused");
        fix = there(
            Launcher::tr("ssh-keygen (if there is no key yet), then ssh-copy-id %1").arg(host));
    } else if (code == "host_key_unknown"_L1) {
        reason = Launcher::tr("its host key is not known there");
        fix = there(Launcher::tr("ssh %1 once, and compare the fingerprint").arg(host));
    } else if (code == "host_key_changed"_L1) {
        reason = Launcher::tr("its host key has changed");
        fix = Launcher::tr("Ask the administrator of %1.").arg(host);
    } else if (code == "ssh_refused"_L1) {
        reason = Launcher::tr("ssh connections are refused");
        fix = Launcher::tr("Leave %1 out, or ask its administrator to start the ssh server.")
                  .arg(host);
    } else if (code == "shell_unusable"_L1) {
        reason = Launcher::tr("it runs no commands");
        fix = loginScriptFix(host);
    } else if (code == "host_not_found"_L1) {
        return cells.skip(u"peers"_s, Launcher::tr("the name is not known"));
    } else {
        fix = noAnswerFix(answer);
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
    // A cut-off check that had begun was connected all right.
    const Failure failure = answer.probe.began ? Failure()
                            : runsNoCommands(answer.failure)
                                ? shellUnusable(cells.host(), answer.errors + answer.probe.noise)
                                : answer.failure;
    const QString failed = failure.code.isEmpty() ? QString() : cellOf(failure.code);
    for (const char* id : {"name", "ssh", "host_key", "login"}) {
        const QString test = QString::fromLatin1(id);
        if (test == failed)
            return cells.problem(test, failure.code, failure.message,
                                 fixOf(failure, cells.machine(), answer), failure.details);
        if (test == "name"_L1) {
            // Where ssh really went, which an alias or a jump host may hide.
            const QString there = answer.probe.value(u"ssh"_s).section(u' ', 2, 2);
            cells.ok(test, there.isEmpty() ? Launcher::tr("found") : there);
        } else if (test == "login"_L1) {
            cells.ok(test, Launcher::tr("as %1").arg(answer.probe.value(u"user"_s)));
        } else {
            cells.ok(test, test == "ssh"_L1 ? Launcher::tr("answers") : Launcher::tr("known"));
        }
    }
}

bool runsNoCommands(const Failure& failure)
{
    return failure.code.isEmpty() || failure.code == "remote_failed"_L1;
}

Failure shellUnusable(const QString& host, const QString& said)
{
    const QString line = said.trimmed().section(u'\n', 0, 0);
    return {u"shell_unusable"_s,
            line.isEmpty()
                ? Launcher::tr("%1 lets you in but runs no commands.").arg(host)
                : Launcher::tr("%1 lets you in but runs no commands: %2").arg(host, line),
            said.trimmed()};
}

QString loginScriptFix(const QString& host)
{
    return Launcher::tr("Look at the login scripts of %1 (~/.bashrc): where nobody sits at a "
                        "terminal they must not read input, exit or hang. Else ask its "
                        "administrator for a normal login shell.")
        .arg(host);
}

} // namespace scalebench
