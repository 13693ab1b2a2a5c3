// SPDX-License-Identifier: GPL-3.0-or-later
// `scalebench bench BENCHMARK`: starts the engine's benchmarks, collectives through mpirun. The
// engine checks the options and writes the results, so that both programs say the same.
#include "cli.h"
#include "machine/this_computer.h"
#include "study/machine_info.h"
#include "study/mpi_fault.h"

#include <QProcess>

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

namespace {

const QStringList& benchmarks()
{
    static const QStringList kNames{u"gemm"_s,      u"conv"_s,      u"rnn"_s,      u"attention"_s,
                                    u"embedding"_s, u"allreduce"_s, u"alltoall"_s, u"memory"_s,
                                    u"storage"_s,   u"step"_s};
    return kNames;
}

/// Handed to the engine as they are.
const QList<QCommandLineOption>& engineOptions()
{
    static const QList<QCommandLineOption> kOptions{
        {u"precision"_s, u"fp32 or bf16 (default: fp32)."_s, u"P"_s},
        {u"device"_s,
         u"cpu or, for gemm, conv, attention, memory and allreduce, cuda (default: cpu)."_s,
         u"DEVICE"_s},
        {u"allreduce"_s, u"allreduce --device cuda: auto (NCCL) or staged."_s, u"WAY"_s},
        {u"threads"_s, u"Threads (default: all processors; collectives: 1 per worker)."_s, u"N"_s},
        {u"repeats"_s, u"Timed calls per problem (default: 10)."_s, u"N"_s},
        {u"max-seconds"_s, u"Per problem; longer ones are left out, and said (default: 2)."_s,
         u"S"_s},
        {u"problem"_s, u"Numbers in the list of problems, 1,4-7 (default: all)."_s, u"N,N-N,…"_s},
        {u"sizes"_s,
         u"Own problems: gemm MxNxK[:TN], conv WxHxCxNxKxSxRx(PADDING+1)xSTRIDE, rnn "
         "HIDDENxBATCHxSTEPS, attention BATCHxHEADSxSEQUENCExDEPTH[:causal], embedding "
         "ROWSxDIMxIDS, others bytes "
         "(4K,1M)."_s,
         u"SIZES"_s},
        {u"quick"_s, u"A small sample of the problems, in under a minute."_s},
        {u"list"_s, u"List the problems, measure nothing."_s},
        {u"dir"_s, u"storage: folder to measure (default: this one)."_s, u"DIR"_s},
        {u"file-size"_s, u"storage: size of the large file (default: 1G)."_s, u"SIZE"_s},
        {u"csv"_s, u"Write the rows as CSV."_s, u"FILE"_s},
        {u"json"_s, u"Write everything as JSON: command, environment, machine, rows."_s,
         u"FILE"_s}};
    return kOptions;
}

QStringList engineArguments(const CommandParser& parser, const QString& benchmark)
{
    QStringList arguments{u"bench"_s, benchmark};
    for (const QCommandLineOption& option : engineOptions()) {
        const QString name = option.names().constFirst();
        if (!parser.isSet(name))
            continue;
        // One word, so that a value that begins with a dash stays one.
        arguments << (option.valueName().isEmpty() ? u"--"_s + name
                                                   : u"--%1=%2"_s.arg(name, parser.value(name)));
    }
    return arguments;
}

int startWorkers(const CommandParser& parser, const MachineInfo& machine,
                 const QStringList& arguments)
{
    bool ok = true;
    const int workers = parser.isSet(u"workers"_s) ? parser.value(u"workers"_s).toInt(&ok) : 2;
    if (!ok || workers < 2 || workers > 4096)
        return report(
            {u"usage"_s, u"--workers takes a whole number from 2 to 4096; \"%1\" is none."_s.arg(
                             parser.value(u"workers"_s))});
    if (const std::optional<MpiFault> fault = mpiFault(machine))
        return report(fault->failure());
    // A mistake is told by the engine alone: mpirun 5 adds lines of its own to a worker's that ends
    // with one, whatever it is asked to keep to itself. Of an engine that cannot start mpirun
    // tells.
    const int code = QProcess::execute(machine.enginePath, arguments + QStringList(u"--check"_s));
    if (code > 0)
        return exitCodeOf(machine.enginePath, code);
    const int threads = parser.isSet(u"threads"_s) ? parser.value(u"threads"_s).toInt() : 1;
    LocalWorkers local{workers, qMax(1, threads), workers > machine.cores};
    local.quiet = true; // the engine's own sentence is enough
    // mpirun hands this signal on and still tells what the workers say; one that ends itself does
    // not from version 5 on.
    return runProgram(localMpirunCommand(machine, local, arguments), SIGUSR1);
}

} // namespace

int commandBench(const QStringList& arguments)
{
    CommandParser parser(u"bench BENCHMARK [options]"_s,
                         u"Measures single operations, collectives, memory and storage, with the "
                         "share of the peak measured here."_s);
    parser.addOptions(engineOptions());
    parser.addOption(
        {u"workers"_s, u"allreduce, alltoall: number of workers (default: 2)."_s, u"N"_s});
    parser.addPositionalArgument(u"benchmark"_s, benchmarks().join(u", "_s));
    if (!arguments.isEmpty() && arguments.first() == "step"_L1)
        return commandBenchStep(arguments.mid(1));
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    const QStringList words = parser.positionalArguments();
    if (words.value(0) == "step"_L1)
        return report({u"usage"_s, u"The workload comes before the options: \"scalebench bench "
                                   "step WORKLOAD [options]\"."_s});
    if (words.size() != 1 || !benchmarks().contains(words.first()))
        return report(
            {u"usage"_s, (words.isEmpty() ? u"Which benchmark?"_s
                                          : u"\"%1\" is not a benchmark."_s.arg(words.last())) +
                             u" There are %1."_s.arg(benchmarks().join(u", "_s))});
    const bool collective = words.first().startsWith("all"_L1);
    if (!collective && parser.isSet(u"workers"_s))
        return report({u"usage"_s, u"--workers belongs to allreduce and alltoall."_s});
    const MachineInfo machine = probeThisComputer(false);
    if (machine.enginePath.isEmpty())
        return report({u"engine_missing"_s, u"scalebench-engine was not found beside this program "
                                            "or in PATH."_s});
    const QStringList forEngine = engineArguments(parser, words.first());
    if (collective)
        return startWorkers(parser, machine, forEngine);
    LaunchCommand command;
    command.program = machine.enginePath;
    command.arguments = forEngine;
    return runProgram(command);
}

} // namespace scalebench::cli
