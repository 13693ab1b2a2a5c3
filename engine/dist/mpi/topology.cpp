// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/dist/mpi/topology.h"

#include "engine/dist/comm_error.h"

#include <algorithm>
#include <array>

#include <unistd.h>

namespace scalebench::dist {

void checkMpi(int status, const char* expression, const char* file, int line)
{
    if (status == MPI_SUCCESS)
        return;
    char text[MPI_MAX_ERROR_STRING] = {};
    int length = 0;
    MPI_Error_string(status, text, &length);
    throw CommError(std::string(expression) + " failed: " + text + " (" + file + ":" +
                    std::to_string(line) + ")");
}

OwnedComm::~OwnedComm()
{
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (comm_ != MPI_COMM_NULL && finalized == 0)
        MPI_Comm_free(&comm_);
}

OwnedComm OwnedComm::duplicate() const
{
    MPI_Comm copy = MPI_COMM_NULL;
    if (comm_ != MPI_COMM_NULL)
        SB_CHECK_MPI(MPI_Comm_dup(comm_, &copy));
    return OwnedComm(copy);
}

namespace {

constexpr size_t kHostBytes = 64;

/// Everybody's place, so that each worker knows all of it.
void fillPlaces(Topology& t)
{
    struct Place {
        int node, localRank;
        char host[kHostBytes];
    };
    Place mine{t.node, t.localRank, {}};
    if (::gethostname(mine.host, kHostBytes - 1) != 0)
        std::copy_n("localhost", 10, mine.host);
    std::vector<Place> all(static_cast<size_t>(t.size));
    SB_CHECK_MPI(MPI_Allgather(&mine, int(sizeof mine), MPI_BYTE, all.data(), int(sizeof mine),
                               MPI_BYTE, t.world.get()));
    std::vector<int> localSizes(static_cast<size_t>(t.nodes));
    t.leaders.resize(size_t(t.nodes));
    for (size_t r = 0; r < all.size(); ++r) {
        t.hosts.emplace_back(all[r].host);
        t.nodeOf.push_back(all[r].node);
        t.localRankOf.push_back(all[r].localRank);
        ++localSizes[size_t(all[r].node)];
        if (all[r].node == t.node)
            t.ranksHere.push_back(int(r));
        if (all[r].localRank == 0)
            t.leaders[size_t(all[r].node)] = int(r);
    }
    t.leastLocal = *std::min_element(localSizes.begin(), localSizes.end());
}

OwnedComm split(const Topology& t, int color, int order)
{
    MPI_Comm part = MPI_COMM_NULL;
    SB_CHECK_MPI(MPI_Comm_split(t.world.get(), color, order, &part));
    return OwnedComm(part);
}

} // namespace

void Topology::abandon()
{
    for (OwnedComm* comm : {&world, &local, &leading, &peers})
        comm->abandon();
}

Topology findTopology(int ranksPerNode)
{
    Topology t;
    MPI_Comm world = MPI_COMM_NULL;
    SB_CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &world));
    t.world = OwnedComm(world);
    SB_CHECK_MPI(MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN)); // inherited by the others
    SB_CHECK_MPI(MPI_Comm_rank(world, &t.rank));
    SB_CHECK_MPI(MPI_Comm_size(world, &t.size));
    if (ranksPerNode > 0) {
        t.local = split(t, t.rank / ranksPerNode, t.rank);
    } else {
        MPI_Comm local = MPI_COMM_NULL;
        SB_CHECK_MPI(
            MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, t.rank, MPI_INFO_NULL, &local));
        t.local = OwnedComm(local);
    }
    SB_CHECK_MPI(MPI_Comm_rank(t.local.get(), &t.localRank));
    SB_CHECK_MPI(MPI_Comm_size(t.local.get(), &t.localSize));
    t.leading = split(t, t.localRank == 0 ? 0 : MPI_UNDEFINED, t.rank);
    std::array<int, 2> place = {0, 0};
    if (t.leads()) {
        SB_CHECK_MPI(MPI_Comm_rank(t.leading.get(), &place[0]));
        SB_CHECK_MPI(MPI_Comm_size(t.leading.get(), &place[1]));
    }
    SB_CHECK_MPI(MPI_Bcast(place.data(), 2, MPI_INT, 0, t.local.get()));
    t.node = place[0];
    t.nodes = place[1];
    fillPlaces(t);
    t.peers = split(t, t.localRank < t.leastLocal ? t.localRank : MPI_UNDEFINED, t.node);
    return t;
}

} // namespace scalebench::dist
