// SPDX-License-Identifier: GPL-3.0-or-later
// A new study on its way to the host that is to run it.
#include "base/file_io.h"
#include "base/translated.h"
#include "machine/study_machine.h"
#include "mirror/folder_mirror.h"
#include "run/run_status.h"
#include "run/study_files.h"

#include <QJsonArray>
#include <QJsonDocument>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

/// study.json goes last: it makes the folder a study.
void FolderMirror::upload()
{
    const Result<QStringList> plan = readPlan(m_setup.localDir);
    if (!plan)
        return drop(plan.failure());
    QStringList files{u"plan.json"_s, u"machine.json"_s};
    for (const QString& run : plan.value())
        files << u"runs/%1/run.json"_s.arg(run) << u"runs/%1/status.json"_s.arg(run);
    files << u"study.json"_s;
    for (const QString& file : files) {
        const QByteArray content = planFile(file);
        if (content.isEmpty()) {
            m_wanted = false;
            return drop(
                {u"study_damaged"_s,
                 Launcher::tr("%1/%2 is missing or damaged, so the study was not sent to %3.")
                     .arg(m_setup.localDir, file, m_setup.host)});
        }
        transmit(
            frame({{u"do"_s, u"put"_s}, {u"path"_s, file}, {u"bytes"_s, content.size()}}, content));
    }
}

/// A file of the plan as it goes over: written anew from what was parsed and found right, so that
/// nothing else can be in it. Empty where that fails.
QByteArray FolderMirror::planFile(const QString& path) const
{
    const QString full = m_setup.localDir + u'/' + path;
    if (path == "machine.json"_L1)
        return QJsonDocument(machineBehindLogin(m_setup.machine).toJson()).toJson();
    const Result<QByteArray> bytes = readFileBelow(m_setup.localDir, path);
    if (!bytes)
        return {};
    QJsonObject content;
    if (path == "study.json"_L1) {
        if (const Result<StudySpec> spec = StudySpec::fromJson(bytes.value(), full))
            content = spec.value().toJson();
    } else if (path == "plan.json"_L1) {
        if (const Result<QStringList> plan = readPlan(m_setup.localDir))
            content = {{u"format"_s, u"scalebench.plan"_s},
                       {u"version"_s, 1},
                       {u"runs"_s, QJsonArray::fromStringList(plan.value())}};
    } else if (path.endsWith("/run.json"_L1)) {
        if (const Result<RunConfig> run = RunConfig::fromJson(bytes.value(), full))
            content = run.value().json;
    } else if (const Result<RunStatus> status = parseRunStatus(bytes.value(), full)) {
        RunStatus waiting;
        waiting.createdMs = status.value().createdMs;
        waiting.attempt = status.value().attempt;
        content = toJson(waiting);
    }
    return content.isEmpty() ? QByteArray() : QJsonDocument(content).toJson();
}

} // namespace scalebench
