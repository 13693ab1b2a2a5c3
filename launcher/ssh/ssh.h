// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Commands on other hosts through the system's ssh: the user's own config and agent, BatchMode,
// host keys always checked, one multiplexed connection per host where asked for. ssh joins its
// words with blanks and the remote login shell parses the result, so everything goes through
// remoteCommand().

#include "base/result.h"
#include "machine/machines.h"

#include <QByteArray>
#include <QElapsedTimer>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QStringList>

#include <functional>
#include <memory>

namespace scalebench {

struct SshOptions {
    int connectTimeoutS = 10;
    bool multiplexed = false; ///< share one connection per host (ControlMaster)
    bool keepAlive = false;   ///< notice a dead link within 15 s
    bool batch = true;        ///< false: may ask through the system's askpass
};

/// The words before the remote command: "ssh" is not among them, the destination is the last.
/// A destination that begins with "-" is refused by TargetMachine::check(); "--" guards anyway.
QStringList sshArguments(const TargetMachine& machine, const QString& host,
                         const SshOptions& options = {});
/// Folder of the multiplexing sockets (0700, made when missing); empty where none can be had.
QString sshControlFolder();

/// Whether `host` is the computer this runs on, where no ssh is needed.
bool isThisComputer(const QString& host);

/// What ssh's stderr and exit code mean. Codes: host_not_found, host_unreachable, host_timeout,
/// ssh_refused, host_key_unknown, host_key_changed, login_refused, ssh_missing, ssh_failed;
/// empty: ssh itself did its work (the code is the remote command's).
Failure classifySsh(const QString& host, int exitCode, const QString& standardError);

/// Hosts that this computer itself logs in to: the login node, else all hosts.
Result<QStringList> loginHosts(const TargetMachine& machine);
/// For hosts that ask for a password: one connection opened by ssh itself, which asks in the
/// terminal or through the system's askpass, and shared by all calls to this machine until logout.
/// The arguments are ssh's; Scalebench never sees what is typed.
QStringList sharedLoginArguments(const TargetMachine& machine, const QString& host);
QStringList sharedLogoutArguments(const TargetMachine& machine, const QString& host);
/// Whether calls to this machine look for such a connection.
Result<void> setSharedLogin(const TargetMachine& machine, bool on);

struct RemoteResult {
    bool started = false;
    bool timedOut = false;
    int exitCode = -1;
    QByteArray output; ///< stdout; a host that sends more than 64 MiB is cut off
    QString errors;    ///< stderr, its first MiB
    double seconds = 0;
    /// Code empty: the command ran and returned 0. "remote_failed": it ran and returned another.
    Failure failure;
};

/// One command on one host, asynchronous. `script` goes to the stdin of `words` (usually {"sh",
/// "-s", …}), so that nothing of it is parsed on the way. Destroying it kills ssh.
class RemoteCall : public QObject
{
    Q_OBJECT
public:
    RemoteCall(const TargetMachine& machine, const QString& host, QObject* parent = nullptr);
    ~RemoteCall() override;

    void setOptions(const SshOptions& options) { m_options = options; }
    void start(const QStringList& words, const QByteArray& input, int timeoutMs);
    const QString& host() const { return m_host; }
    const RemoteResult& result() const { return m_result; }

    /// Runs calls on many hosts, at most `parallel` at once, and waits for all; for threads and
    /// processes without a user interface. `input` may differ per host.
    static QList<RemoteResult> onAll(const TargetMachine& machine, const QStringList& hosts,
                                     const QStringList& words,
                                     const std::function<QByteArray(int)>& input, int timeoutMs,
                                     const SshOptions& options = {}, int parallel = 32);
    /// One host, waiting.
    static RemoteResult on(const TargetMachine& machine, const QString& host,
                           const QStringList& words, const QByteArray& input, int timeoutMs,
                           const SshOptions& options = {});

Q_SIGNALS:
    void done();

private:
    void finish(int exitCode);
    void takeOutput();

    TargetMachine m_machine;
    QString m_host;
    SshOptions m_options;
    RemoteResult m_result;
    QByteArray m_errors;
    bool m_tooMuch = false;
    std::unique_ptr<QProcess> m_process;
    QElapsedTimer m_started;
    bool m_finished = false;
};

} // namespace scalebench
