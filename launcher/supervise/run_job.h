// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How one run is launched, as its supervisor sees it: mpirun on this computer, mpirun over hosts,
// or a Slurm job. The supervisor polls; nothing here blocks for long once the run has started.

#include "machine/machines.h"
#include "run/run_record.h"
#include "run/run_status.h"
#include "run/suspension_watch.h"
#include "supervise/run_end.h"

#include <QString>

#include <memory>

namespace scalebench {

struct RunPlace {
    QString studyDir;
    QString runDir;
    TargetMachine machine; ///< as seen from here: Local, Ssh or Slurm
    RunRecord record;      ///< the run's head: configuration and state
};

/// What a job may do to the run's status while it is prepared and waits.
class StatusSink
{
public:
    virtual ~StatusSink() = default;
    virtual RunStatus& status() = 0;
    virtual void publish(RunState state) = 0; ///< writes status.json
    virtual bool stopRequested() = 0;         ///< looks at signals: may be asked in long waits
};

class RunJob
{
public:
    virtual ~RunJob() = default;

    /// False: could not be started, `end.launchFailure` says why. On return the state is Running,
    /// or Starting where something else (Slurm) decides when it begins.
    virtual bool start(StatusSink& sink, RunEnd& end) = 0;
    /// Called every 100 ms. True when the run's processes have ended; `end` then says how.
    virtual bool poll(StatusSink& sink, RunEnd& end) = 0;
    /// The run's time counts for the watchdogs (false while a queue holds it).
    virtual bool isGoingOn() const { return true; }
    /// How much later than written the stream may be seen here.
    virtual int slackSeconds() const { return 0; }
    /// Processes of the run that are suspended now, as far as they can be asked. May take seconds:
    /// only for a run that does not move.
    virtual QList<SuspendedProcess> suspended() { return {}; }
    /// Steps 0, 1, 2, …: USR1, TERM, TERM, KILL or what stands for them. 0 may be asked again.
    virtual void escalate(int step) = 0;
    /// Nothing may be left anywhere afterwards, and everything measured is in the run folder. Also
    /// after a start() that failed.
    virtual void cleanUp(StatusSink& sink, RunEnd& end) = 0;
};

std::unique_ptr<RunJob> makeLocalJob(const RunPlace& place);
std::unique_ptr<RunJob> makeHostsJob(const RunPlace& place);
std::unique_ptr<RunJob> makeSlurmJob(const RunPlace& place);
/// The one that fits the machine's kind.
std::unique_ptr<RunJob> makeRunJob(const RunPlace& place);

} // namespace scalebench
