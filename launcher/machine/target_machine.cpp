// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/translated.h"
#include "machine/machines.h"

#include "base/file_io.h"
#include "base/host_names.h"
#include "base/json_fields.h"

#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <QRegularExpression>

#include <cmath>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

using Kind = TargetMachine::Kind;

QString machineKindName(Kind kind)
{
    switch (kind) {
    case Kind::Local:
        return u"local"_s;
    case Kind::Ssh:
        return u"ssh"_s;
    case Kind::Login:
        return u"login"_s;
    case Kind::Slurm:
        break;
    }
    return u"slurm"_s;
}

std::optional<Kind> machineKindFrom(const QString& name)
{
    for (const Kind kind : {Kind::Local, Kind::Ssh, Kind::Login, Kind::Slurm})
        if (machineKindName(kind) == name)
            return kind;
    return {};
}

// ---- JSON -------------------------------------------------------------------------------------

static QJsonObject mapToJson(const QMap<QString, QString>& map)
{
    QJsonObject object;
    for (auto it = map.begin(); it != map.end(); ++it)
        object.insert(it.key(), it.value());
    return object;
}

QJsonObject TargetMachine::toJson() const
{
    QJsonObject object{{u"name"_s, name}, {u"kind"_s, machineKindName(kind)}};
    const auto put = [&](const QString& key, const QString& value) {
        if (!value.isEmpty())
            object.insert(key, value);
    };
    put(u"login"_s, login);
    put(u"user"_s, user);
    put(u"jump_host"_s, jumpHost);
    put(u"ssh_config"_s, sshConfig);
    put(u"hosts"_s, hosts);
    put(u"hostfile"_s, hostfile);
    put(u"folder"_s, folder);
    put(u"mpi_prefix"_s, mpiPrefix);
    put(u"data_folder"_s, dataFolder);
    put(u"interface"_s, interface);
    const auto putMap = [&](const QString& key, const QMap<QString, QString>& map) {
        if (!map.isEmpty())
            object.insert(key, mapToJson(map));
    };
    putMap(u"environment"_s, environment);
    putMap(u"nccl"_s, nccl);
    putMap(u"ucx"_s, ucx);
    if (slurm != SlurmSettings())
        object.insert(u"slurm"_s, QJsonObject{{u"partition"_s, slurm.partition},
                                              {u"account"_s, slurm.account},
                                              {u"time_limit"_s, slurm.timeLimit},
                                              {u"gpus_per_node"_s, slurm.gpusPerNode},
                                              {u"extra_options"_s,
                                               QJsonArray::fromStringList(slurm.extraOptions)}});
    if (pricePerHour != 0)
        object.insert(u"price_per_hour"_s, pricePerHour);
    return object;
}

static QMap<QString, QString> readMap(JsonFields& fields, const QString& key)
{
    const QJsonObject child = fields.child(key);
    JsonFields values(child, fields.fileName(), key);
    QMap<QString, QString> map;
    for (const QString& name : child.keys())
        map.insert(name, values.text(name, {}));
    fields.take(values);
    return map;
}

