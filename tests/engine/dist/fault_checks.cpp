// SPDX-License-Identifier: GPL-3.0-or-later
// A rank that does not come to a collective: what the others learn. Every rank that gets an error
// writes one line "rank R: CODE | culprit C | MESSAGE", then the job is aborted as the engine does.
// To the file SB_FAULT_WORDS, since mpirun 5.0 drops what a rank prints right before it aborts.
// Arguments: kind of fault, rank at fault, ranks per pretended node, time-out in seconds.
// Faults: stop (SIGSTOP), exit, kill (SIGKILL), hang (sleeps), throw (fails alone and says so),
// order (calls another collective), inside (stops inside of MPI).

#include "engine/dist/comm_error.h"
#include "engine/dist/gradient_reducer.h"
#include "engine/dist/mpi/mpi_communicator.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

using namespace scalebench;
using namespace scalebench::dist;

namespace {

constexpr size_t kFloats = 1 << 20;

std::string contentOf(const std::filesystem::path& path)
{
    std::ifstream file(path);
    std::ostringstream text; // which takes it where the process ends meanwhile and reading throws
    text << file.rdbuf();
    return text.str();
}

/// How all ranks fare, for whoever reads that the wrong one was named: state, and nanoseconds that
/// they ran and that they waited for a core.
std::string howAllAre()
{
    const std::string own = contentOf("/proc/self/cmdline");
    std::string text;
    std::error_code ignored;
    for (std::filesystem::directory_iterator entry("/proc", ignored), end; entry != end;
         entry.increment(ignored)) {
        const std::filesystem::path process = entry->path();
        const std::string number = process.filename().string();
        if (number[0] < '0' || number[0] > '9' || contentOf(process / "cmdline") != own)
            continue;
        const std::string stat = contentOf(process / "stat");
        const size_t state = stat.rfind(')');
        text += "  process " + number +
                (state == std::string::npos ? "" : stat.substr(state + 1, 2)) + ", in " +
                contentOf(process / "wchan") + ", " + contentOf(process / "schedstat");
    }
    return text;
}

void say(const Communicator& comm, const CollectiveError& e)
{
    // One write: ranks share the file.
    const std::string line = "rank " + std::to_string(comm.rank()) + ": " + e.code() +
                             " | culprit " + std::to_string(e.rank()) + " | " + e.what() + "\n" +
                             howAllAre();
    const char* name = std::getenv("SB_FAULT_WORDS");
    const int file = name != nullptr ? ::open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600)
                                     : STDOUT_FILENO;
    if (file < 0 || ::write(file, line.data(), line.size()) < 0)
        std::_Exit(4);
}

/// What the rank at fault does in step 2, bucket 1.
void misbehave(const std::string& fault, Communicator& comm)
{
    if (fault == "stop")
        ::raise(SIGSTOP);
    else if (fault == "exit")
        std::_Exit(7);
    else if (fault == "kill")
        ::raise(SIGKILL);
    else if (fault == "hang")
        std::this_thread::sleep_for(std::chrono::hours(1));
    else if (fault == "throw")
        throw Error("out_of_memory", "no memory for the activations");
    else if (fault == "order")
        comm.barrier();
}

/// A few steps of buckets; the rank at fault misbehaves in the middle of the third.
void steps(Communicator& comm, GradientReducer& reducer, const std::string& fault, int culprit)
{
    for (int step = 0; step < 4; ++step) {
        comm.setStep(step);
        for (size_t part = 0; part < 4; ++part) {
            if (step == 2 && part == 1 && comm.rank() == culprit)
                misbehave(fault, comm);
            reducer.markReady(part * kFloats / 4, kFloats / 4);
        }
        reducer.finish({});
    }
}

/// Rank `culprit` stops while all are inside of MPI, whichever call that is.
void stopSoon(const Communicator& comm, int culprit)
{
    if (comm.rank() == culprit)
        std::thread([] {
            std::this_thread::sleep_for(std::chrono::milliseconds(300));
            ::raise(SIGSTOP);
        }).detach();
}

} // namespace

int main(int argc, char** argv)
{
    if (argc < 5)
        return 2;
    const std::string fault = argv[1];
    const int culprit = std::atoi(argv[2]);
    const bool overlap = argc > 5 && std::atoi(argv[5]) != 0;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    // Leaked after an error: MPI cannot be ended without the other ranks.
    auto* mpi = new MpiScope;
    auto* comm = makeMpiCommunicator({std::atoi(argv[3]), std::atof(argv[4])}).release();
    comm->setFatalHandler([&](const CollectiveError& e) { say(*comm, e); });
    ReducerOptions options;
    options.bucketMb = 1;
    options.overlap = overlap;
    auto reducer = std::make_unique<GradientReducer>(*comm, kFloats, options);
    try {
        if (fault == "inside") {
            stopSoon(*comm, culprit);
            // Almost all the time is spent inside of MPI_Allreduce.
            std::vector<float> values(8 << 20);
            for (;;)
                comm->allReduceSum(std::span(values));
        }
        steps(*comm, *reducer, fault, culprit);
    } catch (const CollectiveError& e) {
        say(*comm, e);
        reducer.reset(); // waits for nobody
        comm->abort(3);
    } catch (const Error& e) {
        comm->fail(e.code(), e.what());
        comm->abort(3);
    }
    reducer.reset();
    delete comm;
    delete mpi;
    return 0;
}
