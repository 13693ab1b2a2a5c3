// SPDX-License-Identifier: GPL-3.0-or-later
// scalebench machines check and deploy
#include "cli.h"
#include "deploy/deployment.h"
#include "machine_options.h"
#include "preflight/host_keys.h"
#include "preflight/left_folders_check.h"
#include "preflight/preflight.h"
#include "text_table.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QJsonArray>
#include <QSet>

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <unistd.h>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

using Level = HostCheck::Level;

QString cellText(Level level)
{
    switch (level) {
    case Level::Ok:
        return u"ok"_s;
    case Level::Warning:
        return u"warn"_s;
    case Level::Problem:
        return u"FAIL"_s;
    case Level::Skipped:
        break;
    }
    return u"-"_s;
}

void printTable(const QList<HostReport>& reports)
{
    QStringList tests;
    for (const QString& test : preflightTests())
        if (std::any_of(reports.begin(), reports.end(), [&](const HostReport& report) {
                return std::any_of(report.checks.begin(), report.checks.end(),
                                   [&](const HostCheck& check) { return check.test == test; });
            }))
            tests << test;
    TextTable table(QStringList(u"host"_s) + tests, int(tests.size()) + 1);
    for (const HostReport& report : reports) {
        QStringList row{report.host};
        for (const QString& test : tests) {
            QString cell;
            for (const HostCheck& check : report.checks)
                if (check.test == test)
                    cell = cellText(check.level);
            row << cell;
        }
        table.add(row);
    }
    out(table.text());
}

void printFindings(const QList<HostReport>& reports)
{
    for (const Level level : {Level::Problem, Level::Warning})
        for (const HostReport& report : reports)
            for (const HostCheck& check : report.checks)
                if (check.level == level)
                    out(u"\n[%1] %2 %3: %4\n"_s.arg(checkLevelName(level), report.host, check.test,
                                                    check.text) +
                        (check.fix.isEmpty() ? QString() : u"    -> %1\n"_s.arg(check.fix)));
}

struct Checked {
    QList<HostReport> reports;
    bool ok = false;
    double seconds = 0;
};

Checked runCheck(const TargetMachine& machine, const PreflightOptions& options)
{
    QElapsedTimer timer;
    timer.start();
    Preflight preflight(machine, options);
    QEventLoop loop;
    QObject::connect(&preflight, &Preflight::finished, &loop, &QEventLoop::quit,
                     Qt::QueuedConnection);
    const bool progress = ::isatty(STDERR_FILENO);
    int done = 0;
    QObject::connect(&preflight, &Preflight::hostDone, &loop, [&] {
        if (progress)
            std::fprintf(stderr, "\r%d of %d hosts",
                         std::min(++done, int(preflight.reports().size())),
                         int(preflight.reports().size()));
    });
    preflight.start();
    loop.exec();
    if (progress)
        std::fprintf(stderr, "\r                              \r");
    return {preflight.reports(), preflight.finishedOk(), double(timer.elapsed()) / 1000};
}

/// Shows unknown keys and asks for each. True when one was accepted.
bool askForKeys(const TargetMachine& machine, const QList<HostReport>& reports)
{
    bool accepted = false;
    for (const HostReport& report : reports) {
        const bool unknown =
            std::any_of(report.checks.begin(), report.checks.end(),
                        [](const HostCheck& check) { return check.code == "host_key_unknown"_L1; });
        if (!unknown)
            continue;
        const Result<HostKey> key = fetchHostKey(machine, report.host);
        if (!key) {
            error(key.failure().message);
            continue;
        }
        out(u"\n%1 shows the %2 key %3\nCompare it with what its administrator tells. Trust it? [y/N] "_s
                .arg(report.host, key.value().type, key.value().fingerprint));
        std::string answer;
        std::getline(std::cin, answer);
        if (answer != "y" && answer != "Y" && answer != "yes")
            continue;
        if (Result<void> trusted = trustHostKey(key.value()); !trusted)
            error(trusted.failure().message);
        else
            accepted = true;
    }
    return accepted;
}

