// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/bench/collective_bench.h"

#include "engine/bench/disturbance.h"

#include "engine/bench/deepbench.h"
#include "engine/bench/shared_copy.h"
#include "engine/core/processors.h"
#include "engine/dist/mpi/mpi_baseline.h"
#include "kernels/check.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>

namespace scalebench::bench {
namespace {

using dist::Communicator;
using Clock = std::chrono::steady_clock;

/// Throws Stopped on all workers as soon as one was asked to stop.
void checkStopTogether(const Options& options, Communicator& comm)
{
    double stop[] = {options.stopped() ? 1.0 : 0.0};
    comm.allReduceSum(std::span<double>(stop));
    if (stop[0] > 0)
        throw Stopped{};
}

/// More workers than processors, on any host.
bool takeTurns(Communicator& comm)
{
    return maxOverWorkers(comm, {comm.localSize() > processorCount() ? 1.0 : 0.0})[0] > 0;
}

/// As timeCalls, for something that all workers do together: they agree on how often, start
/// together, and the slowest worker's time counts.
/// `finish` waits for what the calls of a group left behind on a device.
Timing timeTogether(
    const Options& options, Communicator& comm, const std::function<void()>& call,
    const std::function<void()>& finish = [] {})
{
    const auto time = [&](int group) {
        checkStopTogether(options, comm);
        comm.barrier();
        const Clock::time_point start = Clock::now();
        for (int i = 0; i < group; ++i)
            call();
        finish();
        return std::chrono::duration<double>(Clock::now() - start).count();
    };
    time(1);
    const double once = std::max(maxOverWorkers(comm, {time(2) / 2})[0], 1e-8);
    // The barrier lets workers go some microseconds apart.
    const int group = std::clamp(int(std::ceil(500e-6 / once)), 1, 2000);
    const int repeats = std::clamp(int(options.maxSeconds / (group * once)), 1, options.repeats);
    std::vector<double> samples;
    const LostTime lost;
    for (int i = 0; i < repeats; ++i)
        samples.push_back(time(group) / group);
    const double share = lost.share();
    Timing timing = summarize(maxOverWorkers(comm, std::move(samples)));
    if (!takeTurns(comm)) // else they wait for one another, not for other programs
        timing.lost = maxOverWorkers(comm, {share})[0];
    return timing;
}

std::int64_t sumOverWorkers(Communicator& comm, std::int64_t mine)
{
    double sum[] = {double(mine)};
    comm.allReduceSum(std::span<double>(sum));
    return std::int64_t(sum[0]);
}

std::vector<std::int64_t> sizesOf(const Options& options, bool deepbench)
{
    if (!options.sizes.empty())
        return parseByteList(options.sizes);
    std::vector<std::int64_t> sizes;
    if (options.quick)
        return {4 << 10, 256 << 10, 4 << 20};
    for (std::int64_t bytes = 4 << 10; bytes <= 64 << 20; bytes *= 4)
        sizes.push_back(bytes);
    if (deepbench)
        for (const std::int64_t floats : deepbenchAllReduce())
            sizes.push_back(floats * std::int64_t(sizeof(float)));
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    return sizes;
}

std::vector<Column> columns()
{
    return {{"bytes", "bytes", 0, 9},
            {"place", "place", -1, 6},
            {"workers", "workers", 0},
            {"ours_us", "ours us", 1, 9},
            {"ours_spread_percent", "spread %", 1},
            {"ours_algbw_gb_per_s", "algbw GB/s", 2},
            {"ours_busbw_gb_per_s", "busbw GB/s", 2},
            {"ours_wrong", "wrong", 0},
            {"mpi_us", "MPI us", 1, 9},
            {"mpi_spread_percent", "spread %", 1},
            {"mpi_algbw_gb_per_s", "algbw GB/s", 2},
            {"mpi_busbw_gb_per_s", "busbw GB/s", 2},
            {"mpi_wrong", "wrong", 0},
            {"mpi_over_ours", "MPI/ours", 2},
            {"share_of_copy_percent", "% of copy", 1},
            {"copy_gb_per_s", "copy GB/s", 2},
            {"note", "", -1}};
}

struct Side {
    Timing timing;
    std::int64_t wrong = 0;
};

void addSide(std::map<std::string, Json>& row, const std::string& name, const Side& side,
             double bytes, double busFactor, double copy)
{
    const double rate = algorithmBandwidth(bytes, side.timing.seconds) / 1e9;
    row[name + "_us"] = side.timing.seconds * 1e6;
    row[name + "_spread_percent"] = side.timing.spread * 100;
    row[name + "_algbw_gb_per_s"] = rate;
    row[name + "_busbw_gb_per_s"] = rate * busFactor;
    row[name + "_wrong"] = side.wrong;
    const double share = copy > 0 ? rate * busFactor / (copy / 1e9) : 0;
    if (const std::string remark = remarkOf(side.timing, share, "copy rate"); !remark.empty()) {
        Json& note = row["note"];
        note = (note.is_string() ? note.get<std::string>() + "; " : "") + name + " " + remark;
    }
}

void addPair(Report& report, std::map<std::string, Json> row, const Side& ours, const Side& mpi,
             double bytes, double busFactor, double copy)
{
    addSide(row, "ours", ours, bytes, busFactor, copy);
    addSide(row, "mpi", mpi, bytes, busFactor, copy);
    row["mpi_over_ours"] = mpi.timing.seconds / ours.timing.seconds;
    if (copy > 0) {
        row["copy_gb_per_s"] = copy / 1e9;
        row["share_of_copy_percent"] = bytes / ours.timing.seconds * busFactor / copy * 100;
    }
    report.addRow(row);
}

/// Messages are whole numbers of 4 bytes, those to each worker alike.
void noteRounding(std::map<std::string, Json>& row, std::int64_t wanted, std::int64_t bytes)
{
    if (bytes != wanted)
        row["note"] =
            "instead of " + std::to_string(wanted) + " bytes, which cannot be shared out evenly";
}

void fillInput(std::span<float> values, int rank)
{
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = allReduceInput(rank, std::int64_t(i));
}

/// Ours (in the gradient arena) and MPI_Allreduce, in place and out of place, at one size.
class AllReduceCase
{
public:
    AllReduceCase(const Options& options, Communicator& comm, dist::ReductionArena& arena,
                  std::int64_t bytes)
        : options_(options),
          comm_(comm),
          arena_(arena),
          count_(std::size_t(bytes) / sizeof(float)),
          send_(std::size_t(bytes)),
          receive_(std::size_t(bytes))
    {
    }

