// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/shell_quote.h"
#include "base/translated.h"
#include "machine/open_mpi.h"
#include "preflight/judge.h"

#include <QJsonDocument>
#include <QRegularExpression>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

QString deployCommand(const TargetMachine& machine)
{
    if (machine.kind == TargetMachine::Kind::Local)
        return Launcher::tr(
            "build it or install the package again, so that scalebench-engine lies beside this "
            "program");
    if (machine.name == unsavedMachineName())
        return Launcher::tr("scalebench machines add NAME with these options, then deploy NAME");
    return u"scalebench machines deploy "_s + shellQuoted(machine.name);
}

namespace {

/// Why `scalebench-engine --probe` did not run, from what the system said.
void judgeBrokenEngine(Cells& cells, int exitCode, const QString& text)
{
    const QString host = cells.host();
    const QString redeploy =
        Launcher::tr("Deploy it again: %1").arg(deployCommand(cells.machine()));
    static const QRegularExpression kGlibc(u"version `GLIBC_([0-9.]+)' not found"_s);
    static const QRegularExpression kLibrary(
        u"([^ :]+): cannot open shared object file|error while loading shared libraries: ([^:]+)"_s);
    if (const auto match = kGlibc.match(text); match.hasMatch())
        return cells.problem(
            u"engine"_s, u"engine_glibc"_s,
            Launcher::tr("The engine needs the C library glibc %1, which is newer than that of "
                         "%2.")
                .arg(match.captured(1), host),
            Launcher::tr("Use a host with a newer Linux, or a bundle that was built on an older "
                         "one."),
            text);
    if (const auto match = kLibrary.match(text); match.hasMatch())
        return cells.problem(
            u"engine"_s, u"engine_library"_s,
            Launcher::tr("The engine does not start on %1: the library %2 is missing.")
                .arg(host, match.captured(match.capturedLength(1) ? 1 : 2)),
            redeploy, text);
    // Shells take a program of another processor for a script and trip over its first word.
    const QString machine = cells.probe().value(u"system"_s).section(u' ', -1);
    const QString built = cells.probe().value(u"manifest_architecture"_s);
    if (text.contains("xec format error"_L1) || text.contains("cannot execute binary"_L1) ||
        text.contains("\177ELF"_L1) || (!built.isEmpty() && built != machine))
        return cells.problem(
            u"engine"_s, u"engine_format"_s,
            Launcher::tr("The engine on %1 was built for another kind of processor (%1 is %2).")
                .arg(host, machine),
            Launcher::tr("Deploy a bundle built for that processor."), text);
    if (exitCode == 132 || text.contains("llegal instruction"_L1))
        return cells.problem(
            u"engine"_s, u"engine_cpu"_s,
            Launcher::tr("The engine uses instructions that the processor of %1 (%2) does not "
                         "have.")
                .arg(host, cells.probe().value(u"cpu"_s)),
            Launcher::tr("Use a host with a newer processor."), text);
    if (exitCode == 126 || text.contains("ermission denied"_L1))
        return cells.problem(
            u"engine"_s, u"engine_not_executable"_s,
            Launcher::tr("The engine on %1 may not be executed: its rights, or a file system "
                         "mounted \"noexec\".")
                .arg(host),
            Launcher::tr("Choose another folder for the target machine, then: %1")
                .arg(deployCommand(cells.machine())),
            text);
    if (exitCode == 124 || exitCode == -1)
        return cells.problem(u"engine"_s, u"engine_hangs"_s,
                             Launcher::tr("The engine on %1 did not answer within 8 s.").arg(host),
                             Launcher::tr("Look at the load and the disks of %1.").arg(host), text);
    cells.problem(u"engine"_s, u"engine_broken"_s,
                  Launcher::tr("The engine on %1 does not run (exit code %2): %3")
                      .arg(host)
                      .arg(exitCode)
                      .arg(text.trimmed().section(u'\n', -1)),
                  redeploy, text);
}

} // namespace

