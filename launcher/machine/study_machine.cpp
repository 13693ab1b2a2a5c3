// SPDX-License-Identifier: GPL-3.0-or-later
#include "machine/study_machine.h"

#include "base/file_io.h"
#include "base/json_fields.h"

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

Result<TargetMachine> studyMachine(const QString& studyDir)
{
    const QString path = studyDir + u"/machine.json"_s;
    const Result<QByteArray> bytes = readFileBelow(studyDir, u"machine.json"_s);
    if (!bytes && bytes.failure().code == "not_found"_L1)
        return TargetMachine{};
    if (!bytes)
        return bytes.failure();
    const Result<QJsonObject> parsed = parseJsonObject(bytes.value(), path);
    if (!parsed)
        return parsed.failure();
    const Result<TargetMachine> machine = TargetMachine::fromJson(parsed.value(), path);
    if (!machine)
        return machine;
    if (const Result<void> ok = machine.value().check(); !ok)
        return Failure{ok.failure().code, u"%1: %2"_s.arg(path, ok.failure().message)};
    return machine;
}

TargetMachine machineBehindLogin(TargetMachine machine)
{
    if (machine.kind == TargetMachine::Kind::Login) {
        if (const Result<QList<HostSlots>> hosts = hostsOf(machine);
            hosts && hosts.value().size() == 1)
            machine.hosts = hostListOf(hosts.value());
        machine.kind = TargetMachine::Kind::Ssh;
    }
    for (QString* ours :
         {&machine.login, &machine.user, &machine.jumpHost, &machine.sshConfig, &machine.hostfile})
        ours->clear();
    return machine;
}

Result<void> writeStudyMachine(const QString& studyDir, const TargetMachine& given)
{
    TargetMachine machine = given;
    if (!machine.hostfile.isEmpty()) { // it may change or be out of reach later
        const Result<QList<HostSlots>> hosts = hostsOf(machine);
        if (!hosts)
            return hosts.failure();
        machine.hosts = hostListOf(hosts.value());
        machine.hostfile.clear();
    }
    // Its environment may hold tokens.
    return writeJsonAtomically(studyDir + u"/machine.json"_s, machine.toJson(), Readers::OwnerOnly);
}

} // namespace scalebench