Result<TargetMachine> TargetMachine::fromJson(const QJsonObject& object, const QString& fileName)
{
    JsonFields fields(object, fileName);
    fields.allowOnly({u"name"_s, u"kind"_s, u"login"_s, u"user"_s, u"jump_host"_s, u"ssh_config"_s,
                      u"hosts"_s, u"hostfile"_s, u"folder"_s, u"mpi_prefix"_s, u"data_folder"_s,
                      u"interface"_s, u"environment"_s, u"nccl"_s, u"ucx"_s, u"slurm"_s,
                      u"price_per_hour"_s});
    TargetMachine machine;
    machine.name = fields.text(u"name"_s, {});
    const QString kindName = fields.text(u"kind"_s, u"local"_s);
    if (const std::optional<Kind> kind = machineKindFrom(kindName))
        machine.kind = *kind;
    else
        fields.fail(
            u"kind_unknown"_s,
            Launcher::tr(
                "%1: the kind \"%2\" of the target machine \"%3\" is not known%4. Possible are "
                "local, ssh, login and slurm.")
                .arg(fileName, printable(kindName), printable(machine.name),
                     didYouMean(kindName, {u"local"_s, u"ssh"_s, u"login"_s, u"slurm"_s})));
    machine.login = fields.text(u"login"_s, {});
    machine.user = fields.text(u"user"_s, {});
    machine.jumpHost = fields.text(u"jump_host"_s, {});
    machine.sshConfig = fields.text(u"ssh_config"_s, {});
    machine.hosts = fields.text(u"hosts"_s, {});
    machine.hostfile = fields.text(u"hostfile"_s, {});
    machine.folder = fields.text(u"folder"_s, machine.folder);
    machine.mpiPrefix = fields.text(u"mpi_prefix"_s, {});
    machine.dataFolder = fields.text(u"data_folder"_s, {});
    machine.interface = fields.text(u"interface"_s, {});
    machine.environment = readMap(fields, u"environment"_s);
    machine.nccl = readMap(fields, u"nccl"_s);
    machine.ucx = readMap(fields, u"ucx"_s);
    JsonFields slurm(fields.child(u"slurm"_s), fileName, u"slurm"_s);
    slurm.allowOnly(
        {u"partition"_s, u"account"_s, u"time_limit"_s, u"gpus_per_node"_s, u"extra_options"_s});
    machine.slurm.partition = slurm.text(u"partition"_s, {});
    machine.slurm.account = slurm.text(u"account"_s, {});
    machine.slurm.timeLimit = slurm.text(u"time_limit"_s, {});
    machine.slurm.gpusPerNode =
        int(std::clamp<qint64>(slurm.integer(u"gpus_per_node"_s, 0), -1, 1'000'000));
    machine.slurm.extraOptions = slurm.textList(u"extra_options"_s, {});
    fields.take(slurm);
    machine.pricePerHour = fields.number(u"price_per_hour"_s, 0);
    if (fields.failed())
        return fields.failure();
    return machine;
}

// ---- Checks -----------------------------------------------------------------------------------

