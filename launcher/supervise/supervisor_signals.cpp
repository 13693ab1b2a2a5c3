// SPDX-License-Identifier: GPL-3.0-or-later
#include "supervise/supervisor_signals.h"

namespace scalebench {

sigset_t handledSignals()
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    return set;
}

void prepareSupervisorSignals()
{
    ::signal(SIGHUP, SIG_IGN);
    ::signal(SIGPIPE, SIG_IGN);
    sigset_t set = handledSignals();
    ::sigprocmask(SIG_BLOCK, &set, nullptr);
    // Ends the poll in watch() when mpirun ends. Not blocked: QProcess of Qt 6.8 lives by it.
    struct sigaction wake = {};
    wake.sa_handler = [](int) {};
    wake.sa_flags = SA_RESTART;
    ::sigaction(SIGCHLD, &wake, nullptr);
}

} // namespace scalebench
