// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The script that asks a host what it has, and the reading of its answer.

#include "machine/machines.h"

#include <QByteArray>
#include <QHash>
#include <QStringList>

namespace scalebench {

/// For the stdin of `sh -s` on the host. Settings travel as quoted variables, never as code.
QByteArray probeScript(const TargetMachine& machine, const QString& dataSource, bool slurm);

struct ProbeAnswer {
    bool began = false;
    bool complete = false;
    QString step;  ///< the last one that began
    QString noise; ///< text that login scripts printed before
    QHash<QString, QStringList> values;

    QString value(const QString& key) const { return values.value(key).value(0); }
    qint64 number(const QString& key, qint64 fallback = -1) const;
    bool has(const QString& key) const { return values.contains(key); }
    /// Lines of a command that the probe ran, without the one that tells the exit code.
    QStringList lines(const QString& key) const;
    int exitCode(const QString& key) const; ///< -1: it did not run to its end
};
ProbeAnswer parseProbe(const QByteArray& output);

/// What a login node says about the hosts behind it (resources/remote/relay.sh).
struct RelayAnswer {
    struct Host {
        bool asked = false;
        int exitCode = -1;
        double beginS = 0, endS = 0; ///< by the login node's clock
        QByteArray output;
        QString errors;
    };
    bool complete = false;
    QHash<QString, Host> hosts;
    QHash<QString, QString> addresses;
};
QByteArray relayScript(const QStringList& hosts, const QByteArray& probe, int parallel,
                       int hostTimeoutS);
RelayAnswer parseRelay(const QByteArray& output);

/// Seconds since 1970 of `date +%s%N` or `date +%s`.
double stampSeconds(const QString& stamp);
/// A script of resources/remote.
QByteArray remoteScript(const QString& name);
/// "NAME='value'\n" lines for a script.
QByteArray scriptVariable(const QString& name, const QString& value);

} // namespace scalebench