/// The machine that the command line means: a saved one, or the hosts it names.
std::optional<TargetMachine> machineOf(const CommandParser& parser, int* exitCode)
{
    const QStringList names = parser.positionalArguments();
    TargetMachine machine;
    if (names.size() > 1 || (names.isEmpty() && !hasMachineOptions(parser))) {
        error(u"Which target machine? Give its name, or hosts with --hosts or --hostfile."_s);
        *exitCode = kUsage;
        return {};
    }
    if (names.isEmpty()) {
        machine.name = unsavedMachineName();
        machine.kind =
            parser.isSet(u"login"_s) ? TargetMachine::Kind::Login : TargetMachine::Kind::Ssh;
    } else if (const auto saved = findMachine(names[0], exitCode)) {
        machine = *saved;
    } else {
        return {};
    }
    if (Result<void> ok = applyMachineOptions(parser, machine); !ok) {
        *exitCode = reportMachines(ok.failure());
        return {};
    }
    return machine;
}

/// Leaves only the hosts given with --host.
Result<void> chooseHosts(const QStringList& wanted, TargetMachine& machine)
{
    const Result<QList<HostSlots>> hosts = hostsOf(machine);
    if (!hosts)
        return hosts.failure();
    QList<HostSlots> kept;
    for (const QString& name : wanted.join(u',').split(u',', Qt::SkipEmptyParts)) {
        const auto host = std::find_if(hosts.value().begin(), hosts.value().end(),
                                       [&](const HostSlots& h) { return h.name == name; });
        if (host == hosts.value().end())
            return Failure{u"host_unknown"_s,
                           u"The host \"%1\" is not one of \"%2\"."_s.arg(name, machine.name)};
        kept << *host;
    }
    if (kept.isEmpty())
        return Failure{u"host_unknown"_s, u"--host names no host."_s};
    machine.hosts = hostListOf(kept);
    machine.hostfile.clear();
    return {};
}

} // namespace

int commandMachinesCheck(const QStringList& arguments)
{
    CommandParser parser(
        u"machines check NAME [options]"_s,
        u"Tries everything that a study will need on every host of a target machine, or of --hosts "
        "or --hostfile, and says how to repair what is wrong. Exit code 3 when a host has a "
        "problem."_s);
    addMachineOptions(parser, true);
    parser.addOption({u"host"_s, u"Only this host; may be given several times."_s, u"HOST"_s});
    parser.addOption({u"trust"_s,
                      u"Show the keys of hosts that ssh does not know yet and ask for each whether "
                      "to trust it."_s});
    parser.addOption({u"timeout"_s, u"Seconds for each host (default: 15)."_s, u"SECONDS"_s});
    parser.addJsonOption();
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    int exitCode = kOk;
    std::optional<TargetMachine> machine = machineOf(parser, &exitCode);
    if (!machine)
        return exitCode;
    if (parser.isSet(u"host"_s))
        if (Result<void> ok = chooseHosts(parser.values(u"host"_s), *machine); !ok)
            return reportMachines(ok.failure());
    if (parser.isSet(u"trust"_s) && (!::isatty(STDIN_FILENO) || parser.json())) {
        error(u"--trust asks a person about each key, so it needs a terminal and no --json."_s);
        return kUsage;
    }
    if (Result<void> ok = machine->check(); !ok)
        return reportMachines(ok.failure());
    if (const auto hosts = hostsOf(*machine); !hosts)
        return reportMachines(hosts.failure());
    PreflightOptions options;
    options.remember = !parser.positionalArguments().isEmpty();
    options.allHosts = !parser.isSet(u"host"_s);
    if (parser.isSet(u"timeout"_s)) {
        options.hostTimeoutS = parser.value(u"timeout"_s).toInt();
        if (options.hostTimeoutS < 1 || options.hostTimeoutS > 600) {
            error(u"--timeout must be 1 to 600 seconds."_s);
            return kUsage;
        }
    }
    Checked checked = runCheck(*machine, options);
    if (parser.isSet(u"trust"_s) && askForKeys(*machine, checked.reports))
        checked = runCheck(*machine, options);
    removeLeftFolders(*machine, checked.reports);
    if (parser.json()) {
        printJson(QJsonDocument(preflightJson(*machine, checked.reports)));
        return checked.ok ? kOk : kFailed;
    }
    printTable(checked.reports);
    printFindings(checked.reports);
    const auto bad = std::count_if(checked.reports.begin(), checked.reports.end(),
                                   [](const HostReport& report) { return !report.ok(); });
    out(u"\n%1 checked in %2 s: %3\n"_s.arg(counted(checked.reports.size(), u"host"_s))
            .arg(QString::number(checked.seconds, 'f', 1),
                 bad == 0 ? u"all are ready."_s : u"%1 cannot be used yet."_s.arg(bad)));
    return checked.ok ? kOk : kFailed;
}