namespace {

Failure invalid(const QString& code, const QString& message)
{
    return {code, message};
}

Result<void> checkMachineName(const QString& name)
{
    if (name.isEmpty())
        return invalid(u"machine_name"_s, Launcher::tr("The target machine needs a name."));
    if (hasControlCharacters(name))
        return invalid(
            u"machine_name"_s,
            Launcher::tr("The name \"%1\" holds a line break or another control character.")
                .arg(printable(name)));
    if (name.size() > 100)
        return invalid(
            u"machine_name"_s,
            Launcher::tr("The name \"%1\" is longer than 100 characters.").arg(printable(name)));
    if (name != name.trimmed() || name.startsWith(u'-'))
        return invalid(
            u"machine_name"_s,
            Launcher::tr("The name \"%1\" may not begin or end with a blank or begin with \"-\".")
                .arg(printable(name)));
    // What looks like a path would be taken for one somewhere.
    if (name.contains(u'/') || name.startsWith(u'.'))
        return invalid(u"machine_name"_s,
                       Launcher::tr("The name \"%1\" may not have \"/\" in it or begin with \".\".")
                           .arg(printable(name)));
    return {};
}

/// `pattern` describes the whole text.
Result<void> checkText(const QString& text, const QString& pattern, const QString& what,
                       const QString& example)
{
    const QRegularExpression expression(u"^(?:"_s + pattern + u")\\z"_s);
    if (text.isEmpty() || expression.match(text).hasMatch())
        return {};
    return invalid(u"value_invalid"_s, Launcher::tr("\"%1\" cannot be %2. Write for example %3.")
                                           .arg(printable(text), what, example));
}

Result<void> checkVariables(const QMap<QString, QString>& map, const QString& prefix)
{
    static const QRegularExpression kName(u"^[A-Za-z_][A-Za-z0-9_]*\\z"_s);
    for (auto it = map.begin(); it != map.end(); ++it) {
        if (!kName.match(prefix + it.key()).hasMatch())
            return invalid(
                u"variable_invalid"_s,
                Launcher::tr("\"%1\" is no name of an environment variable: letters, digits and "
                             "\"_\" only.")
                    .arg(printable(it.key())));
        if (!prefix.isEmpty() && it.key().startsWith(prefix))
            return invalid(u"variable_invalid"_s,
                           Launcher::tr("Write \"%1\" instead of \"%2\": the beginning "
                                        "%3 is added.")
                               .arg(it.key().mid(prefix.size()), it.key(), prefix));
        if (hasControlCharacters(it.value()))
            return invalid(
                u"variable_invalid"_s,
                Launcher::tr("The value of %1%2 holds a line break or another control character.")
                    .arg(prefix, it.key()));
    }
    return {};
}

/// Folders on the hosts: whole paths, since there is no working folder they could be relative to.
Result<void> checkRemoteFolder(const QString& path, const QString& what)
{
    if (path.isEmpty())
        return {};
    if (Result<void> ok = checkPath(path, what); !ok)
        return ok;
    if (!path.startsWith(u'/') && path != "~"_L1 && !path.startsWith("~/"_L1))
        return invalid(
            u"path_invalid"_s,
            Launcher::tr("The %1 \"%2\" must begin with / or ~/.").arg(what, printable(path)));
    if (path.split(u'/').contains(u".."_s))
        return invalid(
            u"path_invalid"_s,
            Launcher::tr("The %1 \"%2\" may not have \"..\" in it.").arg(what, printable(path)));
    return {};
}

/// The folder goes into PATH there, where ":" separates.
Result<void> checkMachineFolder(const QString& path)
{
    if (path.contains(u':'))
        return invalid(
            u"path_invalid"_s,
            Launcher::tr(
                "The folder \"%1\" may not have \":\" in it: programs are looked for in it, "
                "and \":\" separates such folders.")
                .arg(printable(path)));
    return checkRemoteFolder(path, u"folder"_s);
}

/// mpirun puts it into a line for the hosts' shells, without quotes.
Result<void> checkMpiFolder(const QString& path)
{
    static const QRegularExpression kPlain(u"^(?:~/)?[A-Za-z0-9_./+@%,=-]*\\z"_s);
    if (!kPlain.match(path).hasMatch())
        return invalid(
            u"path_invalid"_s,
            Launcher::tr("The Open MPI folder \"%1\" may have letters, digits and _./+@%,=- only: "
                         "mpirun cannot use others on hosts. Make a link with a plain name.")
                .arg(printable(path)));
    return checkRemoteFolder(path, Launcher::tr("Open MPI folder"));
}

Result<void> checkLocalFile(const QString& path, const QString& what)
{
    if (path.isEmpty())
        return {};
    if (Result<void> ok = checkPath(path, what); !ok)
        return ok;
    if (!path.startsWith(u'/'))
        return invalid(u"path_invalid"_s,
                       Launcher::tr("The %1 \"%2\" must be a whole path, beginning with /.")
                           .arg(what, printable(path)));
    return {};
}

Result<void> checkSlurm(const SlurmSettings& slurm)
{
    const QString word = u"[A-Za-z0-9_][A-Za-z0-9_.,+-]*"_s;
    const QString number = u"[0-9]{1,9}"_s;
    QList<Result<void>> checks{
        checkText(slurm.partition, word, u"a partition"_s, u"gpu"_s),
        checkText(slurm.account, word, Launcher::tr("an account"), u"lab1"_s),
        checkText(slurm.timeLimit,
                  u"(%1-)?%1(:%1){0,2}|UNLIMITED|unlimited|INFINITE|infinite"_s.arg(number),
                  Launcher::tr("a time limit"),
                  u"1:30:00 (hours:minutes:seconds) or 2-0 (days-hours)"_s)};
    for (const Result<void>& check : checks)
        if (!check)
            return check;
    if (slurm.gpusPerNode < 0 || slurm.gpusPerNode > 1024)
        return invalid(u"value_invalid"_s, Launcher::tr("GPUs per node must be 0 to 1024."));
    for (const QString& option : slurm.extraOptions) {
        if (hasControlCharacters(option))
            return invalid(
                u"value_invalid"_s,
                Launcher::tr("The Slurm option \"%1\" holds a line break or another control "
                             "character.")
                    .arg(printable(option)));
        // A bare word would become the name of the batch script.
        if (!option.startsWith(u'-') || option == "-"_L1 || option == "--"_L1)
            return invalid(
                u"value_invalid"_s,
                Launcher::tr("The Slurm option \"%1\" must begin with \"-\" and be one word, for "
                             "example --constraint=a100.")
                    .arg(printable(option)));
        if (option.startsWith("--wrap"_L1))
            return invalid(u"value_invalid"_s,
                           Launcher::tr("The Slurm option --wrap cannot be used: the job's "
                                        "script is written by this program."));
    }
    return {};
}

Result<void> checkHosts(const TargetMachine& machine)
{
    const bool hasHosts = !machine.hosts.trimmed().isEmpty() || !machine.hostfile.isEmpty();
    if (!machine.hosts.trimmed().isEmpty() && !machine.hostfile.isEmpty())
        return invalid(u"hosts_twice"_s,
                       Launcher::tr("Give either a list of hosts or a hostfile, not both."));
    if (machine.kind == Kind::Slurm && hasHosts)
        return invalid(u"hosts_for_slurm"_s,
                       Launcher::tr("Slurm chooses the hosts; to name some, add the Slurm "
                                    "option --nodelist=node1,node2."));
    if (machine.kind == Kind::Local && hasHosts)
        return invalid(
            u"hosts_for_local"_s,
            Launcher::tr(
                "The kind \"local\" is this computer alone. For other hosts choose \"ssh\" "
                "(reached from here) or \"login\" (behind a login node)."));
    if (machine.kind == Kind::Ssh && !hasHosts)
        return invalid(u"hosts_missing"_s,
                       Launcher::tr("Which hosts? Give a list such as node1:8,node2:8, or "
                                    "an Open MPI hostfile."));
    if (Result<void> ok = checkLocalFile(machine.hostfile, u"hostfile"_s); !ok)
        return ok;
    const Result<QList<HostSlots>> hosts = parseHostList(machine.hosts);
    if (!hosts)
        return hosts.failure();
    return {};
}

} // namespace

