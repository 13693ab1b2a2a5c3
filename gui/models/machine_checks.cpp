// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/machine_checks.h"

#include <QJsonObject>

namespace scalebench {

MachineChecks::~MachineChecks() = default;

MachineChecks::Work& MachineChecks::work(const QString& name)
{
    return m_work[name];
}

const MachineChecks::Work* MachineChecks::find(const QString& name) const
{
    const auto it = m_work.find(name);
    return it == m_work.end() ? nullptr : &it->second;
}

void MachineChecks::check(const TargetMachine& machine)
{
    const QString name = machine.name;
    Work& now = work(name);
    if (now.preflight || now.deployment)
        return;
    now.preflight = std::make_unique<Preflight>(machine);
    now.installs.clear();
    now.installsDone.clear();
    Preflight* preflight = now.preflight.get();
    connect(preflight, &Preflight::hostDone, this, [this, name, preflight](int index) {
        Work& w = work(name);
        w.reports = preflight->reports();
        w.done.resize(w.reports.size());
        if (index >= 0 && index < w.done.size())
            w.done[index] = true;
        Q_EMIT hostChecked(name, index);
    });
    connect(preflight, &Preflight::finished, this, [this, name, preflight] {
        Work& w = work(name);
        w.reports = preflight->reports();
        w.done = QList<bool>(w.reports.size(), true);
        w.whenMs = QDateTime::currentMSecsSinceEpoch();
        w.preflight.release()->deleteLater(); // it is the one that calls
        Q_EMIT checked(name);
    });
    preflight->start();
    if (!now.preflight) // ended at once
        return;
    now.reports = preflight->reports();
    now.done = QList<bool>(now.reports.size(), false);
    Q_EMIT started(name);
}

void MachineChecks::install(const TargetMachine& machine)
{
    const QString name = machine.name;
    Work& now = work(name);
    if (now.preflight || now.deployment)
        return;
    now.deployment = std::make_unique<Deployment>(machine);
    Deployment* deployment = now.deployment.get();
    connect(deployment, &Deployment::hostDone, this, [this, name, deployment](int index) {
        Work& w = work(name);
        w.installs = deployment->reports();
        w.installsDone.resize(w.installs.size());
        if (index >= 0 && index < w.installsDone.size())
            w.installsDone[index] = true;
        Q_EMIT hostInstalled(name, index);
    });
    connect(deployment, &Deployment::finished, this, [this, name, deployment] {
        Work& w = work(name);
        w.installs = deployment->reports();
        w.installsDone = QList<bool>(w.installs.size(), true);
        w.deployment.release()->deleteLater();
        Q_EMIT installed(name);
    });
    deployment->start();
    if (!now.deployment)
        return;
    now.installs = deployment->reports();
    now.installsDone = QList<bool>(now.installs.size(), false);
    Q_EMIT installStarted(name);
}

void MachineChecks::cancel(const QString& name)
{
    m_work.erase(name);
    Q_EMIT checked(name);
}

bool MachineChecks::isChecking(const QString& name) const
{
    const Work* w = find(name);
    return w && w->preflight;
}

bool MachineChecks::isInstalling(const QString& name) const
{
    const Work* w = find(name);
    return w && w->deployment;
}

QList<HostReport> MachineChecks::reports(const QString& name) const
{
    const Work* w = find(name);
    return w ? w->reports : QList<HostReport>();
}

QList<bool> MachineChecks::reportsDone(const QString& name) const
{
    const Work* w = find(name);
    return w ? w->done : QList<bool>();
}

QList<DeployReport> MachineChecks::installs(const QString& name) const
{
    const Work* w = find(name);
    return w ? w->installs : QList<DeployReport>();
}

QList<bool> MachineChecks::installsDone(const QString& name) const
{
    const Work* w = find(name);
    return w ? w->installsDone : QList<bool>();
}

CheckSummary MachineChecks::summary(const QString& name) const
{
    const Work* w = find(name);
    const CheckSummary last = lastCheck(name);
    return w && !w->reports.isEmpty() && w->whenMs >= last.whenMs ? summaryOf(w->reports, w->whenMs)
                                                                  : last;
}

void MachineChecks::setReports(const QString& name, const QList<HostReport>& reports, qint64 whenMs)
{
    Work& w = work(name);
    w.reports = reports;
    w.done = QList<bool>(reports.size(), true);
    w.whenMs = whenMs;
    rememberFacts(name, knownFacts(name), summary(name));
    Q_EMIT checked(name);
}

} // namespace scalebench
