// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/run_status.h"

#include "base/checked_names.h"
#include "base/file_io.h"
#include "base/json_fields.h"
#include "base/plain_text.h"

#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

bool isLeftOut(RunState state, const Failure& why)
{
    return state == RunState::Cancelled &&
           (why.code == "time_limit"_L1 || why.code == "target_was_reached"_L1);
}

Result<QByteArray> readRunFile(const QString& runDir, const QString& name, qint64 mostBytes)
{
    const QFileInfo run(runDir), above(run.absolutePath());
    if (above.fileName() != "runs"_L1)
        return readFileBelow(runDir, name, mostBytes);
    // In a study neither "runs" nor the run's own folder may be a link either.
    return readFileBelow(above.absolutePath(), u"runs/"_s + run.fileName() + u'/' + name,
                         mostBytes);
}

Result<RunStatus> readRunStatus(const QString& runDir)
{
    const QString path = runDir + u"/status.json"_s;
    const Result<QByteArray> bytes = readRunFile(runDir, u"status.json"_s);
    return bytes ? parseRunStatus(bytes.value(), path) : bytes.failure();
}

static qint64 positive(const QJsonObject& object, const char* key)
{
    return std::max<qint64>(0, object.value(QLatin1StringView(key)).toInteger());
}

/// What is only shown to people.
static QString shown(const QJsonValue& value)
{
    return visibleText(value.toString());
}

static void readProcesses(JsonFields& f, RunStatus& s)
{
    const QJsonObject supervisor = f.child(u"supervisor"_s);
    s.supervisor.pid = positive(supervisor, "pid");
    s.supervisor.startTicks = positive(supervisor, "start_ticks");
    s.supervisor.bootId = supervisor.value("boot_id"_L1).toString();
    const QJsonObject mpirun = f.child(u"mpirun"_s);
    s.mpirunPid = positive(mpirun, "pid");
    s.mpirunSession = positive(mpirun, "session");
    s.mpirunTicks = positive(mpirun, "start_ticks");
    s.slurmJob = f.text(u"slurm_job"_s, {});
    if (const Result<JobId> job = JobId::parse(s.slurmJob); !s.slurmJob.isEmpty() && !job)
        f.fail(job.failure().code,
               u"%1: \"slurm_job\": %2"_s.arg(f.fileName(), job.failure().message));
}

static void readHosts(JsonFields& f, RunStatus& s)
{
    s.hosts = f.textList(u"hosts"_s, {});
    for (const QString& host : s.hosts)
        if (const Result<HostName> name = HostName::parse(host); !name)
            f.fail(name.failure().code,
                   u"%1: \"hosts\": %2"_s.arg(f.fileName(), name.failure().message));
    s.nodeDir = f.line(u"node_dir"_s, {});
    for (const QJsonValue& value : f.object().value("node_ends"_L1).toArray())
        s.nodeEnds << NodeEnd{visibleLine(value["host"_L1].toString()), value["clean"_L1].toBool(),
                              shown(value["text"_L1])};
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
    readProcesses(f, s);
    for (const QString& word : f.textList(u"command"_s, {}))
        s.command << visibleText(word);
    s.createdMs = f.integer(u"created_ms"_s, 0);
    s.startedMs = f.integer(u"started_ms"_s, 0);
    s.finishedMs = f.integer(u"finished_ms"_s, 0);
    s.exitCode = f.count(u"exit_code"_s, 0, -2'000'000'000, 2'000'000'000);
    s.attempt = f.count(u"attempt"_s, 0, 0, 1'000'000);
    s.waiting = visibleText(f.text(u"waiting"_s, {}));
    readHosts(f, s);
    const QJsonObject error = f.child(u"error"_s);
    s.error = {visibleLine(error.value("code"_L1).toString()), shown(error.value("message"_L1)),
               shown(error.value("details"_L1))};
    if (f.failed())
        return f.failure();
    return s;
}

QJsonObject toJson(const RunStatus& s)
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
