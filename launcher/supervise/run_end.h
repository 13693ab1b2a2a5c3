// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a run's end means: exit status, stream and the texts of mpirun and the ranks become one
// state, code and sentence. A pure function, so that every row of the failure table is testable.

#include "run/run_record.h"
#include "supervise/slurm_state.h"

#include <QMap>
#include <QString>

#include <optional>

namespace scalebench {

struct RunEnd {
    Failure launchFailure;            ///< set when the run could not be started at all
    std::optional<SlurmEnding> slurm; ///< where it was a job
    bool stopRequested = false;
    bool stalled = false;
    Failure stall;      ///< as which it is told
    bool exited = true; ///< false: ended by `signal`
    int exitCode = 0;
    int signal = 0;
    QList<NodeEnd> nodeEnds;      ///< what was found on the hosts
    int processesLeft = 0;        ///< still alive after everything; 0 normally
    QStringList fullDisks;        ///< found full afterwards: "/tmp on node2"
    QString launcherText;         ///< last part of launcher.txt
    QMap<int, QString> rankTexts; ///< last lines of stderr_<rank>.txt
};

struct RunVerdict {
    RunState state = RunState::Failed;
    Failure failure; ///< code empty for Completed
};

RunVerdict judgeRunEnd(const RunEnd& end, const RunRecord& record);

} // namespace scalebench