void judgeEngine(Cells& cells, const OwnSide& own, QJsonObject& facts)
{
    const ProbeAnswer& probe = cells.probe();
    const QString host = cells.host();
    const QString deploy = Launcher::tr("Install it there: %1").arg(deployCommand(cells.machine()));
    if (probe.has(u"engine_broken"_s))
        return cells.problem(
            u"engine"_s, u"engine_missing"_s,
            Launcher::tr("The engine is missing on %1: engine/current leads to %2, which is not "
                         "there.")
                .arg(host, probe.value(u"engine_broken"_s)),
            deploy);
    if (!probe.has(u"engine"_s))
        return cells.problem(u"engine"_s, u"engine_missing"_s,
                             Launcher::tr("The engine is missing on %1 (%2/engine).")
                                 .arg(host, probe.value(u"folder"_s)),
                             deploy);
    if (probe.has(u"engine_not_executable"_s))
        return cells.problem(u"engine"_s, u"engine_not_executable"_s,
                             Launcher::tr("The engine on %1 is not executable.").arg(host), deploy);
    const QString text = probe.lines(u"probe"_s).join(u'\n');
    const int code = probe.exitCode(u"probe"_s);
    const qsizetype open = text.indexOf(u'{'), close = text.lastIndexOf(u'}');
    const QJsonObject answer =
        open >= 0 && close > open
            ? QJsonDocument::fromJson(text.mid(open, close - open + 1).toUtf8()).object()
            : QJsonObject();
    if (code != 0 || answer.isEmpty())
        return judgeBrokenEngine(cells, code, text);
    const QString version = answer.value("engine"_L1).toString();
    const QString content = probe.value(u"manifest_content_id"_s);
    facts.insert(u"engine"_s, version);
    facts.insert(u"engine_content"_s, content);
    facts.insert(u"engine_mpi"_s, answer.value("mpi"_L1).toString());
    const QJsonObject cuda = answer.value("cuda"_L1).toObject();
    facts.insert(u"cuda_reason"_s, cuda.value("available"_L1).toBool()
                                       ? QString()
                                       : cuda.value("reason"_L1).toString());
    for (const char* key : {"nccl", "driver", "runtime"})
        if (const QString value = cuda.value(QLatin1StringView(key)).toVariant().toString();
            !value.isEmpty())
            facts.insert(QLatin1StringView(key), value);
    const QString update =
        Launcher::tr("Bring it up to date: %1").arg(deployCommand(cells.machine()));
    const QString ownVersion =
        own.bundle.version.isEmpty() ? QStringLiteral(SB_VERSION) : own.bundle.version;
    if (version != ownVersion)
        return cells.problem(
            u"engine"_s, u"engine_version"_s,
            Launcher::tr("Engine %1 on %2, %3 on this computer. Runs would hang or give wrong "
                         "timings.")
                .arg(version, host, ownVersion),
            update);
    if (!own.bundle.contentId.isEmpty() && !content.isEmpty() && content != own.bundle.contentId)
        return cells.problem(
            u"engine"_s, u"engine_build"_s,
            Launcher::tr("%1 has another build of engine %2 (%3) than this computer (%4).")
                .arg(host, version, content.left(12), own.bundle.contentId.left(12)),
            update);
    cells.ok(u"engine"_s,
             content.isEmpty() ? version : version + u" ("_s + content.left(12) + u')');
}

void judgeMpi(Cells& cells, const OwnSide& own, QJsonObject& facts)
{
    const ProbeAnswer& probe = cells.probe();
    const QString host = cells.host(), prefix = cells.machine().mpiPrefix;
    if (!probe.has(u"mpi_prefix"_s)) {
        if (prefix.isEmpty())
            return cells.skip(u"mpi"_s, Launcher::tr("comes with the engine, which is missing"));
        const QString elsewhere = probe.value(u"mpi_in_path"_s);
        return cells.problem(
            u"mpi"_s, u"mpi_missing"_s,
            Launcher::tr("Open MPI is not found on %1: there is no %2/bin/orted or prted.")
                .arg(host, prefix),
            elsewhere.isEmpty()
                ? Launcher::tr(
                      "Correct the Open MPI folder, or leave it empty to use that of the engine.")
                : Launcher::tr(
                      "%1 has one in %2: set the Open MPI folder to that, or leave it empty to use "
                      "that "
                      "of the engine.")
                      .arg(host, elsewhere.section(u'/', 0, -3)));
    }
    static const QRegularExpression kVersion(u"\\) (\\d+\\.\\d+\\.\\d+\\S*)"_s);
    const QString text = probe.lines(u"mpi"_s).join(u'\n');
    const auto match = kVersion.match(text);
    if (!match.hasMatch() && !(probe.lines(u"mpi"_s).isEmpty() && !prefix.isEmpty()))
        return cells.problem(
            u"mpi"_s, u"mpi_broken"_s,
            Launcher::tr("Open MPI in %1 does not run on %2: %3")
                .arg(probe.value(u"mpi_prefix"_s), host, text.trimmed().section(u'\n', 0, 0)),
            prefix.isEmpty()
                ? Launcher::tr("Deploy the engine again: %1").arg(deployCommand(cells.machine()))
                : Launcher::tr("Correct the Open MPI folder, or leave it empty to use that of the "
                               "engine."),
            text);
    const QString version = match.captured(1);
    facts.insert(u"mpi"_s, version);
    if (!own.mpiVersion.isEmpty() && version.isEmpty() &&
        !probe.values.value(u"mpi_daemon"_s).contains(OpenMpi(own.mpiVersion).daemon()))
        return cells.problem(
            u"mpi"_s, u"mpi_mismatch"_s,
            Launcher::tr(
                "Open MPI %1 of this computer starts the workers; in %2 on %3 there is no %4 for "
                "it.")
                .arg(own.mpiVersion, probe.value(u"mpi_prefix"_s), host,
                     OpenMpi(own.mpiVersion).daemon()),
            Launcher::tr("Use the same series everywhere; leave the Open MPI folder empty to use "
                         "that of the engine on all hosts."));
    if (!own.mpiVersion.isEmpty() && !version.isEmpty() &&
        OpenMpi::seriesOf(own.mpiVersion) != OpenMpi::seriesOf(version))
        return cells.problem(
            u"mpi"_s, u"mpi_mismatch"_s,
            Launcher::tr("Open MPI %1 on %2, %3 on this computer, which starts the workers: they "
                         "do not understand each other.")
                .arg(version, host, own.mpiVersion),
            Launcher::tr("Use the same series everywhere; leave the Open MPI folder empty to use "
                         "that of the engine on all hosts."));
    cells.ok(u"mpi"_s, Launcher::tr("Open MPI %1 (%2)")
                           .arg(version.isEmpty() ? Launcher::tr("without mpirun") : version,
                                prefix.isEmpty() ? u"bundle"_s : prefix));
}

} // namespace scalebench
