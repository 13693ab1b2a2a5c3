// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The checks and installations of target machines that were done or are going on, by machine name.
// They go on while the page shows another machine; destroying this ends them.

#include "models/machine_list_model.h"

#include "deploy/deployment.h"
#include "preflight/preflight.h"

#include <QDateTime>
#include <QObject>

#include <map>
#include <memory>

namespace scalebench {

class MachineChecks : public QObject
{
    Q_OBJECT
public:
    using QObject::QObject;
    ~MachineChecks() override;

    /// One of each kind at a time and machine; a second is not started.
    void check(const TargetMachine& machine);
    void install(const TargetMachine& machine);
    /// Ends a check that is going on and forgets its answers.
    void cancel(const QString& name);

    bool isChecking(const QString& name) const;
    bool isInstalling(const QString& name) const;
    QList<HostReport> reports(const QString& name) const;
    QList<bool> reportsDone(const QString& name) const;
    QList<DeployReport> installs(const QString& name) const;
    QList<bool> installsDone(const QString& name) const;
    /// What the last check came to, also of the command line and of earlier starts.
    CheckSummary summary(const QString& name) const;

    /// As if a check had come to this: of a machine that is there again (tests and pictures too).
    void setReports(const QString& name, const QList<HostReport>& reports,
                    qint64 whenMs = QDateTime::currentMSecsSinceEpoch());

Q_SIGNALS:
    void started(const QString& name);
    void hostChecked(const QString& name, int index);
    void checked(const QString& name);
    void installStarted(const QString& name);
    void hostInstalled(const QString& name, int index);
    void installed(const QString& name);

private:
    struct Work {
        std::unique_ptr<Preflight> preflight;
        QList<HostReport> reports;
        QList<bool> done;
        std::unique_ptr<Deployment> deployment;
        QList<DeployReport> installs;
        QList<bool> installsDone;
        qint64 whenMs = 0;
    };
    Work& work(const QString& name);
    const Work* find(const QString& name) const;
    std::map<QString, Work> m_work;
};

} // namespace scalebench