int commandMachinesDeploy(const QStringList& arguments)
{
    CommandParser parser(
        u"machines deploy NAME [options]"_s,
        u"Copies the engine to every host of a target machine, verifies every file "
        "there and then makes it the current one. Hosts that have it already are "
        "only verified. Needs no root."_s);
    parser.addOption({u"bundle"_s,
                      u"The engine bundle (default: SCALEBENCH_BUNDLE, or the one beside this "
                      "program)."_s,
                      u"FILE"_s});
    parser.addOption({u"remove-old"_s, u"Remove other versions that nothing runs from."_s});
    parser.addOption({u"host"_s, u"Only this host; may be given several times."_s, u"HOST"_s});
    parser.addJsonOption();
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    if (parser.positionalArguments().size() != 1) {
        error(u"Which target machine? \"scalebench machines list\" shows them."_s);
        return kUsage;
    }
    int exitCode = kOk;
    std::optional<TargetMachine> machine = findMachine(parser.positionalArguments()[0], &exitCode);
    if (!machine)
        return exitCode;
    if (parser.isSet(u"host"_s))
        if (Result<void> ok = chooseHosts(parser.values(u"host"_s), *machine); !ok)
            return reportMachines(ok.failure());
    DeployOptions options;
    options.archive = parser.value(u"bundle"_s);
    options.removeOld = parser.isSet(u"remove-old"_s);
    Deployment deployment(*machine, options);
    QEventLoop loop;
    QSet<QString> said; // what is wrong with the bundle is wrong for all hosts
    QObject::connect(&deployment, &Deployment::finished, &loop, &QEventLoop::quit,
                     Qt::QueuedConnection);
    QObject::connect(&deployment, &Deployment::hostDone, &loop, [&](int i) {
        const DeployReport& report = deployment.reports()[i];
        if (parser.json())
            return;
        if (!report.ok) {
            if (!said.contains(report.failure.message))
                error(report.failure.message);
            said.insert(report.failure.message);
            return;
        }
        QString line = u"%1: engine %2 %3"_s.arg(
            report.host, report.version, report.unchanged ? u"is there already"_s : u"installed"_s);
        if (!report.removed.isEmpty())
            line += u"; removed "_s + report.removed.join(u", "_s);
        out(line + u'\n');
    });
    deployment.start();
    loop.exec();
    bool ok = true;
    QJsonArray list;
    for (const DeployReport& report : deployment.reports()) {
        ok = ok && report.ok;
        list << QJsonObject{{u"host"_s, report.host},
                            {u"ok"_s, report.ok},
                            {u"unchanged"_s, report.unchanged},
                            {u"version"_s, report.version},
                            {u"bytes_sent"_s, double(report.bytesSent)},
                            {u"removed"_s, QJsonArray::fromStringList(report.removed)},
                            {u"code"_s, report.failure.code},
                            {u"message"_s, report.failure.message},
                            {u"details"_s, report.failure.details}};
    }
    if (parser.json())
        printJson(QJsonDocument(list));
    return ok ? kOk : kFailed;
}

} // namespace scalebench::cli
