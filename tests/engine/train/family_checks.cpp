// SPDX-License-Identifier: GPL-3.0-or-later
// Trains a family of networks on every rank of a job and writes losses and final parameters.
// Arguments: output file, family, micro-batches per step, overlap (0/1), shard (0/1), all-reduce,
// ranks per pretended node (0: real nodes). Built a second time for the emulated GPU.

#include "engine/dist/mpi/mpi_communicator.h"
#include "engine/train/families.h"

#if defined(SB_EMULATED_CUDA)
#include "support/emulated_devices.h"
#endif

#include <cstdio>
#include <cstdlib>
#include <fstream>

using namespace scalebench;

int main(int argc, char** argv)
{
    if (argc < 8)
        return 2;
    const dist::MpiScope mpi;
    const auto comm = dist::makeMpiCommunicator({std::atoi(argv[7])});
    try {
        test::FamilySetting setting;
        setting.family = argv[2];
        setting.accumulate = std::atoi(argv[3]);
        setting.overlap = std::atoi(argv[4]) != 0;
        setting.shard = std::atoi(argv[5]) != 0;
#if defined(SB_EMULATED_CUDA)
        setting.devices = test::emulatedDevices(dist::parseAllReduceKind(argv[6]));
        setting.whole = true;
#else
        setting.allReduce = argv[6];
#endif
        const test::FamilyResult result = test::trainFamily(*comm, setting);
        std::vector<float> numbers = result.losses;
        numbers.insert(numbers.end(), result.parameters.begin(), result.parameters.end());
        // Every rank must hold the same values, bit for bit.
        const std::string mine(reinterpret_cast<const char*>(numbers.data()),
                               numbers.size() * sizeof(float));
        for (const std::string& other : comm->allGather(mine))
            if (other != mine) {
                std::printf("rank %d differs from another\n", comm->rank());
                comm->abort(1);
            }
        if (comm->rank() == 0)
            std::ofstream(argv[1], std::ios::binary)
                .write(mine.data(), std::streamsize(mine.size()));
    } catch (const std::exception& e) {
        std::printf("rank %d: %s\n", comm->rank(), e.what());
        comm->abort(1);
    }
    return 0;
}
