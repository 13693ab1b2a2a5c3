// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/translated.h"
#include "machine/machines.h"

#include "base/file_io.h"
#include "base/file_lock.h"
#include "base/host_names.h"
#include "base/json_fields.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QStandardPaths>

#include <algorithm>
#include <memory>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static const QString kFormat = u"scalebench.machines"_s;
static constexpr int kVersion = 1;
static constexpr int kWaitMs = 5000; ///< for another program that changes the file

static TargetMachine thisComputer()
{
    TargetMachine machine;
    machine.name = localMachineName();
    return machine;
}

QString MachineFile::defaultPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           u"/scalebench/machines.json"_s;
}

static Result<QList<TargetMachine>> parseMachines(const QJsonObject& object, const QString& path)
{
    JsonFields fields(object, path);
    fields.checkFormat(kFormat, kVersion); // first, so that a newer file is called newer
    if (!fields.has(u"format"_s))
        fields.fail(u"wrong_format"_s,
                    Launcher::tr("%1: the key \"format\" is missing; \"%2\" is expected.")
                        .arg(path, kFormat));
    fields.allowOnly({u"format"_s, u"version"_s, u"machines"_s});
    if (fields.has(u"machines"_s) && !object.value(u"machines"_s).isArray())
        fields.fail(u"wrong_type"_s, Launcher::tr("%1: \"machines\" must be a list, found %2.")
                                         .arg(path, describeJson(object.value(u"machines"_s))));
    if (fields.failed())
        return fields.failure();
    QList<TargetMachine> machines;
    for (const QJsonValue& value : object.value(u"machines"_s).toArray()) {
        if (!value.isObject())
            return Failure{
                u"wrong_type"_s,
                Launcher::tr("%1: \"machines\" must be a list of objects, found %2 in it.")
                    .arg(path, describeJson(value))};
        const Result<TargetMachine> machine = TargetMachine::fromJson(value.toObject(), path);
        if (!machine)
            return machine.failure();
        if (Result<void> ok = machine.value().check(); !ok)
            return Failure{ok.failure().code,
                           Launcher::tr("%1: target machine \"%2\": %3")
                               .arg(path, printable(machine.value().name), ok.failure().message)};
        for (const TargetMachine& other : machines)
            if (other.name == machine.value().name)
                return Failure{u"machine_duplicate"_s,
                               Launcher::tr("%1: the target machine \"%2\" is there twice.")
                                   .arg(path, printable(other.name))};
        machines << machine.value();
    }
    const auto local = std::find_if(machines.begin(), machines.end(), [](const TargetMachine& m) {
        return m.name == localMachineName();
    });
    if (local == machines.end())
        machines.prepend(thisComputer());
    else
        std::rotate(machines.begin(), local, local + 1);
    return machines;
}

/// Moves the damaged file aside, never over an earlier one.
static QString keepDamaged(const QString& path)
{
    QString kept = path + u".damaged"_s;
    for (int n = 2; QFileInfo::exists(kept); ++n)
        kept = path + u".damaged%1"_s.arg(n);
    if (!QFile::rename(path, kept))
        return {};
    if (!QFileInfo(kept).isSymLink()) // what a link leads to may be anything
        QFile::setPermissions(kept, QFile::ReadOwner | QFile::WriteOwner);
    return kept;
}

static Result<QList<TargetMachine>> loadMachines(const QString& path)
{
    if (!QFileInfo::exists(path))
        return QList<TargetMachine>{thisComputer()};
    const Result<QByteArray> bytes = readFile(path);
    if (!bytes)
        return bytes.failure();
    const Result<QJsonObject> object = parseJsonObject(bytes.value(), path);
    if (!object) {
        const QString kept = keepDamaged(path);
        return Failure{
            u"machines_damaged"_s,
            kept.isEmpty()
                ? Launcher::tr("The file of target machines is damaged: %1")
                      .arg(object.failure().message)
                : Launcher::tr(
                      "The file of target machines was damaged and is kept as %1; the list "
                      "is empty now. %2")
                      .arg(kept, object.failure().message)};
    }
    return parseMachines(object.value(), path);
}

static Result<void> writeMachines(const QString& path, const QList<TargetMachine>& machines)
{
    QJsonArray list;
    for (const TargetMachine& machine : machines)
        if (machine != thisComputer())
            list << machine.toJson();
    return writeJsonAtomically(
        behindLink(path), // it may lie among a person's other settings
        QJsonObject{{u"format"_s, kFormat}, {u"version"_s, kVersion}, {u"machines"_s, list}},
        Readers::OwnerOnly); // the environment of a machine may hold tokens
}

