// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// mpirun as a child of the supervisor, in a session of its own that can be ended as a whole.

#include "base/process_tree.h"
#include "study/run_config.h"
#include "supervise/launch_command.h"
#include "supervise/run_job.h"

#include <sys/types.h>

namespace scalebench {

class MpirunJob : public RunJob
{
public:
    explicit MpirunJob(const RunPlace& place) : m_place(place) {}

    bool start(StatusSink& sink, RunEnd& end) override;
    bool poll(StatusSink& sink, RunEnd& end) override;
    QList<SuspendedProcess> suspended() override;
    void escalate(int step) override;
    void cleanUp(StatusSink& sink, RunEnd& end) override;

protected:
    /// Starts it; launcher.txt gets its output.
    bool launch(const LaunchCommand& command, StatusSink& sink, RunEnd& end);
    const RunPlace& place() const { return m_place; }

private:
    RunProcesses processes() const;
    void waitForRanks();

    RunPlace m_place;
    pid_t m_pid = -1;
    qint64 m_startTicks = 0;
};

} // namespace scalebench
