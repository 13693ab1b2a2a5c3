// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/translated.h"
#include "preflight/preflight.h"

#include <QCoreApplication>
#include <QJsonArray>

#include <algorithm>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

namespace {
struct Test {
    const char* id;
    const char* title;
};
constexpr Test kTests[] = {
    {"name", QT_TRANSLATE_NOOP("Launcher", "Name")},
    {"ssh", QT_TRANSLATE_NOOP("Launcher", "ssh")},
    {"host_key", QT_TRANSLATE_NOOP("Launcher", "Host key")},
    {"login", QT_TRANSLATE_NOOP("Launcher", "Login")},
    {"path", QT_TRANSLATE_NOOP("Launcher", "PATH")},
    {"mpi", QT_TRANSLATE_NOOP("Launcher", "Open MPI")},
    {"engine", QT_TRANSLATE_NOOP("Launcher", "Engine")},
    {"gpus", QT_TRANSLATE_NOOP("Launcher", "GPUs")},
    {"slots", QT_TRANSLATE_NOOP("Launcher", "Slots")},
    {"data", QT_TRANSLATE_NOOP("Launcher", "Data set")},
    {"disk", QT_TRANSLATE_NOOP("Launcher", "Disk")},
    {"shm", QT_TRANSLATE_NOOP("Launcher", "Shared memory")},
    {"clock", QT_TRANSLATE_NOOP("Launcher", "Clock")},
    {"peers", QT_TRANSLATE_NOOP("Launcher", "Host to host")},
    {"interface", QT_TRANSLATE_NOOP("Launcher", "Network")},
    {"busy", QT_TRANSLATE_NOOP("Launcher", "Busy")},
    {"slurm", QT_TRANSLATE_NOOP("Launcher", "Slurm")},
};
} // namespace

QStringList preflightTests()
{
    QStringList ids;
    for (const Test& test : kTests)
        ids << QLatin1StringView(test.id);
    return ids;
}

QString preflightTestTitle(const QString& id)
{
    for (const Test& test : kTests)
        if (id == QLatin1StringView(test.id))
            return Launcher::tr(test.title);
    return id;
}

QString checkLevelName(HostCheck::Level level)
{
    switch (level) {
    case HostCheck::Level::Ok:
        return u"ok"_s;
    case HostCheck::Level::Warning:
        return u"warning"_s;
    case HostCheck::Level::Problem:
        return u"problem"_s;
    case HostCheck::Level::Skipped:
        break;
    }
    return u"skipped"_s;
}

bool HostReport::ok() const
{
    const auto has = [this](HostCheck::Level level) {
        return std::any_of(checks.begin(), checks.end(),
                           [level](const HostCheck& check) { return check.level == level; });
    };
    return has(HostCheck::Level::Ok) && !has(HostCheck::Level::Problem);
}

CheckSummary summaryOf(const QList<HostReport>& reports, qint64 whenMs)
{
    CheckSummary summary{whenMs, int(reports.size()), 0, 0};
    for (const HostReport& report : reports) {
        const bool warns =
            std::any_of(report.checks.begin(), report.checks.end(), [](const HostCheck& check) {
                return check.level == HostCheck::Level::Warning;
            });
        if (!report.ok())
            ++summary.problemHosts;
        else if (warns)
            ++summary.warningHosts;
    }
    return summary;
}

QJsonObject preflightJson(const TargetMachine& machine, const QList<HostReport>& reports)
{
    QJsonArray hosts;
    bool ok = !reports.isEmpty();
    for (const HostReport& report : reports) {
        QJsonArray checks;
        for (const HostCheck& check : report.checks) {
            QJsonObject object{{u"test"_s, check.test},
                               {u"level"_s, checkLevelName(check.level)},
                               {u"text"_s, check.text}};
            if (!check.code.isEmpty())
                object.insert(u"code"_s, check.code);
            if (!check.fix.isEmpty())
                object.insert(u"fix"_s, check.fix);
            if (!check.details.isEmpty())
                object.insert(u"details"_s, check.details);
            checks << object;
        }
        ok = ok && report.ok();
        hosts << QJsonObject{{u"host"_s, report.host},
                             {u"ok"_s, report.ok()},
                             {u"seconds"_s, report.seconds},
                             {u"checks"_s, checks},
                             {u"facts"_s, report.facts}};
    }
    return {
        {u"format"_s, u"scalebench.preflight"_s},   {u"version"_s, 1}, {u"machine"_s, machine.name},
        {u"kind"_s, machineKindName(machine.kind)}, {u"ok"_s, ok},     {u"hosts"_s, hosts}};
}

} // namespace scalebench