/// Changes the file as it is now, not as it was when this program read it: the workbench and the
/// command may both be at work.
static Result<QList<TargetMachine>>
changeMachines(const QString& path,
               const std::function<Result<void>(QList<TargetMachine>&)>& change)
{
    if (Result<void> made = makeFolder(QFileInfo(path).absolutePath()); !made)
        return made.failure();
    FileLock lock;
    const Result<void> locked = lock.take(path + u".lock"_s, kWaitMs);
    if (!locked && locked.failure().code == "locked"_L1)
        return Failure{
            u"machines_locked"_s,
            Launcher::tr("%1 is being changed by another program. Try again.").arg(path)};
    if (!locked && locked.failure().code != "not_writable"_L1) // else writing the file tells
        return locked.failure();
    Result<QList<TargetMachine>> machines = loadMachines(path);
    if (!machines)
        return machines;
    if (Result<void> changed = change(machines.value()); !changed)
        return changed.failure();
    if (Result<void> written = writeMachines(path, machines.value()); !written)
        return written.failure();
    return machines;
}

Result<MachineFile> MachineFile::open(const QString& path)
{
    MachineFile file;
    file.m_path = path.isEmpty() ? defaultPath() : path;
    const Result<QList<TargetMachine>> machines = loadMachines(file.m_path);
    if (!machines)
        return machines.failure();
    file.m_machines = machines.value();
    return file;
}

const TargetMachine* MachineFile::find(const QString& name) const
{
    for (const TargetMachine& machine : m_machines)
        if (machine.name == name)
            return &machine;
    return nullptr;
}

static TargetMachine* findIn(QList<TargetMachine>& machines, const QString& name)
{
    for (TargetMachine& machine : machines)
        if (machine.name == name)
            return &machine;
    return nullptr;
}

static Failure notKnown(const QString& name, const QList<TargetMachine>& machines)
{
    QStringList names;
    for (const TargetMachine& machine : machines)
        names << machine.name;
    return {u"machine_unknown"_s, Launcher::tr("There is no target machine \"%1\"%2.")
                                      .arg(printable(name), didYouMean(name, names))};
}

Result<void> MachineFile::save(const TargetMachine& machine)
{
    if (Result<void> ok = machine.check(); !ok)
        return ok;
    const auto changed = changeMachines(m_path, [&](QList<TargetMachine>& machines) {
        if (TargetMachine* known = findIn(machines, machine.name))
            *known = machine;
        else
            machines << machine;
        return Result<void>();
    });
    if (!changed)
        return changed.failure();
    m_machines = changed.value();
    return {};
}

Result<void> MachineFile::rename(const QString& from, const QString& to)
{
    const auto changed =
        changeMachines(m_path, [&](QList<TargetMachine>& machines) -> Result<void> {
            TargetMachine* machine = findIn(machines, from);
            if (!machine)
                return notKnown(from, machines);
            if (from == localMachineName())
                return Failure{u"machine_name"_s,
                               Launcher::tr("\"local\" is always this computer and keeps its "
                                            "name.")};
            if (from != to && findIn(machines, to))
                return Failure{
                    u"machine_duplicate"_s,
                    Launcher::tr("There is a target machine \"%1\" already.").arg(printable(to))};
            machine->name = to;
            return machine->check();
        });
    if (!changed)
        return changed.failure();
    m_machines = changed.value();
    rememberFacts(to, knownFacts(from), lastCheck(from));
    return {};
}

Result<void> MachineFile::remove(const QString& name)
{
    const auto changed =
        changeMachines(m_path, [&](QList<TargetMachine>& machines) -> Result<void> {
            TargetMachine* machine = findIn(machines, name);
            if (!machine)
                return notKnown(name, machines);
            if (name == localMachineName()) {
                if (*machine == thisComputer())
                    return Failure{
                        u"machine_name"_s,
                        Launcher::tr("\"local\" is this computer, which is always there.")};
                *machine = thisComputer(); // its settings go, it stays
                return {};
            }
            machines.removeIf([&](const TargetMachine& m) { return m.name == name; });
            return {};
        });
    if (!changed)
        return changed.failure();
    m_machines = changed.value();
    return {};
}

} // namespace scalebench
