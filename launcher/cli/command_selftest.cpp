// SPDX-License-Identifier: GPL-3.0-or-later
// `scalebench selftest`: the engine's cases on this machine.
#include "cli.h"
#include "machine/this_computer.h"
#include "study/machine_info.h"

namespace scalebench::cli {

using namespace Qt::Literals::StringLiterals;

int commandSelftest(const QStringList& arguments)
{
    CommandParser parser(
        u"selftest [options]"_s,
        u"Verifies the arithmetic of this machine: every op against a slow float64 "
        "reference, every gradient against differences. Ends with 0 only when all "
        "cases passed."_s);
    const QList<QCommandLineOption> options{
        {u"device"_s, u"cpu or cuda (default: cpu)."_s, u"DEVICE"_s},
        {u"family"_s, u"One family of ops (default: all)."_s, u"FAMILY"_s},
        {u"precision"_s, u"fp32, bf16 or, on cuda, fp16 (default: all)."_s, u"P"_s},
        {u"threads"_s, u"Threads (default: all processors)."_s, u"N"_s},
        {u"json"_s, u"Write every case's result as JSON."_s, u"FILE"_s},
        {u"list"_s, u"List the cases, run nothing."_s}};
    parser.addOptions(options);
    if (const std::optional<int> code = parser.parseArguments(arguments))
        return *code;
    if (!parser.positionalArguments().isEmpty())
        return report({u"usage"_s, u"\"%1\" is one word too many."_s.arg(
                                       parser.positionalArguments().constFirst())});
    const MachineInfo machine = probeThisComputer(false);
    if (machine.enginePath.isEmpty())
        return report({u"engine_missing"_s, u"scalebench-engine was not found beside this program "
                                            "or in PATH."_s});
    LaunchCommand command;
    command.program = machine.enginePath;
    command.arguments << u"selftest"_s;
    for (const QCommandLineOption& option : options) {
        const QString name = option.names().constFirst();
        if (parser.isSet(name))
            command.arguments << (option.valueName().isEmpty()
                                      ? u"--"_s + name
                                      : u"--%1=%2"_s.arg(name, parser.value(name)));
    }
    return runProgram(command);
}

} // namespace scalebench::cli
