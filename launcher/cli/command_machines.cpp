// SPDX-License-Identifier: GPL-3.0-or-later
// scalebench machines list|show|add|edit|remove|check|deploy|login|logout
#include "base/host_names.h"
#include "base/shell_quote.h"
#include "cli.h"
#include "machine_options.h"
#include "text_table.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QSet>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

using Kind = TargetMachine::Kind;

int reportMachines(const Failure& failure)
{
    static const QSet<QString> kFile{u"machines_damaged"_s, u"machines_locked"_s};
    const int code = report(failure);
    return kFile.contains(failure.code) ? int(kFailed) : code;
}

std::optional<TargetMachine> findMachine(const QString& name, int* exitCode)
{
    const Result<MachineFile> file = MachineFile::open();
    if (!file) {
        *exitCode = reportMachines(file.failure());
        return {};
    }
    if (const TargetMachine* machine = file.value().find(name))
        return *machine;
    error(u"There is no target machine \"%1\". \"scalebench machines list\" shows them."_s.arg(
        printable(name)));
    *exitCode = kUsage;
    return {};
}

namespace {

/// What stands in the list beside the name.
QString whereOf(const TargetMachine& machine)
{
    const QString hosts =
        machine.hostfile.isEmpty() ? machine.hosts.simplified() : machine.hostfile;
    switch (machine.kind) {
    case Kind::Local:
        return u"this computer"_s;
    case Kind::Ssh:
        return hosts;
    case Kind::Login:
        return hosts.isEmpty() ? machine.login : u"%1: %2"_s.arg(machine.login, hosts);
    case Kind::Slurm:
        break;
    }
    QStringList words{machine.login.isEmpty() ? u"this computer"_s : machine.login};
    if (!machine.slurm.partition.isEmpty())
        words << u"partition "_s + machine.slurm.partition;
    return words.join(u", "_s);
}

int listMachines(const QStringList& arguments)
{
    CommandParser parser(u"machines list [--json]"_s, u"Lists the target machines."_s);
    parser.addJsonOption();
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    const Result<MachineFile> file = MachineFile::open();
    if (!file)
        return reportMachines(file.failure());
    if (parser.json()) {
        QJsonArray list;
        for (const TargetMachine& machine : file.value().machines())
            list << machine.toJson();
        printJson(QJsonDocument(list));
        return kOk;
    }
    TextTable table({u"name"_s, u"kind"_s, u"where"_s}, 3);
    for (const TargetMachine& machine : file.value().machines())
        table.add({machine.name, machineKindName(machine.kind), whereOf(machine)});
    out(table.text());
    return kOk;
}

int showMachine(const QStringList& arguments)
{
    CommandParser parser(u"machines show NAME"_s, u"Prints a target machine as JSON."_s);
    parser.addJsonOption();
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    if (parser.positionalArguments().size() != 1) {
        error(u"Which target machine? \"scalebench machines list\" shows them."_s);
        return kUsage;
    }
    int exitCode = kOk;
    if (const auto machine = findMachine(parser.positionalArguments()[0], &exitCode))
        printJson(QJsonDocument(machine->toJson()));
    return exitCode;
}

int addOrEdit(const QStringList& arguments, bool edit)
{
    CommandParser parser(edit ? u"machines edit NAME [options]"_s
                              : u"machines add NAME [options]"_s,
                         edit ? u"Changes the given fields of a target machine; an empty value "
                                "clears a field."_s
                              : u"Adds a target machine."_s);
    addMachineOptions(parser, false);
    if (edit)
        parser.addOption({u"rename"_s, u"Give it another name."_s, u"NAME"_s});
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    if (parser.positionalArguments().size() != 1) {
        error(u"Give the target machine's name, for example: scalebench machines %1 lab --hosts "
              "node1:8,node2:8"_s.arg(edit ? u"edit"_s : u"add"_s));
        return kUsage;
    }
    const QString name = parser.positionalArguments()[0];
    Result<MachineFile> file = MachineFile::open();
    if (!file)
        return reportMachines(file.failure());
    const TargetMachine* known = file.value().find(name);
    if (!edit && known) {
        error(u"There is a target machine \"%1\" already. Change it with \"scalebench machines "
              "edit %2\"."_s.arg(name, shellQuoted(name)));
        return kUsage;
    }
    if (edit && !known) {
        int exitCode = kOk;
        (void)findMachine(name, &exitCode);
        return exitCode;
    }
    if (edit && parser.optionNames().isEmpty()) {
        error(u"Change what? \"scalebench machines edit --help\" lists the options."_s);
        return kUsage;
    }
    TargetMachine machine = known ? *known : TargetMachine();
    machine.name = name;
    if (!known) // what the options suggest, unless --kind says it
        machine.kind = parser.isSet(u"partition"_s) ? Kind::Slurm
                       : parser.isSet(u"login"_s)   ? Kind::Login
                                                    : Kind::Ssh;
    if (Result<void> ok = applyMachineOptions(parser, machine); !ok)
        return reportMachines(ok.failure());
    if (!machine.hostfile.isEmpty() && machine.check()) // a mistake in it is best said at once
        if (const auto hosts = hostsOf(machine); !hosts)
            return reportMachines(hosts.failure());
    if (parser.isSet(u"ssh-config"_s) && !machine.sshConfig.isEmpty() &&
        !QFileInfo(machine.sshConfig).isReadable()) {
        error(u"There is no ssh config file %1 that can be read. Correct --ssh-config."_s.arg(
            machine.sshConfig));
        return kUsage;
    }
    if (Result<void> saved = file.value().save(machine); !saved)
        return reportMachines(saved.failure());
    if (edit && parser.isSet(u"rename"_s))
        if (Result<void> renamed = file.value().rename(name, parser.value(u"rename"_s)); !renamed)
            return reportMachines(renamed.failure());
    if (edit)
        out(u"Changed \"%1\".\n"_s.arg(name));
    else
        out(u"Added \"%1\" (%2). Next: scalebench machines check %3\n"_s.arg(
            name, machineKindName(machine.kind), shellQuoted(name)));
    return kOk;
}

int removeMachine(const QStringList& arguments)
{
    CommandParser parser(
        u"machines remove NAME"_s,
        u"Removes a target machine from the list; nothing happens on its hosts."_s);
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    if (parser.positionalArguments().size() != 1) {
        error(u"Which target machine? \"scalebench machines list\" shows them."_s);
        return kUsage;
    }
    Result<MachineFile> file = MachineFile::open();
    if (!file)
        return reportMachines(file.failure());
    if (Result<void> removed = file.value().remove(parser.positionalArguments()[0]); !removed)
        return reportMachines(removed.failure());
    out(u"Removed \"%1\" from the list.\n"_s.arg(parser.positionalArguments()[0]));
    return kOk;
}

QString usage()
{
    return u"Usage: scalebench machines list|show|add|edit|remove|check|deploy|login|logout "
           u"[options]\n"
           "\n"
           "Target machines: where studies run. They are kept in %1.\n"
           "\n"
           "  list            all of them\n"
           "  show NAME       one as JSON\n"
           "  add NAME        a new one: --hosts node1:8,node2:8, or --login HOST, or --partition "
           "P\n"
           "  edit NAME       change fields\n"
           "  remove NAME     forget it\n"
           "  check NAME      try every host: ssh, Open MPI, engine, GPUs, disk, network, …\n"
           "  deploy NAME     copy the engine to every host\n"
           "  login NAME      log in once where a password is asked for; logout NAME ends it\n"
           "\n"
           "\"scalebench machines add --help\" and so on list the options.\n"_s.arg(
               MachineFile::defaultPath());
}

} // namespace

int commandMachines(const QStringList& arguments)
{
    const QString verb = arguments.value(0);
    const QStringList rest = arguments.mid(1);
    if (verb == "list"_L1)
        return listMachines(rest);
    if (verb == "show"_L1)
        return showMachine(rest);
    if (verb == "add"_L1 || verb == "edit"_L1)
        return addOrEdit(rest, verb == "edit"_L1);
    if (verb == "remove"_L1)
        return removeMachine(rest);
    if (verb == "check"_L1)
        return commandMachinesCheck(rest);
    if (verb == "deploy"_L1)
        return commandMachinesDeploy(rest);
    if (verb == "login"_L1 || verb == "logout"_L1)
        return commandMachinesLogin(rest, verb == "logout"_L1);
    if (verb == "--help"_L1 || verb == "-h"_L1) {
        out(usage());
        return kOk;
    }
    error(verb.isEmpty()
              ? u"machines: list, show, add, edit, remove, check, deploy, login or logout?"_s
              : u"machines: \"%1\" is not known; possible are list, show, add, edit, "
                "remove, check, deploy, login and logout."_s.arg(verb));
    return kUsage;
}

} // namespace scalebench::cli