Result<void> TargetMachine::check() const
{
    if (Result<void> ok = checkMachineName(name); !ok)
        return ok;
    if (name == localMachineName() && kind != Kind::Local)
        return invalid(u"machine_name"_s,
                       Launcher::tr("\"local\" is always this computer; choose another name."));
    if (kind == Kind::Login && login.isEmpty())
        return invalid(u"login_missing"_s,
                       Launcher::tr("Which login node? Give its ssh name, for example "
                                    "login.cluster.example."));
    if ((kind == Kind::Local || kind == Kind::Ssh) && !login.isEmpty())
        return invalid(
            u"login_unused"_s,
            Launcher::tr(
                "A login node belongs to the kinds \"login\" and \"slurm\" only. For a host "
                "in between, use the jump host."));
    if (!login.isEmpty())
        if (Result<void> ok = checkDestination(login, Launcher::tr("a login node")); !ok)
            return ok;
    if (!jumpHost.isEmpty())
        if (Result<void> ok = checkJumpHosts(jumpHost); !ok)
            return ok;
    const QList<Result<void>> checks{checkText(user, u"[A-Za-z0-9_][A-Za-z0-9_.@\\\\-]*"_s,
                                               Launcher::tr("a user name"), u"anna"_s),
                                     checkLocalFile(sshConfig, Launcher::tr("ssh config file")),
                                     checkHosts(*this),
                                     checkMachineFolder(folder),
                                     checkMpiFolder(mpiPrefix),
                                     checkRemoteFolder(dataFolder, Launcher::tr("data folder")),
                                     checkText(interface, u"[A-Za-z0-9_][A-Za-z0-9_.:/,-]*"_s,
                                               Launcher::tr("a network interface"),
                                               u"ib0 or 10.0.0.0/24"_s),
                                     checkVariables(environment, {}),
                                     checkVariables(nccl, u"NCCL_"_s),
                                     checkVariables(ucx, u"UCX_"_s),
                                     checkSlurm(slurm)};
    for (const Result<void>& result : checks)
        if (!result)
            return result;
    if (folder.isEmpty())
        return invalid(u"path_invalid"_s, Launcher::tr("The folder on the hosts is empty. Usual is "
                                                       "~/.local/share/scalebench."));
    if (!std::isfinite(pricePerHour) || pricePerHour < 0)
        return invalid(u"value_invalid"_s,
                       Launcher::tr("The price of a node per hour must be 0 or more."));
    return {};
}

} // namespace scalebench