    Side ours(bool inPlace)
    {
        const std::span<float> sums = arena_.local().first(count_);
        // Gradients are born in the arena; out of place they are copied into it first.
        const auto call = [&] {
            if (!inPlace)
                std::memcpy(sums.data(), send_.data(), count_ * sizeof(float));
            arena_.allReduce(0, count_);
        };
        return run(inPlace ? sums : span(send_), sums, call);
    }
    Side mpi(bool inPlace)
    {
        const std::span<float> sums = span(receive_);
        const auto call = [&] {
            dist::mpiAllReduceSum(inPlace ? nullptr : send_.as<float>(), sums.data(), count_);
        };
        return run(inPlace ? sums : span(send_), sums, call);
    }

private:
    std::span<float> span(const Buffer& buffer) const { return {buffer.as<float>(), count_}; }

    template <typename Call>
    Side run(std::span<float> input, std::span<float> sums, const Call& call)
    {
        Side side;
        fillInput(input, comm_.rank());
        comm_.barrier();
        call();
        side.wrong = sumOverWorkers(comm_, countWrongSums(sums, comm_.size()));
        // Zeros stay zeros however often they are summed in place.
        std::fill(input.begin(), input.end(), 0.0f);
        std::fill(sums.begin(), sums.end(), 0.0f);
        side.timing = timeTogether(options_, comm_, call);
        return side;
    }

