// SPDX-License-Identifier: GPL-3.0-or-later
#include "run_status.h"

#include "file_io.h"
#include "json_fields.h"

#include <QFile>
#include <QJsonDocument>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

Result<RunStatus> readRunStatus(const QString& runDir)
{
    const QString path = runDir + u"/status.json"_s;
    const Result<QByteArray> bytes = readFile(path);
    return bytes ? parseRunStatus(bytes.value(), path) : bytes.failure();
}

Result<RunStatus> parseRunStatus(const QByteArray& json, const QString& path)
{
    const Result<QJsonObject> parsed = parseJsonObject(json, path);
    if (!parsed)
        return parsed.failure();
    JsonFields f(parsed.value(), path);
    f.checkFormat(u"scalebench.status"_s, 1);
    RunStatus s;
    s.state = runStateFromName(f.text(u"state"_s, u"queued"_s));
    const QJsonObject supervisor = f.child(u"supervisor"_s);
    s.supervisor.pid = supervisor.value("pid"_L1).toInteger();
    s.supervisor.startTicks = supervisor.value("start_ticks"_L1).toInteger();
    s.supervisor.bootId = supervisor.value("boot_id"_L1).toString();
    const QJsonObject mpirun = f.child(u"mpirun"_s);
    s.mpirunPid = mpirun.value("pid"_L1).toInteger();
    s.mpirunSession = mpirun.value("session"_L1).toInteger();
    s.mpirunTicks = mpirun.value("start_ticks"_L1).toInteger();
    s.command = f.textList(u"command"_s, {});
    s.createdMs = f.integer(u"created_ms"_s, 0);
    s.startedMs = f.integer(u"started_ms"_s, 0);
    s.finishedMs = f.integer(u"finished_ms"_s, 0);
    s.exitCode = int(f.integer(u"exit_code"_s, 0));
    s.attempt = int(f.integer(u"attempt"_s, 0));
    s.waiting = f.text(u"waiting"_s, {});
    s.slurmJob = f.text(u"slurm_job"_s, {});
    s.hosts = f.textList(u"hosts"_s, {});
    s.nodeDir = f.text(u"node_dir"_s, {});
    for (const QJsonValue& value : parsed.value().value("node_ends"_L1).toArray())
        s.nodeEnds << NodeEnd{value["host"_L1].toString(), value["clean"_L1].toBool(),
                              value["text"_L1].toString()};
    const QJsonObject error = f.child(u"error"_s);
    s.error = {error.value("code"_L1).toString(), error.value("message"_L1).toString(),
               error.value("details"_L1).toString()};
    if (f.failed())
        return f.failure();
    return s;
}

static QJsonObject toJson(const RunStatus& s)
{
    QJsonArray nodeEnds;
    for (const NodeEnd& end : s.nodeEnds)
        nodeEnds << QJsonObject{
            {u"host"_s, end.host}, {u"clean"_s, end.clean}, {u"text"_s, end.text}};
    return {{u"format"_s, u"scalebench.status"_s},
            {u"version"_s, 1},
            {u"state"_s, runStateName(s.state)},
            {u"supervisor"_s, QJsonObject{{u"pid"_s, s.supervisor.pid},
                                          {u"start_ticks"_s, s.supervisor.startTicks},
                                          {u"boot_id"_s, s.supervisor.bootId}}},
            {u"mpirun"_s, QJsonObject{{u"pid"_s, s.mpirunPid},
                                      {u"session"_s, s.mpirunSession},
                                      {u"start_ticks"_s, s.mpirunTicks}}},
            {u"command"_s, QJsonArray::fromStringList(s.command)},
            {u"created_ms"_s, s.createdMs},
            {u"started_ms"_s, s.startedMs},
            {u"finished_ms"_s, s.finishedMs},
            {u"exit_code"_s, s.exitCode},
            {u"attempt"_s, s.attempt},
            {u"waiting"_s, s.waiting},
            {u"slurm_job"_s, s.slurmJob},
            {u"hosts"_s, QJsonArray::fromStringList(s.hosts)},
            {u"node_dir"_s, s.nodeDir},
            {u"node_ends"_s, nodeEnds},
            {u"error"_s, QJsonObject{{u"code"_s, s.error.code},
                                     {u"message"_s, s.error.message},
                                     {u"details"_s, s.error.details}}}};
}

Result<void> writeRunStatus(const QString& runDir, const RunStatus& s)
{
    const QString path = runDir + u"/status.json"_s;
    const Result<void> written = writeJsonAtomically(path, toJson(s));
    if (written || written.failure().code != "disk_full"_L1)
        return written;
    // A full disk has no room for a second file, but the first one's block is ours already.
    RunStatus brief = s;
    brief.error.details.clear();
    QFile file(path);
    const QByteArray bytes = QJsonDocument(toJson(brief)).toJson(QJsonDocument::Compact);
    if (!file.open(QIODevice::ReadWrite | QIODevice::Unbuffered) ||
        file.write(bytes) != bytes.size() || !file.resize(bytes.size()))
        return written;
    return {};
}

} // namespace scalebench
