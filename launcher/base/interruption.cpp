// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/interruption.h"

#include "base/translated.h"

#include <csignal>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

static volatile std::sig_atomic_t s_interrupted = 0;

static void onInterruption(int)
{
    s_interrupted = 1;
}

void watchInterruption()
{
    struct sigaction action {
    };
    action.sa_handler = onInterruption;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP})
        ::sigaction(signal, &action, nullptr);
}

bool isInterrupted()
{
    return s_interrupted != 0;
}

Failure interruptedFailure()
{
    return {u"export_cancelled"_s,
            Launcher::tr("Interrupted: the files that were not whole yet were removed.")};
}

} // namespace scalebench