    const Options& options_;
    Communicator& comm_;
    dist::ReductionArena& arena_;
    std::size_t count_;
    Buffer send_, receive_;
};

void requireWorkers(const Communicator& comm)
{
    if (comm.size() < 2)
        throw InvalidArgument("a collective needs at least 2 workers; `scalebench bench ... "
                              "--workers 2` starts them",
                              "usage");
}

/// Empty when all workers have room for `arrays` arrays of `bytes`.
std::string roomFor(const Options& options, Communicator& comm, std::int64_t bytes, int arrays)
{
    const double all = double(bytes) * arrays * comm.localSize();
    const std::string mine = reasonToSkip(options, 0, 0, all);
    for (const std::string& reason : comm.allGather(std::string_view(mine)))
        if (!reason.empty())
            return reason;
    return {};
}

void addHeader(Communicator& comm, Report& report, const std::string& method)
{
    report.addNote(
        std::to_string(comm.size()) + " workers on " + std::to_string(comm.nodes()) + " node" +
        (comm.nodes() == 1 ? "" : "s") + ", " + comm.describe() + ", ours: " + method +
        ". Bandwidths as in nccl-tests; % of copy: bus bandwidth out of place over the "
        "rate at which all workers copy from each other's memory. In place, called again "
        "and again, each worker finds what it sums in its own caches: that rate is no "
        "bound then.");
    if (takeTurns(comm))
        report.addNote("More workers than processors: these figures show function, not speed.");
}

} // namespace

float allReduceInput(int rank, std::int64_t index)
{
    return float((index * 31 + std::int64_t(rank) * 17) % 61);
}

float allReduceExpected(int workers, std::int64_t index)
{
    float sum = 0;
    for (int rank = 0; rank < workers; ++rank)
        sum += allReduceInput(rank, index);
    return sum;
}

std::int64_t countWrongSums(std::span<const float> sums, int workers)
{
    // The pattern repeats every 61 elements.
    float expected[61];
    for (int i = 0; i < 61; ++i)
        expected[i] = allReduceExpected(workers, i);
    std::int64_t wrong = 0;
    for (std::size_t i = 0; i < sums.size(); ++i)
        wrong += sums[i] != expected[i % 61];
    return wrong;
}

std::uint32_t allToAllInput(int from, int to, std::int64_t index)
{
    return std::uint32_t(from) * 2654435761u ^ std::uint32_t(to) * 2246822519u ^
           std::uint32_t(index);
}

std::int64_t countWrongReceived(std::span<const std::uint32_t> received, int rank, int workers)
{
    const std::size_t part = received.size() / std::size_t(workers);
    std::int64_t wrong = 0;
    for (int from = 0; from < workers; ++from)
        for (std::size_t i = 0; i < part; ++i)
            wrong += received[std::size_t(from) * part + i] !=
                     allToAllInput(from, rank, std::int64_t(i));
    return wrong;
}

void runAllReduceBench(const Options& options, Communicator& comm, Report& report)
{
    requireWorkers(comm);
    report.setColumns(columns());
    const std::vector<std::int64_t> sizes = sizesOf(options, true);
    const double factor = allReduceBusFactor(comm.size());
    bool first = true;
    for (std::int64_t wanted : sizes) {
        const std::int64_t bytes = std::max<std::int64_t>(4, wanted / 4 * 4);
        std::map<std::string, Json> row = {{"bytes", bytes}, {"workers", comm.size()}};
        noteRounding(row, wanted, bytes);
        if (options.list) {
            report.addRow(row);
            continue;
        }
        checkStopTogether(options, comm);
        if (const std::string reason = roomFor(options, comm, bytes, 5); !reason.empty()) {
            row["note"] = reason;
            report.addRow(row);
            continue;
        }
        const auto arena =
            comm.makeArena(std::size_t(bytes) / sizeof(float), dist::AllReduceKind::Auto);
        if (std::exchange(first, false))
            addHeader(comm, report, arena->method());
        const double copy = SharedCopy(comm, std::size_t(bytes)).copyBandwidth(std::size_t(bytes));
        AllReduceCase measured(options, comm, *arena, bytes);
        for (const bool inPlace : {false, true}) {
            row["place"] = inPlace ? "in" : "out-of";
            const Side ours = measured.ours(inPlace);
            const Side mpi = measured.mpi(inPlace);
            addPair(report, row, ours, mpi, double(bytes), factor, inPlace ? 0 : copy);
        }
    }
}

void runDeviceAllReduceBench(const Options& options, Communicator& comm, Backend& backend,
                             dist::DeviceGroup& group, Report& report)
{
    report.setColumns({{"bytes", "bytes", 0, 10},
                       {"elements", "elements", 0, 10},
                       {"type", "type", -1, 5},
                       {"us", "us", 1},
                       {"algbw_gbs", "algbw GB/s", 2},
                       {"busbw_gbs", "busbw GB/s", 2},
                       {"wrong", "wrong", 0, 6}});
    report.addNote(std::to_string(comm.size()) + " GPUs on " + std::to_string(comm.nodes()) +
                   " node" + (comm.nodes() == 1 ? "" : "s") + ", " + backend.describe() + ", by " +
                   group.method() + ", in place. Bandwidths as in nccl-tests.");
    const double factor = allReduceBusFactor(comm.size());
    for (const std::int64_t wanted : sizesOf(options, true)) {
        const std::int64_t count = std::max<std::int64_t>(1, wanted / 4), bytes = count * 4;
        std::map<std::string, Json> row = {
            {"bytes", bytes}, {"elements", count}, {"type", "float"}};
        if (options.list) {
            report.addRow(row);
            continue;
        }
        checkStopTogether(options, comm);
        const Buffer host{std::size_t(bytes)};
        const std::span<float> values(host.as<float>(), std::size_t(count));
        for (std::int64_t i = 0; i < count; ++i)
            values[std::size_t(i)] = allReduceInput(comm.rank(), i);
        const Tensor view = Tensor::view(values.data(), {count}, DType::F32);
        const Tensor device = backend.upload(view);
        const auto call = [&] {
            group.allReduceSum(device.data(), std::size_t(count), DType::F32);
        };
        call();
        group.join();
        backend.copy(device, view);
        row["wrong"] = sumOverWorkers(comm, countWrongSums(values, comm.size()));
        // What grows from call to call would end in infinity: zeros take as long.
        backend.clear(device);
        const Timing timing = timeTogether(options, comm, call, [&] {
            group.join();
            backend.synchronize();
        });
        row["us"] = timing.seconds * 1e6;
        row["algbw_gbs"] = algorithmBandwidth(double(bytes), timing.seconds) / 1e9;
        row["busbw_gbs"] = algorithmBandwidth(double(bytes), timing.seconds) * factor / 1e9;
        report.addRow(row);
    }
}

void runAllToAllBench(const Options& options, Communicator& comm, Report& report)
{
    requireWorkers(comm);
    report.setColumns(columns());
    const std::vector<std::int64_t> sizes = sizesOf(options, false);
    const auto workers = std::size_t(comm.size());
    const double factor = allToAllBusFactor(comm.size());
    if (!options.list)
        addHeader(comm, report, "Communicator::allToAll");
    for (const std::int64_t wanted : sizes) {
        const std::size_t part = std::max<std::size_t>(1, std::size_t(wanted) / 4 / workers);
        const std::size_t bytes = part * workers * 4;
        std::map<std::string, Json> row = {
            {"bytes", bytes}, {"workers", comm.size()}, {"place", "out-of"}};
        noteRounding(row, wanted, std::int64_t(bytes));
        if (options.list) {
            report.addRow(row);
            continue;
        }
        checkStopTogether(options, comm);
        if (const std::string reason = roomFor(options, comm, std::int64_t(bytes), 4);
            !reason.empty()) {
            row["note"] = reason;
            report.addRow(row);
            continue;
        }
        const double copy = SharedCopy(comm, bytes).copyBandwidth(bytes);
        const Buffer send(bytes), receive(bytes);
        for (std::size_t to = 0; to < workers; ++to)
            for (std::size_t i = 0; i < part; ++i)
                send.as<std::uint32_t>()[to * part + i] =
                    allToAllInput(comm.rank(), int(to), std::int64_t(i));
        const std::vector<std::size_t> each(workers, part * 4);
        const auto run = [&](const std::function<void()>& call) {
            Side side;
            std::memset(receive.data(), 0xff, bytes);
            comm.barrier();
            call();
            side.wrong = sumOverWorkers(
                comm, countWrongReceived({receive.as<std::uint32_t>(), part * workers}, comm.rank(),
                                         comm.size()));
            side.timing = timeTogether(options, comm, call);
            return side;
        };
        const Side ours = run([&] {
            comm.allToAll({send.as<std::byte>(), bytes}, each, {receive.as<std::byte>(), bytes},
                          each);
        });
        const Side mpi = run(
            [&] { dist::mpiAllToAll(send.as<std::byte>(), receive.as<std::byte>(), part * 4); });
        addPair(report, row, ours, mpi, double(bytes), factor, copy);
    }
}

} // namespace scalebench::bench
