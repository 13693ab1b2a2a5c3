// SPDX-License-Identifier: GPL-3.0-or-later
#include "preflight/probe.h"

#include "base/shell_quote.h"
#include "machine/this_computer.h"
#include "study/machine_info.h"

#include <QDir>
#include <QFile>

namespace scalebench {

using namespace Qt::Literals::StringLiterals;

QByteArray remoteScript(const QString& name)
{
    QFile file(u":/remote/"_s + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("the resource %s is missing", qPrintable(name));
    return file.readAll();
}

QByteArray scriptVariable(const QString& name, const QString& value)
{
    return name.toUtf8() + '=' +
           (value.isEmpty() ? QByteArray("''") : shellQuoted(value).toUtf8()) + '\n';
}

QByteArray probeScript(const TargetMachine& machine, const QString& dataSource, bool slurm)
{
    // Here the installed programs are used, not a deployed bundle.
    QString engine, prefix = machine.mpiPrefix;
    if (machine.kind == TargetMachine::Kind::Local) {
        const MachineInfo here = probeThisComputer(false);
        engine = here.enginePath;
        prefix =
            here.mpirunPath.isEmpty() ? QString() : QDir::cleanPath(here.mpirunPath + u"/../.."_s);
    }
    return scriptVariable(u"P_FOLDER"_s, machine.folder) + scriptVariable(u"P_ENGINE"_s, engine) +
           scriptVariable(u"P_MPI"_s, prefix) + scriptVariable(u"P_DATA"_s, dataSource) +
           scriptVariable(u"P_SLURM"_s, slurm ? u"1"_s : QString()) + remoteScript(u"probe.sh"_s);
}

qint64 ProbeAnswer::number(const QString& key, qint64 fallback) const
{
    bool ok = false;
    const qint64 number = value(key).toLongLong(&ok);
    return ok ? number : fallback;
}

QStringList ProbeAnswer::lines(const QString& key) const
{
    QStringList lines = values.value(key);
    if (!lines.isEmpty() && lines.last().startsWith("@exit "_L1))
        lines.removeLast();
    return lines;
}

int ProbeAnswer::exitCode(const QString& key) const
{
    const QStringList lines = values.value(key);
    return !lines.isEmpty() && lines.last().startsWith("@exit "_L1) ? lines.last().mid(6).toInt()
                                                                    : -1;
}

ProbeAnswer parseProbe(const QByteArray& output)
{
    ProbeAnswer answer;
    QByteArrayList lines = output.split('\n');
    if (lines.last().isEmpty() || output.contains("@scalebench-begin"))
        lines.removeLast(); // a line that was cut off says something else than it should
    for (const QByteArray& bytes : std::as_const(lines)) {
        const QString line = QString::fromUtf8(bytes.endsWith('\r') ? bytes.chopped(1) : bytes);
        if (!answer.began) {
            // Text without a line end may stand before the marker.
            answer.began = line.endsWith("@scalebench-begin"_L1);
            const QString noise = answer.began ? line.chopped(17) : line;
            if (!noise.isEmpty() && answer.noise.size() < 2000)
                answer.noise += noise + u'\n';
            continue;
        }
        if (line == "@scalebench-end"_L1) {
            answer.complete = true;
            break;
        }
        const qsizetype equal = line.indexOf(u'=');
        if (equal <= 0)
            continue;
        const QString key = line.left(equal), value = line.mid(equal + 1);
        if (key == "step"_L1)
            answer.step = value;
        else
            answer.values[key] << value;
    }
    return answer;
}

double stampSeconds(const QString& stamp)
{
    const double value = stamp.toDouble();
    return value > 1e15 ? value / 1e9 : value;
}

QByteArray relayScript(const QStringList& hosts, const QByteArray& probe, int parallel,
                       int hostTimeoutS)
{
    return scriptVariable(u"R_HOSTS"_s, hosts.join(u' ')) +
           scriptVariable(u"R_PARALLEL"_s, QString::number(parallel)) +
           scriptVariable(u"R_LIMIT"_s, QString::number(hostTimeoutS)) +
           scriptVariable(u"R_PROBE"_s, QString::fromUtf8(probe)) + remoteScript(u"relay.sh"_s);
}

RelayAnswer parseRelay(const QByteArray& output)
{
    RelayAnswer answer;
    bool began = false;
    RelayAnswer::Host* host = nullptr;
    for (const QByteArray& line : output.split('\n')) {
        if (!began) {
            began = line.endsWith("@relay-begin");
        } else if (line == "@relay-end") {
            answer.complete = true;
            break;
        } else if (line.startsWith("@address ")) {
            const QStringList words = QString::fromUtf8(line.mid(9)).simplified().split(u' ');
            for (const QString& name : words.mid(1))
                answer.addresses.insert(name, words.first());
        } else if (line.startsWith("@host ")) {
            host = &answer.hosts[QString::fromUtf8(line.mid(6))];
        } else if (host && line.startsWith("@code ")) {
            const QStringList words = QString::fromUtf8(line.mid(6)).split(u' ');
            host->asked = words.size() == 3;
            host->exitCode = words.value(0).toInt();
            host->beginS = stampSeconds(words.value(1));
            host->endS = stampSeconds(words.value(2));
        } else if (host && line.startsWith(' ')) {
            host->output += line.mid(1) + '\n';
        } else if (host && line.startsWith('!')) {
            host->errors += QString::fromLocal8Bit(line.mid(1)) + u'\n';
        }
    }
    return answer;
}

} // namespace scalebench
