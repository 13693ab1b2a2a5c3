// SPDX-License-Identifier: GPL-3.0-or-later
#include "ssh/left_folders.h"

#include "base/file_io.h"
#include "base/file_lock.h"
#include "run/run_status.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QStandardPaths>

#include <algorithm>
#include <functional>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static constexpr qsizetype kMostEntries = 1000;
static constexpr int kLockMs = 2000;

static QString listPath()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
           u"/scalebench/left_on_hosts.json"_s;
}

static QJsonArray readList()
{
    const Result<QByteArray> bytes = readFile(listPath());
    return bytes ? QJsonDocument::fromJson(bytes.value())["folders"_L1].toArray() : QJsonArray();
}

/// The list as it is now, changed: several supervisors may be at it.
static void changeList(const std::function<QJsonArray(const QJsonArray&)>& change)
{
    if (!makeFolder(QFileInfo(listPath()).path()))
        return;
    FileLock lock;
    if (!lock.take(listPath() + u".lock"_s, kLockMs))
        return;
    const QJsonArray before = readList(), after = change(before);
    if (after != before)
        (void)writeJsonAtomically(
            listPath(),
            {{u"format"_s, u"scalebench.left"_s}, {u"version"_s, 1}, {u"folders"_s, after}},
            Readers::OwnerOnly);
}

/// The same computers by the same names.
static QJsonObject placeOf(const TargetMachine& machine)
{
    return {{u"folder"_s, machine.folder},
            {u"user"_s, machine.user},
            {u"jump_host"_s, machine.jumpHost},
            {u"ssh_config"_s, machine.sshConfig}};
}

static bool isOf(const QJsonObject& entry, const NodeRun& run)
{
    return entry["place"_L1].toObject() == placeOf(run.machine) &&
           entry["study"_L1].toString() == run.study.text() &&
           entry["run"_L1].toString() == run.run.text();
}

static QJsonArray without(const QJsonArray& list,
                          const std::function<bool(const QJsonObject&)>& gone)
{
    QJsonArray rest;
    for (const QJsonValue& value : list)
        if (!gone(value.toObject()))
            rest << value;
    return rest;
}

void rememberLeft(const NodeRun& run, const QStringList& hosts, bool isSafe)
{
    changeList([&](const QJsonArray& before) {
        QJsonArray list =
            without(before, [&](const QJsonObject& entry) { return isOf(entry, run); });
        for (const QString& host : hosts)
            list << QJsonObject{{u"place"_s, placeOf(run.machine)}, {u"host"_s, host},
                                {u"study"_s, run.study.text()},     {u"run"_s, run.run.text()},
                                {u"run_dir"_s, run.localRunDir},    {u"safe"_s, isSafe}};
        while (list.size() > kMostEntries)
            list.removeFirst();
        return list;
    });
}

void forgetLeft(const NodeRun& run)
{
    if (!readList().isEmpty())
        rememberLeft(run, {}, true);
}

/// Ended for good, as far as its folder over there goes.
static bool mayBeRemoved(const QJsonObject& entry)
{
    const QString runDir = entry["run_dir"_L1].toString();
    if (!QFileInfo::exists(runDir))
        return true;
    const Result<RunStatus> status = readRunStatus(runDir);
    return entry["safe"_L1].toBool() && status && isFinal(status.value().state);
}

void removeLeft(const TargetMachine& machine, const QStringList& hosts)
{
    const QJsonObject place = placeOf(machine);
    for (const QJsonValue& value : readList()) {
        const QJsonObject entry = value.toObject();
        const QString host = entry["host"_L1].toString();
        if (!hosts.contains(host) || entry["place"_L1].toObject() != place || !mayBeRemoved(entry))
            continue;
        const Result<RemotePath> folder = RemotePath::parse(machine.folder);
        const Result<StudyId> study = StudyId::parse(entry["study"_L1].toString());
        const Result<RunId> id = RunId::parse(entry["run"_L1].toString());
        if (!folder || !study || !id)
            continue;
        const NodeRun run{machine,
                          {host},
                          folder.value(),
                          study.value(),
                          id.value(),
                          {},
                          entry["run_dir"_L1].toString()};
        endLeftovers(run);
        if (!removeRunFolders(run, {host}).isEmpty())
            changeList([&](const QJsonArray& list) {
                return without(list, [&](const QJsonObject& other) { return other == entry; });
            });
    }
}

} // namespace scalebench
