// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A cluster of hosts on this machine (tests/cluster/README.md), up as long as the object lives. It
// also goes when the test program is killed: the cluster watches for that itself.

#include "support/campaign.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStringList>
#include <QTest>

#include <algorithm>
#include <functional>

namespace scalebench::test {

/// How a command ended and all it said.
struct Said {
    int exitCode = -1; ///< -1: did not end in time or could not start
    QByteArray output;
    QByteArray errors;
    bool ok() const { return exitCode == 0; }
};

inline Said
runProgram(const QString& program, const QStringList& arguments, int seconds = 60,
           const QProcessEnvironment& environment = QProcessEnvironment::systemEnvironment())
{
    QProcess process;
    process.setProcessEnvironment(environment);
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(program, arguments);
    Said said;
    if (process.waitForFinished(std::max(seconds * 1000, kHangMs)) &&
        process.exitStatus() == QProcess::NormalExit)
        said.exitCode = process.exitCode();
    said.output = process.readAllStandardOutput();
    said.errors = process.readAllStandardError();
    if (process.state() != QProcess::NotRunning) {
        process.kill();
        process.waitForFinished();
    }
    return said;
}

/// Waits for what is found out by a program: its start takes more than the look, so twice a second.
inline bool waitWithPrograms(const std::function<bool()>& what, int seconds)
{
    QDeadlineTimer until(std::max(seconds * 1000, kHangMs));
    while (!what()) {
        if (until.hasExpired())
            return false;
        QTest::qWait(500);
    }
    return true;
}

class Cluster
{
public:
    /// Brings it up; `options` as of `cluster up`, e.g. {"--hosts", "2", "--slurm"}.
    explicit Cluster(const QStringList& options = {})
    {
        const QString owner = QString::number(QCoreApplication::applicationPid());
        const QStringList up{QStringLiteral("up"), QStringLiteral("--json"),
                             QStringLiteral("--owner"), owner};
        const Said said = runProgram(script(), up + options);
        if (said.exitCode == 77)
            m_error = m_skipReason = QString::fromUtf8(said.output).trimmed();
        else if (!said.ok())
            m_error = QStringLiteral("the test cluster did not come up: ") +
                      QString::fromUtf8(said.errors).trimmed();
        else
            m_values = QJsonDocument::fromJson(said.output).object();
    }

    ~Cluster() { down(); }
    Cluster(const Cluster&) = delete;
    Cluster& operator=(const Cluster&) = delete;

    /// Why this machine can have no cluster (then skip the test); empty when it can.
    QString skipReason() const { return m_skipReason; }
    /// Why it did not come up, be it that there can be none (where another came up, that is a
    /// failure, too).
    QString error() const { return m_error; }
    bool isUp() const { return !m_values.isEmpty(); }

    /// A value of `cluster env`, e.g. "CLUSTER_STATE".
    QString value(const char* key) const { return m_values.value(QLatin1String(key)).toString(); }
    QStringList list(const char* key) const
    {
        QStringList values;
        for (const QJsonValue value : m_values.value(QLatin1String(key)).toArray())
            values << value.toString();
        return values;
    }

    QString name() const { return value("SCALEBENCH_CLUSTER"); }
    QStringList hosts() const { return list("CLUSTER_HOSTS"); }
    QString host(int index) const { return hosts().value(index); }
    QString address(int index) const { return list("CLUSTER_ADDRESSES").value(index); }
    QString subnet() const { return value("CLUSTER_SUBNET"); }
    QString sshConfig() const { return value("CLUSTER_SSH_CONFIG"); }
    QString slurmConfig() const { return value("SLURM_CONF"); }
    /// The folder all hosts and this machine share; empty when there is none.
    QString shared() const { return list("CLUSTER_SHARED").value(0); }
    /// Where a host's own file lies on this machine: only /root, /home and /var can be looked into.
    QString fileOf(const QString& host, const QString& path) const
    {
        return value("CLUSTER_STATE") + QStringLiteral("/hosts/") + host + QStringLiteral("/disk") +
               path;
    }

    /// One command of the cluster script, e.g. {"link", "sb1", "down"}.
    Said command(const QStringList& arguments, int seconds = 60) const
    {
        return runProgram(script(), QStringList{QStringLiteral("--name"), name()} + arguments,
                          seconds);
    }

    /// Runs a program in a host without ssh, in its home folder.
    Said in(const QString& host, const QStringList& program, int seconds = 60) const
    {
        const QString entrance = value("CLUSTER_BIN") + QStringLiteral("/in-") + host;
        if (QFile::exists(entrance))
            return runProgram(entrance, program, seconds);
        return command(QStringList{QStringLiteral("in"), host} + program, seconds); // says why not
    }

    /// ssh from this machine, as a user's program would.
    Said ssh(const QString& host, const QString& line, int seconds = 60) const
    {
        return runProgram(QStringLiteral("ssh"),
                          {QStringLiteral("-F"), sshConfig(), QStringLiteral("-o"),
                           QStringLiteral("BatchMode=yes"), QStringLiteral("-o"),
                           QStringLiteral("ConnectTimeout=2"), host, line},
                          seconds);
    }

    /// What still runs on the hosts besides their services: "HOST PID COMMAND" each.
    QStringList processesLeft(const QString& host = {}, const QString& pattern = {}) const
    {
        QStringList arguments{QStringLiteral("processes")};
        if (!host.isEmpty())
            arguments << host << pattern;
        QStringList lines;
        for (const QString& line : QString::fromUtf8(command(arguments).output).split(u'\n'))
            if (line.contains(pattern) && !line.isEmpty())
                lines << line;
        return lines;
    }

    /// Removes all of it; harmless when done already.
    Said down()
    {
        if (!isUp())
            return Said{0, {}, {}};
        const Said said = runProgram(script(), {QStringLiteral("down"), name()});
        m_values = {};
        return said;
    }

    static QString script() { return QStringLiteral(SB_SOURCE_DIR "/tests/cluster/cluster"); }

private:
    QString m_skipReason;
    QString m_error;
    QJsonObject m_values;
};

} // namespace scalebench::test

/// In a test's init() (so that ctest counts a skip): skips where no cluster can be made, fails
/// where one should have come up.
#define SB_NEED_CLUSTER(cluster)                                                                   \
    do {                                                                                           \
        if (!(cluster).skipReason().isEmpty())                                                     \
            QSKIP(qPrintable((cluster).skipReason()));                                             \
        QVERIFY2((cluster).isUp(), qPrintable((cluster).error()));                                 \
    } while (false)
