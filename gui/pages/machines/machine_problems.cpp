// SPDX-License-Identifier: GPL-3.0-or-later
#include "pages/machines/machine_problems.h"

#include <QCoreApplication>

#include <functional>

namespace scalebench {

namespace {

using Kind = TargetMachine::Kind;
using Copy = std::function<void(TargetMachine& to, const TargetMachine& from)>;

/// A machine of this kind with which nothing is wrong.
TargetMachine faultless(Kind kind)
{
    TargetMachine machine;
    machine.kind = kind;
    machine.name = kind == Kind::Local ? localMachineName() : QStringLiteral("machine");
    if (kind == Kind::Login)
        machine.login = QStringLiteral("login");
    if (kind == Kind::Ssh)
        machine.hosts = QStringLiteral("host");
    return machine;
}

struct Field {
    const char* name;
    Copy copy;
};

/// Each field by itself, in the form's order.
const QList<Field>& fields()
{
    using M = TargetMachine;
    static const QList<Field> list{
        {"name", [](M& to, const M& from) { to.name = from.name; }},
        {"login", [](M& to, const M& from) { to.login = from.login; }},
        {"user", [](M& to, const M& from) { to.user = from.user; }},
        {"hosts",
         [](M& to, const M& from) {
             to.hosts = from.hosts;
             to.hostfile = from.hostfile;
         }},
        {"slurm.partition",
         [](M& to, const M& from) { to.slurm.partition = from.slurm.partition; }},
        {"slurm.account", [](M& to, const M& from) { to.slurm.account = from.slurm.account; }},
        {"slurm.time_limit",
         [](M& to, const M& from) { to.slurm.timeLimit = from.slurm.timeLimit; }},
        {"slurm.gpus_per_node",
         [](M& to, const M& from) { to.slurm.gpusPerNode = from.slurm.gpusPerNode; }},
        {"slurm.extra_options",
         [](M& to, const M& from) { to.slurm.extraOptions = from.slurm.extraOptions; }},
        {"data_folder", [](M& to, const M& from) { to.dataFolder = from.dataFolder; }},
        {"price_per_hour", [](M& to, const M& from) { to.pricePerHour = from.pricePerHour; }},
        {"jump_host", [](M& to, const M& from) { to.jumpHost = from.jumpHost; }},
        {"ssh_config", [](M& to, const M& from) { to.sshConfig = from.sshConfig; }},
        {"folder", [](M& to, const M& from) { to.folder = from.folder; }},
        {"mpi_prefix", [](M& to, const M& from) { to.mpiPrefix = from.mpiPrefix; }},
        {"interface", [](M& to, const M& from) { to.interface = from.interface; }},
        {"environment", [](M& to, const M& from) {
             to.environment = from.environment;
             to.nccl = from.nccl;
             to.ucx = from.ucx;
         }}};
    return list;
}

} // namespace

QList<Problem> machineProblems(const TargetMachine& machine, const QStringList& otherNames)
{
    QList<Problem> problems;
    const auto add = [&problems](const QString& field, const Failure& failure) {
        problems.append({Problem::Level::Error, field, failure.code, failure.message});
    };
    // The launcher says the first thing that is wrong; put alone into a faultless machine, each
    // field gets its own sentence.
    for (const Field& field : fields()) {
        TargetMachine probe = faultless(machine.kind);
        field.copy(probe, machine);
        if (const Result<void> ok = probe.check(); !ok)
            add(QString::fromLatin1(field.name), ok.failure());
    }
    if (otherNames.contains(machine.name))
        add(QStringLiteral("name"),
            {QStringLiteral("machine_duplicate"),
             QCoreApplication::translate("MachineForm", "There is a target machine “%1” already.")
                 .arg(machine.name)});
    if (problems.isEmpty()) {
        if (const Result<void> ok = machine.check(); !ok) // what only shows in combination
            add(QStringLiteral("kind"), ok.failure());
    }
    return problems;
}

bool canBeSaved(const QList<Problem>& problems)
{
    return std::none_of(problems.begin(), problems.end(), [](const Problem& problem) {
        return problem.level == Problem::Level::Error;
    });
}

} // namespace scalebench
